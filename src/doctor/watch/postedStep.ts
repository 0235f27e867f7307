import type { LayerPayload } from '../../bridge/inner.js'
import { getOwn, isRecord } from '../../bridge/inner.js'

/** A failed post, or the results that end failures of these kinds. */
export type PostedStep =
  { readonly state: 'failed'; readonly kind: string } | { readonly state: 'done'; readonly kinds: readonly string[] }

/** Result -> the transactions that it shows to be on the base ledger. */
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
 * Reads what a message says about posts to the base ledger; null where it says nothing. A failed increment is none:
 * every node posts it, and those that lose the race fail while CommitFinalized still comes.
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
