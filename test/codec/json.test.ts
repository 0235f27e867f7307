import fc from 'fast-check'
import { parseJson, stringifyJson } from '../../src/codec/json.js'
import { isLayerError } from '../../src/errors/base.js'
import { scaled } from '../support/scale'
import { runsInTime } from '../support/timing'

const MAX = Number.MAX_SAFE_INTEGER

/** What parseJson promises, said by the slow way: every integer literal judged by itself. */
const withBigints = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.string({ unit: 'binary' }),
    fc.boolean(),
    fc.constant(null),
    fc.integer(),
    fc.bigInt().map((n) => (n >= -BigInt(MAX) && n <= BigInt(MAX) ? Number(n) : n)),
    fc.double({ noNaN: true, noDefaultInfinity: true }).filter((n) => Number.isSafeInteger(n) || !Number.isInteger(n)),
    fc.array(tie('value')),
    fc.dictionary(fc.oneof(fc.string({ unit: 'binary' }), fc.constant('__proto__')), tie('value'))
  )
})).value

describe('parseJson', () => {
  it('reads what JSON.parse reads, alike, while no integer is beyond 2^53 - 1', () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        const native = JSON.parse(text) as unknown
        if (!/\d{16}/.test(text)) expect(parseJson(text)).toEqual(native)
      }),
      { numRuns: scaled(2000) }
    )
  })

  it('reads integers beyond 2^53 - 1 exactly, at every place of a value', () => {
    expect(parseJson('9007199254740991')).toBe(MAX)
    expect(parseJson('9007199254740992')).toBe(9007199254740992n)
    expect(parseJson(' -9007199254740993 ')).toBe(-9007199254740993n)
    expect(parseJson('{"a":[9223372036854775807 , {"b":\n18446744073709551615}],"c":6459586778467727683}')).toEqual({
      a: [9223372036854775807n, { b: 18446744073709551615n }],
      c: 6459586778467727683n
    })
  })

  it('leaves numbers with a fraction or an exponent, and digits inside strings, as they are', () => {
    const text =
      '{"a":1234567890123456789.5,"b":1e30,"c":"x:12345678901234567890","d":12345678901234567890,"e":0.12345678901234567890}'
    expect(parseJson(text)).toEqual({
      a: 1234567890123456789.5,
      b: 1e30,
      c: 'x:12345678901234567890',
      d: 12345678901234567890n,
      e: 0.1234567890123456789
    })
  })

  it('is not misled by private-use characters in the text, plain or escaped', () => {
    expect(parseJson('{"a":"\ue0001","b":"\\uE0012","c":12345678901234567890}')).toEqual({
      a: '\ue0001',
      b: '\ue0012',
      c: 12345678901234567890n
    })
  })

  it('refuses integers of more than 4,096 digits and reads those of 4,096', () => {
    const digits = '9'.repeat(4_096)
    expect(parseJson(`[-${digits},${digits}]`)).toEqual([-BigInt(digits), BigInt(digits)])
    for (const text of [`[9${digits}]`, `{"a":-9${digits}}`, '1'.repeat(1_000_000)]) {
      expect(() => parseJson(text)).toThrow(
        expect.objectContaining({ code: 'INPUT_JSON', message: expect.stringContaining('4096 digits') })
      )
    }
    // Beside them, text and numbers with a fraction may be as long as they like.
    expect(parseJson(`["${digits}${digits}",0.${digits}${digits}]`)).toEqual([digits + digits, 1])
  })

  it('finds a free mark however many private-use characters the text takes, plain or escaped', () => {
    const plain = Array.from({ length: 3_000 }, (_, index) => String.fromCharCode(0xe000 + index))
    const escaped = Array.from(
      { length: 3_000 },
      (_, index) => `\\u${(0xe000 + 3_000 + index).toString(16)[index % 2 === 0 ? 'toUpperCase' : 'toLowerCase']()}`
    )
    const text = `[12345678901234567890,"${plain.join('","')}","${escaped.join('","')}"]`
    const value = parseJson(text) as unknown[]
    expect(value[0]).toBe(12345678901234567890n)
    expect(value.slice(1)).toEqual((JSON.parse(text) as unknown[]).slice(1))
    const all = Array.from({ length: 6_400 }, (_, index) => String.fromCharCode(0xe000 + index))
    expect(() => parseJson(`[12345678901234567890,"${all.join('')}"]`)).toThrow(
      expect.objectContaining({ code: 'INPUT_JSON' })
    )
  })

  it('reads a text full of private-use characters without hanging', () => {
    const escapes = Array.from({ length: 255 }, (_, index) => `\\ue0${index.toString(16).padStart(2, '0')}`).join('')
    const text = `[12345678901234567890,"${'\\ue1ff'.repeat(250_000)}","${escapes}"]`
    runsInTime(200, () => parseJson(text))
  })

  it('keeps __proto__ as plain data', () => {
    for (const text of [
      '{"__proto__":{"polluted":1}}',
      '{"__proto__":{"polluted":12345678901234567890}}',
      '{"__proto__":12345678901234567890}'
    ]) {
      const value = parseJson(text) as object
      expect(Object.keys(value)).toEqual(['__proto__'])
      expect(Object.getPrototypeOf(value)).toBe(Object.prototype)
      expect(({} as { polluted?: unknown }).polluted).toBeUndefined()
    }
  })

  it.each([
    '',
    '{',
    '[1,]',
    '01',
    '012345678901234567890',
    '--12345678901234567890',
    '{12345678901234567890:1}',
    '{12345678901234567890 : 1}',
    '[1 12345678901234567890]',
    '12345678901234567890abc',
    '"a"12345678901234567890',
    '"\\',
    '"open',
    '\u0001',
    'NaN',
    '[12345678901234567890',
    '{"a":12345678901234567890,}',
    '-',
    '+1'
  ])('refuses the malformed text %j', (text) => {
    expect(() => parseJson(text)).toThrow(expect.objectContaining({ code: 'INPUT_JSON' }))
  })

  it('refuses more than 256 levels of nesting and reads 256', () => {
    expect(parseJson('['.repeat(256) + ']'.repeat(256))).toHaveLength(1)
    expect(() => parseJson('['.repeat(257) + ']'.repeat(257))).toThrow(expect.objectContaining({ code: 'INPUT_JSON' }))
    expect(() => parseJson('{"a":'.repeat(100_000))).toThrow(expect.objectContaining({ code: 'INPUT_JSON' }))
    expect(parseJson(`["${'['.repeat(1000)}","\\"[["]`)).toEqual(['['.repeat(1000), '"[['])
  })

  it('refuses a name of the text that is no text', () => {
    for (const what of [Symbol('x'), Object.create(null), null])
      expect(() => parseJson('1', what as string)).toThrow(expect.objectContaining({ code: 'INPUT_ARGUMENT' }))
  })

  it('repeats nothing of the text in its error', () => {
    try {
      parseJson('{"signingKey": 5f1c2b secret')
    } catch (error) {
      expect(JSON.stringify([(error as Error).message, (error as Error).stack, (error as Error).cause])).not.toContain(
        'secret'
      )
    }
  })

  it('throws nothing but InvalidJsonError on random text', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.string({
            unit: fc.constantFrom('{', '}', '[', ']', '"', '\\', '1', '12345678901234567890', ',', ':', '-', 'e', ' ')
          })
        ),
        (text) => {
          let own: unknown
          let refused = false
          try {
            own = parseJson(text)
          } catch (error) {
            refused = true
            expect(isLayerError(error, 'INPUT_JSON')).toBe(true)
          }
          let native = true
          try {
            JSON.parse(text)
          } catch {
            native = false
          }
          expect(refused).toBe(!native)
          void own
        }
      ),
      { numRuns: scaled(20_000) }
    )
  })
})

