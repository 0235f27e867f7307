import { bytesToHex } from '../../codec/hex.js'
import { utf8ToBytes } from '../../codec/utf8.js'
import { countInput, countRequest } from '../counters.js'
import { consumeFault } from '../faults.js'
import { receiveInput } from '../head/receiveInput.js'
import type { NodeContext } from '../NodeContext.js'
import { inputFromCbor } from '../wire/cbor/messages.js'
import type { ParsedInput } from '../wire/clientInput.js'
import { ParseFailure, parseClientInput } from '../wire/clientInput.js'
import { invalidInputText } from '../wire/messages.js'
import type { Client } from './clientHub.js'
import type { DevNodeReply, DevNodeRequest } from './httpApi.js'
import { answerRequest } from './httpApi.js'

/** A client's message: text, or the bytes of a binary frame, which are text too unless the client speaks CBOR. */
export function receiveMessage(context: NodeContext, client: Client, message: string | Uint8Array): void {
  const { features, counters, hub } = context
  const bytes = typeof message === 'string' ? utf8ToBytes(message) : message
  // What is repeated to the client: the text as it came, or its bytes in base16.
  const text = client.cbor ? bytesToHex(bytes) : typeof message === 'string' ? message : new TextDecoder().decode(message)
  let input: ParsedInput
  try {
    input = parseClientInput(client.cbor ? inputFromCbor(bytes) : text, features)
  } catch (error) {
    if (!(error instanceof ParseFailure)) throw error
    countInput(counters, 'InvalidInput')
    hub.sendTo(client, invalidInputText(error.message, text))
    return
  }
  receiveInput(context, input, { client, text })
}

/** A request to the HTTP API, with the faults that concern it. */
export async function answerHttp(context: NodeContext, request: DevNodeRequest): Promise<DevNodeReply> {
  const { counters, faults, timers } = context
  countRequest(counters, request.method, request.path)
  const reply = consumeFault(faults, 'failRequests') ? faults.httpFailure : await answerRequest(request, context)
  const { httpDelayMs } = faults
  if (httpDelayMs > 0) await new Promise<void>((resolve) => void timers.later(httpDelayMs, resolve))
  return reply
}
