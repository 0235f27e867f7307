import { runScripts } from '../rules/runScripts.js'
import { validateTx } from '../rules/validateTx.js'
import type { LedgerRules } from '../rules/LedgerEnvironment.js'
import type { PreparedTx } from '../rules/preparedTx.js'
import type { OrderedOutputs } from '../rules/orderedOutputs.js'
import type { UtxoView } from '../rules/utxoSet.js'
import { EMPTY_VIEW, entryRefOf, UtxoSet, UtxoView as View } from '../rules/utxoSet.js'

/** A change to the local ledger that is in no snapshot yet. */
export interface PendingChange {
  readonly tx: PreparedTx
  /** True when the outputs of the transaction leave the head. */
  readonly decommit: boolean
}

/**
 * The layer-two ledger: the outputs that all parties signed, the transactions that this node has applied since, and the
 * changes between the two. The cost of a transaction grows with its inputs and outputs, not with the size of the head.
 */
export class HeadLedger {
  readonly #local = new UtxoSet()
  readonly #confirmed: UtxoSet
  readonly #ordered: OrderedOutputs | null
  #pending: PendingChange[] = []

  /** `ordered` receives every change to the UTxO of the latest snapshot. */
  constructor(ordered: OrderedOutputs | null = null) {
    this.#ordered = ordered
    this.#confirmed = new UtxoSet(ordered)
  }

  /** The UTxO after every valid transaction, in a snapshot or not. */
  get local(): UtxoView {
    return this.#local.view()
  }

  /** The UTxO of the latest snapshot. */
  get confirmed(): UtxoView {
    return this.#confirmed.view()
  }

  /**
   * Returns the hash of the outputs of the latest snapshot: hex, 64 characters; empty where no ordered outputs are
   * kept.
   */
  confirmedHash(): string {
    return this.#ordered?.hash() ?? ''
  }

  /** Valid transactions that are in no snapshot yet. */
  get pendingTxs(): readonly PreparedTx[] {
    return this.#pending.filter(({ decommit }) => !decommit).map(({ tx }) => tx)
  }

  reset(utxo: UtxoView = EMPTY_VIEW): void {
    this.#local.reset(utxo)
    this.#confirmed.reset(utxo)
    this.#pending = []
  }

  /** Changes that are in no snapshot yet, the oldest first. */
  get pending(): readonly PendingChange[] {
    return this.#pending
  }

  /** Restores a saved state. */
  restore({
    local,
    confirmed,
    pending
  }: {
    readonly local: UtxoView
    readonly confirmed: UtxoView
    readonly pending: readonly PendingChange[]
  }): void {
    this.#local.reset(local)
    this.#confirmed.reset(confirmed)
    this.#pending = [...pending]
  }

