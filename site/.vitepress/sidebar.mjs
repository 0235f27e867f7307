// The sidebar names every page there is: a new page appears by itself, at the end of its section until it is given a
// place here.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const SECTIONS = [
  { text: 'Start', pages: ['index', 'getting-started'] },
  {
    text: 'Concepts',
    folder: 'concepts',
    pages: ['heads', 'ledgers', 'deposits', 'leaving', 'finality', 'fees', 'time', 'limits', 'trust']
  },
  {
    text: 'Guides',
    folder: 'guides',
    pages: [
      'starters',
      'client',
      'payments',
      'receive-payments',
      'requests',
      'deposits',
      'bridge',
      'wallet',
      'cip-30',
      'react',
      'ui',
      'providers',
      'choosing-a-builder',
      'dapps',
      'utilities',
      'trust',
      'devnode',
      'devnode-control',
      'dashboard',
      'command-line',
      'testing',
      'runtimes',
      'preprod',
      'production',
      'troubleshooting',
      'migration-from-mesh'
    ]
  },
  { text: 'Reference', folder: 'reference', pages: ['index'] },
  { text: 'More', pages: ['errors', 'migration', 'reliability', 'benchmarks', 'architecture'] }
]

const titleOf = (path) => /^# (.+)$/m.exec(readFileSync(path, 'utf8'))?.[1]?.replaceAll('`', '')

/** Names of the pages of a folder, without their ending. */
const pagesOf = (folder) =>
  readdirSync(folder)
    .filter((name) => name.endsWith('.md'))
    .map((name) => name.slice(0, -3))
    .sort()

/** The sidebar over the Markdown below `docs`. */
export function sidebar(docs) {
  const placed = new Set(SECTIONS.filter(({ folder }) => folder === undefined).flatMap(({ pages }) => pages))
  return SECTIONS.map(({ text, folder = '.', pages }) => {
    const inFolder = pagesOf(join(docs, folder))
    const rest = inFolder.filter(
      (name) => !pages.includes(name) && !(folder === '.' && (placed.has(name) || text !== 'More'))
    )
    const items = [...pages.filter((name) => existsSync(join(docs, folder, `${name}.md`))), ...rest].map((name) => ({
      text: name === 'index' && folder === '.' ? 'Overview' : (titleOf(join(docs, folder, `${name}.md`)) ?? name),
      link: `/${folder === '.' ? '' : `${folder}/`}${name === 'index' && folder === '.' ? '' : name}`
    }))
    return { text, collapsed: text === 'Reference' ? true : undefined, items }
  })
}
