import type { WireRecord } from '../../bridge/inner.js'
import { stringifyJson } from '../../codec/json.js'
import { LoggedHead } from '../core/LoggedHead.js'
import { follows } from '../core/readLog.js'
import type { BaseRecord, OutRecord, PendingDeposit, SnapshotRecord } from '../records.js'
import { narrowOutput, UTXO } from './narrow.js'

/**
 * Number of snapshots that are kept so that clients can resume, and bound on their outputs; the log itself keeps no
 * more.
 */
const MAX_KEPT = 3_000
const MAX_KEPT_OUTPUTS = 2_000_000
/** Outputs whose mean size estimates the size of all. */
const SAMPLED_OUTPUTS = 64

/** State of a head as an edge needs it: the logged state, its outputs by address, and the snapshots that led to it. */
export class HeadView {
  readonly head: LoggedHead = new LoggedHead()
  readonly #keysOf = new Map<string, Set<string>>()
  /** Number of the last snapshot that changed the outputs of an address. */
  readonly #changedAt = new Map<string, number>()
  /** JSON of each output with its key, of which the text of a snapshot is made. */
  readonly #texts = new Map<string, string>()
  /** JSON of all outputs in the present state, by the text that ends the message. */
  readonly #whole = new Map<string, Buffer>()
  #kept: SnapshotRecord[] = []
  #keptOutputs = 0
  /** Number of the snapshot from which on changes are known. */
  #horizon = 0
  /** The newest snapshot, without its outputs; null while none is known. */
  newest: SnapshotRecord | null = null

  load(base: Pick<BaseRecord, 'position' | 'utxo' | 'greetings'> & PendingDeposit & { connected?: boolean }): void {
    this.head.load(base)
    if (base.connected !== undefined) this.head.connected = base.connected
    this.#reindex()
  }

  /** Returns true when a record can be applied to the state: a snapshot only to the one directly before it. */
  follows(record: OutRecord): boolean {
    return follows(this.head, record)
  }

  /** Applies a record. Code that needs the state before it has to run first. */
  apply(record: OutRecord): void {
    if (record.kind === 'snapshot') this.#index(record)
    this.head.apply(record)
    if (record.kind === 'snapshot') this.#whole.clear()
    if (record.kind === 'reset') this.#reindex()
  }

