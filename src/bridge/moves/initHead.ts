import { BridgeDisconnectedError, BridgeTimeoutError, NotConnectedError, ProtocolError } from '../../errors/bridge.js'
import { BridgeRequestError, UnsupportedByConnectorError, UnsupportedByNodeError } from '../../errors/operation.js'
import { InvalidArgumentError } from '../../errors/input.js'
import { assertSignal, waitForMessage } from '../delivery/MessageDispatcher.js'
import type { HeadIsOpenPayload, LayerPayload, PayloadOf } from '../protocol/messages.js'
import type { MoveContext } from './MoveContext.js'
import { commandRefusal } from '../protocol/commandRefusal.js'
import type { HeadInfo } from '../protocol/types.js'
import { buildInput } from '../protocol/encode.js'
import { headInfo } from './nodeQueries.js'
import { assertTimeout } from '../txs/submitTx.js'

/** Failures of GET /head that leave the head's state unknown while the connection is still open. */
const INCONCLUSIVE = [UnsupportedByNodeError, UnsupportedByConnectorError, BridgeRequestError, ProtocolError]

/** Result of {@link initSync}. */
export type InitResult = HeadIsOpenPayload | PayloadOf<'HeadIsInitializing'>

/** Limits of the wait for a head. */
export interface InitOptions {
  /** Ends the wait, which then rejects with the signal's reason; Init is not sent again. */
  signal?: AbortSignal | undefined
}

/**
 * Opens a head and waits until the node reports it: `retry` attempts in all, of `interval` ms each. Init is sent again
 * only while the node still says that there is no head.
 */
export async function initSync(
  context: MoveContext,
  retry: number,
  interval: number,
  { signal }: InitOptions = {}
): Promise<InitResult> {
  if (!Number.isInteger(retry) || retry < 1) throw new InvalidArgumentError('retry', 'a whole number from 1', retry)
  if (!context.connected()) throw new NotConnectedError('initSync')
  const timeoutMs = assertTimeout(interval, NaN, 'interval')
  assertSignal(signal)
  let last: Error | undefined
  for (let attempt = 0; attempt < retry; attempt++) {
    const open = await openHead(context, last)
    signal?.throwIfAborted()
    if (open !== null) return open
    try {
      return await waitForMessage(
        context.dispatcher,
        {
          what: 'Init',
          timeoutMs,
          signal,
          ended: () => new BridgeDisconnectedError('Init'),
          start: () => context.send(buildInput('Init'))
        },
        (payload) => matchReply(payload, context)
      )
    } catch (error) {
      // Another party may have been first: then the next attempt finds the head open.
      if (!(error instanceof BridgeTimeoutError) && !isBeaten(error)) throw error
      last = error as Error
    }
  }
  const open = await openHead(context, last)
  if (open !== null) return open
  throw new BridgeTimeoutError(`Init, sent ${retry} times,`, retry * interval, last?.message.split('\n')[0])
}

function matchReply(payload: LayerPayload, context: MoveContext): InitResult | undefined {
  if (payload.tag === 'HeadIsOpen' || payload.tag === 'HeadIsInitializing') return payload
  const refused = commandRefusal(payload, context.head())
  if (refused?.input?.tag === 'Init') throw refused.error
  return undefined
}

function isBeaten(error: unknown): boolean {
  return (error as { tag?: unknown }).tag === 'CommandFailed'
}

// Null: there is no head, Init may be sent. `last`: the error of the previous attempt.
async function openHead(context: MoveContext, last: Error | undefined): Promise<InitResult | null> {
  let info: Pick<HeadInfo, 'headId' | 'headStatus' | 'parties'>
  try {
    info = await headInfo(context)
  } catch (error) {
    // Without GET /head the messages decide; after the first attempt that is not enough to send Init again.
    if (!INCONCLUSIVE.some((kind) => error instanceof kind)) throw error
    const { headStatus, headId } = context.head()
    if (last !== undefined && headStatus === null) throw error
    info = { headStatus: headStatus ?? 'Idle', headId, parties: [] }
  }
  const { headStatus, headId, parties } = info
  if (headStatus !== 'Open' && headStatus !== 'Initializing') {
    // A closed head refuses Init each time; old nodes report `Final` when there is no head any longer.
    if (last !== undefined && headStatus !== 'Idle' && headStatus !== 'Final') throw last
    return null
  }
  const tag = headStatus === 'Open' ? 'HeadIsOpen' : 'HeadIsInitializing'
  return { tag, headId: headId ?? '', parties, timestamp: new Date().toISOString() }
}
