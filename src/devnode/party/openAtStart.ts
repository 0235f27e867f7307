import type { LedgerEntry } from '../rules/utxoSet.js'
import type { Chain } from '../chain/Chain.js'
import type { ChainTx, NodeState } from '../head/types.js'
import type { Head } from './Head.js'
import type { NodeSettings } from '../settings/options.js'

/** A party that opens the head. */
interface OpeningParty {
  readonly chain: Chain
  readonly head: Head
  readonly runtime: { readonly state: NodeState; post(tx: ChainTx): void }
}

/**
 * Returns the time that opening a head and a deposit into it need, ms: each step at its own time, and a moment between
 * two.
 */
export function openingMs({ blockMs, depositDelayMs, snapshotIntervalMs }: NodeSettings['timings']): number {
  return 4 * (blockMs + 1) + depositDelayMs + snapshotIntervalMs + 2
}

/**
 * Opens a head before the first client comes, as the node does that starts without a chain, and adds outputs to it: by
 * a deposit, or before 2.0 by the commit that opens the head, which is drafted as any other and counts as signed by the
 * owners. In a fork the outputs come from another head, and no base ledger has such a transaction: there may be 100,000
 * of them.
 */
export function openAtStart(inHead: readonly LedgerEntry[], party: OpeningParty): void {
  const { chain, runtime } = party
  const { options, clock, features } = chain
  const { forkedHeadId, committer, drafts, network } = party.head
  runtime.post({ tag: 'InitTx' })
  clock.advance(options.timings.blockMs)
  const { head } = runtime.state
  if (head.status !== 'Idle' && (inHead.length > 0 || features.initializing)) {
    const nowMs = clock.now()
    const seen =
      forkedHeadId === null
        ? drafts.recognise(drafts.depositUnsigned('inHead', inHead, head, nowMs), head, nowMs)!
        : drafts.carriedOver(inHead, head, nowMs)
    if ('deposit' in seen) network.onChain({ type: 'DepositSeen', deposit: seen.deposit })
    else network.onChain({ type: 'CommitSeen', party: committer, utxo: seen.commit })
  }
  // From here on time is that of the clock which the node was given.
  clock.advance(-clock.offsetMs)
}
