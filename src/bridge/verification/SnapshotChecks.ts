import { equalBytes } from '../../codec/bytes.js'
import { parseJson } from '../../codec/json.js'
import { isLayerError } from '../../errors/base.js'
import { VerificationError } from '../../errors/verification.js'
import { startTimer } from '../../net/timers.js'
import type { Hex } from '../../types/utxo.js'
import type { SnapshotToVerify, SnapshotVerdict } from '../../verify/types.js'
import type { Connector } from '../connection/Connector.js'
import type { WireRecord } from '../protocol/wireRecord.js'
import { isRecord, getOwn } from '../protocol/wireRecord.js'
import type { ResolvedVerification, VerificationListener } from './VerifyingConnector.js'

/** How long GET /head may take. */
const HEAD_TIMEOUT_MS = 10_000
/** Heads whose newest snapshot is remembered. */
const MAX_HEADS = 100
const SETS = ['utxo', 'utxoToCommit', 'utxoToDecommit'] as const

/** How a snapshot is checked. */
export interface CheckOptions {
  /** Number that it may not fall behind. @default that of the newest verified one, unless the cache holds that */
  readonly least?: number
  /** Whether it is of the past: it may be of any number. */
  readonly isPast?: boolean
}

/** Checks snapshots by the keys of the parties, and remembers the newest that is verified. */
export class SnapshotChecks {
  readonly #connector: Connector
  readonly #options: ResolvedVerification
  readonly #listener: VerificationListener
  /** Newest verified snapshot by head: older ones are refused. */
  readonly #newest = new Map<string, number>()
  readonly #partiesOfHead = new Map<string, readonly Hex[]>()
  /** Outputs of the newest verified snapshot. */
  #held: { readonly headId: string; readonly outputs: ReadonlyMap<string, Uint8Array | undefined> } | null = null
  #nodeVersion: string | undefined
  #verified = -1

  constructor(connector: Connector, options: ResolvedVerification, listener: VerificationListener) {
    this.#connector = connector
    this.#options = options
    this.#listener = listener
  }

  /** Number of the newest verified snapshot of the present head; -1 before the first. */
  get verified(): number {
    return this.#verified
  }

