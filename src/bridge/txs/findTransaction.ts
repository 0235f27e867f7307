import { isHex } from '../../codec/hex.js'
import { NotConnectedError } from '../../errors/bridge.js'
import { InvalidArgumentError } from '../../errors/input.js'
import type { NodeAccess } from '../connection/NodeAccess.js'
import type { SnapshotCache } from '../head/SnapshotCache.js'
import { decodeSnapshotReply } from '../protocol/replies.js'
import { routes } from '../protocol/routes.js'
import type { ConfirmedSnapshot } from '../protocol/types.js'
import { scanHistory } from './scanHistory.js'
import type { HistoryScan } from './scanHistory.js'
import { provenIds, toTxRefs } from './txRefs.js'

/** Outcome of a transaction that was looked up by its id. */
export type FoundTransaction =
  /** `exact`: false when it was found by its outputs, in a snapshot that may be later than its own. */
  | {
      readonly status: 'confirmed'
      /** Number of the snapshot that holds it, or of a later one. */
      readonly snapshotNumber: number
      /** True when it is the number of the very snapshot that confirmed it. */
      readonly exact: boolean
    }
  | {
      readonly status: 'invalid'
      /**
       * The node's text. The refused transaction has this id, but may be another client's copy with other witnesses; a
       * copy that was not refused may still be confirmed.
       */
      readonly reason: string
      /** Outputs that it spends, `'txHash#index'`; empty where the history names its id alone. */
      readonly inputs: readonly string[]
      /** As in the status `unknown`. */
      readonly isComplete: boolean
    }
  /** Neither the head's state nor its history names it: not sent, not decided yet, or forgotten. */
  | {
      readonly status: 'unknown'
      /**
       * True when the history goes back to its beginning: then no snapshot up to now has held the transaction. False
       * with
       * `verify` also where a snapshot names it and no signed outputs show it.
       */
      readonly isComplete: boolean
    }

/** Parts of a bridge that the search uses. */
export interface FindContext extends Pick<
  NodeAccess,
  'requestNode' | 'profile' | 'connected' | 'connector' | 'session'
> {
  readonly cache: SnapshotCache
}

const SCAN_TIMEOUT_MS = 30_000

/**
 * Creates the function that looks up a transaction by its id. Calls at the same time share the request for the newest
 * snapshot, and one replay of the history.
 */
export function createTxFinder(context: FindContext): (txId: string) => Promise<FoundTransaction> {
  let newest: Promise<ConfirmedSnapshot | null> | null = null
  const askNewest = (): Promise<ConfirmedSnapshot | null> =>
    (newest ??= newestSnapshot(context).finally(() => {
      newest = null
    }))
  const scan = inBatches((txIds) =>
    scanHistory(context.connector, txIds, { timeoutMs: SCAN_TIMEOUT_MS, signal: context.session() })
  )
  return async (txId) => {
    if (typeof txId !== 'string' || txId.length !== 64 || !isHex(txId))
      throw new InvalidArgumentError('txId', '64 hex characters', txId)
    const id = txId.toLowerCase()
    if (!context.connected()) throw new NotConnectedError('findTransaction')
    const { cache } = context
    if (cache.seeded && hasOutputOf(cache, id))
      return { status: 'confirmed', snapshotNumber: cache.number, exact: false }
    const inNewest = findIn(await askNewest(), id)
    if (inNewest !== null) return inNewest
    return context.connector.capabilities.history
      ? byHistory(await scan(id), id)
      : { status: 'unknown', isComplete: false }
  }
}

function byHistory(history: HistoryScan, txId: string): FoundTransaction {
  const verdict = history.found.get(txId)
  const isComplete = history.isCompleteFor(txId)
  if (verdict === undefined) return { status: 'unknown', isComplete }
  if ('confirmed' in verdict)
    return { status: 'confirmed', snapshotNumber: verdict.confirmed.snapshot.number, exact: true }
  const { inputs } = toTxRefs(txId, verdict.cborHex ?? '')
  return { status: 'invalid', reason: verdict.invalid, inputs, isComplete }
}

/**
 * Groups lookups into scans of the history. Ids that are requested during a scan wait for the next one, because the
 * running scan may see only messages that are older than their request.
 */
function inBatches(read: (txIds: ReadonlySet<string>) => Promise<HistoryScan>): (txId: string) => Promise<HistoryScan> {
  let running: Promise<unknown> = Promise.resolve()
  let next: { readonly txIds: Set<string>; readonly scan: Promise<HistoryScan> } | null = null
  return (txId) => {
    if (next === null) {
      const txIds = new Set<string>()
      const start = (): Promise<HistoryScan> => {
        next = null
        return read(txIds)
      }
      next = { txIds, scan: running.then(start, start) }
      running = next.scan
    }
    next.txIds.add(txId)
    return next.scan
  }
}

async function newestSnapshot({ requestNode, profile, connector }: FindContext): Promise<ConfirmedSnapshot | null> {
  if (!connector.capabilities.allRoutes || !profile().hasSnapshotRoute) return null
  const reply = await requestNode(routes.snapshot(), decodeSnapshotReply)
  return reply.kind === 'ok' ? reply.value : null
}

function findIn(newest: ConfirmedSnapshot | null, txId: string): FoundTransaction | null {
  if (newest?.tag !== 'ConfirmedSnapshot') return null
  const { number, confirmed, utxo, utxoToCommit } = newest.snapshot
  if (provenIds(confirmed).includes(txId)) return { status: 'confirmed', snapshotNumber: number, exact: true }
  const isHeld = [utxo, utxoToCommit].some((outputs) =>
    Object.keys(outputs ?? {}).some((ref) => ref.startsWith(`${txId}#`))
  )
  return isHeld ? { status: 'confirmed', snapshotNumber: number, exact: false } : null
}

/** Returns true when the cache holds any output of a transaction. Reads all keys, so use it rarely. */
function hasOutputOf(cache: SnapshotCache, txId: string): boolean {
  for (const [key] of cache.entries()) if (key.startsWith(txId) && key[64] === '#') return true
  return false
}
