import fc from 'fast-check'
import { addressToString, enterpriseAddress } from '../../../src/codec/address'
import { OrderedOutputs } from '../../../src/devnode/rules/orderedOutputs'
import { LedgerEntry, UtxoSet } from '../../../src/devnode/rules/utxoSet'
import { snapshotAccumulator, utxoHash } from '../../../src/verify'
import { unionEntries } from '../../../src/devnode/rules/outputHash'
import { scaled } from '../../support/scale'

const address = addressToString(enterpriseAddress(0, { kind: 'key', hash: '22'.repeat(28) }))
const entryOf = (n: number, lovelace = n): LedgerEntry => {
  const input = { txHash: (n % 97).toString(16).padStart(2, '0').repeat(32), index: Math.floor(n / 97) }
  return new LedgerEntry(input, { address, amount: [{ unit: 'lovelace', quantity: String(lovelace + 1) }] })
}

describe('the ordered outputs', () => {
  it('hash as the parties do after any course of additions, removals and resets', async () => {
    const change = fc.record({
      add: fc.boolean(),
      from: fc.nat(2000),
      count: fc.nat(700),
      step: fc.constantFrom(1, 7, 97)
    })
    await fc.assert(
      fc.asyncProperty(fc.array(change, { maxLength: 8 }), fc.boolean(), async (changes, reset) => {
        const ordered = new OrderedOutputs()
        const set = new UtxoSet(ordered)
        for (const { add, from, count, step } of changes) {
          const numbers = Array.from({ length: count }, (_, i) => from + i * step)
          if (add) set.add(numbers.map((n) => entryOf(n, from)))
          else set.remove(numbers.map((n) => entryOf(n).ref))
        }
        if (reset) set.reset(set.view())
        expect(ordered.hash()).toBe(await utxoHash(set.view().entries.map(({ input, output }) => ({ input, output }))))
      }),
      { numRuns: scaled(200) }
    )
  })

  it('of nothing hash to the SHA-256 of nothing', () => {
    expect(new OrderedOutputs().hash()).toBe('e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855')
  })

  it('count an output of two sets once in the accumulator', async () => {
    const set = new UtxoSet()
    set.add([entryOf(1), entryOf(2)])
    expect(unionEntries(set.view(), set.view(), null)).toHaveLength(2)
    expect((await snapshotAccumulator({ utxo: [] })).hash).toBe(
      '34758143d508cf8e757b5298b216d453759175423c5987685c8c043713bebc31'
    )
  })
})

describe('the views of a UTxO', () => {
  it('stay as they were taken, in the order of arrival, whatever happens to the set afterwards', () => {
    const change = fc.record({
      add: fc.boolean(),
      from: fc.nat(400),
      count: fc.nat(200),
      step: fc.constantFrom(1, 3),
      look: fc.boolean(),
      reset: fc.boolean()
    })
    fc.assert(
      fc.property(fc.array(change, { maxLength: 20 }), (changes) => {
        const set = new UtxoSet()
        const model = new Map<string, LedgerEntry>()
        const taken: [ReturnType<UtxoSet['view']>, LedgerEntry[]][] = []
        for (const { add, from, count, step, look, reset } of changes) {
          const entries = Array.from({ length: count }, (_, i) => entryOf(from + i * step, from))
          if (add) {
            set.add(entries)
            for (const entry of entries) model.set(entry.ref, entry)
          } else {
            set.remove(entries.map(({ ref }) => ref))
            for (const { ref } of entries) model.delete(ref)
          }
          const view = set.view()
          if (look) taken.push([view, [...model.values()]])
          if (reset) set.reset(view)
          expect([set.size, view.size]).toEqual([model.size, model.size])
          for (const entry of entries) expect(set.get(entry.ref)).toBe(model.get(entry.ref))
        }
        for (const [view, entries] of taken) {
          expect(view.entries).toEqual(entries)
          expect([...view]).toEqual(entries)
          expect(view.toJsonText()).toBe(`{${entries.map((entry) => entry.json()).join(',')}}`)
        }
      }),
      { numRuns: scaled(1_000) }
    )
  })

  it('joined are one after the other', () => {
    const [one, other] = [new UtxoSet(), new UtxoSet()]
    one.add(Array.from({ length: 100 }, (_, n) => entryOf(n)))
    other.add([entryOf(500)])
    one.remove([entryOf(3).ref])
    const joined = one.view().concat(other.view())
    expect([joined.size, joined.entries.at(-1)!.ref]).toEqual([100, entryOf(500).ref])
    expect(one.view().concat(new UtxoSet().view())).toBe(one.view())
  })
})
