import type { SnapshotPosition } from '../connection/Connector.js'
import type { Snapshot, UTxOObject } from '../protocol/types.js'
import type { CommitPart } from './Arriving.js'
import type { CacheOutcome } from './CacheOutcome.js'
import { Decommits } from './Decommits.js'
import { outputSet } from './outputSet.js'
import { ShownOutputs } from './ShownOutputs.js'
import { SnapshotTexts } from './SnapshotTexts.js'
import type { TextOutputs } from './SnapshotTexts.js'
import { UtxoIndex } from './UtxoIndex.js'
import type { UtxoChange } from './UtxoIndex.js'
import { WaitingSnapshots } from './WaitingSnapshots.js'

/** Snapshot whose outputs are kept in the index but not shown, because messages may have been missed. */
type Kept = SnapshotPosition & { readonly version: number | undefined }

/**
 * State of the cache's content.
 *
 * - `cold`: no outputs are shown. With `kept`, the outputs of the connection before this one are still in the index.
 * - `numbered`: the outputs of a snapshot whose number is known.
 * - `provisional`: the outputs come from Greetings or another source without a number. They may be newer than messages
 *   still to come, and GET /snapshot gives them a number.
 * - `unnumbered`: no source numbers them, so they are shown without one.
 * - `denied`: as `unnumbered`, but the node says that it has no snapshot, although Greetings brought outputs.
 *
 * `behind`: the outputs are older than the messages, so a baseline (outputs requested from the node) is applied even if
 * its number is the same.
 */
export type CacheState =
  | { readonly name: 'cold'; readonly kept: Kept | null }
  | { readonly name: 'numbered' | 'provisional' | 'unnumbered' | 'denied'; readonly behind: boolean }

const COLD: CacheState = { name: 'cold', kept: null }

/** The content of a snapshot cache, its state and its place among the snapshots of its head. */
export abstract class CacheContent extends ShownOutputs {
  /** Reads the outputs of messages by comparing them with the outputs in this cache. */
  readonly texts: SnapshotTexts
  protected readonly index: UtxoIndex
  protected readonly decommits: Decommits = new Decommits()
  protected readonly waiting: WaitingSnapshots = new WaitingSnapshots()
  protected readonly followsTransactions: boolean
  protected state: CacheState = COLD
  protected head: string | null = null
  /** Head of the connection before this one. */
  protected lastHead: string | null = null
  protected drops = 0
  /** Number of the newest snapshot that was applied, also while the content has none. */
  protected held = -1
  protected version: number | undefined
  /** Outputs of the last snapshot that were being committed. */
  protected committing: UTxOObject | null = null

  constructor(followsTransactions: boolean, maxKeptText: number) {
    const index = new UtxoIndex()
    super(index)
    this.index = index
    this.followsTransactions = followsTransactions
    this.texts = new SnapshotTexts(index, maxKeptText, !followsTransactions)
  }

  /** Grows when the content is dropped: after a loss of the connection, and with each head. */
  get epoch(): number {
    return this.drops
  }

  /** Head whose outputs these are. */
  get headId(): string | null {
    return this.head
  }

  /** Number of the snapshot in the cache; -1 before the first, and while the content has none. */
  get number(): number {
    return this.provisional ? -1 : this.held
  }

  /** Snapshot whose outputs are kept, so that a new connection can continue from it; undefined when there is none. */
  get since(): SnapshotPosition | undefined {
    return this.kept ?? undefined
  }

  /** True when there is content: from then on balances and outputs can be read. */
  override get seeded(): boolean {
    return this.state.name !== 'cold'
  }

  /** True when the content has no number yet: a baseline from GET /snapshot gives it one. */
  get provisional(): boolean {
    return this.isUnnumbered || this.state.name === 'provisional'
  }

  /** True when the content has its number, or is known to get none. */
  get settled(): boolean {
    return this.seeded && (!this.provisional || this.isUnnumbered)
  }

  /** True when the content is that of the last message: no message waits for a baseline. */
  get current(): boolean {
    return this.state.name !== 'cold' && !this.state.behind && this.waiting.first === undefined
  }

  /** As {@link reset}, but keeps outputs whose number is known: a gateway may send the changes that were missed. */
  suspend(): void {
    const { headId, number, version, state } = this
    const isWhole = state.name === 'numbered' && !state.behind && headId !== null && number >= 0
    const kept = isWhole && this.followsTransactions ? { headId, number, version } : this.kept
    if (kept === null) return this.reset()
    this.lastHead = headId ?? this.lastHead
    this.hide(null, kept)
  }

  /** Drops the content, because the connection was lost and messages may have been missed. */
  reset(): void {
    this.lastHead = this.head ?? this.lastHead
    this.begin(null)
  }

  /** True where no source gives the content a number. */
  protected get isUnnumbered(): boolean {
    return this.state.name === 'unnumbered' || this.state.name === 'denied'
  }

  protected get kept(): Kept | null {
    return this.state.name === 'cold' ? this.state.kept : null
  }

  /**
   * Shows the content without a number, because no source gives it one.
   *
   * @param denied - true when the node says that it has no snapshot. The next snapshot with outputs then replaces the
   * content, whatever Greetings brought
   * @returns true when that is a change
   */
  settle(denied = false): boolean {
    const { state } = this
    if (state.name === 'cold' || state.name === 'numbered') return false
    this.state = { name: denied ? 'denied' : 'unnumbered', behind: state.behind }
    return state.name === 'provisional'
  }

  /** Returns the change to the outputs of a message: to those in `read`, or else to those of `utxo`. */
  protected changeTo(utxo: () => UTxOObject, commit: UTxOObject | null, read: TextOutputs | null): UtxoChange {
    return (read && this.texts.changeTo(read, commit)) ?? this.index.diff(outputSet(utxo()), commit)
  }

  /**
   * Applies a change. `read`: the outputs, read from a text, that the index then has; null if they are not from a text.
   */
  protected put(change: UtxoChange, read: TextOutputs | null): void {
    this.index.apply(change)
    if (this.state.name === 'cold') this.state = COLD
    this.texts.applied(read)
  }

  protected begin(headId: string | null): void {
    this.index.clear()
    this.texts.applied(null)
    this.hide(headId, null)
  }

  /**
   * Resets all but the index to the state before a first message. `kept`: the snapshot whose outputs the index still
   * has.
   */
  protected hide(headId: string | null, kept: Kept | null): void {
    this.decommits.clear()
    this.waiting.clear()
    this.head = headId
    this.drops++
    this.held = -1
    this.version = undefined
    this.state = { name: 'cold', kept }
    this.committing = null
    this.arriving.follow({}, true)
  }

  protected arrive(
    snapshot: Pick<Snapshot, 'number' | 'utxoToCommit'> & CommitPart & { version?: number | undefined }
  ): void {
    const { number, version, utxoToCommit } = snapshot
    this.held = number
    this.version = version
    this.state = { name: 'numbered', behind: false }
    this.committing = utxoToCommit
    this.arriving.follow(snapshot, true)
  }

  protected fallBehind(): CacheOutcome {
    if (this.state.name !== 'cold') this.state = { ...this.state, behind: true }
    return 'needsBaseline'
  }
}
