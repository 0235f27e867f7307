import type { UTxO } from '../../types/utxo.js'
import type { GreetingsPayload, LayerPayload, SnapshotConfirmedPayload } from '../payload.js'
import type { Snapshot, TransactionJson, TxOutJson, UTxOObject } from '../shapes.js'
import { isRecord } from '../wire/check.js'
import { outputFromJson, parseInputKey } from '../wire/utxo.js'
import type { DeltaRules } from './delta.js'
import type { Seed } from './seed.js'
import { isEmpty, UtxoIndex } from './UtxoIndex.js'

/** What a message did to the cache. */
export type CacheOutcome =
  /** The cache changed. */
  | 'applied'
  /** It is not about the cache, or older than what is in it. */
  | 'ignored'
  /** The cache cannot follow from messages alone: seed it from GET /snapshot. */
  | 'needsSeed'

/** Snapshots without outputs that wait for a seed; past so many another seed is cheaper. */
const MAX_WAITING = 1000
/** Decommits that can matter at once: one is in flight, another may follow. */
const MAX_DECOMMITS = 4

/**
 * The confirmed outputs of a head, those being committed included, kept up to date by the node's messages. It belongs to one head and
 * never steps back: what is older than its content is ignored, wherever it comes from.
 */
export class SnapshotCache {
  readonly #index = new UtxoIndex()
  readonly #has = (key: string): boolean => this.#index.has(key)
  /** Heads that are over; messages about them may still be on their way. */
  readonly #past = new Set<string>()
  /** Keys that each announced decommit spends, by its transaction's id: snapshots name only what it pays out. */
  readonly #decommits = new Map<string, readonly string[] | TransactionJson>()
  readonly #rules: () => DeltaRules | null
  #waiting: Snapshot[] = []
  #headId: string | null = null
  /** Head of the connection before this one. */
  #lastHead: string | null = null
  #epoch = 0
  #number = -1
  #version: number | undefined
  #seeded = false
  /** The content is from Greetings or another source without a number: it may be newer than messages still to come. */
  #provisional = false
  /** The content is known to lag behind; a seed of the same number is welcome. */
  #behind = false
  /** The head was seen to open, so snapshot 1 follows. */
  #fresh = false
  /** Outputs of the last snapshot that were being committed. */
  #committing: UTxOObject | null = null

  /** @param rules - null while they are not there yet: what needs them waits for a seed. */
  constructor(rules: () => DeltaRules | null) {
    this.#rules = rules
  }

