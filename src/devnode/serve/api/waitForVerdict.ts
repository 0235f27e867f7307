import type { ClientMessage, HeadMessage } from '../../head/messages.js'
import type { Party } from '../../party/Party.js'
import { receiveInput } from '../../party/receiveInput.js'
import type { ParsedInput } from '../../wire/json/clientInput.js'
import { STALL } from '../../wire/json/messages.js'
import type { DevNodeReply } from './DevNodeReply.js'
import { jsonReply, OK } from './DevNodeReply.js'

type Message = HeadMessage | ClientMessage

/** Words of the node's refusal while no message reaches its peers (HTTPServer.hs, describeStallReason). */
export const STALLED: string = `outbound message queue is not draining, ${STALL.pendingBroadcasts} messages pending`
/** The text of an input is repeated to SafeClose alone, which no route accepts. */
const FROM_HTTP = { client: null, text: '' }

interface SideEffectNames {
  readonly done: HeadMessage['tag']
  readonly invalid: HeadMessage['tag'] | null
  /** Begins the texts of failure. */
  readonly name: string
  readonly timeoutTag: string
}

/**
 * Feeds an input to the node and resolves with the answer to the first message about its outcome. Ids are not compared,
 * as in the node, so the message may belong to a different input of the kind.
 */
export function sideEffect(
  party: Party,
  input: ParsedInput,
  names: SideEffectNames
): Promise<DevNodeReply> | DevNodeReply {
  const { done, invalid, name, timeoutTag } = names
  if (!party.chain.features.waitingRoutes) {
    receiveInput(party, input, FROM_HTTP)
    return OK
  }
  const verdict = (message: Message): DevNodeReply | null => {
    if (message.tag === done) return OK
    if (message.tag === invalid) return jsonReply(400, `${name} invalid`)
    if (message.tag === 'CommandFailed' && message.inputTag === input.tag) return jsonReply(400, `${name} failed`)
    if (message.tag === 'SideLoadSnapshotRejected' && input.tag === 'SideLoadSnapshot')
      return jsonReply(400, message.failure)
    if (
      message.tag === 'RejectedInputBecauseBroadcastStalled' &&
      input.tag === 'Decommit' &&
      message.txId === input.tx.txId
    )
      return jsonReply(503, `${name} failed because the node's ${STALLED}`)
    if (message.tag !== 'RejectedInputBecauseUnsynced' || message.inputTag !== input.tag) return null
    // The node's own slip (HTTPServer.hs:579).
    const because = input.tag === 'Decommit' ? 'because because' : 'because'
    return jsonReply(503, `${name} failed ${because} node is out of sync with chain, drift: ${message.driftSeconds}s`)
  }
  const timeout = jsonReply(202, {
    tag: timeoutTag,
    timeout: `Operation timed out after ${party.chain.options.timings.transactionTimeoutMs / 1000}s seconds`
  })
  return waitFor(party, verdict, timeout, input)
}

const RESTARTED = jsonReply(503, 'The node has started again from an earlier state')

/** Feeds an input and resolves with the first answer that `verdict` returns for a message, or with `timeout`. */
export function waitFor(
  party: Party,
  verdict: (message: Message) => DevNodeReply | null,
  timeout: DevNodeReply,
  input: ParsedInput
): Promise<DevNodeReply> {
  return new Promise((resolve) => {
    const settle = (reply: DevNodeReply): void => {
      unsubscribe()
      leave()
      cancel()
      resolve(reply)
    }
    const unsubscribe = party.hub.subscribe((message) => {
      const reply = verdict(message)
      if (reply !== null) settle(reply)
    })
    // A restart would break the connection.
    const leave = party.hub.onBreak((why) => why === 'replaced' && settle(RESTARTED))
    const cancel = party.chain.timers.later(party.chain.options.timings.transactionTimeoutMs, () => settle(timeout))
    receiveInput(party, input, FROM_HTTP)
  })
}
