import fc from 'fast-check'
import { outputData } from '../../src/accumulator/outputData'
import { OutputEncoder } from '../../src/accumulator/OutputEncoder'
import { readOutput } from '../../src/accumulator/readOutput'
import { encodeBech32 } from '../../src/codec/bech32'
import { addressToString } from '../../src/codec/address'
import { hashOfSet } from '../../src/accumulator/KeptOutputs'
import { readUtxoSet, utxoSetHash } from '../../src/accumulator/utxoSet'

const BYRON = 'Ae2tdPwUPEZFRbyhz3cpfC2CumGzNkFBN2L42rcUc2yjQpEkxDbkPodpMAi'
const hexOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex')
const hex = (length: number): fc.Arbitrary<string> => fc.uint8Array({ minLength: length, maxLength: length }).map(hexOf)

/** Runs both ways; a fault counts as its message. */
function outcome(encode: () => Uint8Array | undefined): unknown {
  try {
    const bytes = encode()
    return bytes === undefined ? undefined : hexOf(bytes)
  } catch (error) {
    return (error as Error).message
  }
}

const slow = (output: unknown): unknown => outcome(() => outputData(readOutput(output)))

/** Addresses of every kind, and texts that are nearly one. */
const address = fc.oneof(
  { weight: 8, arbitrary: usualAddress() },
  fc.constantFrom(BYRON, '', 'addr', 'addr1', 'stake1', 'ADDR_TEST1'),
  usualAddress().map((text) => text.toUpperCase()),
  usualAddress().map((text) => text.replace(/.$/, 'q')),
  usualAddress().map((text) => text.replace('addr_test', 'addr')),
  // Of any header and length, under any prefix.
  fc
    .tuple(fc.constantFrom('addr', 'addr_test', 'stake', 'addr1'), fc.uint8Array({ minLength: 1, maxLength: 90 }))
    .map(([prefix, bytes]) => encodeBech32(prefix, bytes)),
  // Pointers.
  fc
    .tuple(hex(28), fc.uint8Array({ minLength: 3, maxLength: 30 }))
    .map(([hash, rest]) => encodeBech32('addr', Uint8Array.from([0x41, ...Buffer.from(hash, 'hex'), ...rest])))
)

function usualAddress(): fc.Arbitrary<string> {
  return fc
    .tuple(fc.constantFrom(0, 1, 2, 3, 6, 7), fc.constantFrom(0, 1, 1, 7), hex(28), hex(28))
    .map(([type, network, payment, stake]) =>
      addressToString(
        Buffer.from(((type << 4) | network).toString(16).padStart(2, '0') + payment + (type <= 3 ? stake : ''), 'hex')
      )
    )
}

const quantity = fc.oneof(
  { weight: 6, arbitrary: fc.nat() },
  fc.constantFrom<unknown>(
    0,
    -1,
    1.5,
    NaN,
    2 ** 32,
    2 ** 53 - 1,
    2 ** 53,
    2n ** 64n - 1n,
    2n ** 64n,
    -1n,
    null,
    '1',
    {}
  ),
  fc.maxSafeInteger(),
  fc.bigInt({ min: 0n, max: 2n ** 65n })
)
const text = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.oneof(quantity.filter((each) => typeof each === 'number').map(String), fc.nat().map(String))
  },
  fc.constantFrom(
    '',
    '0',
    '00',
    '01',
    '+1',
    '-1',
    '1e3',
    ' 1',
    '1 ',
    '999999999999999',
    '9007199254740993',
    String(2n ** 64n)
  ),
  quantity
)
const policy = fc.oneof(
  { weight: 6, arbitrary: hex(28) },
  fc.constantFrom('', 'aa'.repeat(27), 'AA'.repeat(28), `${'a'.repeat(55)}é`, `${'a'.repeat(55)}\u0130`, '__proto__')
)
const assetName = fc.oneof(
  { weight: 6, arbitrary: fc.nat({ max: 32 }).chain(hex) },
  fc.constantFrom('a', 'AA', 'aé', 'é0', '\u0161\u0161', 'aa'.repeat(33), 'zz')
)
const value = fc
  .tuple(
    fc.option(quantity, { nil: undefined, freq: 8 }),
    fc.array(fc.tuple(policy, fc.array(fc.tuple(assetName, quantity), { maxLength: 4 })), { maxLength: 3 })
  )
  .map(([lovelace, assets]) =>
    Object.fromEntries([
      ...(lovelace === undefined ? [] : [['lovelace', lovelace]]),
      ...assets.map(([id, names]) => [id, Object.fromEntries(names)])
    ])
  )
