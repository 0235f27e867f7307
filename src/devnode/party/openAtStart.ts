import type { LedgerEntry } from '../rules/utxoSet.js'
import type { NodeContext } from './NodeContext.js'
import type { ResolvedOptions } from '../settings/options.js'

type OpenContext = Pick<
  NodeContext,
  'options' | 'clock' | 'features' | 'forkedHeadId' | 'signer' | 'drafts' | 'runtime' | 'network'
>

/**
 * How long it takes to open a head and to bring a deposit into it, ms: every step at its own time, and a moment between
 * two.
 */
export function openingMs({ blockMs, depositDelayMs, snapshotIntervalMs }: ResolvedOptions['timings']): number {
  return 4 * (blockMs + 1) + depositDelayMs + snapshotIntervalMs + 2
}

/**
 * Opens a head before the first client comes, as the node does that starts without a chain, and takes outputs into it:
 * by a deposit, or before 2.0 by the commit that opens the head, which is drafted as any other and counts as signed by
 * the owners. In a fork the outputs come from another head, and no base ledger has such a transaction: there may be
 * 100,000 of them.
 */
export function openAtStart(inHead: readonly LedgerEntry[], context: OpenContext): void {
  const { options, clock, features, forkedHeadId, signer, drafts, runtime, network } = context
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
    else network.onChain({ type: 'CommitSeen', party: signer.parties[0]!, utxo: seen.commit })
  }
  // From here on time is that of the clock which the node was given.
  clock.advance(-clock.offsetMs)
}
