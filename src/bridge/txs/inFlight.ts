import type { NodeAccess } from '../connection/NodeAccess.js'
import { valueOf } from '../connection/nodeRequests.js'
import { decodePayload } from '../protocol/decode.js'
import { decodeHeadReply } from '../protocol/replies.js'
import { routes } from '../protocol/routes.js'
import { UnsupportedByConnectorError } from '../../errors/operation.js'
import type { LayerPayload } from '../protocol/messages.js'
import { replayHistory } from './replayHistory.js'

/** Work that the node has not finished: transactions, a snapshot, a decommit. */
export interface HeadInFlight {
  /**
   * Slot of the newest block of the base ledger that the node has seen: the time of its ledger. Null where it is not
   * reported: by nodes 1.0 to 1.2, and over connectors without a history.
   */
  readonly slot: number | null
  /**
   * Ids of transactions that the node has received and no snapshot has confirmed; some of them may never be applied.
   */
  readonly txIds: readonly string[]
  /** Ids of transactions in the snapshot that is being signed. */
  readonly signing: readonly string[]
  /** The snapshot that is being signed; absent while there is none. */
  readonly seen?: {
    /** Its number. */
    readonly number: number
    /** Hydra verification keys that have signed it: hex. */
    readonly signers: readonly string[]
  }
  /**
   * Number of the newest confirmed snapshot, 0 before any. Present only while the next one is due (the node's ledger
   * holds transactions, a decommit or a deposit for it) and neither requested by this node nor being signed.
   */
  readonly dueAfter?: number
  /** Id of the decommit that has been requested and is not on the base ledger yet; null when there is none. */
  readonly decommitTxId: string | null
  /**
   * Version of the head's outputs, which grows with each deposit and each decommit that this node has seen to be final;
   * absent where the node does not report it.
   */
  readonly version?: number
}

type InFlightContext = Pick<NodeAccess, 'requestNode' | 'connector' | 'session'>

const GREETINGS_TIMEOUT_MS = 10_000
const HISTORY_TIMEOUT_MS = 30_000

/** Requests GET /head; where that has no slot, reads it from the Greetings of a new connection. */
export async function inFlight(context: InFlightContext): Promise<HeadInFlight> {
  const request = routes.head()
  const { pendingTxIds, signingTxIds, seen, dueAfter, decommitTxId, slot, version } = valueOf(
    request,
    await context.requestNode(request, decodeHeadReply),
    'a node from 0.22'
  )
  return {
    slot: slot ?? (await slotOfGreetings(context)),
    txIds: pendingTxIds,
    signing: signingTxIds,
    ...(seen === null ? {} : { seen }),
    ...(dueAfter === null ? {} : { dueAfter }),
    decommitTxId,
    ...(version === null ? {} : { version })
  }
}

async function slotOfGreetings({ connector, session }: InFlightContext): Promise<number | null> {
  if (!connector.capabilities.history) return null
  let slot: number | null = null
  await replayHistory(
    connector,
    false,
    (message) => {
      const payload = decodeOrNull(message)
      if (payload?.tag === 'Greetings') slot = payload.currentSlot ?? null
    },
    { timeoutMs: GREETINGS_TIMEOUT_MS, signal: session() }
  )
  return slot
}

/** Returns the node's stored messages that contain one of the ids, in their order. */
export async function messagesAbout(
  { connector, session }: InFlightContext,
  ids: readonly string[]
): Promise<LayerPayload[]> {
  if (!connector.capabilities.history) throw new UnsupportedByConnectorError('history')
  const found: LayerPayload[] = []
  await replayHistory(
    connector,
    true,
    (message) => {
      // Most messages are about other things: only those that name one of these are decoded.
      const payload = ids.some((id) => message.includes(id)) ? decodeOrNull(message) : null
      if (payload !== null && payload.tag !== 'Greetings') found.push(payload)
    },
    { timeoutMs: HISTORY_TIMEOUT_MS, signal: session() }
  )
  return found
}

// An undecodable message is no proof.
function decodeOrNull(message: string): LayerPayload | null {
  try {
    return decodePayload(message, Date.now())
  } catch {
    return null
  }
}
