import { hexToBytes } from '../../../src/codec/hex'
import { readTransaction } from '../../../src/codec/transaction'
import { readWitnessEntries, WITNESS_KEY } from '../../../src/codec/witnessSet'
import type { PreparedTx } from '../../../src/devnode/rules/preparedTx'
import { prepareTx } from '../../../src/devnode/rules/preparedTx'
import { isLayerError } from '../../../src/errors'
import { loadVectors } from '../../support/vectors'

/** Null where the decoder refuses: generated transactions may hold empty sets, which Conway does not take. */
function prepared(cborHex: string): PreparedTx | null {
  try {
    return prepareTx(hexToBytes(cborHex))
  } catch (error) {
    if (isLayerError(error)) return null
    throw error
  }
}

describe('transactions with redeemers, of the chain and of other libraries', () => {
  const all = loadVectors('tx_conway') as { txId: string; cborHex: string }[]
  const withRedeemers = all.filter(({ cborHex }) =>
    readWitnessEntries(readTransaction(hexToBytes(cborHex))).has(WITNESS_KEY.REDEEMERS)
  )

  it('are taken apart as they are', () => {
    let taken = 0
    for (const { txId, cborHex } of withRedeemers) {
      const tx = prepared(cborHex)
      if (tx === null) continue
      expect(tx.txId).toBe(txId)
      expect(tx.scripts.redeemers.size).toBeGreaterThan(0)
      taken++
    }
    expect(taken).toBeGreaterThan(5)
  })
})
