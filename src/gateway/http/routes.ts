import { parseJson, parseJsonWithin, stringifyJson } from '../../codec/json.js'
import { getOwn, isRecord } from '../../bridge/inner.js'
import type { Access, GatewayScope } from '../access/types.js'
import type { HttpContext } from './HttpContext.js'
import type { HeadEdge } from '../edge/HeadEdge.js'
import { TAIL_OF_MESSAGE, TAIL_OF_SNAPSHOT } from '../edge/Outgoing.js'
import { SnapshotTexts } from '../edge/SnapshotTexts.js'
import type { SubmissionVerdict } from '../edge/Submissions.js'
import { JSON_BOUNDS, MANY_OUTPUTS } from '../limits.js'
import type { SnapshotRecord } from '../records.js'
import { readEnvelope } from '../protocol/clientCommand.js'
import { readAddresses } from '../protocol/joinRequest.js'
import type { Answer } from './answers.js'
import { failure, success, successWith } from './answers.js'
import { readHistory, readHistoryQuery } from './history.js'

/** A request that has passed the checks that all routes share. */
export interface RouteRequest {
  readonly context: HttpContext
  readonly head: HeadEdge
  readonly access: Access
  readonly query: URLSearchParams
  /** IP address of the client. */
  readonly ip: string
  /** Body as JSON; undefined for GET. */
  readonly body: unknown
}

/** A route of a head. */
export interface Route {
  readonly method: 'GET' | 'POST'
  readonly scope: GatewayScope
  /** Returns true when the gateway serves it. @default always */
  isServed?(context: HttpContext): boolean
  answer(request: RouteRequest): Promise<Answer>
}

const READS: ReadonlyMap<string, string> = new Map([
  ['protocol-parameters', '/protocol-parameters'],
  ['head', '/head']
])

/** Routes by name. */
export const ROUTES: ReadonlyMap<string, Route> = new Map<string, Route>([
  ...[...READS].map(([name, path]): [string, Route] => [
    name,
    { method: 'GET', scope: 'read', answer: (request) => readNode(request, path) }
  ]),
  ['snapshot/utxo', { method: 'GET', scope: 'read', answer: async (request) => readUtxo(request) }],
  ['snapshot', { method: 'GET', scope: 'read', answer: async (request) => readSnapshot(request) }],
  ['snapshot/last-seen', { method: 'GET', scope: 'read', answer: async (request) => readLastSeen(request) }],
  [
    'proof',
    {
      method: 'GET',
      scope: 'read',
      isServed: ({ proofs }) => proofs !== null,
      answer: (request) => request.context.proofs!.answer(request)
    }
  ],
  ['history', { method: 'GET', scope: 'read', answer: answerHistory }],
  ['submit-tx', { method: 'POST', scope: 'submit', answer: submitTx }],
  ['commit', { method: 'POST', scope: 'submit', answer: commit }],
  ['cardano-transaction', { method: 'POST', scope: 'submit', answer: submitCardanoTransaction }]
])

const UNAVAILABLE = 'the node cannot be reached now; no message was sent'
const NO_HEAD = failure(404, 'there is no head')

/** Parses the JSON of a client within the bounds for clients. */
export function readJson(text: string): unknown {
  return parseJsonWithin(text, { what: 'The body', ...JSON_BOUNDS })
}

async function readNode({ head, access }: RouteRequest, path: string): Promise<Answer> {
  // It shows all outputs of the head.
  if (access.addresses !== null && path === '/head') return failure(403, 'the token allows addresses only')
  const reply = await head.replies.read(path, head.available)
  if (reply === null) return failure(503, UNAVAILABLE)
  if (reply.status !== 200) return failure(reply.status === 404 ? 404 : 503, 'the node has no answer')
  return success(reply.text, reply.ageSeconds > 0 ? { Age: String(reply.ageSeconds) } : {})
}

/** Returns the addresses that the answer is limited to (null: all), or the refusal of those that were requested. */
function wantedAddresses({ query, access, context }: RouteRequest): ReadonlySet<string> | null | Answer {
  const rawAddresses = query.getAll('address')
  if (rawAddresses.length === 0) return access.addresses
  const addresses = readAddresses(rawAddresses, context.limits.addresses)
  if (addresses === null)
    return failure(400, `expected 1 to ${context.limits.addresses} payment addresses of one network`)
  if (access.addresses !== null && ![...addresses].every((address) => access.addresses!.has(address)))
    return failure(403, 'the token allows other addresses')
  return addresses
}

