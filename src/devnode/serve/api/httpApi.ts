import { stringifyJson } from '../../../codec/json.js'
import { ParseFailure } from '../../json/ParseFailure.js'
import { parseBody, parseConfirmedSnapshot, parseTransaction, txIdOf } from '../../wire/json/clientInput.js'
import type { ParsedInput } from '../../wire/json/clientInput.js'
import { parseCommitRequest } from '../../deposits/commitRequest.js'
import { draftRefusal } from '../../deposits/draftError.js'
import { submitBaseTx } from '../../deposits/submitBaseTx.js'
import type { ClientMessage, HeadOutput } from '../../head/types.js'
import { confirmedSnapshotJson, headStateJson, lastSeenJson } from '../../wire/json/headStateJson.js'
import { snapshotUtxo } from '../../wire/json/greetings.js'
import { receiveInput } from '../../party/receiveInput.js'
import type { Party } from '../../party/Party.js'
import type { JsonValue } from '../../json/jsonText.js'
import { JsonText, toJson } from '../../json/jsonText.js'
import { validationError } from '../../rules/failures.js'
import { utf8ToBytes } from '../../../codec/utf8.js'
import { replyToCbor, requestFromCbor } from '../../wire/cbor/replies.js'
import { failedToPost, STALL, utcTime } from '../../wire/json/messages.js'
import { pathSegments } from './requestPath.js'
import { configJson } from './configJson.js'

/** A request to the node's HTTP API. */
export interface DevNodeRequest {
  /** HTTP method. */
  readonly method: string
  /** With its query, which the node does not look at. */
  readonly path: string
  /** The body as text; empty when there is none. */
  readonly body: string
  /** The body as bytes, for a route that is sent CBOR; otherwise that of `body`. */
  readonly bytes?: Uint8Array
  /** Header `Content-Type`. */
  readonly contentType?: string | undefined
  /** Header `Accept`. */
  readonly accept?: string | undefined
}

/** Its answer. */
export interface DevNodeReply {
  /** HTTP status. */
  readonly status: number
  /** The body as text; that of CBOR is empty. */
  readonly body: string
  /** The body as bytes, where CBOR was asked for. */
  readonly bytes?: Uint8Array
  /** Headers besides the content type. */
  readonly headers?: Readonly<Record<string, string>>
  /** `null`: the answer names none. @default 'application/json' */
  readonly contentType?: string | null
}

type Message = HeadOutput | ClientMessage
const json = (status: number, value: JsonValue): DevNodeReply => ({ status, body: toJson(value) })
/** Words of the node's refusal while nothing reaches its peers (HTTPServer.hs, describeStallReason). */
const STALLED = `outbound message queue is not draining, ${STALL.pendingBroadcasts} messages pending`
/** The text of an input is repeated to SafeClose alone, which no route takes. */
const FROM_HTTP = { client: null, text: '' }
const OK = json(200, 'OK')
const NOT_FOUND = json(400, 'Resource not found')
const NO_HEAD = json(404, '')

/** Answers a request as the node does (docs/protocol.md, HTTP); never rejects. */
export async function answerRequest(request: DevNodeRequest, party: Party): Promise<DevNodeReply> {
  const { cborEncoding } = party.chain.features
  const reply = await answerInJson(request, party)
  const isCbor = cborEncoding && request.accept?.includes(CBOR) === true && reply.contentType !== null
  if (!isCbor) return reply
  try {
    return { ...reply, body: '', bytes: replyToCbor(routeOf(request), reply.body), contentType: CBOR }
  } catch (error) {
    return { status: 500, body: String(error), contentType: null }
  }
}

const CBOR = 'application/cbor'

function routeOf({ method, path }: DevNodeRequest): string {
  return `${method} /${pathSegments(path).join('/')}`
}

async function answerInJson(request: DevNodeRequest, party: Party): Promise<DevNodeReply> {
  try {
    const sentCbor = party.chain.features.cborEncoding && request.contentType?.includes(CBOR) === true
    const body = sentCbor ? requestFromCbor(routeOf(request), request.bytes ?? utf8ToBytes(request.body)) : request.body
    const reply = await route(request.method, pathSegments(request.path), body, party)
    if (party.chain.features.jsonReplies) return reply
    // Before 1.0 no type was named, and a bare string had no quotes.
    const plain = reply.body.startsWith('"') ? (JSON.parse(reply.body) as string) : reply.body
    return { ...reply, body: plain, contentType: null }
  } catch (error) {
    if (error instanceof ParseFailure) return json(400, error.message)
    return { status: 500, body: String(error), contentType: null }
  }
}

