import { UnsupportedByNodeError } from '../../errors/operation.js'
import { valueOf } from '../connection/nodeRequests.js'
import type { NodeAccess } from '../connection/NodeAccess.js'
import { toProtocol } from '../protocol/headState.js'
import type { ConfirmedSnapshot, HeadInfo, Protocol, RawProtocolParameters } from '../protocol/types.js'
import {
  decodeHeadReply,
  decodeLastSeenReply,
  decodePendingDepositsReply,
  decodeProtocolParametersReply,
  decodeSnapshotReply
} from '../protocol/replies.js'
import { routes } from '../protocol/routes.js'

/** Requests GET /head and returns it in public terms; for nodes without the route, the state from their messages. */
export async function headInfo(context: NodeAccess): Promise<HeadInfo> {
  const request = routes.head()
  const reply = await context.requestNode(request, decodeHeadReply)
  const { headStatus, headId } = context.head()
  if (reply.kind === 'noRoute' && headStatus !== null) return { headId, headStatus, vkey: null, parties: [] }
  return valueOf(request, reply, 'a node from 0.22, or an open connection').info
}

/** Requests GET /snapshot, with its signatures; null where there is no head. */
export async function confirmedSnapshot(context: NodeAccess): Promise<ConfirmedSnapshot | null> {
  const request = routes.snapshot()
  if (!context.profile().hasSnapshotRoute)
    throw new UnsupportedByNodeError('confirmedSnapshot', { expected: 'a node from 0.21' })
  const reply = await context.requestNode(request, decodeSnapshotReply)
  return reply.kind === 'absent' ? null : asSent(valueOf(request, reply, 'a node from 0.21'))
}

/** Removes the marks that a verifying bridge adds to the transactions of a snapshot. */
function asSent(confirmed: ConfirmedSnapshot): ConfirmedSnapshot {
  if (confirmed.tag === 'ConfirmedSnapshot')
    for (const transaction of confirmed.snapshot.confirmed) delete transaction.verified
  return confirmed
}

/** Requests GET /protocol-parameters and returns it unmodified. */
export async function rawProtocolParameters(context: NodeAccess): Promise<RawProtocolParameters> {
  const request = routes.protocolParameters()
  return valueOf(request, await context.requestNode(request, decodeProtocolParametersReply))
}

/** Requests GET /protocol-parameters and returns the members that fees and limits need. */
export async function protocolParameters(context: NodeAccess): Promise<Protocol> {
  return toProtocol(await rawProtocolParameters(context))
}

/** Requests GET /commits: the ids of pending deposits. */
export async function pendingDeposits(context: NodeAccess): Promise<string[]> {
  const request = routes.pendingDeposits()
  if (!context.profile().hasDepositRoutes)
    throw new UnsupportedByNodeError('pendingDeposits', { expected: 'a node from 0.20' })
  return valueOf(request, await context.requestNode(request, decodePendingDepositsReply), 'a node from 0.20')
}

/**
 * Requests the number of the node's confirmed snapshots that have not arrived over the socket, as far as it reports
 * them. Rejects when it does not answer.
 */
export async function snapshotsMissed(
  context: NodeAccess,
  snapshotNumber: number,
  signal: AbortSignal
): Promise<number> {
  if (!context.connector.capabilities.allRoutes) return 0
  const request = routes.lastSeenSnapshot()
  const reply = await context.requestNode(request, decodeLastSeenReply, { signal, once: true })
  if (reply.kind === 'refused' && reply.status >= 500) valueOf(request, reply)
  return reply.kind !== 'ok' || context.connector.capabilities.partial || snapshotNumber < 0
    ? 0
    : Math.max(0, reply.value - snapshotNumber)
}
