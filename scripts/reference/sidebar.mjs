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

function itemOf(item) {
  const members = item.members.map((member) => ({ text: member.name, link: linkOf(member.path) }))
  return { text: item.name, link: linkOf(item.path), ...(members.length === 0 ? {} : { collapsed: true, items: members }) }
}

/** Beginning of a path -> its sidebar. */
export function referenceSidebars(reference, specifierOf) {
  const entries = [...reference.exported.keys()].sort((a, b) => (specifierOf(a) < specifierOf(b) ? -1 : 1))
  const rooms = entries.map((entry) => ({ text: specifierOf(entry), link: linkOf(roomPathOf(entry)) }))
  const sidebarOf = (entry) => {
    const own = reference.items.filter((item) => item.entry === entry)
    const groups = GROUPS.map(([text, kinds]) => ({ text, collapsed: false, items: own.filter(({ kind }) => kinds.includes(kind)).map(itemOf) }))
    const types = own.some(({ kind }) => kind === 'type') ? [{ text: 'Types', link: linkOf(`${folderOf(entry)}/types.md`) }] : []
    return [
      { text: specifierOf(entry), link: linkOf(roomPathOf(entry)), items: [...groups.filter(({ items }) => items.length > 0), ...types] },
      { text: 'Entries', collapsed: true, items: rooms }
    ]
  }
  const own = entries.map((entry) => [linkOf(folderOf(entry)), sidebarOf(entry)])
  // The list of the root entry lies beside the folders of the others.
  return Object.fromEntries([...own, ...(reference.exported.has('index') ? [['/reference/index', sidebarOf('index')]] : [])])
}
