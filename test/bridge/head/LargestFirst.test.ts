import { selectOutputs } from '../../../src/bridge/head/selectOutputs.js'
import { UtxoIndex } from '../../../src/bridge/head/UtxoIndex.js'
import type { TxOutJson } from '../../../src/bridge/protocol/types.js'

const ADDRESS = 'addr_test1vzpwq95z3xyum8vqndgdd9mdnmafh3djcxnc6jemlgdmswcve6tkw'
const OTHER = 'addr_test1vqneq3v0dqh3x3muv6ee3lt8e5729xymnxuavx6tndcjc2cv24ef9'
const POLICY = 'ab'.repeat(28)

/** A generator of whole numbers below a limit, the same ones for each seed. */
function randomOf(seed: number): (limit: number) => number {
  let state = seed
  return (limit) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state % limit
  }
}

const keyOf = (index: number): string => `${index.toString(16).padStart(64, '0')}#${index % 3}`

function outputOf(random: (limit: number) => number): TxOutJson {
  // Few quantities, so that many are equal; some beyond 2^53.
  const lovelace = random(8) === 0 ? 10n ** 16n + BigInt(random(3)) : 1_000_000 * (1 + random(5))
  const tokens = random(3) === 0 ? { [POLICY]: { '01': 1 + random(4) } } : {}
  return { address: random(10) === 0 ? OTHER : ADDRESS, value: { lovelace, ...tokens } } as never
}

/** The order that a fresh sort of the outputs gives. */
function freshOrder(outputs: ReadonlyMap<string, TxOutJson>, address: string, unit?: string): string[] {
  const own = [...outputs].filter(([, output]) => output.address === address)
  return selectOutputs(
    own.map(([key]) => key),
    (key) => outputs.get(key)!,
    { order: 'largest', unit }
  )
}

it.each([1, 2, 3, 4, 5, 6])('keeps the order of a fresh sort through random changes (seed %i)', (seed) => {
  const random = randomOf(seed)
  const index = new UtxoIndex()
  const outputs = new Map<string, TxOutJson>()
  let next = 0
  for (let round = 0; round < 120; round++) {
    const removed = [...outputs.keys()].filter(() => random(10) === 0)
    const size = round === 60 ? 700 : random(12)
    const added = Array.from({ length: size }, () => keyOf(next++))
    const values = added.map(() => outputOf(random))
    if (random(40) === 0) {
      index.clear()
      outputs.clear()
    } else for (const key of removed) outputs.delete(key)
    for (const [at, key] of added.entries()) outputs.set(key, values[at]!)
    index.apply({ added, outputs: values, removed: removed.filter((key) => index.has(key)) })
    for (const address of [ADDRESS, OTHER])
      for (const unit of [undefined, 'lovelace', `${POLICY}01`]) {
        const shown = index.utxosOf(address, { order: 'largest', unit })
        const refs = shown.map(({ input }) => `${input.txHash}#${input.index}`)
        expect(refs).toEqual(freshOrder(outputs, address, unit))
        expect(index.utxosOf(address, { order: 'largest', unit, limit: 3 })).toEqual(shown.slice(0, 3))
      }
  }
  expect(outputs.size).toBeGreaterThan(10)
})

it('lists the largest first, equal ones by their keys, and those with the unit alone', () => {
  const outputs = new Map(
    [3, 7, 7, 1].map((lovelace, at) => [keyOf(3 - at), { address: ADDRESS, value: { lovelace } } as never] as const)
  )
  expect(freshOrder(outputs, ADDRESS)).toEqual([keyOf(1), keyOf(2), keyOf(3), keyOf(0)])
  expect(freshOrder(outputs, ADDRESS, `${POLICY}01`)).toEqual([])
})
