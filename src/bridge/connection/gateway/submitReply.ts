import { parseJson, stringifyJson } from '../../../codec/json.js'
import type { ConnectorReply } from '../Connector.js'

/**
 * Converts a gateway's answer to submit-tx into the answer of a node to POST /transaction. The gateway sends the
 * snapshot that holds the transaction, or the message that refuses it. Any other answer is returned unchanged.
 */
export function toNodeReply(reply: ConnectorReply): ConnectorReply {
  const { tag, snapshot, reason } = readObject(reply.text)
  const number = readObject(snapshot)['number']
  if (reply.status === 200 && tag === 'SnapshotConfirmed' && Number.isSafeInteger(number)) {
    return { ...reply, text: stringifyJson({ tag: 'SubmitTxConfirmed', snapshotNumber: number }) }
  }
  if (reply.status !== 409) return reply
  const text = typeof reason === 'string' ? reason : 'no reason given'
  return tag === 'TxInvalid'
    ? { ...reply, status: 400, text: stringifyJson({ tag: 'SubmitTxInvalid', validationError: { reason: text } }) }
    : { ...reply, status: 503, text: stringifyJson({ tag: 'SubmitTxRejected', reason: text }) }
}

function readObject(input: unknown): Record<string, unknown> {
  try {
    const value = typeof input === 'string' ? parseJson(input) : input
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
  } catch {
    return {}
  }
}
