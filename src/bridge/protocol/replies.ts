import { parseJson } from '../../codec/json.js'
import type {
  ConfirmedSnapshot,
  HeadInfo,
  RawProtocolParameters,
  SubmitL2TxResponse,
  TransactionJson,
  UTxOObject
} from './types.js'
import type { WireRecord } from './wireRecord.js'
import { redact } from '../../net/redact.js'
import type { Schema } from './fields.js'
import { checkFields, schemaOf } from './fields.js'
import { isRecord, getOwn, protocolError } from './wireRecord.js'
import { decodeSnapshot } from './normalize.js'
import {
  dueAfter,
  pendingDecommitTxId,
  pendingTxIds,
  seenSnapshot,
  signingTxIds,
  slotOfHead,
  toHeadInfo,
  versionOfHead
} from './headState.js'

/** Reply of a node that refuses a request, with its text. */
export interface Refusal {
  readonly kind: 'refused'
  readonly status: number
  /** The node's reason, or a description of the answer when it gave none. */
  readonly reason: string
  /** Tag of the answer, e.g. `FailedToPostTx`. */
  readonly tag: string | null
  /** The answer: JSON, or text where it was none. */
  readonly body: unknown
}

/** The outcome of a request to the node. */
export type Reply<T> =
  | { readonly kind: 'ok'; readonly value: T }
  /** There is no head. */
  | { readonly kind: 'absent' }
  /** This version of the node has no such route. */
  | { readonly kind: 'noRoute' }
  /** The node's own timeout passed: the outcome is unknown. */
  | { readonly kind: 'timedOut'; readonly reason: string }
  | Refusal

/** Returns the body of an answer: the parsed JSON if it is valid, else the text. */
function readBody(text: string): unknown {
  try {
    return parseJson(text)
  } catch {
    return text
  }
}

const MAX_REASON = 2000

/** Returns the node's text in a response of any form. */
function reasonOf(body: unknown): string | undefined {
  if (typeof body === 'string') return body.trim() === '' ? undefined : body.trim().slice(0, MAX_REASON)
  if (!isRecord(body)) return undefined
  for (const name of ['reason', 'failureReason', 'validationError', 'message', 'error']) {
    const inner = reasonOf(getOwn(body, name))
    if (inner !== undefined) return inner
  }
  return reasonOf(getOwn(body, 'tag'))
}

function refusal(status: number, body: unknown): Refusal {
  const tag = isRecord(body) ? getOwn(body, 'tag') : null
  return {
    kind: 'refused',
    status,
    reason: reasonOf(body) ?? `HTTP status ${status}`,
    tag: typeof tag === 'string' ? tag : null,
    body
  }
}

/** Decodes an answer by its status; `read` converts the body of a success. */
function reply<T>(status: number, text: string, read: (body: unknown) => T): Reply<T> {
  const refused = status < 200 || status > 299
  // A proxy's page may repeat the requested URL, with the key.
  const body = readBody(refused ? redact(text) : text)
  // Unknown routes give 400 with this text on every version.
  if (status === 400 && body === 'Resource not found') return { kind: 'noRoute' }
  if (status === 404) return { kind: 'absent' }
  const timeout = status === 202 && isRecord(body) ? getOwn(body, 'timeout') : undefined
  if (timeout !== undefined) return { kind: 'timedOut', reason: String(timeout).slice(0, MAX_REASON) }
  if (refused) return refusal(status, body)
  return { kind: 'ok', value: read(body) }
}

function asRecord(body: unknown, what: string): WireRecord {
  return isRecord(body) ? body : protocolError(what, 'an object', body)
}

/** Decodes the answer to GET /protocol-parameters. */
export function decodeProtocolParametersReply(status: number, text: string): Reply<RawProtocolParameters> {
  return reply(status, text, (body) => asRecord(body, 'The protocol parameters') as RawProtocolParameters)
}

