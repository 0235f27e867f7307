import { addressToString, enterpriseAddress } from '../../codec/address.js'
import { LedgerEntry, UtxoView } from '../rules/utxoSet.js'

/** Returns one output with quantities that a double cannot hold: the largest that the ledger accepts, and 2^53 + 1. */
export function bigIntegerOutputs(networkId: 0 | 1): UtxoView {
  const address = addressToString(enterpriseAddress(networkId, { kind: 'script', hash: 'b1'.repeat(28) }))
  const amount = [
    { unit: 'lovelace', quantity: '9007199254740993' },
    { unit: `${'b1'.repeat(28)}62696721`, quantity: '9223372036854775807' }
  ]
  return new UtxoView([new LedgerEntry({ txHash: 'b1'.repeat(32), index: 0 }, { address, amount })])
}
