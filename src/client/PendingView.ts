import { LOVELACE } from '../codec/value.js'
import type { UTxO } from '../types/utxo.js'

/** Confirmed outputs of the head, as the bridge's cache shows them. */
export interface ConfirmedOutputs {
  /** Outputs of an address; null before the state is known. */
  utxos(address: string): readonly UTxO[] | null
  /** At most `limit` outputs of an address with a unit, the largest first; null before the state is known. */
  largest(address: string, unit: string, limit: number): readonly UTxO[] | null
  /** True for an output, `txHash#index`, that a pending deposit brings: it cannot be spent yet. */
  isArriving(ref: string): boolean
  /** True when an output, `txHash#index`, is unspent; null before the state is known. */
  isUnspent(ref: string): boolean | null
}

/** A transaction of this client that no snapshot has confirmed yet. */
export interface PendingTx {
  /** Hex, 64 characters. */
  readonly txId: string
  /** Outputs that it spends, as far as the client knows them. */
  readonly inputs: readonly UTxO[]
  /** Its outputs. */
  readonly outputs: readonly UTxO[]
  /** References of its outputs, `txHash#index`. */
  readonly outputRefs: readonly string[]
  /** Pending transactions whose outputs it spends. */
  readonly parents: readonly PendingTx[]
  /** True when its own outputs may be spent: false once its outcome is uncertain or an ancestor was refused. */
  offered: boolean
}

/** An output that can be spent, and the number of unconfirmed transactions behind it. */
export interface Spendable {
  /** The output. */
  readonly utxo: UTxO
  /** Number of unconfirmed transactions in the longest chain that makes it; 0 for a confirmed output. */
  readonly depth: number
}

/** Returns the reference of an output: `txHash#index`. */
export const refOf = ({ input }: Pick<UTxO, 'input'>): string => `${input.txHash.toLowerCase()}#${input.index}`

/**
 * The head's outputs as they will be once the client's own transactions are confirmed: the confirmed outputs, without
 * those that these transactions spend, and with those that they make. Pure and synchronous, so that choosing outputs
 * and reserving them is one step.
 */
export class PendingView {
  readonly #confirmed: ConfirmedOutputs
  readonly #txs = new Map<string, PendingTx>()
  readonly #reserved = new Map<string, string>()
  /**
   * Labels of holds that end by themselves: at this time, ms since the Unix epoch, and for each output once it is
   * spent.
   */
  readonly #lapsing = new Map<string, number>()
  /** Conditions of holds by label: a hold ends once its condition is false. */
  readonly #conditions = new Map<string, () => boolean>()

  constructor(confirmed: ConfirmedOutputs) {
    this.#confirmed = confirmed
  }

  /** Transactions that are not settled, oldest first. */
  get pending(): Iterable<PendingTx> {
    return this.#txs.values()
  }

  /** Number of transactions that are not settled. */
  get size(): number {
    return this.#txs.size
  }

  /** Returns a transaction that is not settled. `txId`: hex, 64 characters, lower case. */
  get(txId: string): PendingTx | undefined {
    return this.#txs.get(txId)
  }

  /**
   * Returns the holder of an output: a transaction's id or a label given to {@link hold}; undefined when it is free.
   */
  reservedBy(ref: string): string | undefined {
    this.#endLapsed()
    return this.#reserved.get(ref)
  }

  /** Returns the outputs of some addresses that can be spent now; null before the head's state is known. */
  spendable(addresses: readonly string[]): Spendable[] | null {
    this.#endLapsed()
    const found = new Map<string, Spendable>()
    for (const address of addresses) {
      const utxos = this.#confirmed.utxos(address)
      if (utxos === null) return null
      for (const utxo of utxos) this.#offer(found, refOf(utxo), utxo, 0)
    }
    const owners = new Set(addresses)
    for (const [tx, depth] of this.#depths()) {
      if (!tx.offered) continue
      for (const [index, utxo] of tx.outputs.entries())
        if (owners.has(utxo.output.address)) this.#offer(found, tx.outputRefs[index]!, utxo, depth)
    }
    return [...found.values()]
  }

