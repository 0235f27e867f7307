import { stringifyJson } from '../../codec/json.js'
import type { TxOutJson, UTxOObject } from '../../bridge/protocol/types.js'
import { LoggedHead } from '../core/LoggedHead.js'
import { follows } from '../core/readLog.js'
import type { BaseRecord, OutRecord, SnapshotRecord } from '../records.js'

/** Snapshots that a client can resume over, and bound on their outputs; the log itself keeps no more. */
const MAX_KEPT = 3_000
const MAX_KEPT_OUTPUTS = 2_000_000

/** The head as an edge knows it: the state of the log, by address as well, and the snapshots that led to it. */
export class HeadView {
  readonly head: LoggedHead = new LoggedHead()
  readonly #keysOf = new Map<string, Set<string>>()
  /** Number of the last snapshot that changed the outputs of an address. */
  readonly #changedAt = new Map<string, number>()
  /** JSON of each output with its key: a snapshot is joined of them. */
  readonly #texts = new Map<string, string>()
  #kept: SnapshotRecord[] = []
  #keptOutputs = 0
  /** Number from which on changes are known. */
  #horizon = 0
  /** Body of the newest SnapshotConfirmed, without outputs. */
  newest: SnapshotRecord | null = null

  load(base: Pick<BaseRecord, 'position' | 'utxo' | 'greetings'> & { connected?: boolean }): void {
    this.head.load(base)
    if (base.connected !== undefined) this.head.connected = base.connected
    this.#reindex()
  }

  /** Whether a record leads on from the state: a snapshot does from the one before it alone. */
  follows(record: OutRecord): boolean {
    return follows(this.head, record)
  }

  /** Follows a record; call it after what needs the state before. */
  apply(record: OutRecord): void {
    if (record.kind === 'snapshot') this.#index(record)
    this.head.apply(record)
    if (record.kind === 'reset') this.#reindex()
  }

  /** Outputs of the addresses; all of them for null. */
  outputs(addresses: ReadonlySet<string> | null): UTxOObject {
    const { utxo } = this.head
    if (addresses === null) return Object.fromEntries(utxo)
    const found: [string, TxOutJson][] = []
    for (const address of addresses) for (const key of this.#keysOf.get(address) ?? []) found.push([key, utxo.get(key)!])
    return Object.fromEntries(found)
  }

  /** JSON of outputs: all, or those of addresses; without `except`, the keys that a message carries elsewhere. */
  outputsText(addresses: ReadonlySet<string> | null, except: object = {}): string {
    const members: string[] = []
    const add = (key: string): void => void (Object.hasOwn(except, key) || members.push(this.#textOf(key)))
    if (addresses === null) for (const key of this.head.utxo.keys()) add(key)
    else for (const address of addresses) for (const key of this.#keysOf.get(address) ?? []) add(key)
    return `{${members.join(',')}}`
  }

  /** Number of outputs of addresses. */
  count(addresses: ReadonlySet<string>): number {
    let count = 0
    for (const address of addresses) count += this.#keysOf.get(address)?.size ?? 0
    return count
  }

  /** Number of the last snapshot that changed the outputs of addresses, or the one from which on changes are known. */
  changedAt(addresses: ReadonlySet<string>): number {
    let latest = this.#horizon
    for (const address of addresses) latest = Math.max(latest, this.#changedAt.get(address) ?? 0)
    return latest
  }

  /** Snapshots after a number; null when it is too old, or to come. */
  after(number: number): SnapshotRecord[] | null {
    const { position } = this.head
    if (position === null || number > position.number || number < this.#horizon) return null
    return this.#kept.filter((record) => record.number > number)
  }

  /** The snapshot that confirmed a transaction, among those that are kept. */
  confirmedIn(txId: string): SnapshotRecord | null {
    for (let at = this.#kept.length - 1; at >= 0; at--) if (this.#kept[at]!.txs.some((tx) => tx.txId === txId)) return this.#kept[at]!
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
    for (const key of Object.keys(spent)) if (this.#keysOf.get(spent[key]!)?.size === 0) this.#keysOf.delete(spent[key]!)
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
    while (this.#kept.length - dropped > MAX_KEPT || (this.#keptOutputs > MAX_KEPT_OUTPUTS && dropped < this.#kept.length - 1)) {
      const oldest = this.#kept[dropped++]!
      this.#keptOutputs -= weightOf(oldest)
      this.#horizon = oldest.number
    }
    if (dropped > 0) this.#kept.splice(0, dropped)
  }

  #reindex(): void {
    this.#keysOf.clear()
    this.#changedAt.clear()
    this.#texts.clear()
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
