import type { ConnectorCapabilities } from '../connection/Connector.js'
import type { BridgeEmitter } from '../delivery/events.js'
import type { HeadStatusSource } from '../protocol/commandRefusal.js'
import type { LayerPayload, SnapshotConfirmedPayload } from '../protocol/messages.js'
import type { UTxOObject } from '../protocol/types.js'
import { isInLedger } from './reconcile.js'
import { refusedTx } from './refusedTx.js'
import type { SnapshotPosition } from './SnapshotPosition.js'
import type { TrackedTxs } from './TrackedTxs.js'
import type { TxRefusal } from './TxEntry.js'
import { isSameTransaction, provenIds } from './txRefs.js'
import { isAccepted } from './TxState.js'

/** Parts of a bridge that the tracker uses. */
export interface TrackerContext {
  readonly connector: { readonly capabilities: Pick<ConnectorCapabilities, 'partial' | 'deltas'> }
  readonly cache: {
    readonly number: number
    readonly current: boolean
    /** True when the cache holds this output, `'txHash#index'`. */
    has(ref: string): boolean
  }
  readonly emitter: Pick<BridgeEmitter, 'emit'>
  /** Not null with the option `verify`: outputs in the cache are signed then, and lists of transactions are not. */
  readonly verifier: object | null
  head(): HeadStatusSource
  /** Requests the head's state. */
  reconcile(): void
}

/** Applies messages, and verdicts of other routes, to the transactions that a tracker follows. */
export class TxVerdicts {
  readonly #context: TrackerContext
  readonly #txs: TrackedTxs
  readonly #position: SnapshotPosition
  readonly #isUnspent = (ref: string): boolean => this.#context.cache.has(ref)

  constructor(context: TrackerContext, txs: TrackedTxs, position: SnapshotPosition) {
    this.#context = context
    this.#txs = txs
    this.#position = position
  }

