import { stringifyJson } from '../../codec/json.js'
import { ParseFailure, parseBody, parseConfirmedSnapshot, parseTransaction, txIdOf } from '../wire/clientInput.js'
import type { ParsedInput } from '../wire/clientInput.js'
import { parseCommitRequest } from '../deposits/commitRequest.js'
import type { DepositDrafts } from '../deposits/DepositDrafts.js'
import type { ClientMessage, HeadOutput } from '../head/types.js'
import { confirmedSnapshotJson, lastSeenJson } from '../wire/headStateJson.js'
import { snapshotUtxo } from '../wire/greetings.js'
import type { HeadRuntime } from '../head/HeadRuntime.js'
import type { JsonValue } from '../wire/jsonText.js'
import { JsonText, toJson } from '../wire/jsonText.js'
import { showFailures } from '../ledger/failures.js'
import { failedToPost, utcTime } from '../wire/messages.js'
import { pathSegments } from './requestPath.js'
import type { PreparedTx } from '../ledger/preparedTx.js'

/** A request to the node's HTTP API. */
export interface DevNodeRequest {
  /** HTTP method. */
  readonly method: string
  /** With its query, which the node does not look at. */
  readonly path: string
  /** The body as text; empty when there is none. */
  readonly body: string
}

/** Its answer. */
export interface DevNodeReply {
  /** HTTP status. */
  readonly status: number
  /** The body as text. */
  readonly body: string
  /** Headers besides the content type. */
  readonly headers?: Readonly<Record<string, string>>
  /** `null`: the answer names none. @default 'application/json' */
  readonly contentType?: string | null
}

/** What the routes work with. */
export interface HttpApiContext {
  readonly runtime: HeadRuntime
  readonly drafts: DepositDrafts
  readonly protocolParameters: Readonly<Record<string, unknown>>
  readonly transactionTimeoutMs: number
  now(): number
  /** The whole head state, as GET /head shows it. */
  headState(): JsonValue
  config(): JsonValue
  /** Feeds an input as if it had come over the WebSocket. */
  input(input: ParsedInput): void
  /** Submits to the base ledger; returns the reasons against it. */
  submitBase(tx: PreparedTx): readonly string[]
  subscribe(listener: (message: HeadOutput | ClientMessage) => void): () => void
}

type Message = HeadOutput | ClientMessage
const json = (status: number, value: JsonValue): DevNodeReply => ({ status, body: toJson(value) })
const OK = json(200, 'OK')
const NOT_FOUND = json(400, 'Resource not found')
const NO_HEAD = json(404, '')

/** Answers a request as the node does (docs/protocol.md, HTTP); never rejects. */
export async function answerRequest(request: DevNodeRequest, port: HttpApiContext): Promise<DevNodeReply> {
  try {
    const reply = await route(request.method, pathSegments(request.path), request.body, port)
    const { features } = port.runtime
    if (features.environment) return reply
    // Before 1.0 no type was named, and a bare string had no quotes.
    const body = reply.body.startsWith('"') ? (JSON.parse(reply.body) as string) : reply.body
    return { ...reply, body, contentType: null }
  } catch (error) {
    if (error instanceof ParseFailure) return json(400, error.message)
    return { status: 500, body: String(error), contentType: null }
  }
}

async function route(method: string, segments: readonly string[], body: string, port: HttpApiContext): Promise<DevNodeReply> {
  const { runtime } = port
  const { features } = runtime
  // A slash inside a segment is no separator.
  switch (`${method} /${segments.map((segment) => segment.replaceAll('/', '%2F')).join('/')}`) {
    case 'GET /protocol-parameters':
      return { status: 200, body: stringifyJson(port.protocolParameters) }
    case 'GET /head':
      return json(200, port.headState())
    case 'GET /snapshot':
      return getSnapshot(port)
    case 'GET /snapshot/utxo': {
      const utxo = snapshotUtxo(runtime.state.head)
      return utxo === null ? NO_HEAD : json(200, utxo)
    }
    case 'GET /snapshot/last-seen':
      return json(
        200,
        lastSeenJson(runtime.state.head, runtime.features, () => runtime.inFlight())
      )
    case 'GET /commits':
      return json(
        200,
        runtime.state.deposits.map(({ txId }) => txId)
      )
    case 'GET /config':
      return features.config ? json(200, port.config()) : NOT_FOUND
    case 'GET /head-initialization':
      return features.version === '1.3.0' ? headInitialization(runtime.initializedMs) : NOT_FOUND
    case 'POST /commit':
      return postCommit(body, port)
    case 'POST /cardano-transaction':
      return postCardanoTransaction(body, port)
    case 'POST /transaction':
      return features.environment ? postTransaction(body, port) : NOT_FOUND
    case 'POST /decommit':
      return postDecommit(body, port)
    case 'POST /snapshot':
      return postSnapshot(body, port)
    default: {
      const [room, segment, ...more] = segments
      return method === 'DELETE' && room === 'commits' && segment !== undefined && more.length === 0 ? deleteCommit(segment, port) : NOT_FOUND
    }
  }
}

