import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { readJson, ROOT } from './entries.mjs'

const DOCS = join(ROOT, 'docs')
const SECTIONS = [
  ['Start', /^[^/]+$/],
  ['Concepts', /^concepts\//],
  ['Guides', /^guides\//],
  ['Reference', /^reference\//]
]

/**
 * Returns docs/llms.txt, an index of the site for programs that read: title, address and first sentence of each page.
 * The package holds it in place of the pages.
 */
export function llmsIndex(pages = {}) {
  const paths = readdirSync(DOCS, { recursive: true })
    .map((path) => String(path).replaceAll('\\', '/'))
    .filter((path) => path.endsWith('.md'))
    .sort()
  const textOf = (path) => pages[`docs/${path}`] ?? readFileSync(join(DOCS, path), 'utf8')
  const sections = SECTIONS.map(([title, matches]) => {
    const lines = paths.filter((path) => matches.test(path)).map((path) => lineOf(path, textOf(path)))
    return `## ${title}\n\n${lines.join('\n')}\n`
  })
  return [
    '# layer-sdk\n',
    '> Wallets, providers, a transaction builder and a head client for Cardano and its layer-two heads (hydra-node), in pure TypeScript.\n',
    'The declarations in the package (dist/*.d.cts) have the same texts as the reference.\n',
    ...sections
  ].join('\n')
}

function lineOf(path, text) {
  const title = /^# (.+)$/m.exec(text)?.[1] ?? path
  const sentence = firstSentence(text)
  return `- [${title}](${addressOf(path)})${sentence === '' ? '' : `: ${sentence}`}`
}

/** Returns the address of a page on the site. */
const addressOf = (path) => `${readJson('package.json').homepage}/${path.replace(/\.md$/, '.html')}`

/** Returns the first sentence of prose, without marks and links. */
function firstSentence(text) {
  const prose = text
    .replace(/```[\s\S]*?```|<!--[\s\S]*?-->/g, '')
    .split(/\n{2,}/)
    .map((part) => part.trim())
    .find((part) => /^[A-Z*`]/.test(part) && !part.startsWith('Made by'))
  const plain = (prose ?? '')
    .replace(/\s+/g, ' ')
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/\*\*/g, '')
  return /^.*?[.?](?= |$)/.exec(plain)?.[0] ?? plain.replace(/:$/, '.')
}
