import { hexToBytes } from '../../src/codec/hex'
import { readTransaction } from '../../src/codec/transaction'
import { readWitnessEntries, WITNESS_KEY } from '../../src/codec/witnessSet'
import { prepareTx } from '../../src/devnode/ledger/preparedTx'
import { loadVectors } from '../support/vectors'

describe('transactions with redeemers, of the chain and of other libraries', () => {
  const all = loadVectors('tx_conway') as { txId: string; cborHex: string }[]
  const withRedeemers = all.filter(({ cborHex }) => readWitnessEntries(readTransaction(hexToBytes(cborHex))).has(WITNESS_KEY.REDEEMERS))

  it('are taken apart as they are', () => {
    for (const { txId, cborHex } of withRedeemers) {
      const tx = prepareTx(hexToBytes(cborHex))
      expect(tx.txId).toBe(txId)
      expect(tx.scripts.redeemers.size).toBeGreaterThan(0)
    }
    expect(withRedeemers.length).toBeGreaterThan(5)
  })
})
