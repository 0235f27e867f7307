import { execFileSync } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { ROOT } from '../support/markdown'

const FOLDER = join(ROOT, '.cache', 'reference-test')

/** A room with a function, a class, its options and an error, as the bundler of declarations leaves them. */
const DECLARATIONS = `
declare abstract class LayerSdkError<Code extends string = string> extends Error { readonly code: Code }
/** Not hex. */
declare class InvalidHexError extends LayerSdkError<'INPUT_HEX'> { readonly name = 'InvalidHexError' }
/** Shape of an output. */
interface Output$1 {
  /** Amount, lovelace. @default 0n */
  amount?: bigint
  /** Where it goes: <b> | \`<i>\`. */
  to: Output$1 | string
}
/** Options of reading. */
interface ReadOptions extends Partial<Output$1> {
  /** Time limit, ms. @default 30000 */
  timeout?: number
  /** Ends it. */
  signal?: AbortSignal
}
/**
 * Reads an output. See {@link Reader.read} and {@link somethingInternal}.
 *
 * @param text - the output, hex.
 * @param limit - at most so many bytes. @default 10
 * @returns the output.
 * @throws {@link InvalidHexError} when it is not hex
 * @see CIP-19
 * @example
 * \`\`\`ts no-run
 * import { readOutput } from 'layer-sdk/room'
 * @decorated
 * console.log(readOutput('00'))
 * \`\`\`
 */
declare function readOutput(text: string, limit?: number, options?: ReadOptions): Promise<Output$1[]>
/**
 * Reads all.
 * @example
 * \`\`\`ts no-run
 * await reader.readAll()
 * \`\`\`
 */
declare function readAll(reader: Reader): Promise<void>
/**
 * Reads outputs.
 * @example
 * \`\`\`ts
 * new Reader({ timeout: 1 })
 * \`\`\`
 */
declare class Reader {
  #private
  private hidden: string
  /** @internal */
  inner(): void
  /** How many were read. */
  readonly count: number
  /** Starts. @throws {@link InvalidHexError} at once */
  constructor(options?: ReadOptions)
  /** Reads one, as {@link readOutput} does. */
  read(text: string): Promise<Output$1>
  /** Reads all. See {@link readAll}. */
  readAll(): Promise<void>
  [Symbol.asyncDispose](): Promise<void>
}
export { InvalidHexError, LayerSdkError, Reader, readAll, readOutput }
export type { Output$1 as Output, ReadOptions }
`

const RELEASED = { '0.1.0': { room: ['InvalidHexError', 'Reader', 'Reader.read', 'readOutput'] } }

interface Made {
  pages: Record<string, string>
  broken: string[]
  sidebars: Record<string, unknown>
  namesOf: string[]
  linked: string
  sections: { tag: string; text: string }[]
  introduced: string[]
}

const INTRODUCTION = '/**\n * A room.\n *\n * @see docs/guides/a-room.md\n * @packageDocumentation\n */'

/** What the generator makes of the declarations. It is an ES module, so a process of its own runs it. */
function make(script: string): Made {
  const urlOf = (name: string): string =>
    JSON.stringify(pathToFileURL(join(ROOT, 'scripts', 'reference', `${name}.mjs`)).href)
  const source = `
    import { readReference } from ${urlOf('model')}
    import { renderReference } from ${urlOf('pages')}
    import { referenceSidebars } from ${urlOf('sidebar')}
    import { brokenLinks, linkItems } from ${urlOf('links')}
    import { namesOf } from ${urlOf('released')}
    import { sectionsOf } from ${urlOf('docText')}
    import { introductionOf, introductions } from ${urlOf('introduction')}
    const reference = readReference({ files: { room: ${JSON.stringify(join(FOLDER, 'room.d.ts'))} }, released: ${JSON.stringify(RELEASED)} })
    const specifierOf = (entry) => 'layer-sdk/' + entry
    const introduction = introductionOf(${JSON.stringify(INTRODUCTION)})
    const pages = renderReference(reference, specifierOf, new Map([['room', introduction]]))
    ${script}`
  return JSON.parse(
    execFileSync(process.execPath, ['--input-type=module', '-e', source], { cwd: ROOT, encoding: 'utf8' })
  ) as Made
}

let made: Made
let pages: Made['pages']

