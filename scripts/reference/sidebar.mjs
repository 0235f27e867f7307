// The sidebars of the reference: each entry has one of its own, with everything that has a page there.
import { folderOf } from './model.mjs'
import { roomPathOf } from './sections.mjs'

const linkOf = (path) => `/${path.replace(/\.md$/, '')}`
const GROUPS = [
  ['Classes', ['class']],
  ['Interfaces', ['interface']],
  ['Functions', ['function']],
  ['Constants', ['constant']]
]

/** An item; of the class that one looks at, its members too: elsewhere they would be most of every page. */
function itemOf(item, shown) {
  const members = item === shown ? item.members.map((member) => ({ text: member.name, link: linkOf(member.path) })) : []
  return {
    text: item.name,
    link: linkOf(item.path),
    ...(members.length === 0 ? {} : { collapsed: false, items: members })
  }
}

/** Beginning of a path -> its sidebar: one for each entry, and one for each class. */
export function referenceSidebars(reference, specifierOf) {
  const entries = [...reference.exported.keys()].sort((a, b) => (specifierOf(a) < specifierOf(b) ? -1 : 1))
  const rooms = entries.map((entry) => ({ text: specifierOf(entry), link: linkOf(roomPathOf(entry)) }))
  const sidebarOf = (entry, shown) => {
    const own = reference.items.filter((item) => item.entry === entry)
    const groups = GROUPS.map(([text, kinds]) => ({
      text,
      collapsed: false,
      items: own.filter(({ kind }) => kinds.includes(kind)).map((item) => itemOf(item, shown))
    }))
    const types = own.some(({ kind }) => kind === 'type')
      ? [{ text: 'Types', link: linkOf(`${folderOf(entry)}/types.md`) }]
      : []
    return [
      {
        text: specifierOf(entry),
        link: linkOf(roomPathOf(entry)),
        items: [...groups.filter(({ items }) => items.length > 0), ...types]
      },
      { text: 'Entries', collapsed: true, items: rooms }
    ]
  }
  // The first beginning that fits counts: DevNodeParty stands before DevNode.
  const classes = reference.items
    .filter(({ members }) => members.length > 0)
    .sort((a, b) => b.path.length - a.path.length)
  return Object.fromEntries([
    ...classes.map((item) => [linkOf(item.path), sidebarOf(item.entry, item)]),
    ...entries.map((entry) => [linkOf(folderOf(entry)), sidebarOf(entry)]),
    // The list of the root entry lies beside the folders of the others.
    ...(reference.exported.has('index') ? [['/reference/index', sidebarOf('index')]] : [])
  ])
}
