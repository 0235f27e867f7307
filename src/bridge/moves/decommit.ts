import { DEFAULT_SUBMIT_TIMEOUT } from '../../constants.js'
import { InvalidArgumentError } from '../../errors/input.js'
import { BridgeDisconnectedError } from '../../errors/bridge.js'
import { waitForMessage } from '../delivery/MessageDispatcher.js'
import type { LayerPayload, PayloadOf } from '../protocol/messages.js'
import type { MoveContext } from './MoveContext.js'
import { decommitRefusal, commandRefusal } from '../protocol/commandRefusal.js'
import { textIn } from '../protocol/wireRecord.js'
import { inputTxId, toEnvelope } from '../protocol/clientInput.js'
import { buildInput } from '../protocol/encode.js'
import { assertTimeout, assertTransaction } from '../txs/submitTx.js'

/** A transaction whose outputs leave the head. */
export interface DecommitPayload {
  /** The signed transaction: CBOR hex. */
  cborHex: string
  /** Hex, 64 characters. */
  txId: string
  /** Time limit for the approval, ms. @default 30000 */
  timeout?: number
  /** Ends the wait, which then rejects with the signal's reason; a sent command is not revoked. */
  signal?: AbortSignal | undefined
}

/** The message that approves a decommit. */
export type DecommitResult = PayloadOf<'DecommitApproved'>

/** Requests that outputs leave the head, and waits until all parties have approved. */
export async function decommit(context: MoveContext, payload: DecommitPayload): Promise<DecommitResult> {
  // A decommit carries its own time limit: unlike a submission it is no bare text.
  if (typeof payload !== 'object' || payload === null)
    throw new InvalidArgumentError('payload', '{ cborHex, txId }', payload)
  const { cborHex, txId } = assertTransaction(payload)
  const timeoutMs = assertTimeout(payload.timeout, DEFAULT_SUBMIT_TIMEOUT)
  return waitForMessage(
    context.dispatcher,
    {
      what: 'The decommit',
      timeoutMs,
      signal: payload.signal,
      ended: () => new BridgeDisconnectedError('The decommit'),
      start: () => context.send(buildInput('Decommit', toEnvelope({ cborHex, txId })))
    },
    (payload) => matchReply(payload, txId, context)
  )
}

function matchReply(payload: LayerPayload, txId: string, context: MoveContext): DecommitResult | undefined {
  if (payload.tag === 'DecommitApproved' && payload.decommitTxId === txId) return payload
  if (payload.tag === 'DecommitInvalid' && textIn(payload.decommitTx, 'txId') === txId) {
    const { decommitInvalidReason: why } = payload
    // A copy of it was refused because it is under way itself.
    if (textIn(why, 'tag') === 'DecommitAlreadyInFlight' && textIn(why, 'otherDecommitTxId') === txId) return undefined
    throw decommitRefusal(payload, context.head()).error
  }
  const refused = commandRefusal(payload, context.head())
  if (refused?.input?.tag === 'Decommit' && inputTxId(refused.input) === txId) throw refused.error
  return undefined
}