beforeAll(() => {
  mkdirSync(FOLDER, { recursive: true })
  writeFileSync(join(FOLDER, 'room.d.ts'), DECLARATIONS)
  const report = JSON.stringify(
    [
      'export class A extends B {',
      '    constructor(x: {',
      '        y: number;',
      '    });',
      '    get size(): number;',
      '}',
      'class Hidden {',
      '    z: 1;',
      '}',
      'export { Passed }'
    ].join('\n')
  )
  made = make(`
    const errors = new Map([['errors.md', '# Errors\\n\\n## INPUT_HEX\\n'], ['guides/a-room.md', ''], ['glossary.md', '']])
    console.log(JSON.stringify({
      pages: Object.fromEntries(pages),
      broken: [
        ...brokenLinks(pages, errors),
        ...brokenLinks(new Map([['reference/a.md', '[b](b.md) [c](#c) [d](../errors.md#input_hex) [e](../errors.md#input_hax)\\n\\n# C']]), errors)
      ],
      linked: linkItems('[a](../reference/room.md#readoutput) [b](../reference/room.md#nothing) [c](../reference/room.md)', 'guides/x.md', reference),
      sidebars: referenceSidebars(reference, specifierOf),
      namesOf: namesOf(${report}),
      introduced: [...introductions().values()],
      sections: sectionsOf('/** Text. @default 10 @beta */')
    }))`)
  pages = made.pages
}, 60_000)
afterAll(() => rmSync(FOLDER, { recursive: true, force: true }))

it('takes the place of the long lists in the links of other pages', () => {
  expect(made.linked).toBe(
    '[a](../reference/room/readOutput.md) [b](../reference/room.md#nothing) [c](../reference/room.md)'
  )
})