async function route(method: string, segments: readonly string[], body: string, party: Party): Promise<DevNodeReply> {
  const { chain, runtime } = party
  const { features } = chain
  // A slash inside a segment is no separator.
  switch (`${method} /${segments.map((segment) => segment.replaceAll('/', '%2F')).join('/')}`) {
    case 'GET /protocol-parameters':
      return { status: 200, body: stringifyJson(chain.protocolParameters) }
    case 'GET /head':
      return json(200, headStateJson(party))
    case 'GET /snapshot':
      return getSnapshot(party)
    case 'GET /snapshot/utxo': {
      const utxo = snapshotUtxo(runtime.state.head)
      return utxo === null ? NO_HEAD : json(200, utxo)
    }
    case 'GET /snapshot/last-seen':
      return json(200, lastSeenJson(party))
    case 'GET /commits':
      return json(
        200,
        runtime.state.deposits.map(({ txId }) => txId)
      )
    case 'GET /config':
      return features.configRoute ? json(200, configJson(party)) : NOT_FOUND
    case 'GET /head-initialization':
      return features.headInitializationRoute ? headInitialization(runtime.initializedMs) : NOT_FOUND
    case 'POST /commit':
      return postCommit(body, party)
    case 'POST /cardano-transaction':
      return postCardanoTransaction(body, party)
    case 'POST /transaction':
      return features.transactionRoute ? postTransaction(body, party) : NOT_FOUND
    case 'POST /decommit':
      return postDecommit(body, party)
    case 'POST /snapshot':
      return postSnapshot(body, party)
    default: {
      const [room, segment, ...more] = segments
      return method === 'DELETE' && room === 'commits' && segment !== undefined && more.length === 0
        ? deleteCommit(segment, party)
        : NOT_FOUND
    }
  }
}

/** When the last head began to initialize (hydra 1.3.0, HTTPServer.hs:584). */
function headInitialization(initializedMs: number | null): DevNodeReply {
  if (initializedMs === null) return json(400, 'Unable to find Head initialization time in your state file.')
  return json(200, utcTime(initializedMs))
}

function getSnapshot({ chain: { features }, head: { signing }, faults, runtime }: Party): DevNodeReply {
  const { head } = runtime.state
  if (head.status === 'Idle') return NO_HEAD
  if (head.status === 'Initializing')
    return json(200, confirmedSnapshotJson(head.head.headId, null, snapshotUtxo(head)!, features))
  const shown = head.confirmed === null ? null : signing.shown(head.confirmed, faults)
  return json(200, confirmedSnapshotJson(head.head.headId, shown, head.initialUtxo, features))
}

async function postCommit(
  body: string,
  { chain: { clock, features }, head: { drafts }, runtime }: Party
): Promise<DevNodeReply> {
  const { head } = runtime.state
  const request = parseCommitRequest(body)
  if (head.status !== 'Open' && head.status !== 'Initializing') {
    return features.initializing
      ? json(features.commitRefusalStatus, { tag: 'FailedToDraftTxNotInitializing' })
      : json(400, 'Head is not open')
  }
  const { tx, error } = await drafts.draft(request, head, clock.now())
  if (error === undefined) return json(200, tx.envelope)
  const refusal = draftRefusal(error)
  if (typeof refusal.body === 'string') return { status: refusal.status, body: refusal.body, contentType: null }
  return json(refusal.status, refusal.body)
}

async function postCardanoTransaction(body: string, party: Party): Promise<DevNodeReply> {
  const tx = parseTransaction(parseBody(body))
  const reasons = await submitBaseTx(tx, party)
  if (reasons.length === 0) return json(200, { tag: 'TransactionSubmitted' })
  return json(400, failedToPost(validationError(reasons), tx.envelope))
}

async function postTransaction(body: string, party: Party): Promise<DevNodeReply> {
  const tx = parseTransaction(parseBody(body))
  const verdict = (message: Message): DevNodeReply | null => {
    switch (message.tag) {
      case 'TxValid':
        return message.txId === tx.txId ? json(202, { tag: 'SubmitTxSubmitted' }) : null
      case 'TxInvalid':
        return message.tx.txId === tx.txId
          ? json(400, { tag: 'SubmitTxInvalid', validationError: message.reason })
          : null
      case 'SnapshotConfirmed': {
        const { confirmed, number } = message.signed.snapshot
        return confirmed.some(({ txId }) => txId === tx.txId)
          ? json(200, { tag: 'SubmitTxConfirmed', snapshotNumber: number })
          : null
      }
      case 'RejectedInputBecauseUnsynced':
        // Any rejected NewTx ends the wait, not only this one.
        if (message.inputTag !== 'NewTx') return null
        return json(503, {
          tag: 'SubmitTxRejected',
          reason: `Node is out of sync with chain, drift: ${message.driftSeconds}s`
        })
      case 'RejectedInputBecauseBroadcastStalled':
        return message.txId === tx.txId ? json(503, { tag: 'SubmitTxRejected', reason: `Node's ${STALLED}` }) : null
      default:
        return null
    }
  }
  const seconds = party.chain.options.timings.transactionTimeoutMs / 1000
  const timeout = json(202, {
    tag: 'SubmitTxSubmitted',
    timeout: `Transaction submission timed out after ${seconds}s seconds`
  })
  const echo = new JsonText(() => toJson({ tag: 'NewTx', transaction: tx.envelope }))
  return waitFor(party, verdict, timeout, { tag: 'NewTx', tx, echo })
}

