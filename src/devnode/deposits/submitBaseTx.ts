import type { BaseLedger } from '../chain/baseLedger.js'
import type { DurabilitySlot } from '../chain/Durability.js'
import type { ChainEvent, NodeState } from '../head/types.js'
import type { PreparedTx } from '../rules/preparedTx.js'
import type { NodeSettings } from '../settings/options.js'
import type { DepositDrafts } from './DepositDrafts.js'

/** A party through which a transaction reaches the base ledger. */
interface Submitter {
  readonly chain: {
    readonly options: NodeSettings
    readonly base: BaseLedger
    readonly durability: DurabilitySlot
  }
  readonly agenda: { add(delayMs: number, task: { readonly do: 'seeBaseTx'; readonly tx: PreparedTx }): void }
}

/** A party that sees a transaction on the base ledger. */
interface Observer {
  readonly chain: { readonly clock: { now(): number } }
  readonly head: {
    readonly drafts: DepositDrafts
    /** Verification key of the party whose commit opens a head; the others make an empty commit. */
    readonly committer: string
    readonly network: { onChain(event: ChainEvent): void }
  }
  readonly runtime: { readonly state: NodeState }
}

/**
 * Submits a transaction to the base ledger and resolves with the reasons for its refusal, if any. The node sees an
 * accepted one a block later. A call while scripts run waits for them.
 */
export function submitBaseTx(tx: PreparedTx, { chain, agenda }: Submitter): Promise<readonly string[]> {
  const { options, base, durability } = chain
  return new Promise((resolve) => {
    const failed = (): readonly string[] | null =>
      durability.current?.failure == null ? null : [`DevNodeStateFile ${JSON.stringify(durability.current.failure)}`]
    const submit = (): void => {
      const reasons = failed() ?? base.submit(tx)
      if (reasons.length === 0) agenda.add(options.timings.blockMs, { do: 'seeBaseTx', tx })
      for (const listener of [...base.listeners]) listener(tx, reasons)
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

/** Handles a transaction that is now on the base ledger: it may be a deposit, or the commit that opens a head. */
export function onBaseTx(tx: PreparedTx, { chain, head, runtime }: Observer): void {
  // Whatever its outputs say, a transaction whose scripts failed pays its collateral alone.
  if (!tx.isValid) return
  const recognised = head.drafts.recognise(tx, runtime.state.head, chain.clock.now())
  if (recognised === null) return
  if ('deposit' in recognised) head.network.onChain({ type: 'DepositSeen', deposit: recognised.deposit })
  else head.network.onChain({ type: 'CommitSeen', party: head.committer, utxo: recognised.commit })
}