  /**
   * Selects the largest confirmed outputs of some addresses that can be spent now, up to `count` by each unit; null
   * before the head's state is known. Its cost does not grow with the number of outputs that the addresses hold.
   *
   * @returns the outputs `utxos`; `isAll` is true when these are all of them
   */
  largest(
    addresses: readonly string[],
    units: readonly string[],
    count: number
  ): { readonly utxos: readonly UTxO[]; readonly isAll: boolean } | null {
    this.#endLapsed()
    const found = new Map<string, Spendable>()
    // A reserved output is listed, and left out here.
    const limit = count + this.#reserved.size
    let isAll = true
    for (const address of addresses)
      for (const unit of units) {
        const utxos = this.#confirmed.largest(address, unit, limit)
        if (utxos === null) return null
        if (utxos.length >= limit || unit !== LOVELACE) isAll = false
        for (const utxo of utxos) {
          const ref = refOf(utxo)
          if (!this.#confirmed.isArriving(ref)) this.#offer(found, ref, utxo, 0)
        }
      }
    return { utxos: Array.from(found.values(), ({ utxo }) => utxo), isAll }
  }

  /** Counts the unconfirmed transactions in the longest chain that ends with this one. */
  depthOf(tx: PendingTx): number {
    return this.#depths().get(tx) ?? 0
  }

  /** Adds a transaction by its `txId`: its `inputs` are reserved, its `outputs` can be spent. */
  reserve(tx: { txId: string; inputs: readonly UTxO[]; outputs: readonly UTxO['output'][] }): PendingTx {
    const pending = this.describe(tx)
    this.#txs.set(tx.txId, pending)
    for (const utxo of tx.inputs) this.#reserved.set(refOf(utxo), tx.txId)
    return pending
  }

  /** Describes a transaction with its output references and parents, without reserving its inputs. */
  describe(tx: { txId: string; inputs: readonly UTxO[]; outputs: readonly UTxO['output'][] }): PendingTx {
    const parents = new Set<PendingTx>()
    for (const utxo of tx.inputs) {
      const parent = this.#txs.get(utxo.input.txHash.toLowerCase())
      if (parent !== undefined) parents.add(parent)
    }
    return {
      txId: tx.txId,
      inputs: tx.inputs,
      parents: [...parents],
      offered: true,
      outputs: tx.outputs.map((output, index) => ({ input: { txHash: tx.txId, index }, output })),
      outputRefs: tx.outputs.map((_, index) => `${tx.txId}#${index}`)
    }
  }

  /**
   * True when a {@link hold} keeps outputs back. Those of {@link holdWhile} do not count, because they may last for
   * hours.
   */
  get isHolding(): boolean {
    this.#endLapsed()
    for (const by of this.#reserved.values()) if (!this.#txs.has(by) && !this.#conditions.has(by)) return true
    return false
  }

  /** Keeps outputs from being chosen, under a label, until they are {@link release}d. */
  hold(refs: readonly string[], label: string): void {
    for (const ref of refs) if (!this.#reserved.has(ref)) this.#reserved.set(ref, label)
  }

  /**
   * Keeps outputs from being chosen while a condition is true: all of them, or none when one has a holder already.
   * @returns the reference of that output; undefined when all are kept
   */
  holdWhile(refs: readonly string[], label: string, isHeld: () => boolean): string | undefined {
    const reservedRef = refs.find((ref) => this.reservedBy(ref) !== undefined)
    if (reservedRef !== undefined) return reservedRef
    this.hold(refs, label)
    this.#conditions.set(label, isHeld)
    return undefined
  }

  /** True while a {@link holdWhile} keeps outputs back under a label. */
  isHeld(label: string): boolean {
    this.#endLapsed()
    return this.#conditions.has(label) && [...this.#reserved.values()].includes(label)
  }

  /**
   * Ends a {@link hold} or {@link holdWhile}. Outputs that a transaction with this id has reserved meanwhile stay
   * reserved.
   */
  release(label: string): void {
    this.#lapsing.delete(label)
    this.#conditions.delete(label)
    if (this.#txs.has(label)) return
    for (const [ref, by] of this.#reserved) if (by === label) this.#reserved.delete(ref)
  }

  /**
   * Schedules the end of a {@link hold}: for each output once it is spent, for all of them at a time (ms since the Unix
   * epoch).
   */
  releaseAt(label: string, timeMs: number): void {
    this.#lapsing.set(label, timeMs)
  }

  // Checked on use: no timer has to outlive the connection.
  #endLapsed(): void {
    for (const [label, isHeld] of this.#conditions) if (!isHeld()) this.release(label)
    if (this.#lapsing.size === 0) return
    const now = Date.now()
    for (const [ref, by] of this.#reserved)
      if (this.#lapsing.has(by) && this.#confirmed.isUnspent(ref) === false) this.#reserved.delete(ref)
    for (const [label, timeMs] of this.#lapsing) if (now >= timeMs) this.release(label)
  }

  /** Removes a transaction that is confirmed, or can never be. Its inputs are free, where they still exist. */
  remove(tx: PendingTx): void {
    if (this.#txs.get(tx.txId) !== tx) return
    this.#txs.delete(tx.txId)
    for (const utxo of tx.inputs) if (this.#reserved.get(refOf(utxo)) === tx.txId) this.#reserved.delete(refOf(utxo))
  }

  /** Returns all pending transactions that spend its outputs, directly or through others. */
  descendantsOf(tx: PendingTx): PendingTx[] {
    const found = new Set<PendingTx>([tx])
    // A child is always younger than its parents.
    for (const each of this.#txs.values()) if (each.parents.some((parent) => found.has(parent))) found.add(each)
    found.delete(tx)
    return [...found]
  }

  /**
   * Confirmed outputs that pending transactions spend, and pending outputs not confirmed yet: the difference between
   * the pending and the confirmed balance. Each is a `utxo` and the `sign` it counts with.
   */
  *changes(): Generator<{ readonly utxo: UTxO; readonly sign: 1n | -1n }> {
    for (const tx of this.#txs.values()) {
      for (const utxo of tx.inputs) if (this.#confirmed.isUnspent(refOf(utxo)) === true) yield { utxo, sign: -1n }
      if (!tx.offered) continue
      for (const [index, utxo] of tx.outputs.entries()) {
        const ref = tx.outputRefs[index]!
        const spender = this.#reserved.get(ref)
        const isSpent = spender !== undefined && this.#txs.has(spender)
        if (!isSpent && this.#confirmed.isUnspent(ref) === false) yield { utxo, sign: 1n }
      }
    }
  }

  // One pass: a parent is always older than its children.
  #depths(): Map<PendingTx, number> {
    const depths = new Map<PendingTx, number>()
    for (const tx of this.#txs.values()) {
      let depth = 1
      for (const parent of tx.parents) depth = Math.max(depth, (depths.get(parent) ?? 0) + 1)
      depths.set(tx, depth)
    }
    return depths
  }

  #offer(found: Map<string, Spendable>, ref: string, utxo: UTxO, depth: number): void {
    if (!this.#reserved.has(ref) && !found.has(ref)) found.set(ref, { utxo, depth })
  }
}