const amount = fc
  .tuple(
    text,
    fc.array(fc.tuple(fc.oneof({ weight: 3, arbitrary: hex(28) }, policy), assetName, text), { maxLength: 5 }),
    fc.constantFrom('sorted', 'as it comes', 'lovelace last', 'no lovelace', 'twice')
  )
  .map(([lovelace, assets, order]) => {
    const units = assets.map(([id, name, held], i) => ({
      // Some of one policy.
      unit: (i > 0 && i % 2 === 0 ? assets[i - 1]![0] : id) + name,
      quantity: held
    }))
    if (order === 'sorted') units.sort((a, b) => (a.unit < b.unit ? -1 : 1))
    const first = { unit: 'lovelace', quantity: lovelace }
    if (order === 'lovelace last') return [...units, first]
    if (order === 'twice') return [first, ...units, ...units]
    return order === 'no lovelace' ? units : [first, ...units]
  })

const member = fc.constantFrom<unknown>(null, undefined, 'd87980', '00', {}, 5)
const hash = fc.oneof(hex(32), fc.constantFrom<unknown>(null, undefined, 'aa', 'AA'.repeat(32), 7))
const nodeForm = fc.record(
  {
    address,
    value,
    datumhash: hash,
    datum: rarely(),
    inlineDatum: rarely(),
    inlineDatumRaw: rarely(),
    inlineDatumhash: rarely(),
    referenceScript: rarely()
  },
  { requiredKeys: ['address', 'value'] }
)
const packageForm = fc.record(
  {
    address,
    amount,
    datumHash: hash,
    inlineDatum: rarely(),
    scriptRef: rarely(),
    datumhash: rarely(),
    value: rarely()
  },
  { requiredKeys: ['address', 'amount'] }
)

function rarely(): fc.Arbitrary<unknown> {
  return fc.oneof({ weight: 12, arbitrary: fc.constantFrom(null, undefined) }, member)
}

