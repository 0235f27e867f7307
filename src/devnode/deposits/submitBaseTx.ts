import type { PreparedTx } from '../ledger/preparedTx.js'
import type { NodeContext } from '../NodeContext.js'

type SubmitContext = Pick<NodeContext, 'options' | 'signer' | 'timers' | 'base' | 'runtime' | 'drafts'>

/** Submits to the base ledger and returns the reasons against the transaction; the node sees one that was taken a block later. */
export function submitBaseTx(tx: PreparedTx, context: SubmitContext): readonly string[] {
  const { options, timers, base } = context
  const reasons = base.submit(tx)
  if (reasons.length === 0) timers.later(options.timings.blockMs, () => onBaseTx(tx, context))
  return reasons
}

/** A transaction is on the base ledger: it may be a deposit, or the commit that opens a head. */
function onBaseTx(tx: PreparedTx, { options, signer, runtime, drafts }: SubmitContext): void {
  const recognised = drafts.recognise(tx, runtime.state.head, options.clock.now())
  if (recognised === null) return
  if ('deposit' in recognised) runtime.dispatch({ type: 'DepositSeen', deposit: recognised.deposit })
  else runtime.dispatch({ type: 'CommitSeen', party: signer.parties[0]!, utxo: recognised.commit })
}
