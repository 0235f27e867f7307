import type { HeadLedger } from './headLedger.js'
import type { UtxoView } from '../rules/utxoSet.js'
import type { HeadState } from './types.js'

/** What is still in a head that has been closed. */
export function remainingOf(head: HeadState, ledger: HeadLedger): UtxoView {
  if (head.status === 'FanningOut' && head.started) return head.remaining
  return ledger.confirmed
}
