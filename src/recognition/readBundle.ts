import { isPlainRecord, MAX_ELEMENTS, ownMember } from '../accumulator/inner.js'
import { parseJson } from '../codec/json.js'
import { isLayerError } from '../errors/base.js'
import type { NodeOutput } from '../verify/index.js'
import type { RecognitionReason } from './types.js'

/** Answer of one endpoint to `GET /snapshot`, or the reason why there is none. */
export interface EndpointAnswer {
  /** Base address of the endpoint, as the evidence shows it. */
  readonly endpoint: string
  /** HTTP status; 0: no answer came. */
  readonly status: number
  /** Body as text, or as JSON that was read without rounding (`parseJson`). */
  readonly body: unknown
  /** Set where there is no answer: the endpoint did not answer, or its answer was beyond the size limit. */
  readonly problem?: 'unreachable' | 'too-large'
}

/** A failed check. */
export interface BundleProblem {
  readonly reason: RecognitionReason
  readonly detail: string
}

/** Outputs by their references. */
export type OutputsByRef = Readonly<Record<string, NodeOutput>>

/**
 * A snapshot with its signatures, as an endpoint shows it. Its numbers and the forms of its members are checked, its
 * signatures are not.
 */
export interface Bundle {
  readonly tag: 'ConfirmedSnapshot'
  readonly headId: string
  readonly version: number
  readonly number: number
  readonly accumulator: string
  readonly depositTxId: string | null
  readonly utxo: OutputsByRef
  readonly toCommit: OutputsByRef
  readonly toDecommit: OutputsByRef
  readonly signatures: unknown
  /**
   * The snapshot as it was received, without `utxo` and `confirmed`: it contains the members that the parties signed.
   */
  readonly signed: Readonly<Record<string, unknown>>
  /** True: the snapshot has a member that no known version of the node signs. */
  readonly hasUnknownMembers: boolean
}

/** The initial snapshot, which no party signs. */
export interface InitialBundle {
  readonly tag: 'InitialSnapshot'
  readonly headId: string
}

const KNOWN_MEMBERS = new Set([
  'accumulator',
  'confirmed',
  'depositTxId',
  'headId',
  'number',
  'utxo',
  'utxoToCommit',
  'utxoToDecommit',
  'version'
])

/** Reads an endpoint's answer within bounds, without costly work on a curve. */
export function readBundle(answer: EndpointAnswer): Bundle | InitialBundle | BundleProblem {
  const { status, body, problem } = answer
  if (problem === 'too-large') return fault('too-large', 'The answer is larger than the limit maxBytes.')
  if (problem === 'unreachable' || status === 0) return fault('unreachable', 'The endpoint does not answer.')
  if (status !== 200) return fault('refused', `The endpoint answers with status ${status}.`)
  try {
    return readBody(typeof body === 'string' ? parseJson(body, 'The answer') : body)
  } catch (error) {
    const [first] = isLayerError(error) ? [error.shortMessage] : []
    return fault('malformed', first ?? 'The answer is no confirmed snapshot of a head.')
  }
}

function fault(reason: RecognitionReason, detail: string): BundleProblem {
  return { reason, detail }
}

function readBody(body: unknown): Bundle | InitialBundle | BundleProblem {
  if (!isPlainRecord(body)) return fault('malformed', 'The answer is no object.')
  if (ownMember(body, 'tag') === 'InitialSnapshot') {
    const headId = ownMember(body, 'headId')
    return typeof headId === 'string'
      ? { tag: 'InitialSnapshot', headId }
      : fault('malformed', 'The initial snapshot names no head.')
  }
  const snapshot = ownMember(body, 'snapshot')
  if (!isPlainRecord(snapshot)) return fault('malformed', 'The answer has no snapshot.')
  const [headId, accumulator] = [ownMember(snapshot, 'headId'), ownMember(snapshot, 'accumulator')]
  const [version, number] = [ownMember(snapshot, 'version'), ownMember(snapshot, 'number')]
  if (typeof headId !== 'string' || !isCount(version) || !isCount(number))
    return fault('malformed', 'The snapshot has no head id, version or number that can be read.')
  // Without it, each answer could cost a commitment to 4,095 outputs before a signature is looked at.
  if (typeof accumulator !== 'string') return fault('malformed', 'The snapshot states no accumulator.')
  const sets = ['utxo', 'utxoToCommit', 'utxoToDecommit'].map((name) => setOf(ownMember(snapshot, name)))
  if (sets.includes(null) || ownMember(snapshot, 'utxo') === undefined)
    return fault('malformed', 'The outputs of the snapshot are no objects keyed by their references.')
  const [utxo, toCommit, toDecommit] = sets as [OutputsByRef, OutputsByRef, OutputsByRef]
  const count = sets.reduce((sum, set) => sum + Object.keys(set!).length, 0)
  if (count > MAX_ELEMENTS) return fault('too-large', `The snapshot has ${count} outputs; a head has ${MAX_ELEMENTS}.`)
  const depositTxId = ownMember(snapshot, 'depositTxId')
  if (depositTxId !== undefined && typeof depositTxId !== 'string')
    return fault('malformed', 'The depositTxId of the snapshot is no text.')
  const { utxo: _utxo, confirmed: _confirmed, ...signed } = snapshot
  return {
    tag: 'ConfirmedSnapshot',
    headId,
    version,
    number,
    accumulator,
    depositTxId: depositTxId ?? null,
    utxo,
    toCommit,
    toDecommit,
    signatures: ownMember(body, 'signatures'),
    signed,
    hasUnknownMembers: Object.keys(snapshot).some((name) => !KNOWN_MEMBERS.has(name))
  }
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0
}

/** Returns the outputs of a set; empty where it is absent, null where it is not a set. */
function setOf(value: unknown): OutputsByRef | null {
  if (value === undefined) return {}
  return isPlainRecord(value) ? (value as OutputsByRef) : null
}
