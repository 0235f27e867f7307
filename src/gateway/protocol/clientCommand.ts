import { stringifyJson } from '../../codec/json.js'
import { hexToBytes } from '../../codec/hex.js'
import { readTransaction, transactionId } from '../../codec/transaction.js'
import type { WireRecord } from '../../bridge/inner.js'
import { getOwn, isRecord } from '../../bridge/inner.js'
import type { GatewayScope } from '../access/types.js'

/** Command of a client, as read from its event. */
export type ClientCommand =
  | { readonly kind: 'input'; readonly input: WireRecord; readonly scope: GatewayScope; readonly txId: string | null }
  | { readonly kind: 'resync' }
  | { readonly kind: 'subscribe'; readonly addresses: unknown }
  | { readonly kind: 'refused'; readonly reason: string }

/** Scope of each input. Any other input is refused. */
const SCOPE_OF: ReadonlyMap<unknown, GatewayScope> = new Map<string, GatewayScope>([
  ...['NewTx', 'Decommit', 'Recover'].map((tag) => [tag, 'submit'] as const),
  ...['Init', 'Close', 'SafeClose', 'Contest', 'Fanout', 'PartialFanout', 'Abort', 'SideLoadSnapshot'].map(
    (tag) => [tag, 'admin'] as const
  )
])
/** Member that holds the transaction of an input. */
const TRANSACTION_OF: Readonly<Record<string, string>> = { NewTx: 'transaction', Decommit: 'decommitTx' }
/** Members that the node reads, by input; all other members are left out. */
const CARRIED: Readonly<Record<string, string>> = {
  Recover: 'recoverTxId',
  SideLoadSnapshot: 'snapshot',
  PartialFanout: 'utxoToFanout'
}
const MAX_TEXT_CHARACTERS = 1_024
const TX_ID = /^[0-9a-f]{64}$/i

const refused = (reason: string): ClientCommand => ({ kind: 'refused', reason })

/** Reads the value of an event; never throws. */
export function readClientCommand(event: unknown): ClientCommand {
  const command = isRecord(event) ? getOwn(event, 'command') : undefined
  if (command === 'resync') return { kind: 'resync' }
  const data = isRecord(event) ? getOwn(event, 'data') : undefined
  if (command === 'subscribe')
    return { kind: 'subscribe', addresses: isRecord(data) ? getOwn(data, 'addresses') : undefined }
  if (command !== 'send_command' || !isRecord(data))
    return refused('expected { command: "send_command", data: { tag } }')
  const tag = getOwn(data, 'tag')
  const scope = SCOPE_OF.get(tag)
  if (typeof tag !== 'string' || scope === undefined) return refused('unknown tag')
  const member = Object.hasOwn(TRANSACTION_OF, tag) ? TRANSACTION_OF[tag]! : null
  if (member === null) {
    const carried = Object.hasOwn(CARRIED, tag) ? CARRIED[tag]! : null
    const value = carried === null ? undefined : getOwn(data, carried)
    if (tag !== 'Recover')
      return { kind: 'input', input: value === undefined ? { tag } : { tag, [carried!]: value }, scope, txId: null }
    if (typeof value !== 'string' || !TX_ID.test(value)) return refused('expected recoverTxId, 64 characters of hex')
    const recoverTxId = value.toLowerCase()
    return { kind: 'input', input: { tag, recoverTxId }, scope, txId: recoverTxId }
  }
  const envelope = readEnvelope(getOwn(data, member))
  if (typeof envelope === 'string') return refused(envelope)
  return { kind: 'input', input: { tag, [member]: envelope }, scope, txId: envelope.txId }
}

/** Envelope of a transaction as the node accepts it. */
export interface Envelope {
  readonly type: string
  readonly description: string
  readonly cborHex: string
  readonly txId: string
}

/** Returns a transaction with the id of its bytes, or the reason why the value is not a transaction. */
export function readEnvelope(value: unknown): Envelope | string {
  if (!isRecord(value)) return 'expected a transaction'
  const cborHex = getOwn(value, 'cborHex')
  const statedTxId = getOwn(value, 'txId') ?? undefined
  const type = getOwn(value, 'type') ?? 'Tx ConwayEra'
  const description = getOwn(value, 'description') ?? ''
  if (typeof cborHex !== 'string' || typeof type !== 'string' || typeof description !== 'string')
    return 'expected type, description and cborHex as texts'
  if (type.length > MAX_TEXT_CHARACTERS || description.length > MAX_TEXT_CHARACTERS)
    return `expected type and description of at most ${MAX_TEXT_CHARACTERS} characters`
  let txId: string
  try {
    txId = transactionId(readTransaction(hexToBytes(cborHex, 'The transaction')))
  } catch {
    return 'cborHex is no transaction'
  }
  if (statedTxId !== undefined && (typeof statedTxId !== 'string' || statedTxId.toLowerCase() !== txId))
    return "txId is not the transaction's own id"
  return { type, description, cborHex, txId }
}

/**
 * Returns the id, in lower case, that the event of a payment states for its transaction; null where it states none. The
 * id that follows from the bytes may be another.
 */
export function claimedTxId(event: unknown): string | null {
  const data = isRecord(event) ? getOwn(event, 'data') : undefined
  if (!isRecord(data) || getOwn(data, 'tag') !== 'NewTx') return null
  const transaction = getOwn(data, 'transaction')
  const txId = isRecord(transaction) ? getOwn(transaction, 'txId') : undefined
  return typeof txId === 'string' && TX_ID.test(txId) ? txId.toLowerCase() : null
}

/**
 * Returns a refusal by the gateway in the form of the node's InvalidInput. `unsent`: the transaction that was not sent
 * to the node.
 */
export function invalidCommand(reason: string, unsent: string | null): string {
  return stringifyJson({ tag: 'InvalidInput', reason, input: '', ...(unsent === null ? {} : { txId: unsent }) })
}
