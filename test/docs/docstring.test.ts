import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { filesBelow, ROOT } from '../support/markdown'

interface Rendered {
  name: string
  doc: string
  signature: string
}

/**
 * What the generator of the reference makes of each declaration with a docstring, source by source. It is an ES module,
 * so a process of its own runs it.
 */
function render(sources: readonly string[]): Rendered[][] {
  const script = `
    import ts from 'typescript'
    import { renderDoc, signatureOf } from ${JSON.stringify(pathToFileURL(join(ROOT, 'scripts', 'docstring.mjs')).href)}
    import { readFileSync } from 'node:fs'
    const declarationsOf = (text) => {
      const found = []
      const visit = (node) => {
        if (node.jsDoc !== undefined) found.push({ name: node.name?.getText() ?? '', doc: renderDoc(node), signature: signatureOf(node) })
        ts.forEachChild(node, visit)
      }
      visit(ts.createSourceFile('source.d.ts', text, ts.ScriptTarget.ES2022, true))
      return found
    }
    console.log(JSON.stringify(JSON.parse(readFileSync(0, 'utf8')).map(declarationsOf)))`
  return JSON.parse(
    execFileSync(process.execPath, ['--input-type=module', '-e', script], {
      cwd: ROOT,
      input: JSON.stringify(sources),
      encoding: 'utf8',
      maxBuffer: 2 ** 26
    })
  )
}

const sources: string[] = []
let rendered: Rendered[][] = []

/**
 * Has a source rendered together with all others, in one process. Returns what gives its first declaration once they
 * are.
 */
function once(source: string): () => Rendered {
  const at = sources.push(source) - 1
  return () => rendered[at]![0]!
}

beforeAll(() => {
  rendered = render(sources)
})

describe('the docstrings of the reference', () => {
  it.each(
    [
      ['CIP-19', 'See CIP-19'],
      ['https://docs.blockfrost.io', 'See https://docs.blockfrost.io'],
      ['RFC 8152, section 4.4', 'See RFC 8152, section 4.4'],
      ['plutus-core, PlutusCore/Data.hs', 'See plutus-core, PlutusCore/Data.hs'],
      ['{@link buildSweep} for all of them', 'See `buildSweep` for all of them'],
      ['[CIP-30](https://cips.cardano.org/cip/CIP-30)', 'See [CIP-30](https://cips.cardano.org/cip/CIP-30)']
    ].map(([text, expected]): [string, string, ...(() => Rendered)[]] => [
      text!,
      expected!,
      once(`/**\n * Text.\n *\n * @see ${text}\n */\nexport declare function f(): void`),
      once(`/** Text. @see ${text} */\nexport declare function f(): void`)
    ])
  )('keep every word of @see %s', (_, expected, ...forms) => {
    expect(forms.map((form) => form().doc)).toEqual([`Text.\n\n${expected}`, `Text.\n\n${expected}`])
  })

  const several = once(
    '/**\n * Text.\n * @see CIP-8\n * @throws {@link InvalidHexError} when it is not hex\n * @see CIP-30,\n * on two lines\n */\nexport declare function f(): void'
  )
  it('keep several @see and @throws apart, in their order', () => {
    expect(several().doc).toBe(
      'Text.\n\nSee CIP-8\n\nThrows `InvalidHexError` when it is not hex\n\nSee CIP-30, on two lines'
    )
  })

  it('show the text of every @see in the sources as it is written', () => {
    const withSee = filesBelow('src', '.ts')
      .map((path) => readFileSync(join(ROOT, path), 'utf8'))
      .filter((text) => text.includes('@see '))
    const docstrings = withSee.flatMap((text) => text.match(/\/\*\*[\s\S]*?\*\//g) ?? [])
    const written = docstrings.flatMap((text) =>
      [...text.matchAll(/@see (.+?) *(?:\*\/|\n)/g)].map((match) => match[1]!.replace(/\{@link (.+?)\}/g, '`$1`'))
    )
    const docs = render(withSee)
      .flat()
      .map(({ doc }) => doc)
    expect(written.length).toBeGreaterThan(15)
    expect(written.filter((text) => !docs.some((doc) => doc.includes(`See ${text}`)))).toEqual([])
  })

  const alias = once('/** All. */\nexport type T =\n  /** One. */\n  | { a: 1 }')
  const plain = once('/** All. */\nexport interface T {\n  /** One. */\n  a: 1\n}')
  it('stand in the signature of a type alias, whose members have no list of their own', () => {
    expect(alias().signature).toBe('type T =\n  /** One. */\n  | { a: 1 }')
    expect(plain().signature).toBe('interface T {\n    a: 1;\n}')
  })
})
