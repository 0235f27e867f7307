import { fullRun } from '../support/scale.js'
import fc from 'fast-check'
import { parseJson, stringifyJson } from '../../src/codec/json'
import type { SnapshotDelta, TxOutJson, UTxOObject } from '../../src/bridge/protocol/types'
import { changeBetween, outputsOf } from '../../src/gateway/delta'
import { ModelHead } from '../bridge/head/modelHead'
import { applyDelta, isUnchanged, narrowChange, outputsAt, toDelta, touchedAddresses } from './deltas'

/** The full run takes 500. */
const SNAPSHOTS = fullRun ? 500 : 80

const output = (address: string): TxOutJson => ({ address, value: { lovelace: 5 } })
/** Sets of outputs in which the key says what the output is, as in a ledger. */
const outputs = fc
  .uniqueArray(fc.integer({ min: 0, max: 25 }), { maxLength: 20 })
  .map((numbers) => new Map(numbers.map((n) => [`${'ab'.repeat(32)}#${n}`, output(`addr${n % 5}`)])))
const addressSets = fc.subarray(['addr0', 'addr1', 'addr2', 'addr3', 'addr4']).map((addresses) => new Set(addresses))
const sorted = (map: Iterable<[string, unknown]>): [string, unknown][] => [...map].sort(([a], [b]) => (a < b ? -1 : 1))
const textOf = (map: Iterable<[string, unknown]>): string => stringifyJson(sorted(map))

describe('deltas between outputs', () => {
  it.each<[string, Partial<SnapshotDelta>]>([
    ['spends what is not there', { spent: ['x#1'], count: 0 }],
    ['spends the same output twice', { spent: ['a#0', 'a#0'], count: 0 }],
    ['makes what is there', { made: { 'a#0': output('addr') }, count: 1 }],
    ['makes what it spends', { spent: ['a#0'], made: { 'a#0': output('addr') }, count: 1 }],
    ['counts one too many', { made: { 'b#0': output('addr') }, count: 3 }],
    ['counts one too few', { spent: [], count: 0 }]
  ])('do not apply where one %s, and leave the outputs as they were', (_, delta) => {
    const before = new Map([['a#0', output('addr')]])
    expect(applyDelta(before, { from: 1, number: 2, spent: [], made: {}, count: 1, ...delta })).toBeNull()
    expect([...before.keys()]).toEqual(['a#0'])
  })

  it('keep keys that objects inherit apart from members', () => {
    const after = new Map([
      ['__proto__', output('a')],
      ['constructor', output('b')]
    ])
    const delta = parseJson(
      stringifyJson(toDelta(changeBetween(new Map(), after), { from: 0, number: 1, count: 2 }))
    ) as SnapshotDelta
    expect(Object.keys(delta.made).sort()).toEqual(['__proto__', 'constructor'])
    expect(sorted(applyDelta(new Map(), delta)!)).toEqual(sorted(after))
    expect(applyDelta(after, { ...delta, spent: [], count: 2 })).toBeNull()
  })

  it('lead from any outputs to any others, and touch exactly the addresses whose outputs differ', () => {
    fc.assert(
      fc.property(outputs, outputs, addressSets, (before, after, addresses) => {
        const change = changeBetween(before, after)
        expect(sorted(applyDelta(before, toDelta(change, { from: 1, number: 2, count: after.size }))!)).toEqual(
          sorted(after)
        )
        expect(isUnchanged(change)).toBe(
          before.size === after.size && [...before.keys()].every((key) => after.has(key))
        )

        const [seen, then] = [outputsAt(before, addresses), outputsAt(after, addresses)]
        const narrowed = narrowChange(change, addresses)
        expect(narrowed).toEqual(changeBetween(seen, then))
        expect(sorted(applyDelta(seen, toDelta(narrowed, { from: 1, number: 2, count: then.size }))!)).toEqual(
          sorted(then)
        )
        expect(isUnchanged(narrowed)).toBe(![...touchedAddresses(change)].some((address) => addresses.has(address)))
      }),
      { numRuns: 1_000 }
    )
  })

  it(`follow a head through ${SNAPSHOTS} random snapshots, of all addresses and of some`, () => {
    const head = new ModelHead('deltas of a head')
    head.fill(30)
    const own = new Set(head.addresses.slice(0, 4))
    const outputsNow = (): Map<string, TxOutJson> =>
      outputsOf(parseJson(stringifyJson(head.snapshot(true))) as { utxo: UTxOObject; utxoToCommit: UTxOObject })
    let before = outputsNow()
    let [whole, some] = [before, outputsAt(before, own)]
    for (let step = 0; step < SNAPSHOTS; step++) {
      head.step(false)
      const after = outputsNow()
      const change = changeBetween(before, after)
      const narrowed = narrowChange(change, own)
      const wire = (delta: SnapshotDelta): SnapshotDelta => parseJson(stringifyJson(delta)) as SnapshotDelta
      whole = applyDelta(whole, wire(toDelta(change, { from: step, number: step + 1, count: after.size })))!
      some = applyDelta(
        some,
        wire(toDelta(narrowed, { from: step, number: step + 1, count: outputsAt(after, own).size }))
      )!
      const expected = Object.entries(head.get())
      expect(textOf(whole)).toBe(textOf(expected))
      expect(textOf(some)).toBe(textOf(expected.filter(([, { address }]) => own.has(address))))
      before = after
    }
  })
})