  /** Whether the node signs outputs alone, no accumulator (up to 2.1): a snapshot without them has nothing that could be verified. */
  get needsOutputs(): boolean {
    return /^v?[01]\.|^v?2\.[01]\./.test(this.#nodeVersion ?? '')
  }

  /** The node is of this version, and its head this one. */
  enter(nodeVersion: string | undefined, headId: string | undefined): void {
    this.#nodeVersion = nodeVersion
    this.#show(headId === undefined ? -1 : (this.#newest.get(headId) ?? -1))
  }

  /** Null when the snapshot names the configured head, and its message the same one; else what is wrong. */
  headProblem(message: WireRecord): VerificationError | null {
    const snapshot = getOwn(message, 'snapshot')
    if (!isRecord(snapshot)) return refused('input', 'A snapshot is missing.')
    const [headId, headIdOfMessage] = [getOwn(snapshot, 'headId'), getOwn(message, 'headId')]
    const isWanted = typeof headId === 'string' && (headIdOfMessage ?? headId) === headId && (this.#options.headId ?? headId) === headId
    return isWanted ? null : refused('input', 'The snapshot is of another head.')
  }

  async checkSignatures(message: WireRecord): Promise<VerificationError | null> {
    const verdict = await this.#verdict(message)
    return verdict instanceof VerificationError ? verdict : null
  }

  async #verdict(message: WireRecord): Promise<VerificationError | Extract<SnapshotVerdict, { ok: true }>> {
    const problem = this.headProblem(message)
    if (problem !== null) return problem
    const snapshot = getOwn(message, 'snapshot') as WireRecord
    try {
      const { verifySnapshot } = await import('../../verify/verifySnapshot.js')
      const verdict = await verifySnapshot({
        snapshot: snapshot as unknown as SnapshotToVerify,
        signatures: getOwn(message, 'signatures') as never,
        parties: await this.#partiesOf(getOwn(snapshot, 'headId') as string),
        nodeVersion: this.#nodeVersion,
        accelerator: this.#options.accelerator
      })
      return verdict.ok ? verdict : refused(verdict.reason, verdict.detail)
    } catch (error) {
      return isLayerError(error, 'VERIFICATION') ? error : new VerificationError('parties', 'The parties of the head could not be read.', { cause: error })
    }
  }

  /** Checks a snapshot with its outputs, and leaves out of it what is not proven. */
  async check(message: WireRecord, { least, isPast = false }: CheckOptions = {}): Promise<VerificationError | null> {
    const verdict = await this.#verdict(message)
    if (verdict instanceof VerificationError) return verdict
    // What follows from its transactions would be unproven: they are not signed.
    if (verdict.outputs === 'absent') return refused('rule', 'The snapshot has no outputs that could be verified.')
    const snapshot = getOwn(message, 'snapshot') as WireRecord
    const [headId, number] = [getOwn(snapshot, 'headId') as string, getOwn(snapshot, 'number') as number]
    const stale = isPast ? null : this.stalenessOf(snapshot, least)
    if (stale !== null) return stale
    if (number >= (this.#newest.get(headId) ?? -1)) {
      const outputs = await outputsOf(snapshot)
      for (const [key, output] of this.#held?.headId === headId ? this.#held.outputs : []) {
        const now = outputs.get(key)
        // The signatures do not bind inputs. The cache keeps what it holds under a known one, so under it must stand the same.
        if (now !== undefined && output !== undefined && !equalBytes(now, output))
          return refused('output', `The output ${key} is another than in the snapshot before.`)
      }
      this.#held = { headId, outputs }
      this.#note(headId, number)
    }
    // Of outputs at Byron addresses nothing is proven: they go no further.
    leaveOut(snapshot, verdict.unproven)
    return null
  }

  /** Whether a snapshot is older than one that was verified. The cache takes none that is older than its own. */
  stalenessOf(snapshot: WireRecord, least?: number): VerificationError | null {
    const [headId, number] = [getOwn(snapshot, 'headId') as string, getOwn(snapshot, 'number') as number]
    const newest = least ?? this.#newest.get(headId) ?? -1
    if (number >= newest || (least === undefined && this.#listener.holds(headId, newest))) return null
    return refused('stale', `The snapshot is older than number ${newest}, which was verified before.`)
  }

  #note(headId: string, number: number): void {
    this.#newest.delete(headId)
    this.#newest.set(headId, number)
    if (this.#newest.size > MAX_HEADS) this.#newest.delete(this.#newest.keys().next().value!)
    this.#show(number)
  }

  #show(number: number): void {
    if (number === this.#verified) return
    this.#verified = number
    this.#listener.onVerified()
  }

  async #partiesOf(headId: string): Promise<readonly Hex[]> {
    const { parties } = this.#options
    if (parties !== 'from-head') return parties
    const known = this.#partiesOfHead.get(headId)
    if (known !== undefined) return known
    const { partiesFromHead } = await import('../../verify/parties.js')
    const abort = new AbortController()
    const stopTimer = startTimer(HEAD_TIMEOUT_MS, () => abort.abort(new Error('GET /head was not answered.')))
    try {
      const { text } = await this.#connector.request({ method: 'GET', path: '/head', signal: abort.signal })
      const named = partiesFromHead(parseJson(text, 'The body of GET /head'))
      this.#partiesOfHead.set(headId, named)
      return named
    } finally {
      stopTimer()
    }
  }
}

/** Bytes of the outputs that reach the cache, by their inputs. */
async function outputsOf(snapshot: WireRecord): Promise<Map<string, Uint8Array | undefined>> {
  const { readUtxoSet } = await import('../../accumulator/utxoSet.js')
  const entries = ['utxo', 'utxoToCommit'].flatMap((set) => readUtxoSet(getOwn(snapshot, set)))
  return new Map(entries.map(({ key, data }) => [key, data]))
}

/** Leaves outputs out of a snapshot. */
export function leaveOut(snapshot: WireRecord, keys: readonly string[]): void {
  for (const set of SETS) for (const key of keys) delete (getOwn(snapshot, set) as WireRecord | null | undefined)?.[key]
}

/** A failed check. */
export const refused = (reason: VerificationError['reason'], detail: string): VerificationError => new VerificationError(reason, detail)
