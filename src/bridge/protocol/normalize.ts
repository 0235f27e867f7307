import type { Schema } from './fields.js'
import { checkFields, schemaOf } from './fields.js'
import type { WireRecord } from './wireRecord.js'
import { getOwn, isRecord } from './wireRecord.js'

/** Brings the forms in which versions of the node send a message into one, in place, before its fields are checked. */
export type Normalize = (record: WireRecord) => void

/** Reason that is filled in where a refusal gives none. */
const NO_REASON = 'no reason given'

/** Returns a transaction as an object: older messages name transactions by their ids alone. */
const toTransaction = (value: unknown): unknown => (typeof value === 'string' ? { txId: value } : value)

/** Drops the node's secret key, which nodes from 1.0 to 2.1 send along. */
export function normalizeGreetings(record: WireRecord): void {
  if (isRecord(record['env'])) delete record['env']['signingKey']
  else delete record['env']
}

/** Converts a list of outputs, which a changelog of the node announced, into a map by position. */
export function normalizeHeadIsFinalized(record: WireRecord): void {
  const { utxo } = record
  if (Array.isArray(utxo))
    record['utxo'] = Object.fromEntries(utxo.map((output: unknown, index) => [`#${index}`, output]))
}

/** Fills in the transaction from its id, or the id from the transaction. */
export function normalizeTxValid(record: WireRecord): void {
  const transaction = (record['transaction'] = toTransaction(record['transaction'] ?? record['transactionId']))
  if (!isRecord(transaction)) return
  record['transactionId'] ??= getOwn(transaction, 'txId')
  if (!Object.hasOwn(transaction, 'txId')) transaction['txId'] = record['transactionId']
}

/** Converts an error that is a text, or has no reason, into an object with a `reason`. */
export function normalizeTxInvalid(record: WireRecord): void {
  record['transaction'] = toTransaction(record['transaction'])
  const { validationError: error } = record
  const reason = isRecord(error) ? getOwn(error, 'reason') : error
  if (typeof reason !== 'string') record['validationError'] = { ...(isRecord(error) ? error : {}), reason: NO_REASON }
  else if (!isRecord(error)) record['validationError'] = { reason }
}

/** Fills in a missing reason or text, because the message is a refusal without them too. */
export function normalizeInvalidInput(record: WireRecord): void {
  record['reason'] ??= NO_REASON
  record['input'] ??= ''
}

/** Fills in the head's id, which may be in the message only or in its snapshot only, and decodes the snapshot. */
export function normalizeSnapshotConfirmed(record: WireRecord): void {
  const { snapshot } = record
  if (!isRecord(snapshot)) return
  record['headId'] ??= getOwn(snapshot, 'headId')
  snapshot['headId'] ??= record['headId']
  record['snapshot'] = decodeSnapshot(snapshot, 'SnapshotConfirmed')
}

const SNAPSHOT: Schema = /* @__PURE__ */ schemaOf({
  headId: { type: 'string', check: 'essential' },
  version: { type: 'wholeNumber', presence: 'optional', check: 'ifPresent' },
  number: { type: 'wholeNumber', check: 'essential' },
  confirmed: { type: 'transactions', check: 'essential' },
  utxo: { type: 'utxo', presence: 'optional', check: 'ifPresent' },
  utxoToCommit: { type: 'utxo', presence: 'nullable', check: 'ifPresent' },
  utxoToDecommit: { type: 'utxo', presence: 'nullable', check: 'ifPresent' }
})

/**
 * Checks a snapshot and gives it the form of the newest nodes, in place. Its outputs are checked when they are used.
 *
 * @throws {@link ProtocolError} when it has no number, no head, or neither transactions nor outputs.
 */
export function decodeSnapshot(snapshot: WireRecord, what: string): WireRecord {
  // Before 0.20 the number and the transactions had longer names.
  const confirmed =
    getOwn(snapshot, 'confirmed') ??
    getOwn(snapshot, 'confirmedTransactions') ??
    // Without transactions and outputs its effect is unknown.
    (isRecord(getOwn(snapshot, 'utxo')) ? [] : undefined)
  snapshot['number'] ??= getOwn(snapshot, 'snapshotNumber')
  snapshot['confirmed'] = Array.isArray(confirmed) ? confirmed.map(toTransaction) : confirmed
  checkFields(snapshot, SNAPSHOT, `The snapshot of ${what}`)
  return snapshot
}
