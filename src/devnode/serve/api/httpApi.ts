import { stringifyJson } from '../../../codec/json.js'
import { ParseFailure } from '../../json/ParseFailure.js'
import { parseBody, parseConfirmedSnapshot, parseTransaction, txIdOfInput } from '../../wire/json/clientInput.js'
import { parseCommitRequest } from '../../deposits/commitRequest.js'
import { draftRefusal } from '../../deposits/draftError.js'
import { submitBaseTx } from '../../deposits/submitBaseTx.js'
import type { ClientMessage, HeadMessage } from '../../head/messages.js'
import { confirmedSnapshotJson, headStateJson, lastSeenJson } from '../../wire/json/headStateJson.js'
import { snapshotUtxo } from '../../wire/json/greetings.js'
import type { Party } from '../../party/Party.js'
import { JsonText, toJson } from '../../json/jsonText.js'
import { validationError } from '../../rules/failures.js'
import { utf8ToBytes } from '../../../codec/utf8.js'
import { replyToCbor, requestFromCbor } from '../../wire/cbor/replies.js'
import { failedToPost, utcTime } from '../../wire/json/messages.js'
import { pathSegments } from './requestPath.js'
import { configJson } from './configJson.js'
import type { DevNodeReply, DevNodeRequest } from './DevNodeReply.js'
import { jsonReply } from './DevNodeReply.js'
import { sideEffect, STALLED, waitFor } from './waitForVerdict.js'

type Message = HeadMessage | ClientMessage
const NOT_FOUND = jsonReply(400, 'Resource not found')
const NO_HEAD = jsonReply(404, '')

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
    if (error instanceof ParseFailure) return jsonReply(400, error.message)
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
      return jsonReply(200, headStateJson(party))
    case 'GET /snapshot':
      return getSnapshot(party)
    case 'GET /snapshot/utxo': {
      const utxo = snapshotUtxo(runtime.state.head)
      return utxo === null ? NO_HEAD : jsonReply(200, utxo)
    }
    case 'GET /snapshot/last-seen':
      return jsonReply(200, lastSeenJson(party))
    case 'GET /commits':
      return jsonReply(
        200,
        runtime.state.deposits.map(({ txId }) => txId)
      )
    case 'GET /config':
      return features.configRoute ? jsonReply(200, configJson(party)) : NOT_FOUND
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

/** Answers with the time at which the last head began to initialize (hydra 1.3.0, HTTPServer.hs:584). */
function headInitialization(initializedMs: number | null): DevNodeReply {
  if (initializedMs === null) return jsonReply(400, 'Unable to find Head initialization time in your state file.')
  return jsonReply(200, utcTime(initializedMs))
}

function getSnapshot({ chain: { features }, head: { signing }, faults, runtime }: Party): DevNodeReply {
  const { head } = runtime.state
  if (head.status === 'Idle') return NO_HEAD
  if (head.status === 'Initializing')
    return jsonReply(200, confirmedSnapshotJson(head.head.headId, null, snapshotUtxo(head)!, features))
  const served = faults.serveOldSnapshot && head.confirmed !== null ? signing.previous : head.confirmed
  const shown = served === null ? null : signing.shown(served, faults)
  return jsonReply(200, confirmedSnapshotJson(head.head.headId, shown, head.initialUtxo, features))
}

async function postCommit(
  body: string,
  { chain: { clock, features }, head: { drafts }, runtime }: Party
): Promise<DevNodeReply> {
  const { head } = runtime.state
  const request = parseCommitRequest(body)
  if (head.status !== 'Open' && head.status !== 'Initializing') {
    return features.initializing
      ? jsonReply(features.commitRefusalStatus, { tag: 'FailedToDraftTxNotInitializing' })
      : jsonReply(400, 'Head is not open')
  }
  const { tx, error } = await drafts.draft(request, head, clock.now())
  if (error === undefined) return jsonReply(200, tx.envelope)
  const refusal = draftRefusal(error)
  if (typeof refusal.body === 'string') return { status: refusal.status, body: refusal.body, contentType: null }
  return jsonReply(refusal.status, refusal.body)
}

async function postCardanoTransaction(body: string, party: Party): Promise<DevNodeReply> {
  const tx = parseTransaction(parseBody(body))
  const reasons = await submitBaseTx(tx, party)
  if (reasons.length === 0) return jsonReply(200, { tag: 'TransactionSubmitted' })
  return jsonReply(400, failedToPost(validationError(reasons), tx.envelope))
}

async function postTransaction(body: string, party: Party): Promise<DevNodeReply> {
  const tx = parseTransaction(parseBody(body))
  const verdict = (message: Message): DevNodeReply | null => {
    switch (message.tag) {
      case 'TxValid':
        return message.txId === tx.txId ? jsonReply(202, { tag: 'SubmitTxSubmitted' }) : null
      case 'TxInvalid':
        return message.tx.txId === tx.txId
          ? jsonReply(400, { tag: 'SubmitTxInvalid', validationError: message.reason })
          : null
      case 'SnapshotConfirmed': {
        const { confirmed, number } = message.signed.snapshot
        return confirmed.some(({ txId }) => txId === tx.txId)
          ? jsonReply(200, { tag: 'SubmitTxConfirmed', snapshotNumber: number })
          : null
      }
      case 'RejectedInputBecauseUnsynced':
        // Any rejected NewTx ends the wait, not only this one.
        if (message.inputTag !== 'NewTx') return null
        return jsonReply(503, {
          tag: 'SubmitTxRejected',
          reason: `Node is out of sync with chain, drift: ${message.driftSeconds}s`
        })
      case 'RejectedInputBecauseBroadcastStalled':
        return message.txId === tx.txId
          ? jsonReply(503, { tag: 'SubmitTxRejected', reason: `Node's ${STALLED}` })
          : null
      default:
        return null
    }
  }
  const seconds = party.chain.options.timings.transactionTimeoutMs / 1000
  const timeout = jsonReply(202, {
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
    return txIdOfInput(quoted ? JSON.parse(segment) : segment)
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
