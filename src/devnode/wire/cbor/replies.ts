import type { CborReader } from '../../../codec/cbor/reader.js'
import { parseJson } from '../../../codec/json.js'
import { isObject } from '../../json/isObject.js'
import { postTxError, sideLoadFailure } from './chainShapes.js'
import { confirmedSnapshotShape, headState, seenSnapshot } from './headShapes.js'
import { fromCbor, toCbor } from './messages.js'
import { protocolParametersShape } from './parameters.js'
import type { Shape } from './shapes.js'
import { bytes, listOf, maybe, mismatch, natural, recordShape, text, union } from './shapes.js'
import { json, transaction, utxo } from './values.js'

/** The answer to POST /transaction. @see hydra-node/src/Hydra/API/HTTPServer.hs:214 */
const submitReply = union({
  SubmitTxConfirmed: [['snapshotNumber', natural]],
  SubmitTxInvalid: [['validationError', text]],
  SubmitTxRejected: [['reason', text]],
  SubmitTxSubmitted: []
})
const timedOut = recordShape('OperationTimedOut', [
  ['tag', text],
  ['timeout', text]
])
const submitted = union({ TransactionSubmitted: [] })

/** Shapes of each route's answers, besides texts and timeouts. */
const REPLIES: Readonly<Record<string, Pick<Shape, 'write'>>> = {
  'GET /head': headState,
  'GET /snapshot': confirmedSnapshotShape,
  'GET /snapshot/utxo': utxo,
  'GET /snapshot/last-seen': seenSnapshot,
  'GET /commits': listOf(bytes),
  'GET /config': json,
  'GET /protocol-parameters': protocolParametersShape,
  'POST /commit': transaction,
  'POST /cardano-transaction': submitted,
  'POST /transaction': submitReply,
  'POST /snapshot': sideLoadFailure
}

/**
 * Returns the body of a reply as CBOR, made of its JSON. @see hydra-node/src/Hydra/API/HTTPServer.hs:301, respondApi
 */
export function replyToCbor(route: string, body: string): Uint8Array {
  const value = parseJson(body)
  if (typeof value === 'string') return toCbor(text, value)
  if (isObject(value) && 'timeout' in value) return toCbor(timedOut, value)
  const isPostError =
    isObject(value) &&
    typeof value['tag'] === 'string' &&
    (route === 'POST /commit' || value['tag'].startsWith('FailedToPost'))
  return toCbor(isPostError && value['cborHex'] === undefined ? postTxError : (REPLIES[route] ?? json), value)
}

/** `DraftCommitTxRequest`: a UTxO, or a blueprint, its UTxO and perhaps an address. */
const commitRequest: Shape = {
  write: (_, value) => mismatch('a request, which the node does not write', value),
  read(reader: CborReader) {
    const tag = reader.readText()
    if (tag === 'SimpleCommitRequest') return { utxoToCommit: utxo.read(reader) }
    if (tag !== 'FullCommitRequest') return mismatch('SimpleCommitRequest or FullCommitRequest', tag)
    return { blueprintTx: transaction.read(reader), utxo: utxo.read(reader), changeAddress: maybe(text).read(reader) }
  }
}

const REQUESTS: Readonly<Record<string, Shape>> = {
  'POST /commit': commitRequest,
  'POST /cardano-transaction': transaction,
  'POST /transaction': transaction,
  'POST /decommit': transaction,
  'POST /snapshot': confirmedSnapshotShape
}

/** Returns the body of a request as JSON; empty for a route that expects none. @throws {@link ParseFailure} */
export function requestFromCbor(route: string, body: Uint8Array): string {
  const shape = REQUESTS[route]
  return shape === undefined ? '' : fromCbor(shape, body)
}
