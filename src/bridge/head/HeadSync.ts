import { isLayerError } from '../../errors/base.js'
import { UnsupportedByConnectorError, UnsupportedByNodeError } from '../../errors/operation.js'
import { runInTasks } from '../../net/nextTask.js'
import { sleep } from '../../net/timers.js'
import { baselineFromSnapshot } from './baseline.js'
import type { Baseline } from './baseline.js'
import { readSnapshotReply } from './readMessage.js'
import type { ReadSnapshotReply } from './readMessage.js'
import { valueOf } from '../connection/nodeRequests.js'
import type { SnapshotConfirmedPayload } from '../protocol/messages.js'
import type { BridgeContext } from '../BridgeContext.js'
import type { ConfirmedSnapshot, UTxOObject } from '../protocol/types.js'
import type { HeadEvidence } from '../txs/reconcile.js'
import { scanHistory } from '../txs/scanHistory.js'
import type { TxEntry } from '../txs/TxEntry.js'
import { isSameTransaction, provenIds } from '../txs/txRefs.js'
import { decodeHeadReply, decodePendingDepositsReply, decodeUtxoReply } from '../protocol/replies.js'
import { routes } from '../protocol/routes.js'

const FIRST_RETRY_MS = 500
const LAST_RETRY_MS = 8_000
const SCAN_TIMEOUT_MS = 30_000

/** What {@link HeadSync} needs of the bridge. */
export type HeadSyncContext = Pick<
  BridgeContext,
  'requestNode' | 'cache' | 'connected' | 'connector' | 'log' | 'model' | 'profile' | 'session' | 'tracker'
>

interface Fetched {
  readonly baseline: Baseline | null
  readonly confirmed: ConfirmedSnapshot | null
}

/**
 * Fetches the head's state over HTTP, for the cache and for transactions whose messages may have been missed; one
 * request at a time.
 */
export class HeadSync {
  readonly #context: HeadSyncContext
  #running = false
  #again = false

  constructor(context: HeadSyncContext) {
    this.#context = context
  }

  /** Requests the state, now or once more after the running request; retries until it has it or the connection ends. */
  refresh(): void {
    this.#again = true
    if (this.#running) return
    this.#running = true
    void this.#run()
  }

  /**
   * Outputs of the current snapshot, those being committed included; they are a baseline for the cache of a connected
   * bridge.
   */
  async query(): Promise<UTxOObject> {
    const fetched = await this.#fetch()
    this.#applyBaseline(fetched)
    return fetched.baseline === null ? {} : { ...fetched.baseline.utxo, ...fetched.baseline.utxoToCommit }
  }

  async #run(): Promise<void> {
    const session = this.#context.session()
    for (let waitMs = FIRST_RETRY_MS; this.#again && !session.aborted;) {
      this.#again = false
      try {
        const refused = this.#context.tracker.refused()
        // Before the state: what is confirmed in between shows there.
        const pending = needsPending(refused) ? await this.#fetchPendingTxIds(session) : null
        const fetched = await this.#fetch(session).catch((error: unknown) => {
          if (!isUnsupported(error) || !this.#context.tracker.uncertain) throw error
          return error
        })
        if (session.aborted) break
        if (isUnsupported(fetched)) {
          // A refusal need not wait for a state that is not served.
          await this.#reconcile(toEvidence(null, pending, refused), session)
          throw fetched
        }
        this.#applyBaseline(fetched)
        await this.#settleDeposit(session)
        await this.#reconcile(toEvidence(fetched, pending, refused), session)
        waitMs = FIRST_RETRY_MS
      } catch (error) {
        if (session.aborted) break
        this.#context.log.debug(() => `reading the head's state failed: ${String(error)}`)
        if (error instanceof UnsupportedByConnectorError) {
          this.#settle()
          continue
        }
        // Until it is another node, nothing that it says can be verified.
        if (isLayerError(error, 'VERIFICATION') && error.reason === 'unknown-rule') continue
        // Neither a cache to fill nor a waiting caller: a later call requests the state again.
        if (!this.#context.connected() && this.#context.tracker.pending === 0) continue
        this.#again = true
        await sleep(waitMs * (0.75 + Math.random() / 2), session).catch(() => undefined)
        waitMs = Math.min(waitMs * 2, LAST_RETRY_MS)
      }
    }
    this.#running = false
    // Requested again by a newer session, while the last one was ending.
    const { connected, tracker } = this.#context
    if (this.#again && !this.#context.session().aborted && (connected() || tracker.pending > 0)) this.refresh()
  }

  /** `signal`: ends the requests with the connection that wants them, for the next one waits for their end. */
  async #fetch(signal?: AbortSignal): Promise<Fetched> {
    const { requestNode, cache, profile } = this.#context
    const { epoch } = cache
    if (profile().hasSnapshotRoute) {
      const request = routes.snapshot()
      const read = (status: number, text: string): Promise<ReadSnapshotReply> =>
        runInTasks(readSnapshotReply(cache.texts, status, text), signal)
      const { reply, outputs } = await requestNode(request, read, { signal }).catch((error: unknown) => {
        if (error instanceof UnsupportedByConnectorError) return { reply: { kind: 'noRoute' } as const, outputs: null }
        throw error
      })
      if (reply.kind === 'absent') return { baseline: null, confirmed: null }
      if (reply.kind !== 'noRoute') {
        const confirmed = valueOf(request, reply)
        return { baseline: baselineFromSnapshot(confirmed, epoch, outputs), confirmed }
      }
    }
    const request = routes.snapshotUtxo()
    const reply = await requestNode(request, decodeUtxoReply, { signal })
    const baseline =
      reply.kind === 'absent' ? null : { epoch, headId: null, number: null, utxo: valueOf(request, reply) }
    return { baseline, confirmed: null }
  }