  /**
   * Returns the first reason why a transaction cannot be applied now, if any, without applying it. A head shows that
   * reason alone.
   */
  validate(tx: PreparedTx, rules: LedgerRules): readonly string[] {
    return validateTx(tx, { ...rules, utxo: this.#local }).slice(0, 1)
  }

  /** Runs the scripts on which the validity of a transaction depends; undefined when it depends on none. */
  runScripts(tx: PreparedTx, rules: () => LedgerRules): Promise<void> | undefined {
    return runScripts(tx, () => ({ ...rules(), utxo: this.#local }))
  }

  /** Validates a transaction and applies it to the local ledger; returns the reason for a refusal, if any. */
  apply(tx: PreparedTx, rules: LedgerRules): readonly string[] {
    return this.#apply(tx, rules, false)
  }

  /** Applies a decommit as {@link apply} applies a transaction, but its outputs leave the head. */
  applyDecommit(tx: PreparedTx, rules: LedgerRules): readonly string[] {
    return this.#apply(tx, rules, true)
  }

  /**
   * Returns the number of pending changes for the next snapshot; a decommit is included with all that came before it.
   */
  nextBatch(limit: number): number {
    const decommit = this.#pending.findIndex((change) => change.decommit)
    return Math.max(Math.min(limit, this.#pending.length), decommit + 1)
  }

  /** Moves the oldest pending changes into the confirmed ledger and returns their transactions. */
  confirm(count: number): PreparedTx[] {
    const confirmed = this.#pending.slice(0, count)
    this.#pending = this.#pending.slice(count)
    for (const change of confirmed) move(this.#confirmed, change)
    return confirmed.filter(({ decommit }) => !decommit).map(({ tx }) => tx)
  }

  /**
   * Moves pending changes before all others, in this order. Returns their number; or null, without a change, when one
   * of them is not pending.
   */
  bringForward(txIds: readonly string[]): number | null {
    if (txIds.every((txId, i) => this.#pending[i]?.tx.txId === txId)) return txIds.length
    const byId = new Map(this.#pending.map((change) => [change.tx.txId, change]))
    const chosen = txIds.map((txId) => byId.get(txId))
    if (!chosen.every((change) => change !== undefined)) return null
    const ids = new Set(txIds)
    this.#pending = [...chosen, ...this.#pending.filter(({ tx }) => !ids.has(tx.txId))]
    return txIds.length
  }

  /**
   * Starts again from the latest snapshot: applies these transactions, pending or among `others`, then the other
   * pending ones as far as they still apply (HeadLogic.hs, pruneTransactions). Returns false, without a change, when
   * one of them is unknown or does not apply, or a decommit would be lost.
   */
  follow(txIds: readonly string[], others: readonly PreparedTx[], rules: LedgerRules): boolean {
    const before = { local: this.#local.view(), pending: this.#pending }
    const candidates = new Map(others.map((tx): [string, PendingChange] => [tx.txId, { tx, decommit: false }]))
    for (const change of before.pending) candidates.set(change.tx.txId, change)
    const chosen = txIds.map((txId) => candidates.get(txId))
    if (!chosen.every((change) => change !== undefined)) return false
    this.prune()
    const applies = ({ tx, decommit }: PendingChange): boolean => this.#apply(tx, rules, decommit).length === 0
    const isWhole =
      chosen.every(applies) &&
      before.pending.every((change) => chosen.includes(change) || applies(change) || !change.decommit)
    if (isWhole) return true
    this.#local.reset(before.local)
    this.#pending = before.pending
    return false
  }

  /** Returns the ids of the oldest pending changes. */
  batchIds(count: number): string[] {
    return this.#pending.slice(0, count).map(({ tx }) => tx.txId)
  }

  /** Returns the transactions that {@link confirm} would return and the UTxO after it, without a change. */
  preview(count: number): { confirmed: PreparedTx[]; utxo: UtxoView } {
    const batch = this.#pending.slice(0, count)
    const after = new UtxoSet()
    after.reset(this.#confirmed.view())
    for (const change of batch) move(after, change)
    return { confirmed: batch.filter(({ decommit }) => !decommit).map(({ tx }) => tx), utxo: after.view() }
  }

  /** Adds the outputs of a deposit to the local and the confirmed UTxO. */
  credit(utxo: UtxoView): void {
    this.#local.add(utxo.entries)
    this.#confirmed.add(utxo.entries)
  }

  /** Drops the pending changes, so that the local UTxO is the confirmed one. */
  prune(): void {
    this.#pending = []
    this.#local.reset(this.#confirmed.view())
  }

  #apply(tx: PreparedTx, rules: LedgerRules, decommit: boolean): readonly string[] {
    const failures = this.validate(tx, rules)
    if (failures.length > 0) return failures
    const change = { tx, decommit }
    move(this.#local, change)
    this.#pending.push(change)
    return failures
  }
}

/** Returns the outputs of a transaction as a UTxO. */
export function ledgerOutputsOf(tx: PreparedTx): UtxoView {
  return new View(tx.produces)
}

function move(utxo: UtxoSet, { tx, decommit }: PendingChange): void {
  utxo.remove(tx.spends.map(entryRefOf))
  if (!decommit) utxo.add(tx.produces)
}