describe('an output encoder and the long way', () => {
  const encoder = new OutputEncoder()

  it.each([
    ["the node's form", nodeForm],
    ["the package's form", packageForm]
  ])('give the same bytes or the same fault, for outputs of %s', (_, form) => {
    let encoded = 0
    fc.assert(
      fc.property(form as fc.Arbitrary<object>, (output) => {
        const expected = slow(output)
        if (typeof expected === 'string' && /^d8799f/.test(expected)) encoded++
        expect(outcome(() => encoder.encode(output))).toEqual(expected)
        expect(outcome(() => new OutputEncoder().encode(output))).toEqual(expected)
      }),
      { numRuns: 2_000 }
    )
    // Not faults alone.
    expect(encoded).toBeGreaterThan(200)
  })

  it('agree where members are inherited', () => {
    fc.assert(
      fc.property(nodeForm, packageForm, fc.nat({ max: 2 }), (node, own, which) => {
        const output: unknown =
          which === 0
            ? Object.create(node)
            : which === 1
              ? Object.assign(Object.create(own) as object, node)
              : Object.assign(Object.create({ datumhash: 'aa'.repeat(32), datumHash: 'bb'.repeat(32) }) as object, own)
        expect(outcome(() => encoder.encode(output))).toEqual(slow(output))
      }),
      { numRuns: 500 }
    )
  })

  it('agree where the values inherit assets, and where members are read by getters', () => {
    const inherited = { lovelace: 5, ['ab'.repeat(28)]: { aa: 1 } }
    const usual = addressToString(Buffer.from(`60${'a4'.repeat(28)}`, 'hex'))
    for (const output of [
      { address: usual, value: Object.create(inherited) as unknown },
      { address: usual, value: { lovelace: 1, ['cd'.repeat(28)]: Object.create({ aa: 1 }) as unknown } },
      {
        address: usual,
        value: { lovelace: 1, ['cd'.repeat(28)]: Object.assign(Object.create({ aa: 1 }) as object, { bb: 2 }) }
      },
      Object.defineProperty({ address: usual, value: { lovelace: 1 } }, 'datumhash', { get: () => 'aa'.repeat(32) }),
      Object.defineProperty({ address: usual, value: { lovelace: 1 } }, 'inlineDatumRaw', { value: 'd87980' }),
      { address: usual, amount: [{ unit: 'lovelace', quantity: '5' }, , { unit: 'ab'.repeat(28), quantity: 1 }] },
      { address: usual, amount: [Object.create({ unit: 'lovelace', quantity: '5' })] }
    ])
      expect(outcome(() => encoder.encode(output))).toEqual(slow(output))
  })

  it('agree when a prototype is polluted', () => {
    const polluted = Object.prototype as unknown as Record<string, unknown>
    const usual = addressToString(Buffer.from(`60${'a4'.repeat(28)}`, 'hex'))
    const node = { address: usual, value: { lovelace: 1 } }
    const own = { address: usual, amount: [{ unit: 'lovelace', quantity: '1' }] }
    const [expectedNode, expectedOwn] = [slow(node), slow(own)]
    for (const name of ['datumhash', 'datumHash', 'amount', 'value', 'inlineDatum', 'lovelace', 'ab'.repeat(28)]) {
      Object.defineProperty(polluted, name, { value: 'aa'.repeat(32), enumerable: true, configurable: true })
      try {
        expect([name, outcome(() => encoder.encode(node))]).toEqual([name, expectedNode])
        expect([name, outcome(() => encoder.encode(own))]).toEqual([name, expectedOwn])
      } finally {
        delete polluted[name]
      }
    }
  })

  it('agree beyond the number of addresses that are kept', () => {
    const outputs = Array.from({ length: 33_000 }, (_, i) => ({
      address: addressToString(Buffer.from(`60${i.toString(16).padStart(56, '0')}`, 'hex')),
      value: { lovelace: i }
    }))
    for (const output of outputs) encoder.encode(output)
    for (const at of [0, 1, 231, 232, 32_767, 32_768, 32_999, 0])
      expect(outcome(() => encoder.encode(outputs[at]))).toEqual(slow(outputs[at]))
  })
})

describe('the hash of a set', () => {
  it('is that of its outputs read one by one, in whatever order and form they come', () => {
    const output = fc.oneof(
      { weight: 5, arbitrary: fc.record({ address: usualAddress(), value: fc.record({ lovelace: fc.nat() }) }) },
      fc.record({ address: usualAddress(), amount: fc.constant([{ unit: 'lovelace', quantity: '7' }]) }),
      nodeForm
    )
    const key = fc
      .tuple(hex(1), fc.constantFrom('0', '2', '10', '65535', '65536', '02', '-1', ''))
      .map(([byte, index]) => `${byte.repeat(32)}#${index}`)
    const usualKey = fc.tuple(hex(32), fc.nat({ max: 300 })).map(([id, index]) => `${id}#${index}`)
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.oneof({ weight: 9, arbitrary: usualKey }, key), output), { maxLength: 12 }),
        fc.boolean(),
        (entries, isList) => {
          const set: unknown = isList
            ? entries.map(([name, each]) => {
                const [txHash, index] = name.split('#')
                return { input: { txHash, index }, output: each }
              })
            : Object.fromEntries(entries)
          const read = (hash: () => string): string => {
            try {
              return hash()
            } catch {
              return 'refused'
            }
          }
          expect(read(() => hashOfSet(set))).toBe(read(() => utxoSetHash(readUtxoSet(set))))
        }
      ),
      { numRuns: 400 }
    )
  })
})
