import type { NodeAccess } from '../connection/NodeAccess.js'
import type { DecideByState, FetchedState, UndecidedTxs } from '../head/HeadSync.js'
import type { SnapshotConfirmedPayload } from '../protocol/messages.js'
import { decodeHeadReply } from '../protocol/replies.js'
import { routes } from '../protocol/routes.js'
import type { ConfirmedSnapshot, UTxOObject } from '../protocol/types.js'
import type { HeadEvidence } from './reconcile.js'
import { scanHistory } from './scanHistory.js'
import type { TxEntry } from './TxEntry.js'
import { isSameTransaction, provenIds } from './txRefs.js'
import type { TxTracker } from './TxTracker.js'

const SCAN_TIMEOUT_MS = 30_000

/** Parts of a bridge that the {@link Reconciler} uses. */
export interface ReconcilerContext extends Pick<NodeAccess, 'requestNode' | 'connector' | 'profile'> {
  readonly tracker: TxTracker
}

/** Decides transactions by the head's state, and by the node's history where the state leaves them open. */
export class Reconciler implements UndecidedTxs {
  readonly #context: ReconcilerContext

  constructor(context: ReconcilerContext) {
    this.#context = context
  }

  get pending(): number {
    return this.#context.tracker.pending
  }

  get uncertain(): boolean {
    return this.#context.tracker.uncertain
  }

  startAt(number: number): void {
    this.#context.tracker.startAt(number)
  }

  prepare(session: AbortSignal): ReturnType<UndecidedTxs['prepare']> {
    const refused = this.#context.tracker.refused()
    const decideWith =
      (pending: ReadonlySet<string> | null): DecideByState =>
      (state, isStale) =>
        this.#reconcile(toEvidence(state, pending, refused), session, isStale)
    return needsPending(refused) ? this.#fetchPendingTxIds(session).then(decideWith) : decideWith(null)
  }

  async #reconcile(state: HeadEvidence, session: AbortSignal, isStale: () => boolean): Promise<void> {
    const { tracker, connector } = this.#context
    if (!tracker.uncertain) return
    const undecided = tracker.reconcile(state)
    if (undecided.length === 0) return
    const sent = new Map(undecided.map(({ refs, cborHex }) => [refs.txId, cborHex]))
    const txIds = new Set(sent.keys())
    const isOurs = (txId: string, cborHex: string | undefined): boolean =>
      isSameTransaction(cborHex ?? '', sent.get(txId) ?? cborHex ?? '')
    const history = connector.capabilities.history
      ? await scanHistory(connector, txIds, { timeoutMs: SCAN_TIMEOUT_MS, signal: session, isOurs })
      : null
    for (const txId of txIds) {
      const verdict = history?.found.get(txId)
      if (verdict === undefined) {
        const isExcluded = history?.excludes(txId) === true
        // A newer state that has been requested meanwhile may still decide.
        if (isExcluded || !isStale()) tracker.giveUp(txId, isExcluded)
      } else if ('confirmed' in verdict) tracker.confirm(txId, verdict.confirmed.snapshot.number, verdict.confirmed)
      else tracker.reject(txId, verdict.invalid)
    }
  }

  /** Requests the ids that the node has applied and no snapshot has confirmed; null where it does not report them. */
  async #fetchPendingTxIds(signal: AbortSignal): Promise<ReadonlySet<string> | null> {
    const { requestNode, profile } = this.#context
    if (!profile().hasHeadRoute) return null
    // The state decides nearly all; this is for a copy that another client sent a moment ago.
    const reply = await requestNode(routes.head(), decodeHeadReply, { signal, once: true }).catch(() => null)
    return reply?.kind === 'ok' ? new Set(reply.value.pendingTxIds) : null
  }
}

// A TxInvalid comes with the outputs that the node has applied; other refusals do not.
function needsPending(refused: ReadonlySet<TxEntry>): boolean {
  for (const { refusal } of refused) if (refusal?.checkedLocally !== true) return true
  return false
}

function toEvidence(
  fetched: FetchedState | null,
  pending: ReadonlySet<string> | null,
  refused: ReadonlySet<TxEntry>
): HeadEvidence {
  const { baseline = null, confirmed = null } = fetched ?? {}
  const confirmedSnapshot = confirmed?.tag === 'ConfirmedSnapshot' ? confirmed : null
  const has = (utxo: UTxOObject | null | undefined, ref: string): boolean =>
    utxo !== null && utxo !== undefined && Object.hasOwn(utxo, ref)
  return {
    available: fetched !== null,
    headId: baseline?.headId ?? null,
    hasHead: baseline !== null,
    number: baseline?.number ?? null,
    confirmed: new Set(provenIds(confirmedSnapshot?.snapshot.confirmed ?? [])),
    pending,
    refused,
    isUnspent: (ref) => has(baseline?.utxo, ref) || has(baseline?.utxoToCommit, ref),
    record: confirmedSnapshot === null ? null : toRecord(confirmedSnapshot)
  }
}

function toRecord({
  snapshot,
  signatures
}: Extract<ConfirmedSnapshot, { tag: 'ConfirmedSnapshot' }>): SnapshotConfirmedPayload {
  return {
    tag: 'SnapshotConfirmed',
    headId: snapshot.headId,
    snapshot,
    signatures,
    timestamp: new Date().toISOString()
  }
}
