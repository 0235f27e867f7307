import { accumulateElements, accumulateRoots } from '../../src/accumulator/accumulate'
import { KeptOutputs } from '../../src/accumulator/KeptOutputs'
import { outputData } from '../../src/accumulator/outputData'
import { OutputEncoder } from '../../src/accumulator/OutputEncoder'
import { readOutput } from '../../src/accumulator/readOutput'
import { startSha256, sha256 } from '../../src/accumulator/sha256'
import { elementOf, readUtxoSet, utxoSetHash } from '../../src/accumulator/utxoSet'
import { addressOf, OUTPUTS } from '../support/signedSnapshot'

const BYRON = 'Ae2tdPwUPEZFRbyhz3cpfC2CumGzNkFBN2L42rcUc2yjQpEkxDbkPodpMAi'
const POLICY = 'c1'.repeat(28)
const at = (address: unknown, value: unknown, rest: object = {}): unknown => ({ address, value, ...rest })
const ADDRESS = addressOf(`60${'a4'.repeat(28)}`)

/** Numbers that look random and are the same in each run. */
function numbers(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

function run<T>(steps: Generator<undefined, T>): T {
  for (;;) {
    const step = steps.next()
    if (step.done === true) return step.value
  }
}

const outcome = (encode: () => Uint8Array | undefined): unknown => {
  try {
    return encode()
  } catch (error) {
    return (error as Error).message
  }
}

describe('an output encoder', () => {
  const usual: [string, unknown][] = [
    ...OUTPUTS.map((output, i): [string, unknown] => [`of the samples, ${i}`, output]),
    ['Byron', at(BYRON, { lovelace: 1 })],
    ['without lovelace', at(ADDRESS, { [POLICY]: { aa: 1 } })],
    [
      'policies and names out of order',
      at(ADDRESS, { ['ff'.repeat(28)]: { ff: 1, '': 2, aabb: 3, aa: 4 }, [POLICY]: { '00': 1 } })
    ],
    [
      'quantities of every size',
      at(ADDRESS, {
        lovelace: 2 ** 53 - 1,
        [POLICY]: { '01': 23, '02': 24, '03': 255, '04': 256, '05': 65_536, '06': 2 ** 32 }
      })
    ],
    ['a bigint', at(ADDRESS, { lovelace: 2n ** 64n - 1n })],
    ['a quantity of 0', at(ADDRESS, { lovelace: 1, [POLICY]: { aa: 0 } })],
    [
      'null members',
      at(ADDRESS, { lovelace: 1 }, { datum: null, datumhash: null, inlineDatum: null, referenceScript: null })
    ],
    [
      'many assets',
      at(ADDRESS, {
        [POLICY]: Object.fromEntries(Array.from({ length: 300 }, (_, i) => [i.toString(16).padStart(64, '0'), i + 1]))
      })
    ]
  ]
  const hostile: [string, unknown][] = [
    ['no object', 5],
    ['no address', at(undefined, { lovelace: 1 })],
    ['a reward address', at(addressOf(`e0${'a4'.repeat(28)}`), { lovelace: 1 })],
    ['a wrong checksum', at(`${ADDRESS.slice(0, -1)}q`, { lovelace: 1 })],
    ['a fraction', at(ADDRESS, { lovelace: 1.5 })],
    ['a negative amount', at(ADDRESS, { lovelace: -1 })],
    ['a rounded amount', at(ADDRESS, { lovelace: 2 ** 60 })],
    ['a policy in capitals', at(ADDRESS, { [POLICY.toUpperCase()]: { aa: 1 } })],
    ['a short policy', at(ADDRESS, { [POLICY.slice(2)]: { aa: 1 } })],
    ['a name of half a byte', at(ADDRESS, { [POLICY]: { aab: 1 } })],
    ['a name in capitals', at(ADDRESS, { [POLICY]: { AA: 1 } })],
    ['a long name', at(ADDRESS, { [POLICY]: { ['aa'.repeat(33)]: 1 } })],
    ['a name beyond ASCII', at(ADDRESS, { [POLICY]: { é0: 1 } })],
    ['a short datum hash', at(ADDRESS, { lovelace: 1 }, { datumhash: 'aa' })],
    ['a datum hash in capitals', at(ADDRESS, { lovelace: 1 }, { datumhash: 'AA'.repeat(32) })],
    ['value and amount', at(ADDRESS, { lovelace: 1 }, { amount: [] })],
    ['an inherited value', Object.create({ address: ADDRESS, value: { lovelace: 1 } })]
  ]
  it.each([...usual, ...hostile])('gives what the long way gives: %s', (_, output) => {
    const encoder = new OutputEncoder()
    for (let round = 0; round < 2; round++)
      expect(outcome(() => encoder.encode(output))).toEqual(outcome(() => outputData(readOutput(output))))
  })
})

describe('kept outputs', () => {
  const outputOf = (n: number): unknown =>
    n % 50 === 7 ? at(BYRON, { lovelace: n }) : n % 3 === 0 ? OUTPUTS[n % OUTPUTS.length] : at(ADDRESS, { lovelace: n })
  const keyOf = (n: number): string => `${(n >> 2).toString(16).padStart(64, '0')}#${[0, 2, 10, 300][n & 3]}`

  it('hash as a set that is read as a whole, over random histories', async () => {
    const random = numbers(7)
    const encoder = new OutputEncoder()
    let utxo = new Map<string, unknown>()
    let kept = KeptOutputs.EMPTY
    for (let round = 0; round < 30; round++) {
      const keys = [...utxo.keys()]
      const removed = [
        ...new Set(Array.from({ length: Math.min(keys.length, random(40)) }, () => keys[random(keys.length)]!))
      ]
      const added = new Map<string, unknown>()
      for (let i = random(round === 3 ? 3_000 : 60); i >= 0; i--) {
        const n = random(20_000)
        if (!utxo.has(keyOf(n))) added.set(keyOf(n), outputOf(n))
      }
      utxo = new Map([...utxo].filter(([key]) => !removed.includes(key)).concat([...added]))
      const before = kept
      kept = kept.with([...added], removed, encoder)!
      const json = Object.fromEntries(utxo)
      const entries = readUtxoSet(json)
      expect(kept.size).toBe(entries.length)
      expect(run(kept.hash())).toBe(utxoSetHash(entries))
      expect(kept.byron().sort()).toEqual(entries.flatMap(({ key, data }) => (data === undefined ? [key] : [])).sort())
      for (const { key, data } of entries.slice(0, 50)) expect([kept.has(key), kept.get(key)]).toEqual([true, data])
      for (const key of removed) expect(kept.has(key)).toBe(false)
      expect(run(KeptOutputs.of(() => utxo, encoder)).isSame(kept)).toBe(true)
      expect(kept.isSame(before)).toBe(added.size + removed.length === 0)
      if (round % 10 === 1) {
        const expected = await accumulateElements(entries.map(({ data }) => elementOf(data)))
        expect(await accumulateRoots(run(kept.roots()), { pause: async () => {} })).toEqual(expected)
      }
    }
  })

  it('refuse a change that does not fit, and name an output that cannot be read', () => {
    const encoder = new OutputEncoder()
    const kept = run(KeptOutputs.of(() => [[keyOf(1), outputOf(1)]], encoder))
    expect(kept.with([], [keyOf(2)], encoder)).toBeNull()
    expect(kept.with([[keyOf(1), outputOf(2)]], [], encoder)).toBeNull()
    expect(KeptOutputs.EMPTY.with([], [keyOf(2)], encoder)).toBeNull()
    expect(() => kept.with([[keyOf(5), {}]], [], encoder)).toThrow(/An output cannot be used/)
    expect(() => kept.with([[`${'aa'.repeat(32)}#02`, outputOf(1)]], [], encoder)).toThrow(/key of the UTxO/)
    // What has thrown leaves nothing behind.
    expect(run(kept.with([[keyOf(5), outputOf(5)]], [], encoder)!.hash())).toBe(
      utxoSetHash(readUtxoSet({ [keyOf(1)]: outputOf(1), [keyOf(5)]: outputOf(5) }))
    )
  })
})

describe('SHA-256', () => {
  const host = process as { getBuiltinModule?: unknown }
  const { getBuiltinModule } = host
  afterEach(() => {
    host.getBuiltinModule = getBuiltinModule
  })

  it.each([0, 1, 55, 56, 64, 1_000])('is the same with the runtime’s own and without, for %d bytes', (length) => {
    const bytes = Uint8Array.from({ length }, (_, i) => i * 7)
    const digests = [
      getBuiltinModule,
      undefined,
      () => {
        throw new Error('no such module')
      },
      () => ({})
    ].map((each) => {
      host.getBuiltinModule = each
      const hash = startSha256()
      hash.update(bytes.subarray(0, 10))
      hash.update(bytes.subarray(10))
      return Buffer.from(hash.digest()).toString('hex')
    })
    expect(new Set([...digests, Buffer.from(sha256(bytes)).toString('hex')]).size).toBe(1)
  })
})
