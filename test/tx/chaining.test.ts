import * as CSL from '@emurgo/cardano-serialization-lib-nodejs'
import { addressToString, enterpriseAddress } from '../../src/codec/address'
import { buildPayment, buildSweep, toUtxos, utxosAfter } from '../../src/tx'
import type { UTxO } from '../../src/types/utxo'

const [ALICE, BOB] = ['aa', 'bb'].map((fill) =>
  addressToString(enterpriseAddress(0, { kind: 'key', hash: fill.repeat(28) }))
) as [string, string]
const utxo = (index: number, lovelace: bigint): UTxO => ({
  input: { txHash: 'AB'.repeat(32), index },
  output: { address: ALICE, amount: [{ unit: 'lovelace', quantity: String(lovelace) }] }
})
const inputsOf = (cborHex: string): string[] => {
  const inputs = CSL.Transaction.from_hex(cborHex).body().inputs()
  return Array.from(
    { length: inputs.len() },
    (_, i) => `${inputs.get(i).transaction_id().to_hex()}#${inputs.get(i).index()}`
  )
}

describe('toUtxos', () => {
  it('gives the outputs under the id that the ledger gives the transaction', () => {
    const split = buildPayment({ utxos: [utxo(0, 100_000_000n)], to: ALICE, amount: 5_000_000n, changeAddress: ALICE })
    const id = CSL.FixedTransaction.from_hex(split.cborHex).transaction_hash().to_hex()
    expect(toUtxos(split)).toEqual(split.outputs.map((output, index) => ({ input: { txHash: id, index }, output })))
  })

  it('makes a sweep of one output of a split take exactly that', () => {
    const split = buildPayment({ utxos: [utxo(0, 100_000_000n)], to: ALICE, amount: 5_000_000n, changeAddress: ALICE })
    const sweep = buildSweep({ utxos: toUtxos(split).slice(0, 1), to: BOB })
    expect(inputsOf(sweep.cborHex)).toEqual([`${split.txId}#0`])
    expect(sweep.outputs).toEqual([{ address: BOB, amount: [{ unit: 'lovelace', quantity: '5000000' }] }])
  })
})

describe('utxosAfter', () => {
  it('takes away what was spent, in either case of its id, and adds what came to the address only', () => {
    const utxos = [utxo(0, 10_000_000n), utxo(1, 3_000_000n)]
    const built = buildPayment({ utxos, to: BOB, amount: 4_000_000n, changeAddress: ALICE })
    const lower = utxos.map(({ input, output }) => ({
      input: { ...input, txHash: input.txHash.toLowerCase() },
      output
    }))
    expect(utxosAfter(lower, built, ALICE)).toEqual([
      lower[1],
      { input: { txHash: built.txId, index: 1 }, output: built.outputs[1] }
    ])
    expect(utxosAfter(lower, built, BOB).at(-1)).toEqual({
      input: { txHash: built.txId, index: 0 },
      output: built.outputs[0]
    })
  })

  it('makes equal payments different transactions, of which none spends an output twice', () => {
    let utxos = [utxo(0, 50_000_000n)]
    const spent: string[] = []
    const ids = new Set<string>()
    for (let i = 0; i < 5; i++) {
      const built = buildPayment({ utxos, to: BOB, amount: 2_000_000n, changeAddress: ALICE })
      utxos = utxosAfter(utxos, built, ALICE)
      spent.push(...inputsOf(built.cborHex))
      ids.add(built.txId)
    }
    expect(ids.size).toBe(5)
    expect(new Set(spent).size).toBe(spent.length)
    expect(utxos.map(({ output }) => output.amount[0]!.quantity)).toEqual(['40000000'])
  })
})