/** Parts of the body of GET /head that the bridge uses; `raw` is all of it. */
export interface HeadReply {
  readonly info: HeadInfo
  readonly pendingTxIds: string[]
  readonly signingTxIds: string[]
  readonly seen: { number: number; signers: string[] } | null
  readonly dueAfter: number | null
  readonly decommitTxId: string | null
  readonly slot: number | null
  readonly version: number | null
  readonly raw: unknown
}

/** Decodes the answer to GET /head: the head in public terms, and the work that the node has not finished. */
export function decodeHeadReply(status: number, text: string): Reply<HeadReply> {
  return reply(status, text, (body) => {
    const head = asRecord(body, 'The state of the head')
    return {
      info: toHeadInfo(head),
      pendingTxIds: pendingTxIds(head),
      signingTxIds: signingTxIds(head),
      seen: seenSnapshot(head),
      dueAfter: dueAfter(head),
      decommitTxId: pendingDecommitTxId(head),
      slot: slotOfHead(head),
      version: versionOfHead(head),
      raw: head
    }
  })
}

/** Decodes the answer to GET /snapshot. The value can be sent back to the node unchanged (`sideLoadSnapshot`). */
export function decodeSnapshotReply(status: number, text: string): Reply<ConfirmedSnapshot> {
  return reply(status, text, toConfirmedSnapshot)
}

const INITIAL_SNAPSHOT: Schema = /* @__PURE__ */ schemaOf({
  headId: { type: 'string', check: 'essential' },
  initialUTxO: { type: 'utxo', presence: 'optional', check: 'ifPresent' }
})
const CONFIRMED_SNAPSHOT: Schema = /* @__PURE__ */ schemaOf({ snapshot: { type: 'snapshot', check: 'essential' } })
// Without its outputs it would empty the cache.
const WITH_OUTPUTS: Schema = /* @__PURE__ */ schemaOf({ utxo: { type: 'utxo', check: 'essential' } })

/** Checks the body of GET /snapshot, in place. @throws {@link ProtocolError} */
export function toConfirmedSnapshot(body: unknown): ConfirmedSnapshot {
  const what = 'The confirmed snapshot'
  const confirmed = asRecord(body, what)
  if (getOwn(confirmed, 'tag') === 'InitialSnapshot') checkFields(confirmed, INITIAL_SNAPSHOT, what)
  else {
    checkFields(confirmed, CONFIRMED_SNAPSHOT, what)
    const snapshot = decodeSnapshot(confirmed['snapshot'] as WireRecord, 'GET /snapshot')
    checkFields(snapshot, WITH_OUTPUTS, what)
    confirmed['tag'] ??= 'ConfirmedSnapshot'
  }
  return confirmed as ConfirmedSnapshot
}

/** Decodes the answer to GET /snapshot/utxo: the confirmed outputs. */
export function decodeUtxoReply(status: number, text: string): Reply<UTxOObject> {
  return reply(status, text, (body) => asRecord(body, 'The UTxO of the snapshot') as UTxOObject)
}

/**
 * Decodes the answer to GET /snapshot/last-seen into the number of the newest confirmed snapshot; 0 before any. Where
 * the answer names only a snapshot that is still being signed, the number is one less.
 */
export function decodeLastSeenReply(status: number, text: string): Reply<number> {
  return reply(status, text, (body) => {
    const seen = asRecord(body, 'The last seen snapshot')
    const snapshot = getOwn(seen, 'snapshot')
    const inFlight = isRecord(snapshot) ? getOwn(snapshot, 'number') : undefined
    const number =
      getOwn(seen, 'tag') === 'NoSeenSnapshot'
        ? 0
        : (getOwn(seen, 'lastSeen') ?? (typeof inFlight === 'number' ? inFlight - 1 : inFlight))
    return Number.isSafeInteger(number)
      ? (number as number)
      : protocolError('The last seen snapshot', 'a number', number)
  })
}

const PENDING_DEPOSITS: Schema = /* @__PURE__ */ schemaOf({ body: { type: 'strings', check: 'essential' } })