describe('a page of the reference about a function', () => {
  const page = (): string => pages['reference/room/readOutput.md']!

  it('says how to import it, since when it is there, and shows its example', () => {
    expect(page()).toContain('# readOutput\n\n[layer-sdk/room](../room.md) · function · since 0.1.0\n')
    expect(page()).toContain("## Import\n\n```ts\nimport { readOutput } from 'layer-sdk/room'\n```")
    expect(page()).toContain(
      "## Example\n\n```ts\nimport { readOutput } from 'layer-sdk/room'\n@decorated\nconsole.log(readOutput('00'))\n```"
    )
  })

  it('lists its parameters with type, default and unit', () => {
    expect(page()).toContain('### text\n\n- **Type:** <code v-pre>string</code>\n- **Unit:** hex\n\nthe output, hex.')
    expect(page()).toContain(
      '### limit\n\n- **Type:** <code v-pre>number</code>, optional\n- **Default:** `10`\n- **Unit:** bytes'
    )
  })

  it('lists the fields of its options, inherited ones too', () => {
    expect(page()).toContain(
      '### options\n\n- **Type:** <code v-pre>[ReadOptions](types.md#readoptions)</code>, optional'
    )
    expect(page()).toContain(
      '### options.timeout\n\n- **Type:** <code v-pre>number</code>, optional\n- **Default:** `30000`\n- **Unit:** ms\n\nTime limit, ms.'
    )
    expect(page()).toMatch(/### options\.amount\n\n.*bigint.*\n- \*\*Default:\*\* `0n`\n- \*\*Unit:\*\* lovelace/)
  })

  it('links the types of its result and the sections of its errors', () => {
    expect(page()).toContain(
      '## Returns\n\n<code v-pre>Promise&#60;[Output](types.md#output)&#91;&#93;&#62;</code>\n\nthe output.'
    )
    expect(page()).toContain(
      '## Errors\n\n- [`INPUT_HEX`](../../errors.md#input_hex): `InvalidHexError` when it is not hex'
    )
    expect(page()).toContain('## See\n\n- CIP-19')
  })

  it('says of an example that calls a method which one it is', () => {
    expect(pages['reference/room/readAll.md']).toContain(
      '## Example\n\nBy the method [`Reader.readAll`](Reader/readAll.md), which does the same:\n\n```ts\nawait reader.readAll()\n```'
    )
    expect(page()).not.toContain('By the method')
  })

  it('links the names of its text that have a page, and no others', () => {
    expect(page()).toContain('Reads an output. See [`Reader.read`](Reader/read.md) and `somethingInternal`.')
  })
})

describe('a page of the reference about a class', () => {
  it('shows its constructor with options and errors, and links its members', () => {
    const page = pages['reference/room/Reader.md']!
    expect(page).toContain('## Constructor\n\n```ts\nnew Reader(options?: ReadOptions)\n```\n\nStarts.')
    expect(page).toContain('### options.timeout')
    expect(page).toContain('- [`INPUT_HEX`](../../errors.md#input_hex): `InvalidHexError` at once')
    expect(page).toContain(
      '## Methods\n\n| Name | What it is |\n|---|---|\n| [`read`](Reader/read.md) | Reads one, as [`readOutput`](readOutput.md) does. |'
    )
    expect(page).toContain(
      '## Properties\n\n| Name | What it is |\n|---|---|\n| [`count`](Reader/count.md) | How many were read. |'
    )
  })

  it('has a page for each public member, with the release that brought it and an example of the class', () => {
    expect(Object.keys(pages).filter((path) => path.startsWith('reference/room/Reader/'))).toEqual([
      'reference/room/Reader/count.md',
      'reference/room/Reader/read.md',
      'reference/room/Reader/readAll.md',
      'reference/room/Reader/asyncDispose.md'
    ])
    expect(pages['reference/room/Reader/read.md']).toContain('method of [`Reader`](../Reader.md) · since 0.1.0')
    expect(pages['reference/room/Reader/count.md']).toContain(
      'property of [`Reader`](../Reader.md) · not in a release yet'
    )
    expect(pages['reference/room/Reader/read.md']).toContain(
      '## Example\n\nOf [`Reader`](../Reader.md):\n\n```ts\nnew Reader({ timeout: 1 })\n```'
    )
    expect(pages['reference/room/Reader/read.md']).toContain(
      '## Returns\n\n<code v-pre>Promise&#60;[Output](../types.md#output)&#62;</code>'
    )
  })
})

describe('the other pages of the reference', () => {
  it('describe every type with its fields, and leave nothing to Markdown or Vue that is a type', () => {
    const page = pages['reference/room/types.md']!
    expect(page).toContain('## Output\n\nShape of an output.\n\n| Field | Type | Meaning |')
    expect(page).toContain(
      '| `amount?` | <code v-pre>bigint</code> | Amount, lovelace. Default: `0n`. Unit: lovelace. |'
    )
    expect(page).toContain(
      '| `to` | <code v-pre>[Output](#output) &#124; string</code> | Where it goes: &lt;b> \\| `<i>`. |'
    )
    expect(page).toContain('Not in a release yet.')
  })

  it('list what an entry exports, errors with their section, and stand in its sidebar', () => {
    const page = pages['reference/room.md']!
    for (const link of ['room/readOutput.md', 'room/Reader.md', 'room/types.md#output', '../errors.md#input_hex'])
      expect(page).toContain(`](${link})`)
    expect(JSON.stringify(made.sidebars['/reference/room'])).toContain(
      '{"text":"readOutput","link":"/reference/room/readOutput"}'
    )
    expect(JSON.stringify(made.sidebars['/reference/room/Reader'])).toContain(
      '{"text":"read","link":"/reference/room/Reader/read"}'
    )
  })
})

it('begins the page of an entry with its introduction, guides and glossary', () => {
  expect(pages['reference/room.md']).toMatch(
    /^# layer-sdk\/room\n\nA room\.\n\nGuides: \[a room\]\(\.\.\/guides\/a-room\.md\)\. Terms: \[glossary\]/
  )
  expect(made.introduced.length).toBe(20)
  for (const text of made.introduced) expect(text).toMatch(/^\S[\s\S]{60,}\n\nGuides: \[/)
})

it('finds every link of the reference that leads nowhere', () => {
  expect(made.broken).toEqual(['reference/a.md: b.md', 'reference/a.md: ../errors.md#input_hax'])
})

it('reads the names of a release from its API reports, exported classes with their members', () => {
  expect(made.namesOf).toEqual(['A', 'A.constructor', 'A.size', 'Passed'])
})

it('reads a tag behind the text of the same line', () => {
  expect(made.sections).toEqual([
    { tag: '', text: 'Text.' },
    { tag: 'default', text: '10' },
    { tag: 'beta', text: '' }
  ])
})
