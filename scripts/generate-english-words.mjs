// Writes src/crypto/englishWords.ts: the English word list of BIP-39 as @scure/bip39 ships it, front-coded. Sorted words share their
// beginnings, so each is written as the number of letters it shares with the one before and the rest: 2 KB less of gzip in every
// bundle. `--check` fails when the file is stale.
import { readFileSync, writeFileSync } from 'node:fs'
import { wordlist } from '@scure/bip39/wordlists/english.js'

const TARGET = new URL('../src/crypto/englishWords.ts', import.meta.url)

let packed = ''
let previous = ''
for (const word of wordlist) {
  let shared = 0
  while (word[shared] === previous[shared]) shared++
  packed += `${shared === 0 ? '\n' : ''}${shared}${word.slice(shared)}`
  previous = word
}

const text = `// Made by scripts/generate-english-words.mjs from the list of @scure/bip39; change that, not this.

/** Each word as the number of letters it shares with the one before, and the rest. */
const PACKED = \`${packed}\`

let words: string[] | undefined

/** The 2048 words of the English list of BIP-39, in their order; unpacked once, when they are first asked for. */
export function englishWords(): string[] {
  if (words === undefined) {
    let previous = ''
    const entries = PACKED.matchAll(/(\\d)([a-z]+)/g)
    words = Array.from(entries, ([, shared, rest]) => (previous = previous.slice(0, Number(shared)) + rest))
  }
  return words
}
`

if (process.argv.includes('--check')) {
  if (readFileSync(TARGET, 'utf8') !== text) {
    console.error('src/crypto/englishWords.ts is stale: run node scripts/generate-english-words.mjs')
    process.exit(1)
  }
} else writeFileSync(TARGET, text)