/** Decodes the answer to GET /commits: ids of deposits that are neither in the head nor recovered. */
export function decodePendingDepositsReply(status: number, text: string): Reply<string[]> {
  return reply(status, text, (body) => {
    checkFields({ body }, PENDING_DEPOSITS, 'The pending deposits')
    return body as string[]
  })
}

const DRAFT: Schema = /* @__PURE__ */ schemaOf({
  cborHex: { type: 'string', check: 'essential' },
  txId: { type: 'string', presence: 'optional', check: 'ifPresent' },
  type: { type: 'string', presence: 'optional', check: 'ifPresent' },
  description: { type: 'string', presence: 'optional', check: 'ifPresent' }
})

/** Decodes the answer to POST /commit: the draft of a deposit, which the user still has to sign. */
export function decodeCommitReply(status: number, text: string): Reply<TransactionJson & { cborHex: string }> {
  return reply(status, text, (body) => {
    const draft = asRecord(body, 'The drafted deposit')
    checkFields(draft, DRAFT, 'The drafted deposit')
    return draft as unknown as TransactionJson & { cborHex: string }
  })
}

/**
 * Decodes the answer to DELETE /commits/{id}, POST /decommit or POST /snapshot into the node's text, usually `OK`. The
 * node may report the effect of another client's request, so a success does not prove that this request had its effect.
 */
export function decodeEffectReply(status: number, text: string): Reply<string> {
  return reply(status, text, (body) => reasonOf(body) ?? 'OK')
}

/**
 * Decodes the answer to POST /cardano-transaction: the node's object, or an empty one, because a gateway may answer
 * with less. A body that is not JSON, such as a proxy's page, is not a success.
 */
export function decodeSubmitCardanoReply(status: number, text: string): Reply<Record<string, unknown>> {
  return reply(status, text, (body) =>
    isRecord(body) ? body : body === text ? protocolError('The answer to a submission', 'JSON', body) : {}
  )
}

/**
 * Decodes the answer to POST /transaction into the node's verdict on the transaction. Status 400 is the verdict
 * `SubmitTxInvalid` (an object with a tag, or a bare text), 503 is `SubmitTxRejected`. An error without a verdict, e.g.
 * of a proxy, is a {@link Refusal}.
 */
export function decodeSubmitL2Reply(status: number, text: string): Reply<SubmitL2TxResponse> {
  const answer = reply(
    status,
    text,
    (body) => submitVerdict(body) ?? protocolError('The answer to a submission', 'a verdict', body)
  )
  if (answer.kind === 'timedOut') return { kind: 'ok', value: { tag: 'SubmitTxSubmitted', timedOut: true } }
  if (answer.kind !== 'refused') return answer
  const verdict = submitVerdict(answer.body)
  if (verdict !== undefined) return { kind: 'ok', value: verdict }
  return status === 400 && typeof answer.body === 'string' && text.startsWith('"')
    ? { kind: 'ok', value: { tag: 'SubmitTxInvalid', validationError: answer.reason } }
    : answer
}

const CONFIRMATION: Schema = /* @__PURE__ */ schemaOf({ snapshotNumber: { type: 'wholeNumber', check: 'essential' } })

function submitVerdict(body: unknown): SubmitL2TxResponse | undefined {
  if (!isRecord(body)) return undefined
  switch (getOwn(body, 'tag')) {
    case 'SubmitTxConfirmed':
      checkFields(body, CONFIRMATION, 'The answer to a submission')
      return { tag: 'SubmitTxConfirmed', snapshotNumber: body['snapshotNumber'] as number }
    case 'SubmitTxInvalid':
      return { tag: 'SubmitTxInvalid', validationError: reasonOf(getOwn(body, 'validationError')) ?? 'no reason given' }
    case 'SubmitTxRejected':
      return { tag: 'SubmitTxRejected', reason: reasonOf(getOwn(body, 'reason')) ?? 'no reason given' }
    case 'SubmitTxSubmitted':
      return { tag: 'SubmitTxSubmitted' }
    default:
      return undefined
  }
}