async function postDecommit(body: string, party: Party): Promise<DevNodeReply> {
  const tx = parseTransaction(parseBody(body))
  const echo = new JsonText(() => toJson({ tag: 'Decommit', decommitTx: tx.envelope }))
  const names = {
    done: 'DecommitFinalized',
    invalid: 'DecommitInvalid',
    name: 'Decommit',
    timeoutTag: 'DecommitSubmitted'
  } as const
  return sideEffect(party, { tag: 'Decommit', tx, echo }, names)
}

async function deleteCommit(segment: string, party: Party): Promise<DevNodeReply> {
  const depositTxId = depositIdOf(segment, party)
  const echo = new JsonText(toJson({ tag: 'Recover', recoverTxId: depositTxId }))
  const names = { done: 'CommitRecovered', invalid: null, name: 'Recover', timeoutTag: 'RecoverSubmitted' } as const
  return sideEffect(party, { tag: 'Recover', depositTxId, echo }, names)
}

function depositIdOf(segment: string, { chain: { features } }: Party): string {
  try {
    const quoted = segment.startsWith('"')
    if (!quoted && !features.bareDepositId) throw new ParseFailure('not a JSON string')
    return txIdOf(quoted ? JSON.parse(segment) : segment)
  } catch (error) {
    throw new ParseFailure(`Cannot recover funds. Failed to parse TxId: ${(error as Error).message}`)
  }
}

async function postSnapshot(body: string, party: Party): Promise<DevNodeReply> {
  const value = parseBody(body)
  const snapshot = parseConfirmedSnapshot(value, party.chain.features)
  const echo = new JsonText(() => stringifyJson({ tag: 'SideLoadSnapshot', snapshot: value }))
  const names = {
    done: 'SnapshotSideLoaded',
    invalid: null,
    name: 'Side-load snapshot',
    timeoutTag: 'SideLoadSnapshotSubmitted'
  } as const
  return sideEffect(party, { tag: 'SideLoadSnapshot', snapshot, echo }, names)
}

interface SideEffectNames {
  readonly done: HeadOutput['tag']
  readonly invalid: HeadOutput['tag'] | null
  /** Begins the texts of failure. */
  readonly name: string
  readonly timeoutTag: string
}

/** Waits for any event of the kind: the node does not look at ids here. */
function sideEffect(party: Party, input: ParsedInput, names: SideEffectNames): Promise<DevNodeReply> | DevNodeReply {
  const { done, invalid, name, timeoutTag } = names
  if (!party.chain.features.waitingRoutes) {
    receiveInput(party, input, FROM_HTTP)
    return OK
  }
  const verdict = (message: Message): DevNodeReply | null => {
    if (message.tag === done) return OK
    if (message.tag === invalid) return json(400, `${name} invalid`)
    if (message.tag === 'CommandFailed' && message.inputTag === input.tag) return json(400, `${name} failed`)
    if (message.tag === 'SideLoadSnapshotRejected' && input.tag === 'SideLoadSnapshot')
      return json(400, message.failure)
    if (
      message.tag === 'RejectedInputBecauseBroadcastStalled' &&
      input.tag === 'Decommit' &&
      message.txId === input.tx.txId
    )
      return json(503, `${name} failed because the node's ${STALLED}`)
    if (message.tag !== 'RejectedInputBecauseUnsynced' || message.inputTag !== input.tag) return null
    // The node's own slip (HTTPServer.hs:579).
    const because = input.tag === 'Decommit' ? 'because because' : 'because'
    return json(503, `${name} failed ${because} node is out of sync with chain, drift: ${message.driftSeconds}s`)
  }
  const timeout = json(202, {
    tag: timeoutTag,
    timeout: `Operation timed out after ${party.chain.options.timings.transactionTimeoutMs / 1000}s seconds`
  })
  return waitFor(party, verdict, timeout, input)
}

const RESTARTED = json(503, 'The node has started again from an earlier state')

/** Feeds an input and resolves with the first verdict, or with `timeout`. */
function waitFor(
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
