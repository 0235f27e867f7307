import type { HeadLedger } from './headLedger.js'
import type { UtxoView } from '../rules/utxoSet.js'
import type { LocalHeadState } from './types.js'

/** Returns the outputs that are left in a closed head. */
export function remainingOf(head: LocalHeadState, ledger: HeadLedger): UtxoView {
  if (head.status === 'FanningOut' && head.started) return head.remaining
  return ledger.confirmed
}
