import type { LayerPayload } from '../protocol/messages.js'
import type { UTxOObject } from '../protocol/types.js'
import { commandRefusal } from '../protocol/commandRefusal.js'
import type { HeadStatusSource } from '../protocol/commandRefusal.js'
import type { TxRefusal } from './TxEntry.js'

/** A message that refuses a transaction. */
export interface RefusedTx {
  readonly txId: string
  readonly refusal: TxRefusal
  /** The node's local UTxO at that moment, where the message has it. */
  readonly localUtxo?: UTxOObject | undefined
}

/** Returns the transaction that a message refuses; undefined when it refuses none. */
export function refusedTx(payload: LayerPayload, head: HeadStatusSource): RefusedTx | undefined {
  switch (payload.tag) {
    case 'TxInvalid': {
      const { transaction, utxo, validationError, headId, tag } = payload
      const refusal = {
        tag,
        reason: validationError.reason,
        checkedLocally: utxo !== undefined,
        cborHex: bytesOf(transaction),
        headId
      }
      return { txId: transaction.txId, refusal, localUtxo: utxo }
    }
    case 'CommandFailed':
    case 'RejectedInputBecauseUnsynced':
    case 'RejectedInputBecauseBroadcastStalled': {
      const { clientInput } = payload
      if (clientInput.tag !== 'NewTx') return undefined
      const { transaction } = clientInput
      return {
        txId: transaction.txId,
        refusal: { tag: payload.tag, cborHex: bytesOf(transaction), ...explain(payload, head) }
      }
    }
    case 'InvalidInput': {
      // A gateway names the transaction; a node quotes in `input` the text that was sent, which names it.
      const txId = payload.txId ?? /"txId"\s*:\s*"([^"]*)"/.exec(payload.input)?.[1]
      return txId === undefined ? undefined : { txId, refusal: { tag: payload.tag, ...explain(payload, head) } }
    }
    default:
      return undefined
  }
}

/** Returns the CBOR hex of a transaction as a message quotes it; undefined where it names the id alone. */
export function bytesOf({ cborHex }: { readonly cborHex?: unknown }): string | undefined {
  return typeof cborHex === 'string' && cborHex !== '' ? cborHex : undefined
}

function explain(payload: LayerPayload, head: HeadStatusSource): { reason: string; details: string[] } {
  // Never null for a message that refuses an input.
  const { reason, allowedStates } = commandRefusal(payload, head)!.error
  return {
    reason,
    details: allowedStates.length === 0 ? [] : [`Allowed while the head is ${allowedStates.join(' or ')}`]
  }
}