  /** Grows when what is in the cache is thrown away: after a drop, and with each head. */
  get epoch(): number { return this.#epoch }

  /** Head whose outputs these are. */
  get headId(): string | null { return this.#headId }

  /** Number of the snapshot in the cache; -1 before the first. */
  get number(): number { return this.#number }

  /** Whether there is anything to answer from. */
  get seeded(): boolean { return this.#seeded }

  /** Whether the content has no number yet: a seed from GET /snapshot gives it one. */
  get provisional(): boolean { return this.#provisional }

  /** Number of outputs. */
  get size(): number { return this.#index.size }

  /** Whether an output, `'txHash#index'`, is there. */
  has(key: string): boolean {
    return this.#index.has(key)
  }

  /** Sum of an address by unit, as a Map of the caller's own; empty when it holds nothing, null before a seed. */
  balance(address: string): Map<string, bigint> | null {
    return this.#seeded ? this.#index.balanceOf(address) : null
  }

  /** Addresses that hold outputs; null before a seed. */
  addresses(): string[] | null {
    return this.#seeded ? this.#index.addresses() : null
  }

  /** Outputs, or those of one address; null before a seed. */
  utxos(address?: string): UTxO[] | null {
    if (!this.#seeded) return null
    const toUtxo = (key: string, output: TxOutJson): UTxO => ({ input: parseInputKey(key), output: outputFromJson(output, key) })
    if (address !== undefined) return this.#index.keysOf(address).map((key) => toUtxo(key, this.#index.get(key)!))
    return Array.from(this.#index.entries(), ([key, output]) => toUtxo(key, output))
  }

  /** Outputs as the node wrote them; null before a seed. */
  utxoObject(): UTxOObject | null {
    return this.#seeded ? Object.fromEntries(this.#index.entries()) : null
  }

  /** Forgets everything: the connection dropped, so messages may have been missed. */
  reset(): void {
    this.#lastHead = this.#headId ?? this.#lastHead
    this.#begin(null)
  }

  /**
   * Takes in a message. To be called for every message, in order, before anyone else sees it.
   *
   * @throws {@link ProtocolError} when its outputs cannot be read; nothing of it is applied then.
   */
  apply(payload: LayerPayload): CacheOutcome {
    switch (payload.tag) {
      case 'SnapshotConfirmed':
        return this.#applySnapshot(payload)
      case 'Greetings':
        return this.#greet(payload)
      case 'HeadIsOpen':
        // Nodes from 2.0 open a head without outputs and name its parties; older ones give the outputs. With neither, nothing is known.
        return this.#open(payload.headId, payload.utxo ?? (payload.parties === undefined ? null : {}))
      case 'HeadIsFinalized':
      case 'HeadIsAborted':
        return this.#end(payload.headId)
      case 'DecommitRequested':
        if (isRecord(payload.decommitTx)) this.#noteDecommit(payload.decommitTx)
        return 'ignored'
      case 'SnapshotSideLoaded':
        // Without its head or number it may be of this one: the state is read again.
        return (payload.headId === undefined || payload.headId === this.#headId) && this.#seeded && payload.snapshotNumber !== this.#number ? this.#fallBehind() : 'ignored'
      default:
        return 'ignored'
    }
  }

  /**
   * Takes in outputs that were asked for. Those older than the content are ignored.
   *
   * @throws {@link ProtocolError} when they cannot be read; nothing is applied then.
   */
  seed({ epoch, headId, number, version, utxo, utxoToCommit = null, utxoToDecommit }: Seed): CacheOutcome {
    if (epoch !== this.#epoch || (headId !== null && this.#past.has(headId))) return 'ignored'
    if (headId !== null && this.#headId !== null && headId !== this.#headId) return 'ignored'
    const settled = this.#seeded && !this.#provisional
    if (settled && (number === null || number < this.#number || (number === this.#number && !this.#behind))) return 'ignored'
    if (number !== null && number < this.#number) return 'ignored'
    this.#index.apply(this.#index.diff(utxo, utxoToCommit))
    this.#headId ??= headId
    this.#seeded = true
    this.#provisional = number === null
    this.#behind = false
    this.#committing = utxoToCommit
    // Its decommit is carried out in these outputs already.
    for (const key in utxoToDecommit) this.#decommits.set(key.slice(0, key.indexOf('#')), [])
    if (number !== null) this.#number = number
    this.#version = version
    return this.#catchUp()
  }

  /** The rules are there now: applies what has waited for them. */
  resume(): void {
    // What cannot be read is brought by the next seed.
    try { this.#catchUp() } catch { this.#behind = true }
  }

  #begin(headId: string | null): void {
    this.#index.clear()
    this.#decommits.clear()
    this.#waiting = []
    this.#headId = headId
    this.#epoch++
    this.#number = -1
    this.#version = undefined
    this.#seeded = this.#provisional = this.#behind = this.#fresh = false
    this.#committing = null
  }

  /** Leaves the present head, if it is another one, for `headId`. */
  #enter(headId: string): void {
    if (headId === this.#headId) return
    const last = this.#headId ?? this.#lastHead
    if (last !== null && last !== headId) this.#past.add(last)
    if (this.#headId !== null) this.#begin(headId)
    this.#headId = headId
  }

  #end(headId: string): CacheOutcome {
    this.#past.add(headId)
    if (this.#headId !== null && this.#headId !== headId) return 'ignored'
    this.#begin(null)
    return 'applied'
  }

  #greet({ layerHeadId, snapshotUtxo }: GreetingsPayload): CacheOutcome {
    if (layerHeadId === undefined) return this.#headId === null ? 'ignored' : this.#end(this.#headId)
    this.#past.delete(layerHeadId)
    this.#enter(layerHeadId)
    if (snapshotUtxo === undefined) return this.#seeded ? 'ignored' : 'needsSeed'
    const change = this.#index.diff(snapshotUtxo)
    if (this.#seeded && isEmpty(change)) return 'ignored'
    this.#index.apply(change)
    this.#seeded = this.#provisional = true
    this.#committing = null
    return 'applied'
  }

  #open(headId: string, utxo: UTxOObject | null): CacheOutcome {
    if (this.#past.has(headId) || (headId === this.#headId && this.#seeded)) return 'ignored'
    this.#enter(headId)
    if (utxo === null) return 'needsSeed'
    this.#index.apply(this.#index.diff(utxo))
    this.#seeded = this.#fresh = true
    this.#provisional = false
    return this.#catchUp()
  }

  #applySnapshot({ headId, snapshot }: SnapshotConfirmedPayload): CacheOutcome {
    if (this.#past.has(headId)) return 'ignored'
    this.#enter(headId)
    if (snapshot.number <= this.#number) return 'ignored'
    const outcome = this.#advance(snapshot)
    if (outcome === 'needsSeed') {
      // A whole one makes up for all before it; each can be as large as the head.
      if (snapshot.utxo !== undefined) this.#waiting = []
      if (this.#waiting.push(snapshot) > MAX_WAITING) this.#waiting.shift()
    }
    return outcome
  }

  #advance(snapshot: Snapshot): CacheOutcome {
    const judged = !this.#provisional || this.#rules() !== null
    return snapshot.utxo !== undefined && judged ? this.#replace(snapshot, snapshot.utxo) : this.#follow(snapshot)
  }

  /** A snapshot with all its outputs. */
  #replace(snapshot: Snapshot, utxo: UTxOObject): CacheOutcome {
    const change = this.#index.diff(utxo, snapshot.utxoToCommit)
    if (this.#provisional && !isEmpty(change) && this.#rules()?.isOlder(snapshot, change.added.length > 0, this.#has) === true) return 'ignored'
    this.#index.apply(change)
    this.#arrive(snapshot)
    return 'applied'
  }

  /** A snapshot without outputs: its transactions are applied. What it costs does not depend on the size of the head. */
  #follow(snapshot: Snapshot): CacheOutcome {
    const rules = this.#rules()
    if (!this.#seeded || this.#behind || rules === null) return 'needsSeed'
    const next = snapshot.number === this.#number + 1 || (this.#fresh && this.#number < 0 && snapshot.number <= 1)
    if (this.#provisional) {
      if (rules.isOlder(snapshot, false, this.#has)) return 'ignored'
    } else if (!next) return this.#fallBehind()
    const change = rules.snapshotChange(snapshot, {
      has: this.#has,
      spentByDecommit: (txId) => this.#spentByDecommit(txId, rules),
      // A commit that is gone although the version has not moved was given up: it never came into the head.
      givenUp: snapshot.version !== undefined && snapshot.version === this.#version ? this.#committing : null
    })
    if (change === null) return this.#fallBehind()
    this.#index.apply(change)
    this.#arrive(snapshot)
    return 'applied'
  }

  #arrive({ number, version, utxoToCommit }: Snapshot): void {
    this.#number = number
    this.#version = version
    this.#seeded = true
    this.#provisional = this.#behind = false
    this.#committing = utxoToCommit
  }

  #fallBehind(): CacheOutcome {
    this.#behind = true
    return 'needsSeed'
  }

  /** Applies what has waited for the content that is there now. */
  #catchUp(): CacheOutcome {
    const waiting = this.#waiting
    this.#waiting = []
    for (const [index, snapshot] of waiting.entries()) {
      if (snapshot.number <= this.#number) continue
      if (this.#advance(snapshot) === 'needsSeed') {
        this.#waiting = waiting.slice(index)
        return 'needsSeed'
      }
    }
    return 'applied'
  }

  #noteDecommit(transaction: TransactionJson): void {
    this.#decommits.set(transaction.txId, transaction)
    if (this.#decommits.size > MAX_DECOMMITS) this.#decommits.delete(this.#decommits.keys().next().value!)
  }

  #spentByDecommit(txId: string, rules: DeltaRules): readonly string[] | undefined {
    const noted = this.#decommits.get(txId)
    return noted === undefined || !('txId' in noted) ? noted : rules.txEffect(noted, false)?.spent
  }
}