  #applyBaseline({ baseline }: Fetched): void {
    const { cache, connected, model, tracker } = this.#context
    // Without a connection nothing would keep the cache true.
    if (!connected()) return
    if (baseline === null) return this.#settle(true)
    const outcome = cache.applyBaseline(baseline)
    if (outcome === 'applied') {
      tracker.startAt(cache.number)
      model.changed()
    }
    if (outcome === 'needsBaseline') this.refresh()
  }

  /**
   * A snapshot names a deposit until the next one, also when it is in the head long since: the deposits that are
   * pending on the base ledger tell.
   */
  async #settleDeposit(signal: AbortSignal): Promise<void> {
    const { cache, requestNode, profile, model, connected } = this.#context
    const { arriving, epoch } = cache
    if (!arriving.isUnsure || !connected() || !profile().hasDepositRoutes) return
    // Where it cannot be asked, a deposit counts as in the head, or it might never be spent.
    const reply = await requestNode(routes.pendingDeposits(), decodePendingDepositsReply, { signal, once: true }).catch(
      () => null
    )
    if (reply?.kind !== 'ok' || cache.epoch !== epoch || !arriving.isUnsure) return
    const { depositTxId } = arriving
    const isPending = typeof depositTxId === 'string' ? reply.value.includes(depositTxId) : reply.value.length > 0
    if (arriving.settle(isPending)) model.changed()
  }

  // The node has no number for the content of the cache.
  #settle(denied = false): void {
    if (this.#context.connected() && this.#context.cache.settle(denied)) this.#context.model.changed()
  }

  async #reconcile(state: HeadEvidence, session: AbortSignal): Promise<void> {
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
        if (isExcluded || !this.#again) tracker.giveUp(txId, isExcluded)
      } else if ('confirmed' in verdict) tracker.confirm(txId, verdict.confirmed.snapshot.number, verdict.confirmed)
      else tracker.reject(txId, verdict.invalid)
    }
  }

  /** Ids that the node has applied and no snapshot has confirmed; null where it does not report them. */
  async #fetchPendingTxIds(signal: AbortSignal): Promise<ReadonlySet<string> | null> {
    const { requestNode, profile } = this.#context
    if (!profile().hasHeadRoute) return null
    // The state decides nearly all; this is for a copy that another client sent a moment ago.
    const reply = await requestNode(routes.head(), decodeHeadReply, { signal, once: true }).catch(() => null)
    return reply?.kind === 'ok' ? new Set(reply.value.pendingTxIds) : null
  }
}

function isUnsupported(error: unknown): error is UnsupportedByNodeError | UnsupportedByConnectorError {
  return error instanceof UnsupportedByNodeError || error instanceof UnsupportedByConnectorError
}

// A TxInvalid comes with what the node has applied; other refusals do not.
function needsPending(refused: ReadonlySet<TxEntry>): boolean {
  for (const { refusal } of refused) if (refusal?.checkedLocally !== true) return true
  return false
}

function toEvidence(
  fetched: Fetched | null,
  pending: ReadonlySet<string> | null,
  refused: ReadonlySet<TxEntry>
): HeadEvidence {
  const { baseline = null, confirmed = null } = fetched ?? {}
  const known = confirmed?.tag === 'ConfirmedSnapshot' ? confirmed : null
  const has = (utxo: UTxOObject | null | undefined, ref: string): boolean =>
    utxo !== null && utxo !== undefined && Object.hasOwn(utxo, ref)
  return {
    available: fetched !== null,
    headId: baseline?.headId ?? null,
    hasHead: baseline !== null,
    number: baseline?.number ?? null,
    confirmed: new Set(provenIds(known?.snapshot.confirmed ?? [])),
    pending,
    refused,
    isUnspent: (ref) => has(baseline?.utxo, ref) || has(baseline?.utxoToCommit, ref),
    record: known === null ? null : toRecord(known)
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
