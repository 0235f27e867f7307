import { bytesToHex } from '../../../codec/hex.js'
import { utf8ToBytes } from '../../../codec/utf8.js'
import { countInput, countRequest } from '../../party/counters.js'
import type { DevNodeFaults } from '../../settings/faults.js'
import { consumeFault } from '../../settings/faults.js'
import { receiveInput } from '../../party/receiveInput.js'
import type { Party } from '../../party/Party.js'
import { inputFromCbor } from '../../wire/cbor/messages.js'
import type { ParsedInput } from '../../wire/json/clientInput.js'
import { ParseFailure } from '../../json/ParseFailure.js'
import { parseClientInput } from '../../wire/json/clientInput.js'
import { toJson } from '../../json/jsonText.js'
import { invalidInputText } from '../../wire/json/messages.js'
import type { Client } from '../../party/clientHub.js'
import type { DevNodeReply, DevNodeRequest } from './DevNodeReply.js'
import { answerRequest } from './httpApi.js'

/** Handles a client's message: text, or the bytes of a binary frame, which are text too unless the client uses CBOR. */
export function receiveMessage(party: Party, client: Client, message: string | Uint8Array): void {
  const { chain, counters, hub } = party
  const bytes = typeof message === 'string' ? utf8ToBytes(message) : message
  // Input as it is repeated to the client: the text as it came, or its bytes in base16.
  const text = client.cbor
    ? bytesToHex(bytes)
    : typeof message === 'string'
      ? message
      : new TextDecoder().decode(message)
  let input: ParsedInput
  try {
    input = parseClientInput(client.cbor ? inputFromCbor(bytes) : text, chain.features)
  } catch (error) {
    if (!(error instanceof ParseFailure)) throw error
    countInput(counters, 'InvalidInput')
    hub.sendTo(client, invalidInputText(error.message, text))
    return
  }
  const failure = chain.durability.current?.failure
  if (failure != null) return hub.sendTo(client, invalidInputText(failure, text))
  receiveInput(party, input, { client, text })
}

/** Answers when the effects of an input are on disk; inputs are refused while the disk refuses writes. */
async function answerDurably(party: Party, request: DevNodeRequest): Promise<DevNodeReply> {
  const { hub } = party
  const { durability } = party.chain
  const isInput = request.method !== 'GET'
  const refusal = (): DevNodeReply | null =>
    isInput && durability.current?.failure != null ? { status: 503, body: toJson(durability.current.failure) } : null
  const refused = refusal()
  if (refused !== null) return refused
  const reply = await answerRequest(request, party)
  // GET does not show content that no client has received yet.
  if (isInput || hub.isWaiting) await durability.current?.commit()
  return refusal() ?? reply
}

function fails(faults: DevNodeFaults, { method, path }: DevNodeRequest): boolean {
  const { failRoutes } = faults
  return (failRoutes.length === 0 || failRoutes.includes(`${method} ${path}`)) && consumeFault(faults, 'failRequests')
}

/** Answers a request to the HTTP API, with the faults that concern it. */
export async function answerHttp(party: Party, request: DevNodeRequest): Promise<DevNodeReply> {
  const { chain, counters, faults } = party
  countRequest(counters, request.method, request.path)
  const reply = fails(faults, request) ? faults.httpFailure : await answerDurably(party, request)
  const { httpDelayMs } = faults
  if (httpDelayMs > 0) await new Promise<void>((resolve) => void chain.timers.later(httpDelayMs, resolve))
  return reply
}