  /**
   * Returns, as bytes, the JSON of the outputs of addresses and then `ending`, the end of a message. `except`: keys of
   * outputs that are left out, because the message carries them elsewhere.
   */
  outputsOf(addresses: ReadonlySet<string>, ending: string, except: object = {}): Buffer {
    const members: string[] = []
    for (const address of addresses)
      for (const key of this.#keysOf.get(address) ?? [])
        if (!Object.hasOwn(except, key)) members.push(this.#ownText(key, addresses))
    return bytesOf(members, ending)
  }

  /**
   * Returns, as bytes, the JSON of all outputs and then `ending`, the end of a message. All receivers of this state
   * share these bytes.
   */
  wholeOutputs(ending: string, except: object = {}): Buffer {
    const isWhole = Object.keys(except).length === 0
    const name = isWhole ? ending : `${ending} ${Object.keys(except).join(' ')}`
    let bytes = this.#whole.get(name)
    if (bytes === undefined) {
      const members: string[] = []
      for (const key of this.head.utxo.keys())
        if (isWhole || !Object.hasOwn(except, key)) members.push(this.#textOf(key))
      bytes = bytesOf(members, ending)
      this.#whole.set(name, bytes)
    }
    return bytes
  }

  /**
   * Returns the pending deposit of the state as members of a message, while it is not final; `addresses`: those that
   * the reader may see, null for all.
   */
  pendingDeposit(addresses: ReadonlySet<string> | null): WireRecord {
    const { depositTxId, arriving } = this.head.deposit
    if (arriving === undefined) return {}
    const outputs = Object.fromEntries(arriving.map((key) => [key, this.head.utxo.get(key)]))
    const viewer = { addresses: addresses ?? new Set<string>(), isOwn: false, mayRead: () => false }
    return {
      ...(depositTxId === undefined ? {} : { depositTxId }),
      utxoToCommit: addresses === null ? outputs : UTXO(outputs, viewer)
    }
  }

  /** Returns the number of outputs of addresses. */
  count(addresses: ReadonlySet<string>): number {
    let count = 0
    for (const address of addresses) count += this.#keysOf.get(address)?.size ?? 0
    return count
  }

  /** Estimates the size of the outputs of addresses as JSON, bytes, by the mean size of the first ones. */
  estimateBytes(addresses: ReadonlySet<string>): number {
    let [sampled, bytes] = [0, 0]
    for (const address of addresses)
      for (const key of this.#keysOf.get(address) ?? []) {
        if (sampled === SAMPLED_OUTPUTS) return (bytes / sampled) * this.count(addresses)
        sampled++
        bytes += Buffer.byteLength(this.#textOf(key)) + 1
      }
    return bytes
  }

  /**
   * Returns the number of the last snapshot that changed outputs of addresses, or of the one from which on changes are
   * known.
   */
  changedAt(addresses: ReadonlySet<string>): number {
    let latest = this.#horizon
    for (const address of addresses) latest = Math.max(latest, this.#changedAt.get(address) ?? 0)
    return latest
  }

  /** Returns the snapshots after a number; null when it is too old, or newer than the state. */
  after(number: number): SnapshotRecord[] | null {
    const { position } = this.head
    if (position === null || number > position.number || number < this.#horizon) return null
    return this.#kept.filter((record) => record.number > number)
  }

  /** Returns the snapshot that confirmed a transaction, if it is kept. */
  confirmedIn(txId: string): SnapshotRecord | null {
    for (let at = this.#kept.length - 1; at >= 0; at--)
      if (this.#kept[at]!.txs.some((tx) => tx.txId === txId)) return this.#kept[at]!
    return null
  }

  #textOf(key: string): string {
    let text = this.#texts.get(key)
    if (text === undefined) {
      text = `${JSON.stringify(key)}:${stringifyJson(this.head.utxo.get(key))}`
      this.#texts.set(key, text)
    }
    return text
  }

  /** Returns an output as a client of these addresses may see it: with known members only. */
  #ownText(key: string, addresses: ReadonlySet<string>): string {
    const output = this.head.utxo.get(key)
    const seen = narrowOutput(output, addresses)
    return seen === output ? this.#textOf(key) : `${JSON.stringify(key)}:${stringifyJson(seen)}`
  }

  #index(record: SnapshotRecord): void {
    const { number, spent, made } = record
    for (const key of Object.keys(spent)) {
      const address = spent[key]!
      this.#keysOf.get(address)?.delete(key)
      this.#texts.delete(key)
      this.#changedAt.set(address, number)
    }
    for (const key of Object.keys(made)) {
      const { address } = made[key]!
      this.#add(address, key)
      this.#changedAt.set(address, number)
    }
    for (const key of Object.keys(spent))
      if (this.#keysOf.get(spent[key]!)?.size === 0) this.#keysOf.delete(spent[key]!)
    this.newest = record
    this.#keep(record)
  }

  #add(address: string, key: string): void {
    const keys = this.#keysOf.get(address)
    if (keys === undefined) this.#keysOf.set(address, new Set([key]))
    else keys.add(key)
  }

  #keep(record: SnapshotRecord): void {
    this.#kept.push(record)
    this.#keptOutputs += weightOf(record)
    let dropped = 0
    while (
      this.#kept.length - dropped > MAX_KEPT ||
      (this.#keptOutputs > MAX_KEPT_OUTPUTS && dropped < this.#kept.length - 1)
    ) {
      const oldest = this.#kept[dropped++]!
      this.#keptOutputs -= weightOf(oldest)
      this.#horizon = oldest.number
      this.#forget(oldest)
    }
    if (dropped > 0) this.#kept.splice(0, dropped)
  }

  /** Forgets the addresses that no kept snapshot changes: for them `#horizon` is the answer. */
  #forget({ spent, made }: SnapshotRecord): void {
    const drop = (address: string): void => {
      if ((this.#changedAt.get(address) ?? 0) <= this.#horizon) this.#changedAt.delete(address)
    }
    for (const address of Object.values(spent)) drop(address)
    for (const { address } of Object.values(made)) drop(address)
  }

  /** Number of addresses that are remembered for their last change. */
  get addressesKept(): number {
    return this.#changedAt.size
  }

  #reindex(): void {
    this.#keysOf.clear()
    this.#changedAt.clear()
    this.#texts.clear()
    this.#whole.clear()
    this.#kept = []
    this.#keptOutputs = 0
    this.newest = null
    this.#horizon = this.head.position?.number ?? 0
    for (const [key, { address }] of this.head.utxo) this.#add(address, key)
  }
}

function weightOf({ spent, made }: SnapshotRecord): number {
  return 1 + Object.keys(spent).length + Object.keys(made).length
}

/**
 * Returns an object of members as JSON, and the ending: written piece by piece, since one text of all of it would cost
 * the memory twice.
 */
function bytesOf(members: readonly string[], ending: string): Buffer {
  const end = `}${ending}`
  const size = members.reduce((sum, member) => sum + Buffer.byteLength(member) + 1, 0)
  const bytes = Buffer.allocUnsafe(Math.max(1, size) + end.length)
  let at = bytes.write('{')
  members.forEach((member, index) => {
    if (index > 0) at += bytes.write(',', at)
    at += bytes.write(member, at)
  })
  bytes.write(end, at)
  return bytes
}
