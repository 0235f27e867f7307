import { bytesToHex } from '../../codec/hex.js'
import type { TxOutput } from '../../types/utxo.js'
import type { SignedLocalSnapshot } from '../head/types.js'
import type { BaseTransaction } from '../chain/baseHistory.js'
import type { PreparedTx } from '../rules/preparedTx.js'
import { EMPTY_VIEW, LedgerEntry, UtxoView } from '../rules/utxoSet.js'
import type { StoredMessage } from '../wire/json/messages.js'
import type { BaseTxRow, StateRows, UtxoRow } from './document.js'

/** Number of a party as the document writes it: left out for the first party. */
export type PartyLabel = readonly [] | readonly [party: number]

/** UTxOs with fewer outputs are written as a whole, not as changes. */
const SMALL = 16

type MutableRows = { -readonly [K in keyof StateRows]: StateRows[K][number][] }

const noRows = (): MutableRows => ({ outputs: [], txs: [], utxos: [], signed: [], messages: [], baseTxs: [] })

/**
 * Writes the parts of a state as plain JSON. Each output, transaction, UTxO and signed snapshot becomes one row, and is
 * written as the row's number elsewhere, so that shared parts stay shared.
 */
export class StateWriter {
  #rows = noRows()
  readonly #counts: Record<keyof StateRows, number> = {
    outputs: 0,
    txs: 0,
    utxos: 0,
    signed: 0,
    messages: 0,
    baseTxs: 0
  }
  readonly #numbers = new WeakMap<object, number>()
  /** Latest UTxO of each series, such as a party's; the next one of the series is written as the changes since. */
  readonly #last = new Map<string, UtxoView>()
  /** Number of messages of each party so far. */
  readonly #messageCounts = new Map<string, number>()

  /** Returns the rows since the last call. */
  drain(): StateRows {
    const rows = this.#rows
    this.#rows = noRows()
    return rows
  }

  /** True when an object has a row already. */
  has(value: object): boolean {
    return this.#numbers.has(value)
  }

  /**
   * Returns any plain value as JSON; an object of the kinds above becomes an object with one member that begins with
   * `$`.
   */
  value(value: unknown): unknown {
    if (typeof value !== 'object' || value === null) return value
    if (Array.isArray(value)) return value.map((each) => this.value(each))
    if (value instanceof UtxoView) return { $utxo: this.utxo(value) }
    if (value instanceof LedgerEntry) return { $output: this.output(value) }
    if ('bytes' in value) return { $tx: this.tx(value as PreparedTx) }
    if ('signatures' in value && 'hashes' in value)
      return { $signed: this.signed(value as unknown as SignedLocalSnapshot) }
    return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, this.value(each)]))
  }

  output(entry: LedgerEntry): number {
    return this.#row('outputs', entry, (): StateRows['outputs'][number] => [
      entry.input.txHash,
      entry.input.index,
      entry.output as TxOutput
    ])
  }

  tx(tx: PreparedTx): number {
    return this.#row('txs', tx, () => bytesToHex(tx.bytes))
  }

  utxo(view: UtxoView, series = 'head'): number {
    // Empty ones are all the same.
    return this.#row('utxos', view.size === 0 ? EMPTY_VIEW : view, () => {
      const row = this.#changes(view, this.#last.get(series)) ?? [...view].map((entry) => this.output(entry))
      if (view.size >= SMALL) this.#last.set(series, view)
      return row
    })
  }

  signed(signed: SignedLocalSnapshot): number {
    return this.#row('signed', signed, () => ({
      snapshot: this.value(signed.snapshot),
      signatures: [...signed.signatures],
      hashes: { ...signed.hashes }
    }))
  }

  /** Writes a message of a party, unless it has a row already; returns its number among the party's messages. */
  message(message: StoredMessage, label: PartyLabel): number {
    const existing = this.#numbers.get(message)
    if (existing !== undefined) return existing
    const { seq, timeMs } = message
    const output = this.value(message.output)
    const party = label.join()
    const number = this.#messageCounts.get(party) ?? 0
    this.#messageCounts.set(party, number + 1)
    this.#numbers.set(message, number)
    this.#rows.messages.push([seq, timeMs, output, ...label])
    return number
  }

  /** Writes a transaction of the base ledger; one that has gained outputs is written again, and its last row counts. */
  baseTx(
    { txId, slot, index, spent, collateral, referred, outputs, valid, submitted }: BaseTransaction,
    tx: number | null
  ): void {
    const numbers = (entries: readonly LedgerEntry[]): number[] => entries.map((entry) => this.output(entry))
    const row: BaseTxRow = [
      txId,
      slot,
      index,
      numbers(spent),
      numbers(collateral),
      numbers(referred),
      numbers(outputs),
      valid,
      submitted === null ? null : tx
    ]
    this.#rows.baseTxs.push(row)
    this.#counts.baseTxs++
  }

  /** Writes the bytes of a submitted transaction, which the history keeps; returns the number of their row. */
  bytes(bytes: Uint8Array): number {
    return this.#row('txs', bytes, () => bytesToHex(bytes))
  }

  #changes(view: UtxoView, before: UtxoView | undefined): UtxoRow | null {
    if (before === undefined || view.size < SMALL) return null
    const changes = view.changesFrom(before)
    if (changes === null || changes.dropped.length + changes.added.length > view.size / 2) return null
    const numbers = (entries: readonly LedgerEntry[]): number[] => entries.map((entry) => this.output(entry))
    return { from: this.#numbers.get(before)!, drop: numbers(changes.dropped), add: numbers(changes.added) }
  }

  #row<Table extends keyof StateRows>(table: Table, key: object, write: () => StateRows[Table][number]): number {
    const existing = this.#numbers.get(key)
    if (existing !== undefined) return existing
    // Written first: the rows that it names have lower numbers.
    const row = write()
    const number = this.#counts[table]++
    this.#numbers.set(key, number)
    ;(this.#rows[table] as StateRows[Table][number][]).push(row)
    return number
  }
}
