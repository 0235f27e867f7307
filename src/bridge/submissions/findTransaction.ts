import { isHex } from '../../codec/hex.js'
import { NotConnectedError } from '../../errors/bridge.js'
import { InvalidArgumentError } from '../../errors/input.js'
import type { BridgeContext } from '../BridgeContext.js'
import type { SnapshotCache } from '../head/SnapshotCache.js'
import { decodeSnapshotReply } from '../protocol/replies.js'
import { routes } from '../protocol/routes.js'
import { scanHistory } from './scanHistory.js'

/** What became of a transaction. */
export type FoundTransaction =
  /** `exact`: false when it was found by its outputs, in a snapshot that may be later than its own. */
  | {
      readonly status: 'confirmed'
      /** Number of the snapshot that holds it, or of a later one. */
      readonly snapshotNumber: number
      /** Whether it is the number of the very snapshot that confirmed it. */
      readonly exact: boolean
    }
  | {
      readonly status: 'invalid'
      /** The node's text. */
      readonly reason: string
    }
  /** Neither the head's state nor its history names it: not sent, not decided yet, or forgotten. */
  | { readonly status: 'unknown' }

type FindContext = Pick<BridgeContext, 'requestNode' | 'profile' | 'connected' | 'connector' | 'cache' | 'session'>

const SCAN_TIMEOUT_MS = 30_000

/** What became of a transaction, by its id alone. */
export async function findTransaction(context: FindContext, txId: string): Promise<FoundTransaction> {
  if (typeof txId !== 'string' || txId.length !== 64 || !isHex(txId)) throw new InvalidArgumentError('txId', '64 hex characters', txId)
  const id = txId.toLowerCase()
  if (!context.connected()) throw new NotConnectedError('findTransaction')
  const { cache } = context
  if (cache.seeded && hasOutputOf(cache, id)) return { status: 'confirmed', snapshotNumber: cache.number, exact: false }
  const newest = await newestSnapshot(context, id)
  if (newest !== null) return newest
  if (!context.connector.capabilities.history) return { status: 'unknown' }
  const found = (await scanHistory(context.connector, new Set([id]), { timeoutMs: SCAN_TIMEOUT_MS, signal: context.session() })).found.get(id)
  if (found === undefined) return { status: 'unknown' }
  return 'confirmed' in found
    ? { status: 'confirmed', snapshotNumber: found.confirmed.snapshot.number, exact: true }
    : { status: 'invalid', reason: found.invalid }
}

async function newestSnapshot({ requestNode, profile, connector }: FindContext, txId: string): Promise<FoundTransaction | null> {
  if (!connector.capabilities.allRoutes || !profile().hasSnapshotRoute) return null
  const reply = await requestNode(routes.snapshot(), decodeSnapshotReply)
  if (reply.kind !== 'ok' || reply.value.tag !== 'ConfirmedSnapshot') return null
  const { number, confirmed, utxo, utxoToCommit } = reply.value.snapshot
  if (confirmed.some((tx) => tx.txId === txId)) return { status: 'confirmed', snapshotNumber: number, exact: true }
  const isHeld = [utxo, utxoToCommit].some((outputs) => Object.keys(outputs ?? {}).some((ref) => ref.startsWith(`${txId}#`)))
  return isHeld ? { status: 'confirmed', snapshotNumber: number, exact: false } : null
}

/** Whether any output of a transaction is there. It reads all keys: for rare calls only. */
function hasOutputOf(cache: SnapshotCache, txId: string): boolean {
  for (const [key] of cache.entries()) if (key.startsWith(txId) && key[64] === '#') return true
  return false
}
