import { equalBytes } from '../../codec/bytes.js'
import { parseJson } from '../../codec/json.js'
import { isLayerError } from '../../errors/base.js'
import type { RuleVersions } from '../../errors/verification.js'
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

type Outputs = ReadonlyMap<string, Uint8Array | undefined>

/** How a snapshot is checked. */
export interface CheckOptions {
  /** Number that it may not fall behind. @default that of the newest verified one, unless the cache holds that */
  readonly least?: number
  /** Whether it is of the past: it may be of any number. */
  readonly isPast?: boolean
  /** Transactions that led to it. @default those that it names */
  readonly confirmed?: readonly WireRecord[]
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
  #held: {
    readonly headId: string
    readonly number: number
    readonly pending: string
    readonly outputs: Outputs
  } | null = null
  #nodeVersion: string | undefined
  #verified = -1
  /** Why nothing of this node can be verified; null while something can. */
  #unknown: VerificationError | null = null
  /** The same of a snapshot of a later form, until one is verified. */
  #unknownForm: VerificationError | null = null
  readonly #ended = new Set<string>()

  constructor(connector: Connector, options: ResolvedVerification, listener: VerificationListener) {
    this.#connector = connector
    this.#options = options
    this.#listener = listener
  }

  /** Number of the newest verified snapshot of the present head; -1 before the first. */
  get verified(): number {
    return this.#verified
  }

  /**
   * Whether the node signs outputs alone, no accumulator (up to 2.1): a snapshot without them has nothing that could be
   * verified.
   */
  get needsOutputs(): boolean {
    return /^v?[01]\.|^v?2\.[01]\./.test(this.#nodeVersion ?? '')
  }

  /** Why nothing of this node can be verified: it is newer than the rules that are known. Null while it is not. */
  get unknown(): VerificationError | null {
    return this.#unknown
  }

  /** Its versions. */
  get unknownRule(): RuleVersions | null {
    return (this.#unknown ?? this.#unknownForm)?.versions ?? null
  }

  /** The node is of this version. @returns the error of one that is newer than the rules that are known, else null */
  async enterNode(nodeVersion: string | undefined): Promise<VerificationError | null> {
    this.#nodeVersion = nodeVersion
    const { verificationRule } = await import('../../verify/rule.js')
    let error: VerificationError | null = null
    try {
      if (this.#options.rule === undefined && nodeVersion !== undefined) verificationRule(nodeVersion)
    } catch (failure) {
      // A text that is no version is named with each snapshot.
      if ((failure as VerificationError).reason === 'unknown-rule') error = failure as VerificationError
    }
    this.#noteUnknown(error, null)
    return error
  }

  #noteUnknown(ofNode: VerificationError | null, ofForm: VerificationError | null): void {
    const changed = ofNode?.message !== this.#unknown?.message || ofForm?.message !== this.#unknownForm?.message
    this.#unknown = ofNode
    this.#unknownForm = ofForm
    if (changed) this.#listener.onVerified()
  }

  /** The node's head is this one; undefined: it has none. */
  enterHead(headId: string | undefined): void {
    if (headId !== undefined) this.#ended.delete(headId)
    this.#show(headId === undefined ? -1 : (this.#newest.get(headId) ?? -1))
  }

  /** A head has ended: what is still said of it changes nothing that is shown. */
  leaveHead(headId: string): void {
    this.#ended.add(headId)
    if (this.#ended.size > MAX_HEADS) this.#ended.delete(this.#ended.values().next().value!)
    this.#show(-1)
  }

  /** Whether a head may be the one that is wanted: it is not another than the configured one. */
  isWanted(headId: unknown): boolean {
    return this.#options.headId === undefined || headId === this.#options.headId
  }

  /** Null when the snapshot names the configured head, and its message the same one; else what is wrong. */
  headProblem(message: WireRecord): VerificationError | null {
    const snapshot = getOwn(message, 'snapshot')
    if (!isRecord(snapshot)) return refused('input', 'A snapshot is missing.')
    const [headId, headIdOfMessage] = [getOwn(snapshot, 'headId'), getOwn(message, 'headId')]
    const isWanted = typeof headId === 'string' && (headIdOfMessage ?? headId) === headId && this.isWanted(headId)
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
        rule: this.#options.rule,
        nodeVersion: this.#nodeVersion,
        accelerator: this.#options.accelerator
      })
      if (verdict.ok) {
        if (this.#unknownForm !== null) this.#noteUnknown(this.#unknown, null)
        return verdict
      }
      const { reason, detail, versions } = verdict
      const error = new VerificationError(reason, detail, versions === undefined ? {} : { versions })
      // By the form of its snapshots: a build between two releases calls itself by the earlier one.
      if (reason === 'unknown-rule') this.#noteUnknown(this.#unknown, error)
      return error
    } catch (error) {
      return isLayerError(error, 'VERIFICATION')
        ? error
        : new VerificationError('parties', 'The parties of the head could not be read.', { cause: error })
    }
  }

  /** Checks a snapshot with its outputs, and leaves out of it what is not proven. */
  async check(
    message: WireRecord,
    { least, isPast = false, confirmed }: CheckOptions = {}
  ): Promise<VerificationError | null> {
    const verdict = await this.#verdict(message)
    if (verdict instanceof VerificationError) return verdict
    // What follows from its transactions would be unproven: they are not signed.
    if (verdict.outputs === 'absent') return refused('rule', 'The snapshot has no outputs that could be verified.')
    const snapshot = getOwn(message, 'snapshot') as WireRecord
    const [headId, number] = [getOwn(snapshot, 'headId') as string, getOwn(snapshot, 'number') as number]
    const stale = isPast ? null : this.stalenessOf(snapshot, least)
    if (stale !== null) return stale
    const said = confirmed ?? confirmedOf(snapshot)
    if (isPast || number < (this.#newest.get(headId) ?? -1)) {
      await this.#markProven(said, null, await outputsOf(snapshot))
    } else {
      const outputs = await outputsOf(snapshot)
      for (const [key, output] of this.#held?.headId === headId ? this.#held.outputs : []) {
        const now = outputs.get(key)
        // The signatures do not bind inputs. The cache keeps what it holds under a known one, so under it must stand
        // the same.
        if (now !== undefined && output !== undefined && !equalBytes(now, output))
          return refused('output', `The output ${key} is another than in the snapshot before.`)
      }
      const held = this.#held?.headId === headId ? this.#held : null
      const renamed = await this.#markProven(said, held?.outputs ?? null, outputs)
      const pending = pendingOf(snapshot)
      // After the very snapshot before it, with the same pending outputs, every output that is gone was spent by its
      // owner.
      if (renamed !== null && held?.number === number - 1 && held.pending === pending)
        return refused('output', `The output ${renamed} has come from no transaction of the snapshot.`)
      this.#held = { headId, number, pending, outputs }
      this.#note(headId, number)
    }
    // Of outputs at Byron addresses nothing is proven: they go no further.
    leaveOut(snapshot, verdict.unproven)
    return null
  }

  /**
   * Says of each transaction whether its effect stands in the outputs. @returns an output whose reference cannot be
   * true, or null
   */
  async #markProven(said: readonly WireRecord[], before: Outputs | null, after: Outputs): Promise<string | null> {
    const { provenTxs } = await import('../../verify/provenTxs.js')
    const { proven, renamed } = await provenTxs({ before, after, confirmed: said })
    for (const transaction of said) transaction['verified'] = proven.has(transaction['txId'] as string)
    return renamed
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
    if (!this.#ended.has(headId)) this.#show(number)
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

/** The transactions that a snapshot names, as objects. */
export function confirmedOf(snapshot: WireRecord): WireRecord[] {
  const confirmed = getOwn(snapshot, 'confirmed')
  return Array.isArray(confirmed) ? confirmed.filter(isRecord) : []
}

/** Says of no transaction that it is proven, whatever the sender says. */
export function unmark(snapshot: unknown): void {
  if (!isRecord(snapshot)) return
  const confirmed = getOwn(snapshot, 'confirmed')
  if (Array.isArray(confirmed))
    snapshot['confirmed'] = confirmed.map((txId: unknown) => (typeof txId === 'string' ? { txId } : txId))
  for (const transaction of confirmedOf(snapshot)) transaction['verified'] = false
}

/** Names what is pending. */
function pendingOf(snapshot: WireRecord): string {
  const keys = ['utxoToCommit', 'utxoToDecommit'].map((set) => Object.keys((getOwn(snapshot, set) ?? {}) as object))
  return JSON.stringify([getOwn(snapshot, 'version'), ...keys])
}

/** Leaves outputs out of a snapshot. */
export function leaveOut(snapshot: WireRecord, keys: readonly string[]): void {
  for (const set of SETS) for (const key of keys) delete (getOwn(snapshot, set) as WireRecord | null | undefined)?.[key]
}

/** A failed check. */
export const refused = (reason: VerificationError['reason'], detail: string): VerificationError =>
  new VerificationError(reason, detail)
