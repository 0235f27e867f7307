// Holds that a page without Plutus scripts loads none of their code at once: texts that stand in their sources alone are
// in no chunk of it that its bundler loads with the page.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from './entries.mjs'

/** Sources that only scripts, blueprints and offers need. */
const ROOMS = ['tx/scripts', 'tx/contracts', 'tx/offers', 'tx/tokens', 'client/scripts', 'adapters/scalus']
const FILES = [
  'errors/scripts.ts',
  'tx/signersOf.ts',
  'client/actions/evaluate.ts',
  'client/actions/newTx.ts',
  'client/flows/offerEnd.ts'
]
/** Texts that a minifier leaves as they are: no quote, no escape, no placeholder. */
const TEXT = /'([\w .,:;#()-]{12,})'/g
const COMMENTS = /\/\*[\s\S]*?\*\/|^\s*(?:\/\/|import |export .* from ).*$/gm

const textsOf = (path) =>
  [...readFileSync(path, 'utf8').replace(COMMENTS, '').matchAll(TEXT)]
    .map(([, text]) => text)
    .filter((text) => !text.endsWith('.js'))

const sources = readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' })
  .filter((path) => /\.tsx?$/.test(path))
  .map((path) => path.replaceAll('\\', '/'))
const isOfScripts = (path) => FILES.includes(path) || ROOMS.some((room) => path.startsWith(`${room}/`))

/** Texts by which the code of scripts is known: `[text, source]`, those that no other source has. */
export function textsOfScripts() {
  const others = sources
    .filter((path) => !isOfScripts(path))
    .map((path) => readFileSync(join(ROOT, 'src', path), 'utf8'))
    .join('\n')
  return sources
    .filter(isOfScripts)
    .flatMap((path) => textsOf(join(ROOT, 'src', path)).map((text) => [text, path]))
    .filter(([text]) => !others.includes(text))
}

/**
 * Sources of scripts whose code is in these texts, each once.
 *
 * @param code - the code that loads at once
 * @param texts - of {@link textsOfScripts}
 * @returns {string[]}
 */
export const scriptSourcesIn = (code, texts) => [
  ...new Set(texts.filter(([text]) => code.includes(text)).map(([, path]) => path))
]