/** When the last head began to initialize (hydra 1.3.0, HTTPServer.hs:584). */
function headInitialization(initializedMs: number | null): DevNodeReply {
  if (initializedMs === null) return json(400, 'Unable to find Head initialization time in your state file.')
  return json(200, utcTime(initializedMs))
}

function getSnapshot({ runtime }: HttpApiContext): DevNodeReply {
  const { head } = runtime.state
  if (head.status === 'Idle') return NO_HEAD
  if (head.status === 'Initializing') return json(200, confirmedSnapshotJson(head.head.headId, null, snapshotUtxo(head)!, runtime.features))
  const shown = head.confirmed === null ? null : runtime.shown(head.confirmed)
  return json(200, confirmedSnapshotJson(head.head.headId, shown, head.initialUtxo, runtime.features))
}

function postCommit(body: string, { runtime, drafts, now }: HttpApiContext): DevNodeReply {
  const { head } = runtime.state
  const request = parseCommitRequest(body)
  if (head.status !== 'Open' && head.status !== 'Initializing') {
    const { initializing, safeClose } = runtime.features
    // Before 1.2 this was an uncaught exception.
    return initializing ? json(safeClose ? 400 : 500, { tag: 'FailedToDraftTxNotInitializing' }) : json(400, 'Head is not open')
  }
  const { tx, error } = drafts.draft(request, head, now())
  return tx === undefined ? json(400, error ?? null) : json(200, tx.envelope)
}

function postCardanoTransaction(body: string, { submitBase }: HttpApiContext): DevNodeReply {
  const tx = parseTransaction(parseBody(body))
  const reasons = submitBase(tx)
  if (reasons.length === 0) return json(200, { tag: 'TransactionSubmitted' })
  const error = `ShelleyTxValidationError ShelleyBasedEraConway (ApplyTxError (${showFailures(reasons)}))`
  return json(400, failedToPost(`TxValidationErrorInCardanoMode (${error})`, tx.envelope))
}

async function postTransaction(body: string, port: HttpApiContext): Promise<DevNodeReply> {
  const tx = parseTransaction(parseBody(body))
  const verdict = (message: Message): DevNodeReply | null => {
    switch (message.tag) {
      case 'TxValid':
        return message.txId === tx.txId ? json(202, { tag: 'SubmitTxSubmitted' }) : null
      case 'TxInvalid':
        return message.tx.txId === tx.txId ? json(400, { tag: 'SubmitTxInvalid', validationError: message.reason }) : null
      case 'SnapshotConfirmed': {
        const { confirmed, number } = message.signed.snapshot
        return confirmed.some(({ txId }) => txId === tx.txId) ? json(200, { tag: 'SubmitTxConfirmed', snapshotNumber: number }) : null
      }
      case 'RejectedInputBecauseUnsynced':
        // Any rejected NewTx ends the wait, not only this one.
        if (message.inputTag !== 'NewTx') return null
        return json(503, { tag: 'SubmitTxRejected', reason: `Node is out of sync with chain, drift: ${message.driftSeconds}s` })
      default:
        return null
    }
  }
  const seconds = port.transactionTimeoutMs / 1000
  const timeout = json(202, { tag: 'SubmitTxSubmitted', timeout: `Transaction submission timed out after ${seconds}s seconds` })
  const echo = new JsonText(toJson({ tag: 'NewTx', transaction: tx.envelope }))
  return waitFor(port, verdict, timeout, { tag: 'NewTx', tx, echo })
}

