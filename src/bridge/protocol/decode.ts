import { ProtocolError } from '../../errors/bridge.js'
import { parseJson } from '../../codec/json.js'
import type { LayerPayload } from './messages.js'
import type { WireRecord } from './wireRecord.js'
import { checkFields, isRecord, getOwn, protocolError } from './wireRecord.js'
import { FIELDS } from './schemas.js'

/** Public names of fields that versions of the node spell in other ways. */
const RENAMED: Readonly<Record<string, string>> = {
  hydraHeadId: 'layerHeadId',
  hydraNodeVersion: 'layerNodeVersion',
  theDeposit: 'depositTxId',
  finalizedUTxO: 'utxo',
  // Announced for nodes newer than 2.3.0.
  finalizedDecommitTxId: 'decommitTxId'
}

function rename(record: WireRecord): void {
  for (const name in RENAMED) {
    if (!Object.hasOwn(record, name)) continue
    record[RENAMED[name]!] ??= record[name]
    delete record[name]
  }
}

/** Reason of a refusal that gives none. */
const NO_REASON = 'no reason given'

/** A list of outputs, as one changelog of the node announced it, becomes a map by position. */
function toMap(value: readonly unknown[]): WireRecord {
  return Object.fromEntries(value.map((output, index) => [`#${index}`, output]))
}

/** Transactions stood in messages by id alone before they came whole. */
const toTransaction = (value: unknown): unknown => (typeof value === 'string' ? { txId: value } : value)

/** Brings the forms of all versions into one, in place. */
const NORMALIZE: Readonly<Record<string, (record: WireRecord) => void>> = {
  Greetings(record) {
    // Nodes from 1.0 to 2.1 send their own secret key along.
    if (isRecord(record['env'])) delete record['env']['signingKey']
    else delete record['env']
  },
  HeadIsFinalized(record) {
    const { utxo } = record
    if (Array.isArray(utxo)) record['utxo'] = toMap(utxo)
  },
  TxValid(record) {
    const transaction = (record['transaction'] = toTransaction(record['transaction'] ?? record['transactionId']))
    if (!isRecord(transaction)) return
    // Either names the other.
    record['transactionId'] ??= getOwn(transaction, 'txId')
    if (!Object.hasOwn(transaction, 'txId')) transaction['txId'] = record['transactionId']
  },
  TxInvalid(record) {
    record['transaction'] = toTransaction(record['transaction'])
    const { validationError: error } = record
    const reason = isRecord(error) ? getOwn(error, 'reason') : error
    if (typeof reason !== 'string') record['validationError'] = { ...(isRecord(error) ? error : {}), reason: NO_REASON }
    else if (!isRecord(error)) record['validationError'] = { reason }
  },
  InvalidInput(record) {
    record['reason'] ??= NO_REASON
    record['input'] ??= ''
  },
  SnapshotConfirmed(record) {
    const { snapshot } = record
    if (!isRecord(snapshot)) return
    record['headId'] ??= getOwn(snapshot, 'headId')
    snapshot['headId'] ??= record['headId']
    record['snapshot'] = decodeSnapshot(snapshot, 'SnapshotConfirmed')
  }
}

/** Checks a snapshot and gives it the form of the newest nodes, in place. Its outputs are checked when they are used. */
export function decodeSnapshot(snapshot: WireRecord, what: string): WireRecord {
  // Before 0.20 the number and the transactions had longer names.
  const confirmed =
    getOwn(snapshot, 'confirmed') ??
    getOwn(snapshot, 'confirmedTransactions') ??
    // Without transactions and outputs its effect is unknown.
    (isRecord(getOwn(snapshot, 'utxo')) ? [] : undefined)
  snapshot['number'] ??= getOwn(snapshot, 'snapshotNumber')
  snapshot['confirmed'] = Array.isArray(confirmed) ? confirmed.map(toTransaction) : confirmed
  checkFields(snapshot, 'headId:s version:n? number:n confirmed:[t] utxo:o? utxoToCommit:o0 utxoToDecommit:o0', `The snapshot of ${what}`)
  return snapshot
}

/** Tag of a message; the two kinds that came without one are known by their fields. */
function tagOf(record: WireRecord): string {
  const tag = getOwn(record, 'tag')
  if (typeof tag === 'string') return tag
  if (tag === undefined && typeof getOwn(record, 'reason') === 'string' && typeof getOwn(record, 'input') === 'string') return 'InvalidInput'
  // Nodes of version 0.21.0 only.
  if (tag === undefined && isRecord(getOwn(record, 'me')) && getOwn(record, 'headStatus') !== undefined) return 'Greetings'
  return protocolError('A message', 'an object with a tag', tag)
}

/**
 * A message that has been parsed already (a gateway hands over objects) in its public form. The object is changed and returned.
 *
 * @throws {@link ProtocolError} when it is not a message, or a field that is used has another type.
 */
export function decodeMessage(message: unknown, receivedAt: number): LayerPayload {
  if (!isRecord(message)) return protocolError('A message', 'an object', message)
  const tag = tagOf(message)
  message['tag'] = tag
  checkFields(message, 'timestamp:s? seq:n?', `The message ${tag.slice(0, 40)}`)
  message['timestamp'] ??= new Date(receivedAt).toISOString()
  const fields = getOwn(FIELDS, tag) as string | undefined
  if (fields !== undefined) {
    rename(message)
    if (Object.hasOwn(NORMALIZE, tag)) NORMALIZE[tag]!(message)
    checkFields(message, fields, `The message ${tag}`)
  }
  return message as unknown as LayerPayload
}

/**
 * A message of the node, of any version, in its public form. Integers beyond 2^53 - 1 arrive as bigint; tags and fields that are not
 * known pass as they are.
 *
 * @param receivedAt - time of arrival, ms since the Unix epoch: the timestamp of messages that have none.
 * @throws {@link ProtocolError} when it is not JSON, not a message, or a field that is used has another type.
 */
export function decodePayload(text: string, receivedAt: number): LayerPayload {
  let message: unknown
  try {
    message = parseJson(text, 'A message')
  } catch (cause) {
    throw new ProtocolError('A message', { expected: 'JSON', got: 'something else', cause })
  }
  return decodeMessage(message, receivedAt)
}
