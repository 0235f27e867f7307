import fc from 'fast-check'
import { addressToString, enterpriseAddress } from '../../src/codec/address'
import { OrderedOutputs } from '../../src/devnode/ledger/orderedOutputs'
import { LedgerEntry, UtxoSet } from '../../src/devnode/ledger/utxoSet'
import { snapshotAccumulator, utxoHash } from '../../src/verify'
import { accumulatorElements } from '../../src/devnode/ledger/outputHash'
import { scaled } from '../support/scale'

const address = addressToString(enterpriseAddress(0, { kind: 'key', hash: '22'.repeat(28) }))
const entryOf = (n: number, lovelace = n): LedgerEntry => {
  const input = { txHash: (n % 97).toString(16).padStart(2, '0').repeat(32), index: Math.floor(n / 97) }
  return new LedgerEntry(input, { address, amount: [{ unit: 'lovelace', quantity: String(lovelace + 1) }] })
}

describe('the ordered outputs', () => {
  it('hash as the parties do after any course of additions, removals and resets', async () => {
    const change = fc.record({ add: fc.boolean(), from: fc.nat(2000), count: fc.nat(700), step: fc.constantFrom(1, 7, 97) })
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
    expect(accumulatorElements(set.view(), set.view(), null)).toHaveLength(2)
    expect((await snapshotAccumulator({ utxo: [] })).hash).toBe('34758143d508cf8e757b5298b216d453759175423c5987685c8c043713bebc31')
  })
})
