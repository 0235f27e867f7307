import { isLayerError } from '../../errors/base.js'
import { UnsupportedByConnectorError, UnsupportedByNodeError } from '../../errors/operation.js'
import { runInTasks } from '../../net/nextTask.js'
import { sleep } from '../../net/timers.js'
import { baselineFromSnapshot } from './baseline.js'
import type { Baseline } from './baseline.js'
import { readSnapshotReply } from './readMessage.js'
import type { ReadSnapshotReply } from './readMessage.js'
import type { SnapshotCache } from './SnapshotCache.js'
import { valueOf } from '../connection/nodeRequests.js'
import type { NodeAccess } from '../connection/NodeAccess.js'
import type { Log } from '../delivery/log.js'
import type { ConfirmedSnapshot, UTxOObject } from '../protocol/types.js'
import { decodePendingDepositsReply, decodeUtxoReply } from '../protocol/replies.js'
import { routes } from '../protocol/routes.js'

const FIRST_RETRY_MS = 500
const LAST_RETRY_MS = 8_000

/** The head's state as it was fetched. */
export interface FetchedState {
  readonly baseline: Baseline | null
  readonly confirmed: ConfirmedSnapshot | null
}

/** Decides open transactions by the state, null where it is not served; `isStale`: a newer one has been requested. */
export type DecideByState = (state: FetchedState | null, isStale: () => boolean) => Promise<void>

/** Transactions that the head's state may have to decide. */
export interface UndecidedTxs {
  /** Number of transactions with a waiting caller. */
  readonly pending: number
  /** True when the state is needed to decide any transaction. */
  readonly uncertain: boolean
  /** Notes that the state is known up to this snapshot. */
  startAt(number: number): void
  /**
   * Called before the state is requested. Returns the decision by that state, as a promise only where it needs a
   * request.
   */
  prepare(session: AbortSignal): DecideByState | Promise<DecideByState>
}

/** Parts of a bridge that {@link HeadSync} uses. */
export interface HeadSyncContext extends Pick<
  NodeAccess,
  'requestNode' | 'connected' | 'connector' | 'profile' | 'session'
> {
  readonly cache: SnapshotCache
  readonly log: Log
  readonly model: { changed(): void }
  readonly txs: UndecidedTxs
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
   * Requests the outputs of the current snapshot, including those being committed, and stores them in the cache of a
   * connected bridge.
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
        // Before the state: transactions that are confirmed in between show there.
        const prepared = this.#context.txs.prepare(session)
        // Without a wait where none is needed: the request leaves before the work of whoever waits for the connection.
        const decide = prepared instanceof Promise ? await prepared : prepared
        const isStale = (): boolean => this.#again
        const fetched = await this.#fetch(session).catch((error: unknown) => {
          if (!isUnsupported(error) || !this.#context.txs.uncertain) throw error
          return error
        })
        if (session.aborted) break
        if (isUnsupported(fetched)) {
          // A refusal need not wait for a state that is not served.
          await decide(null, isStale)
          throw fetched
        }
        this.#applyBaseline(fetched)
        await this.#settleDeposit(session)
        await decide(fetched, isStale)
        waitMs = FIRST_RETRY_MS
      } catch (error) {
        if (session.aborted) break
        this.#context.log.debug(() => `reading the head's state failed: ${String(error)}`)
        if (error instanceof UnsupportedByConnectorError) {
          this.#settle()
          continue
        }
        // Until it is another node, none of its snapshots can be verified.
        if (isLayerError(error, 'VERIFICATION') && error.reason === 'unknown-rule') continue
        // Neither a cache to fill nor a waiting caller: a later call requests the state again.
        if (!this.#context.connected() && this.#context.txs.pending === 0) continue
        this.#again = true
        await sleep(waitMs * (0.75 + Math.random() / 2), session).catch(() => undefined)
        waitMs = Math.min(waitMs * 2, LAST_RETRY_MS)
      }
    }
    this.#running = false
    // Requested again by a newer session, while the last one was ending.
    const { connected, txs } = this.#context
    if (this.#again && !this.#context.session().aborted && (connected() || txs.pending > 0)) this.refresh()
  }

  /** `signal` aborts the requests when their connection ends, because the next connection waits for their end. */
  async #fetch(signal?: AbortSignal): Promise<FetchedState> {
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

  #applyBaseline({ baseline }: FetchedState): void {
    const { cache, connected, model, txs } = this.#context
    // Without a connection no message would keep the cache true.
    if (!connected()) return
    if (baseline === null) return this.#settle(true)
    const outcome = cache.applyBaseline(baseline)
    if (outcome === 'applied') {
      txs.startAt(cache.number)
      model.changed()
    }
    if (outcome === 'needsBaseline') this.refresh()
  }

  /**
   * Requests whether the deposit that a snapshot names is still pending on the base ledger: the snapshot names it until
   * the next snapshot, even when the deposit has long been in the head.
   */
  async #settleDeposit(signal: AbortSignal): Promise<void> {
    const { cache, requestNode, profile, model, connected } = this.#context
    const { arriving, epoch } = cache
    if (!arriving.isUnsure || !connected() || !profile().hasDepositRoutes) return
    // When the node cannot be asked, a deposit counts as in the head, or it might never be spent.
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
}

function isUnsupported(error: unknown): error is UnsupportedByNodeError | UnsupportedByConnectorError {
  return error instanceof UnsupportedByNodeError || error instanceof UnsupportedByConnectorError
}
