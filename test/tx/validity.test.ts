import { decodeTransactionBody } from '../../src/codec/transactionBody'
import { readTransaction } from '../../src/codec/transaction'
import { hexToBytes } from '../../src/codec/hex'
import { TxBuilder } from '../../src/tx'

const address = 'addr_test1vzpwq95z3xyum8vqndgdd9mdnmafh3djcxnc6jemlgdmswcve6tkw'
const utxo = {
  input: { txHash: '00'.repeat(32), index: 0 },
  output: { address, amount: [{ unit: 'lovelace', quantity: '5000000' }] }
}
const builder = (): TxBuilder => new TxBuilder().addInputs([utxo]).pay(address, 2_000_000n).changeTo(address)
const bodyOf = (made: TxBuilder) => decodeTransactionBody(readTransaction(hexToBytes(made.build().cborHex)))

describe('the validity of a transaction', () => {
  it('is open to both sides when no slot is named', () => {
    const { ttl, validityStart } = bodyOf(builder())
    expect({ ttl, validityStart }).toEqual({ ttl: undefined, validityStart: undefined })
  })

  it('begins and ends at the slots that are named, the first one included', () => {
    const { ttl, validityStart } = bodyOf(
      builder()
        .validFrom(0)
        .validUntil(2n ** 64n - 1n)
    )
    expect({ ttl, validityStart }).toEqual({ ttl: 2n ** 64n - 1n, validityStart: 0n })
  })

  it.each([-1, 0.5, 2n ** 64n])('refuses the slot %p', (slot) => {
    expect(() => builder().validFrom(slot)).toThrow(
      expect.objectContaining({ code: 'INPUT_ARGUMENT', argument: 'validFrom' })
    )
    expect(() => builder().validUntil(slot)).toThrow(
      expect.objectContaining({ code: 'INPUT_ARGUMENT', argument: 'validUntil' })
    )
  })
})