const isAnswer = (value: ReadonlySet<string> | null | Answer): value is Answer => value !== null && 'status' in value

const FULL = failure(429, 'answers to this address are unread')

function readUtxo(request: RouteRequest): Answer {
  const addresses = wantedAddresses(request)
  if (isAnswer(addresses)) return addresses
  const { view } = request.head
  if (view.head.position === null) return NO_HEAD
  const headers = ageOf(request)
  // Both tails end with the bracket of a packet, which an answer has not.
  if (addresses === null) return successWith('', view.wholeOutputs(TAIL_OF_MESSAGE), { more: 2, headers })
  return isFull(request, addresses)
    ? FULL
    : successWith('', view.outputsOf(addresses, TAIL_OF_MESSAGE), { more: 2, headers })
}

function readSnapshot(request: RouteRequest): Answer {
  const addresses = wantedAddresses(request)
  if (isAnswer(addresses)) return addresses
  if (addresses !== null && isFull(request, addresses)) return FULL
  const { view } = request.head
  const { position } = view.head
  if (position === null) return NO_HEAD
  const { newest } = view
  const headers = ageOf(request)
  if (newest === null && position.number === 0) {
    const initial = `{"tag":"InitialSnapshot","headId":${JSON.stringify(position.headId)},"initialUTxO":`
    const outputs = addresses === null ? view.wholeOutputs(TAIL_OF_MESSAGE) : view.outputsOf(addresses, TAIL_OF_MESSAGE)
    return successWith(initial, outputs, { more: 1, headers })
  }
  // A log that begins with outputs does not state the signatures of the snapshot.
  const before =
    newest === null
      ? `{"tag":"ConfirmedSnapshot","snapshot":${stringifyJson({ ...position, confirmed: [] }).slice(0, -1)},"utxo":`
      : confirmedTexts(newest).beforeOutputs(addresses === null ? null : { addresses, own: new Set() }, false)
  const { utxoToCommit } = (newest?.message?.['snapshot'] ?? {}) as { utxoToCommit?: object | null }
  const except = utxoToCommit ?? {}
  const outputs =
    addresses === null
      ? view.wholeOutputs(TAIL_OF_SNAPSHOT, except)
      : view.outputsOf(addresses, TAIL_OF_SNAPSHOT, except)
  return successWith(before, outputs, { more: 1, headers })
}

/** Returns the texts of a snapshot in the form of GET /snapshot. */
function confirmedTexts(newest: SnapshotRecord): SnapshotTexts {
  const { headId, number, version, message } = newest
  return new SnapshotTexts({
    ...newest,
    message: { snapshot: { headId, number, version, confirmed: [] }, ...message, tag: 'ConfirmedSnapshot' }
  })
}

/** Returns true when there is no room for a large answer, so that it is not made. */
function isFull({ context, head, ip }: RouteRequest, addresses: ReadonlySet<string>): boolean {
  return context.room.isFullFor(ip) && head.view.count(addresses) > MANY_OUTPUTS
}

/** Answers with the changes of the ledger, read from the log. */
async function answerHistory(request: RouteRequest): Promise<Answer> {
  const addresses = wantedAddresses(request)
  if (isAnswer(addresses)) return addresses
  const query = readHistoryQuery(request.query)
  if (typeof query === 'string') return failure(400, query)
  const { log, streams } = request.head.context
  try {
    return success(
      await readHistory(log, streams.out, query, { addresses, seesOthers: request.access.addresses === null }),
      ageOf(request)
    )
  } catch {
    return failure(503, 'the log cannot be read now')
  }
}

function readLastSeen(request: RouteRequest): Answer {
  const { position } = request.head.view.head
  const seen =
    position === null || position.number === 0
      ? { tag: 'NoSeenSnapshot' }
      : { tag: 'LastSeenSnapshot', lastSeen: position.number }
  return success(stringifyJson(seen), ageOf(request))
}