describe('stringifyJson', () => {
  it('gives back what parseJson reads, bigints as bare integers', () => {
    fc.assert(
      fc.property(withBigints, (value) => {
        expect(stringifyJson(parseJson(stringifyJson(value)))).toBe(stringifyJson(value))
      }),
      { numRuns: scaled(4000) }
    )
    expect(stringifyJson({ a: [1n, -(2n ** 70n)], b: 'x' })).toBe('{"a":[1,-1180591620717411303424],"b":"x"}')
  })

  it('writes everything else as JSON.stringify does', () => {
    fc.assert(
      fc.property(
        fc.object({
          withDate: true,
          withNullPrototype: true,
          withSparseArray: true,
          withBoxedValues: true,
          withTypedArray: true
        }),
        (value) => {
          expect(stringifyJson(value)).toBe(JSON.stringify(value))
        }
      ),
      { numRuns: scaled(2000) }
    )
    expect(stringifyJson({ a: undefined, b: [undefined, () => 1, NaN], c: { toJSON: (key: string) => key } })).toBe(
      '{"b":[null,null,null],"c":"c"}'
    )
  })

  it('refuses cycles, too deep values and what JSON has no text for', () => {
    const cycle: unknown[] = []
    cycle.push(cycle)
    for (const value of [cycle, undefined, () => 1])
      expect(() => stringifyJson(value)).toThrow(expect.objectContaining({ code: 'INPUT_JSON' }))
  })
})
