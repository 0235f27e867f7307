import { parseJson } from '../../codec/json.js'
import type { WireRecord } from '../../bridge/inner.js'
import { isRecord } from '../../bridge/inner.js'
import type { BaseRecord, InRecord, LoggedOutRecord, ReplyRecord } from '../records.js'

type Check = (value: unknown) => boolean

const isText: Check = (value) => typeof value === 'string'
/** Id of a record, as the logs of this package give them. */
const isId: Check = (value) => typeof value === 'string' && /^\d{1,20}(-\d{1,20})?$/.test(value)
const isFlag: Check = (value) => typeof value === 'boolean'
const isNumber: Check = (value) => typeof value === 'number'
const isCount: Check = (value) => Number.isSafeInteger(value) && (value as number) >= 0
const isObject: Check = (value) => isRecord(value)
/** A member that may be absent. */
const optional =
  (check: Check): Check =>
  (value) =>
    value === undefined || check(value)
const orNull =
  (check: Check): Check =>
  (value) =>
    value === null || check(value)
const oneOf =
  (...values: readonly unknown[]): Check =>
  (value) =>
    values.includes(value)
const listOf =
  (check: Check): Check =>
  (value) =>
    Array.isArray(value) && value.every(check)
const mapOf =
  (check: Check): Check =>
  (value) =>
    isRecord(value) && Object.keys(value).every((key) => check(value[key]))
const shape =
  (members: Readonly<Record<string, Check>>): Check =>
  (value) =>
    isRecord(value) &&
    Object.keys(members).every((name) => members[name]!(Object.hasOwn(value, name) ? value[name] : undefined))

const isTexts = listOf(isText)
const isOutputs = mapOf(shape({ address: optional(isText) }))
const isPosition = shape({ headId: isText, number: isCount, version: isNumber })
const PENDING = { depositTxId: optional(orNull(isText)), arriving: optional(isTexts) }
/** SnapshotConfirmed as clients receive it: with its snapshot. */
const isSnapshotMessage = shape({ snapshot: isObject })
const isTouchedTx = shape({ txId: isText, spendsFrom: isTexts, pays: isTexts })

const OUT: ReadonlyMap<unknown, Check> = new Map<string, Check>([
  [
    'snapshot',
    shape({
      ...PENDING,
      headId: isText,
      number: isCount,
      version: isNumber,
      from: isCount,
      message: orNull(isSnapshotMessage),
      missed: optional(listOf(isObject)),
      spent: mapOf(isText),
      made: isOutputs,
      count: isCount,
      txs: listOf(isTouchedTx)
    })
  ],
  [
    'reset',
    shape({
      ...PENDING,
      reason: oneOf('start', 'resync', 'otherHead', 'ended'),
      position: orNull(isPosition),
      utxo: isOutputs,
      greetings: isObject
    })
  ],
  [
    'message',
    shape({
      message: isObject,
      greetings: optional(isObject),
      addresses: orNull(isTexts),
      txIds: isTexts,
      toSender: optional(oneOf(true))
    })
  ],
  ['sending', shape({ command: isId, txId: orNull(isText) })],
  [
    'verdict',
    shape({
      txId: isText,
      command: optional(isId),
      outcome: oneOf('confirmed', 'refused', 'unknown'),
      message: orNull(isObject),
      reason: isText
    })
  ],
  ['taken', shape({ command: isId, outcome: oneOf('sent', 'refused', 'unknown'), reason: isText })],
  ['upstream', shape({ connected: isFlag })]
])

const IN: ReadonlyMap<unknown, Check> = new Map<string, Check>([
  ['command', shape({ input: isObject, txId: orNull(isText) })],
  ['request', shape({ ref: isText, method: oneOf('GET', 'POST'), path: isText, body: optional(isText) })],
  ['renew', shape({})]
])

const isCommands = shape({ last: orNull(isId), txIds: isTexts, open: listOf(isId) })
const isBase = shape({
  ...PENDING,
  kind: oneOf('base'),
  after: isId,
  position: orNull(isPosition),
  utxo: isOutputs,
  greetings: orNull(isObject),
  connected: isFlag,
  commands: optional(isCommands)
})
const isReply = shape({ kind: oneOf('reply'), ref: isText, status: isNumber, text: isText })

/** Reads a record of the stream `out`; null for any other text. Never throws. */
export function readOutRecord(text: string): LoggedOutRecord | null {
  const value = readJson(text)
  return value !== null && shape({ at: optional(isNumber) })(value) && OUT.get(value['kind'])?.(value) === true
    ? (value as unknown as LoggedOutRecord)
    : null
}

/** Reads a record of the stream `in`; null for any other text. Never throws. */
export function readInRecord(text: string): InRecord | null {
  const value = readJson(text)
  return value !== null && IN.get(value['kind'])?.(value) === true ? (value as unknown as InRecord) : null
}

/** Reads a record of the stream `base`; null for any other text. Never throws. */
export function readBaseRecord(text: string): BaseRecord | null {
  const value = readJson(text)
  return value !== null && isBase(value) ? (value as unknown as BaseRecord) : null
}

/** Reads a record of the stream `reply`; null for any other text. Never throws. */
export function readReplyRecord(text: string): ReplyRecord | null {
  const value = readJson(text)
  return value !== null && isReply(value) ? (value as unknown as ReplyRecord) : null
}

function readJson(text: string): WireRecord | null {
  try {
    const value = parseJson(text)
    return isRecord(value) ? value : null
  } catch {
    return null
  }
}
