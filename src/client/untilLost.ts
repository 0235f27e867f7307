import { sleep } from '../net/timers.js'
import type { ClientContext } from './ClientContext.js'
import { fateOf } from './fate.js'
import type { OwnTx } from './ownTx.js'

/**
 * Wait after a reconnect until the node has read earlier transactions, ms: it saves needless attempts, and affects no
 * outcome.
 */
const LOST_WAIT_MS = 300

/**
 * Resolves when a transaction was sent over a connection that has ended and its node, queried over a later one, does
 * not hold it: it seems lost, and another attempt that spends one of its inputs is safe. Never resolves otherwise.
 */
export async function untilLost(context: ClientContext, ownTx: OwnTx): Promise<'lost'> {
  const isFollowed = (): boolean => context.txs.get(ownTx.pending.txId) === ownTx
  for (let checked = ownTx.sentOver; isFollowed();) {
    while (context.connection.count === checked) await context.connection.next()
    const { count } = context.connection
    await sleep(LOST_WAIT_MS)
    if (context.connection.count !== count) continue
    const node = await context.connection.inFlight()
    checked = count
    if (node === null || context.connection.count !== count || !isFollowed()) continue
    const fate = fateOf(context, ownTx)
    const isHeld = node.txIds.includes(ownTx.pending.txId) || node.signing.includes(ownTx.pending.txId)
    if (!isHeld && typeof fate !== 'object' && fate !== 'unseen') return 'lost'
  }
  return new Promise(() => undefined)
}
