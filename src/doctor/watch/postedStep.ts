import type { LayerPayload } from '../../bridge/inner.js'
import { getOwn, isRecord } from '../../bridge/inner.js'

/**
 * Step of posting transactions to the base ledger: a post that failed, or a result that ends failures of some kinds.
 */
export type PostedStep =
  { readonly state: 'failed'; readonly kind: string } | { readonly state: 'done'; readonly kinds: readonly string[] }

/** Tag of a result -> kinds of the transactions that it proves to be on the base ledger. */
const RESULTS: Readonly<Record<string, readonly string[]>> = {
  HeadIsOpen: ['InitTx', 'CollectComTx'],
  HeadIsInitializing: ['InitTx'],
  HeadIsAborted: ['AbortTx'],
  DecommitFinalized: ['DecrementTx'],
  CommitRecovered: ['RecoverTx'],
  HeadIsClosed: ['CloseTx', 'DecrementTx', 'IncrementTx'],
  HeadIsContested: ['ContestTx'],
  ReadyToFanout: ['CloseTx', 'ContestTx'],
  HeadPartiallyFannedOut: ['FanoutTx', 'PartialFanoutTx'],
  HeadIsFinalized: ['FanoutTx', 'PartialFanoutTx', 'CloseTx', 'ContestTx', 'DecrementTx', 'RecoverTx']
}

/**
 * Returns the step that a message shows about posts to the base ledger; null for none. A failed increment counts as
 * none: every node posts it, and those that lose the race fail although CommitFinalized still comes.
 */
export function postedStep(payload: LayerPayload): PostedStep | null {
  if (payload.tag === 'PostTxOnChainFailed') {
    const post: unknown = payload.postChainTx
    const kind = isRecord(post) ? getOwn(post, 'tag') : undefined
    if (typeof kind !== 'string' || kind === 'IncrementTx') return null
    return { state: 'failed', kind: kind.slice(0, 40) }
  }
  const kinds = Object.hasOwn(RESULTS, payload.tag) ? RESULTS[payload.tag]! : null
  return kinds === null ? null : { state: 'done', kinds }
}
