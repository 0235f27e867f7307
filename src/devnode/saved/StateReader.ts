import { hexToBytes } from '../../codec/hex.js'
import type { HeadMessage } from '../head/messages.js'
import type { SignedLocalSnapshot } from '../head/types.js'
import type { BaseTransaction, SubmittedTx } from '../chain/baseHistory.js'
import { submittedTx } from '../chain/baseHistory.js'
import type { PreparedTx } from '../rules/preparedTx.js'
import { prepareTx } from '../rules/preparedTx.js'
import { EMPTY_VIEW, LedgerEntry, UtxoSet, UtxoView } from '../rules/utxoSet.js'
import type { ProfileFeatures } from '../settings/profiles.js'
import { StoredMessage } from '../wire/json/messages.js'
import type { StateRows } from './document.js'

/**
 * Reads a document of {@link StateWriter}. Each row is read once, when the first other row names it, so that shared
 * parts are shared again.
 */
export class StateReader {
  readonly #rows: StateRows
  readonly #features: ProfileFeatures
  readonly #made: Record<Exclude<keyof StateRows, 'messages'>, unknown[]> = {
    outputs: [],
    txs: [],
    utxos: [],
    signed: [],
    baseTxs: []
  }
  readonly #messages = new Map<number, StateRows['messages'][number][]>()
  /** For each series of UTxOs a set in the state of the row that was read last, by the number of that row. */
  readonly #sets = new Map<number, UtxoSet>()

  constructor(rows: StateRows, features: ProfileFeatures) {
    this.#rows = rows
    this.#features = features
    for (const row of rows.messages) {
      const [, , , party = 0] = row
      const partyRows = this.#messages.get(party)
      if (partyRows === undefined) this.#messages.set(party, [row])
      else partyRows.push(row)
    }
  }

  value(written: unknown): unknown {
    if (typeof written !== 'object' || written === null) return written
    if (Array.isArray(written)) return written.map((each) => this.value(each))
    const [[name, number] = ['', 0], second] = Object.entries(written) as [string, number][]
    if (second === undefined && name.startsWith('$')) {
      if (name === '$utxo') return this.utxo(number)
      if (name === '$output') return this.output(number)
      if (name === '$tx') return this.tx(number)
      if (name === '$signed') return this.signed(number)
    }
    return Object.fromEntries(Object.entries(written).map(([key, each]) => [key, this.value(each)]))
  }

  output(number: number): LedgerEntry {
    return this.#row('outputs', number, ([txHash, index, output]) => new LedgerEntry({ txHash, index }, output))
  }

  tx(number: number): PreparedTx {
    return this.#row('txs', number, (cborHex) => prepareTx(hexToBytes(cborHex), { verified: true }))
  }

  signed(number: number): SignedLocalSnapshot {
    return this.#row('signed', number, (written) => this.value(written) as SignedLocalSnapshot)
  }

  /**
   * Returns the messages of a party. Its history begins at row `first`, and is empty when that is null; `heldRows` are
   * those that a fault holds back.
   */
  messages(
    party: number,
    first: number | null,
    heldRows: readonly number[]
  ): { history: StoredMessage[]; held: StoredMessage[] } {
    const rows = this.#messages.get(party) ?? []
    const made = new Map<number, StoredMessage>()
    const messageOf = (number: number): StoredMessage => {
      const row = rows[number]
      if (row === undefined) throw new RangeError(`party ${party} has no message ${number}`)
      const message =
        made.get(number) ?? new StoredMessage(this.value(row[2]) as HeadMessage, row[0], row[1], this.#features)
      made.set(number, message)
      return message
    }
    const history = first === null ? [] : Array.from({ length: rows.length - first }, (_, i) => messageOf(first + i))
    return { history, held: heldRows.map(messageOf) }
  }

  utxo(number: number): UtxoView {
    return this.#row('utxos', number, (row) => {
      if (!('from' in row)) return row.length === 0 ? EMPTY_VIEW : new UtxoView(row.map((each) => this.output(each)))
      // From the nearest UTxO that is at hand, one change after another.
      const path = [number]
      let at = row.from
      for (
        let next = this.#rows.utxos[at];
        !this.#sets.has(at) && this.#made.utxos[at] === undefined && next !== undefined && 'from' in next;
      ) {
        path.push(at)
        at = next.from
        next = this.#rows.utxos[at]
      }
      const set = this.#sets.get(at) ?? new UtxoSet()
      if (!this.#sets.delete(at)) set.reset(this.utxo(at))
      for (const each of path.reverse()) {
        const { drop, add } = this.#rows.utxos[each] as {
          readonly drop: readonly number[]
          readonly add: readonly number[]
        }
        set.remove(drop.map((output) => this.output(output).ref))
        set.add(add.map((output) => this.output(output)))
      }
      this.#sets.set(number, set)
      return set.view()
    })
  }

  /** Returns the base ledger's history, the oldest transaction first. */
  baseTxs(): BaseTransaction[] {
    const found = new Map<string, BaseTransaction>()
    const entries = (numbers: readonly number[]): LedgerEntry[] => numbers.map((each) => this.output(each))
    for (const [txId, slot, index, spent, collateral, referred, outputs, valid, submitted] of this.#rows.baseTxs) {
      let read: SubmittedTx | undefined
      const submittedOf = (): SubmittedTx | null =>
        submitted === null ? null : (read ??= submittedTx(this.tx(submitted)))
      const parts = {
        spent: entries(spent),
        collateral: entries(collateral),
        referred: entries(referred),
        outputs: entries(outputs),
        valid
      }
      found.set(txId, {
        txId,
        slot,
        index,
        ...parts,
        // Decoded when an indexer requests it.
        get submitted() {
          return submittedOf()
        }
      })
    }
    return [...found.values()]
  }

  #row<Table extends Exclude<keyof StateRows, 'messages'>, Made>(
    table: Table,
    number: number,
    make: (row: StateRows[Table][number]) => Made
  ): Made {
    const made = this.#made[table] as Made[]
    if (made[number] !== undefined) return made[number]
    const row = this.#rows[table][number]
    if (row === undefined) throw new RangeError(`${table} has no row ${number}`)
    return (made[number] = make(row as StateRows[Table][number]))
  }
}