// While the node is away, the known state is an earlier one.
function ageOf({ head }: RouteRequest): Record<string, string> {
  const seconds = head.ageSeconds
  return seconds > 0 ? { Age: String(seconds) } : {}
}

async function submitTx({ context, head, access, body }: RouteRequest): Promise<Answer> {
  const envelope = readEnvelope(body)
  if (typeof envelope === 'string') return failure(400, envelope)
  const { txId } = envelope
  if (head.submissions.known(txId) === null && (context.closing() || !head.available || head.submissions.isFull))
    return failure(503, UNAVAILABLE, { txId })
  const { sent, verdict } = head.submissions.submit(txId, { tag: 'NewTx', transaction: envelope })
  try {
    await sent
  } catch {
    return failure(503, UNAVAILABLE, { txId })
  }
  const settled = await verdict
  context.metrics.verdicts[settled.outcome]++
  return answerVerdict(head, access, txId, settled)
}

function answerVerdict(head: HeadEdge, { addresses }: Access, txId: string, verdict: SubmissionVerdict): Answer {
  if (verdict.outcome === 'unknown') return failure(504, verdict.reason, { tag: 'Unknown', txId })
  if (verdict.outcome === 'refused' && verdict.message === null) return failure(503, UNAVAILABLE, { txId })
  if (verdict.outcome === 'refused') {
    const tag = typeof verdict.message?.['tag'] === 'string' ? verdict.message['tag'] : 'Refused'
    return failure(409, verdict.reason, { tag, txId })
  }
  const record = verdict.record ?? head.view.confirmedIn(txId)
  // A token of some addresses learns of its own transaction, not of those beside it.
  const reader = addresses === null ? null : { addresses, own: new Set([txId]) }
  if (record !== null) return success(new SnapshotTexts(record).compose(reader, ''))
  // The outputs show it; the snapshot itself was missed.
  const { position } = head.view.head
  return success(
    stringifyJson({
      tag: 'SnapshotConfirmed',
      headId: position?.headId,
      snapshot: { ...position, confirmed: [{ txId }] }
    })
  )
}

async function commit(request: RouteRequest): Promise<Answer> {
  const { body } = request
  const data = isRecord(body) && getOwn(body, 'type') === 'simple' ? getOwn(body, 'data') : undefined
  const rawUtxo = isRecord(data) ? getOwn(data, 'utxo') : undefined
  const inner = isRecord(rawUtxo) ? getOwn(rawUtxo, 'utxoToCommit') : undefined
  const utxo = isRecord(inner) ? inner : rawUtxo
  if (!isRecord(utxo)) return failure(400, "expected { type: 'simple', data: { utxo } }")
  const reply = await post(request, '/commit', stringifyJson(utxo))
  if ('body' in reply) return reply
  // The draft is bare.
  return reply.status === 200 ? { status: 200, body: reply.text } : failure(400, reasonOf(reply.text))
}

async function submitCardanoTransaction(request: RouteRequest): Promise<Answer> {
  const envelope = readEnvelope(request.body)
  if (typeof envelope === 'string') return failure(400, envelope)
  const reply = await post(request, '/cardano-transaction', stringifyJson(envelope))
  if ('body' in reply) return reply
  return reply.status === 200 ? success(reply.text) : failure(400, reasonOf(reply.text), { txId: envelope.txId })
}

/** Sends a request to the node that changes its state: at most once. */
async function post(
  { context, head }: RouteRequest,
  path: string,
  body: string
): Promise<{ status: number; text: string } | Answer> {
  if (context.closing() || !head.available) return failure(503, UNAVAILABLE)
  try {
    const reply = await head.replies.request('POST', path, body)
    if (reply.isUnsent === true) return failure(503, UNAVAILABLE)
    return reply.status === 0 || reply.status >= 500 ? failure(504, 'the node has not answered') : reply
  } catch {
    return failure(503, UNAVAILABLE)
  }
}

const MAX_REASON = 2_000

function reasonOf(text: string): string {
  try {
    const value = parseJson(text)
    return (typeof value === 'string' ? value : stringifyJson(value)).slice(0, MAX_REASON)
  } catch {
    return 'the node refused it'
  }
}