async function postDecommit(body: string, port: HttpApiContext): Promise<DevNodeReply> {
  const tx = parseTransaction(parseBody(body))
  const echo = new JsonText(toJson({ tag: 'Decommit', decommitTx: tx.envelope }))
  const names = { done: 'DecommitFinalized', invalid: 'DecommitInvalid', name: 'Decommit', timeoutTag: 'DecommitSubmitted' } as const
  return sideEffect(port, { tag: 'Decommit', tx, echo }, names)
}

async function deleteCommit(segment: string, port: HttpApiContext): Promise<DevNodeReply> {
  const depositTxId = depositIdOf(segment, port)
  const echo = new JsonText(toJson({ tag: 'Recover', recoverTxId: depositTxId }))
  const names = { done: 'CommitRecovered', invalid: null, name: 'Recover', timeoutTag: 'RecoverSubmitted' } as const
  return sideEffect(port, { tag: 'Recover', depositTxId, echo }, names)
}

function depositIdOf(segment: string, { runtime }: HttpApiContext): string {
  try {
    const quoted = segment.startsWith('"')
    if (!quoted && !runtime.features.bareDepositId) throw new ParseFailure('not a JSON string')
    return txIdOf(quoted ? JSON.parse(segment) : segment)
  } catch (error) {
    throw new ParseFailure(`Cannot recover funds. Failed to parse TxId: ${(error as Error).message}`)
  }
}

async function postSnapshot(body: string, port: HttpApiContext): Promise<DevNodeReply> {
  const value = parseBody(body)
  const snapshot = parseConfirmedSnapshot(value)
  const echo = new JsonText(stringifyJson({ tag: 'SideLoadSnapshot', snapshot: value }))
  const names = { done: 'SnapshotSideLoaded', invalid: null, name: 'Side-load snapshot', timeoutTag: 'SideLoadSnapshotSubmitted' } as const
  return sideEffect(port, { tag: 'SideLoadSnapshot', snapshot, echo }, names)
}

interface SideEffectNames {
  readonly done: HeadOutput['tag']
  readonly invalid: HeadOutput['tag'] | null
  /** Begins the texts of failure. */
  readonly name: string
  readonly timeoutTag: string
}

/** Waits for any event of the kind: the node does not look at ids here. */
function sideEffect(port: HttpApiContext, input: ParsedInput, names: SideEffectNames): Promise<DevNodeReply> | DevNodeReply {
  const { done, invalid, name, timeoutTag } = names
  if (!port.runtime.features.waitingRoutes) {
    port.input(input)
    return OK
  }
  const verdict = (message: Message): DevNodeReply | null => {
    if (message.tag === done) return OK
    if (message.tag === invalid) return json(400, `${name} invalid`)
    if (message.tag === 'CommandFailed' && message.inputTag === input.tag) return json(400, `${name} failed`)
    if (message.tag === 'SideLoadSnapshotRejected' && input.tag === 'SideLoadSnapshot') return json(400, message.failure)
    if (message.tag !== 'RejectedInputBecauseUnsynced' || message.inputTag !== input.tag) return null
    // The node's own slip (HTTPServer.hs:579).
    const because = input.tag === 'Decommit' ? 'because because' : 'because'
    return json(503, `${name} failed ${because} node is out of sync with chain, drift: ${message.driftSeconds}s`)
  }
  const timeout = json(202, { tag: timeoutTag, timeout: `Operation timed out after ${port.transactionTimeoutMs / 1000}s seconds` })
  return waitFor(port, verdict, timeout, input)
}

/** Feeds an input and resolves with the first verdict, or with `timeout`. */
function waitFor(port: HttpApiContext, verdict: (message: Message) => DevNodeReply | null, timeout: DevNodeReply, input: ParsedInput): Promise<DevNodeReply> {
  return new Promise((resolve) => {
    const settle = (reply: DevNodeReply): void => {
      unsubscribe()
      cancel()
      resolve(reply)
    }
    const unsubscribe = port.subscribe((message) => {
      const reply = verdict(message)
      if (reply !== null) settle(reply)
    })
    const cancel = port.runtime.later(port.transactionTimeoutMs, () => settle(timeout))
    port.input(input)
  })
}