  /** Applies a message. */
  onPayload(payload: LayerPayload): void {
    switch (payload.tag) {
      case 'Greetings':
        this.enter(payload.layerHeadId ?? null)
        break
      case 'HeadIsOpen':
        this.enter(payload.headId)
        break
      case 'TxValid':
        if (!this.#position.isOfAnotherHead(payload.headId)) this.#txs.markValid(payload.transactionId)
        break
      case 'SnapshotConfirmed':
        this.#onSnapshot(payload)
        break
      case 'GatewaySnapshot':
        this.enter(payload.headId)
        this.#position.set(payload.number)
        this.#onMissedMessages()
        break
      case 'GatewayResumed':
        this.enter(payload.headId)
        this.#position.set(payload.from)
        break
      case 'GatewayProgress':
        this.#position.advance(payload.number)
        break
      case 'SnapshotSideLoaded':
        // The node has dropped its pending transactions; to be confirmed they must be sent again.
        this.#txs.withdrawValid()
        this.#onMissedMessages()
        break
      default: {
        if (this.#txs.pending.size === 0) break
        const refused = refusedTx(payload, this.#context.head())
        if (refused !== undefined && this.#isAboutOurs(refused.txId, refused.refusal))
          this.onRefusal(refused.txId, refused.refusal, refused.localUtxo)
      }
    }
  }

  /**
   * Handles a refusal of a transaction, or of a copy of it, whatever its text and route. Callers get the refusal only
   * when the state of the head agrees with it, as `localUtxo` and the cache show, or else the state that is requested
   * from the node.
   */
  onRefusal(txId: string, refusal: TxRefusal, localUtxo: UTxOObject = {}): void {
    const entry = this.#txs.pending.get(txId)
    // Once valid, a refusal is about another copy of it: the snapshot decides.
    if (entry === undefined || isAccepted(entry.current)) return
    const { refs, refusal: first } = entry
    const isLocal = (ref: string): boolean => Object.hasOwn(localUtxo, ref)
    if (isInLedger(refs, this.#isUnspent))
      return this.#txs.confirm(txId, { number: this.#position.number ?? 0, snapshot: null, exact: false })?.()
    if (isInLedger(refs, isLocal)) return this.#txs.markValid(txId)
    // Neither any snapshot nor the node has spent its inputs: the refusal is about the transaction itself.
    if (this.isCurrent() && refs.inputs.length > 0 && refs.inputs.every((ref) => isLocal(ref) && this.#isUnspent(ref)))
      return this.#txs.fail(entry, refusal)
    entry.refusal =
      first === null
        ? refusal
        : { ...first, checkedLocally: first.checkedLocally === true || refusal.checkedLocally === true }
    this.#context.reconcile()
  }

  /**
   * Returns true while the cache holds the whole state up to the last message. It never does with an address filter of
   * the node, which leaves the state of one address alone.
   */
  isCurrent(): boolean {
    const { partial, deltas } = this.#context.connector.capabilities
    return this.#context.cache.current && (!partial || deltas === true)
  }

  /** Makes a head the present one. Forgets the confirmations of an earlier head, which do not hold for the new one. */
  enter(headId: string | null): void {
    if (this.#position.enter(headId)) this.#txs.settled.confirmed.clear()
  }

  /**
   * Confirms transactions by their outputs in the cache, with the option `verify` only: these outputs are signed, and
   * the lists of transactions are not, so a relay may have shortened them. An output confirms its transaction and those
   * that the transaction builds on.
   */
  confirmByOutputs(number: number, snapshot: SnapshotConfirmedPayload | null): void {
    if (this.#context.verifier == null) return
    const shown = new Set([...this.#txs.entries()].filter(({ refs }) => isInLedger(refs, this.#isUnspent)))
    // The set grows while it is read: ancestors of ancestors follow.
    for (const { refs } of shown) {
      for (const ref of refs.inputs) {
        const parent = this.#txs.find(ref.slice(0, 64))
        if (parent?.refs.inputs.some(this.#isUnspent) === false) shown.add(parent)
      }
    }
    const announcements = [...shown].map(({ refs }) => this.#txs.confirm(refs.txId, { number, snapshot, exact: false }))
    for (const announce of announcements) announce?.()
  }

  #onSnapshot(payload: SnapshotConfirmedPayload): void {
    const { delta, snapshot } = payload
    const { number, confirmed } = snapshot
    this.enter(payload.headId)
    const missed = this.#position.moveTo(payload, this.#context.connector.capabilities.partial)
    const listed = new Set(provenIds(confirmed))
    const txIds = new Set(listed)
    // A snapshot that names it without its effect is no proof, nor is a refusal alone.
    for (const { txId, verified } of confirmed) if (verified === false) this.#markUncertain(txId)
    // A delta may make up for several snapshots: its outputs were made by transactions that are in the head.
    for (const key in delta?.made) txIds.add(key.slice(0, key.indexOf('#')))
    // All are settled before any is announced: a handler may call disconnect().
    const announcements = [...txIds].map((txId) =>
      this.#txs.confirm(txId, { number, snapshot: payload, exact: listed.has(txId) })
    )
    for (const announce of announcements) announce?.()
    this.confirmByOutputs(number, payload)
    this.#txs.settled.sweep()
    if (missed) this.#onMissedMessages()
  }

  // Messages about any of them may have been missed, although the connection has not ended.
  #onMissedMessages(): void {
    if (this.#txs.pending.size === 0) return
    this.#txs.markUncertain()
    this.#context.reconcile()
  }

  /**
   * Returns true when a refusal is about the transaction that was sent. The id covers the body alone, so a stranger's
   * copy with other witnesses may be refused while the bridge's own is confirmed.
   */
  #isAboutOurs(txId: string, { cborHex, headId }: TxRefusal): boolean {
    const entry = this.#txs.pending.get(txId)
    if (entry === undefined || this.#position.isOfAnotherHead(headId)) return false
    if (cborHex === undefined || entry.cborHex === null || isSameTransaction(cborHex, entry.cborHex)) return true
    entry.copyRefused = true
    return false
  }

  #markUncertain(txId: string): void {
    const entry = this.#txs.pending.get(txId)
    if (entry !== undefined) entry.uncertain = true
  }
}
