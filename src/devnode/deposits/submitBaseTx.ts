import type { PreparedTx } from '../rules/preparedTx.js'
import type { NodeContext } from '../party/NodeContext.js'

type SubmitContext = Pick<
  NodeContext,
  'options' | 'signer' | 'agenda' | 'durability' | 'base' | 'baseListeners' | 'runtime' | 'network' | 'drafts'
>

/**
 * Follows what is submitted to the base ledger; `reasons` are those against the transaction, none when it was taken.
 */
export type BaseListener = (tx: PreparedTx, reasons: readonly string[]) => void

/**
 * Submits to the base ledger and resolves with the reasons against the transaction; the node sees one that was taken a
 * block later. What comes while scripts run waits for them.
 */
export function submitBaseTx(tx: PreparedTx, context: SubmitContext): Promise<readonly string[]> {
  const { options, agenda, base, baseListeners, durability } = context
  return new Promise((resolve) => {
    const failed = (): readonly string[] | null =>
      durability.current?.failure == null ? null : [`DevNodeStateFile ${JSON.stringify(durability.current.failure)}`]
    const submit = (): void => {
      const reasons = failed() ?? base.submit(tx)
      if (reasons.length === 0) agenda.add(options.timings.blockMs, { do: 'seeBaseTx', tx })
      for (const listener of [...baseListeners]) listener(tx, reasons)
      // On disk before its answer.
      if (reasons.length > 0 || durability.current === null) resolve(reasons)
      else void durability.current.commit().then(() => resolve(failed() ?? reasons))
    }
    base.verdicts.add(() => {
      const run = base.runScripts(tx)
      return run === undefined ? submit() : run.then(submit)
    })
  })
}

/** A transaction is on the base ledger: it may be a deposit, or the commit that opens a head. */
export function onBaseTx(tx: PreparedTx, { options, signer, runtime, network, drafts }: SubmitContext): void {
  // Whatever its outputs say, a transaction whose scripts failed pays its collateral alone.
  if (!tx.isValid) return
  const recognised = drafts.recognise(tx, runtime.state.head, options.clock.now())
  if (recognised === null) return
  if ('deposit' in recognised) network.onChain({ type: 'DepositSeen', deposit: recognised.deposit })
  else network.onChain({ type: 'CommitSeen', party: signer.parties[0]!, utxo: recognised.commit })
}
