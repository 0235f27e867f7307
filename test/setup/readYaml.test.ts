import { readYaml } from '../../src/setup/yaml/readYaml'
import type { YamlValue } from '../../src/setup/yaml/YamlValue'
import { isLayerError } from '../../src/errors/base'
import { randomSource } from '../support/random'
import { scaled } from '../support/scale'

function plain(value: YamlValue): unknown {
  if (value instanceof Map) return Object.fromEntries([...value].map(([key, each]) => [key, plain(each as YamlValue)]))
  return Array.isArray(value) ? value.map((each) => plain(each as YamlValue)) : value
}
const read = (text: string): unknown => plain(readYaml(text, 'file'))

it.each<[string, string, unknown]>([
  [
    'mappings and lists in blocks',
    'a:\n  b: 1\n  c:\n    - x\n    - y\nd: z\n',
    { a: { b: 1, c: ['x', 'y'] }, d: 'z' }
  ],
  ['a list in the column of its key', 'a:\n- x\n- b: 1\n  c: 2\nd: 3', { a: ['x', { b: 1, c: 2 }], d: 3 }],
  ['lists of lists', '- - a\n  - b\n- c', [['a', 'b'], 'c']],
  [
    'brackets over several lines, with commas in front',
    'a:\n  [ "x"\n  , "y" # comment\n  , 3 ]\nb: 1',
    { a: ['x', 'y', 3], b: 1 }
  ],
  ['mappings in brackets', 'a: {b: 1, "c": [x, {d: e}], f: }', undefined],
  [
    'quoted texts with what looks like a comment',
    `a: "x # y"\nb: 'it''s' # z\nc: x#y`,
    { a: 'x # y', b: "it's", c: 'x#y' }
  ],
  ['colons in a text', 'a: 127.0.0.1:4001\nb: http://x', { a: '127.0.0.1:4001', b: 'http://x' }],
  [
    'the words of the core schema',
    'a: true\nb: null\nc: ~\nd: 1.5\ne: "1"\nf: 010\ng:',
    { a: true, b: null, c: null, d: 1.5, e: '1', f: '010', g: null }
  ],
  [
    'a literal block with a comment in it',
    'a: |\n  # one\n  two\n\n  three\nb: 1',
    { a: '# one\ntwo\n\nthree\n', b: 1 }
  ],
  ['a beginning of a document and a mark of bytes', '\ufeff---\na: 1', { a: 1 }],
  ['Windows line ends', 'a: 1\r\nb: 2\r\n', { a: 1, b: 2 }],
  ['an empty document', '# nothing\n', null],
  ['a name of a prototype', '__proto__: 1\nconstructor: 2', undefined]
])('reads %s', (_, text, expected) => {
  if (expected !== undefined) expect(read(text)).toEqual(expected)
  else if (text.startsWith('__proto__'))
    expect([...(readYaml(text, 'f') as ReadonlyMap<string, unknown>).keys()]).toEqual(['__proto__', 'constructor'])
  else expect(() => read(text)).toThrow('line 1')
})

it.each<[string, string, string]>([
  ['a key twice', 'a: 1\na: 2', 'line 2'],
  ['a tab', 'a:\n\tb: 1', 'line 2'],
  ['an alias', 'a: *b', 'line 1'],
  ['a tag', 'a: !x 1', 'line 1'],
  ['a bracket that does not close', 'a: [1, 2\nb: 3', 'line 1'],
  ['a quote that does not close', 'a: "x', 'line 1'],
  ['a text over several lines', 'a: x\n   y', 'line 2'],
  ['another column', 'a:\n    b: 1\n  c: 2', 'line 3']
])('refuses %s, with the line', (_, text, line) => expect(() => read(text)).toThrow(line))

it('never throws anything but a typed error, and ends, on random text', () => {
  const random = randomSource('yaml')
  const parts = [
    'a',
    ':',
    ' ',
    '\n',
    '- ',
    '[',
    ']',
    '{',
    '}',
    ',',
    '"',
    "'",
    '#',
    '|',
    '>',
    '\\',
    '\t',
    '&',
    '0',
    '  ',
    'é'
  ]
  for (let i = 0; i < scaled(20_000); i++) {
    const text = Array.from({ length: random.below(40) }, () => random.pick(parts)).join('')
    try {
      read(text)
    } catch (error) {
      if (!isLayerError(error, 'INPUT_ARGUMENT')) throw new Error(`${JSON.stringify(text)}: ${String(error)}`)
    }
  }
})

it('ends in time on long hostile text', () => {
  for (const text of [
    '['.repeat(100_000),
    '- '.repeat(50_000),
    'a: '.repeat(50_000),
    `a: ${'"\\'.repeat(100_000)}`,
    ' '.repeat(500_000),
    'x'.repeat(500_000),
    `a${' '.repeat(300_000)}b`,
    `a: [\n${'1,\n'.repeat(50_000)}]`,
    `[${', "'.repeat(100_000)}`,
    `${'a'.repeat(300_000)} :`,
    `"${'\\"'.repeat(200_000)}`
  ]) {
    const startedMs = performance.now()
    try {
      read(text)
    } catch (error) {
      if (!isLayerError(error)) throw error
    }
    expect(performance.now() - startedMs).toBeLessThan(2_000)
  }
})
