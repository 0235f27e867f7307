import type { TxInput, TxOutput, UTxO } from '../../types/utxo.js'
import type { LedgerParameters } from './validateTx.js'
import { validateTx } from './validateTx.js'
import type { PreparedTx } from './preparedTx.js'
import type { UtxoView } from './utxoSet.js'
import { LedgerEntry, refOf, UtxoSet, UtxoView as View } from './utxoSet.js'

/** What the base ledger needs from its surroundings. */
export interface BaseLedgerPort {
  readonly parameters: LedgerParameters
  readonly networkId: 0 | 1
  readonly duplicateCheck: boolean
  /** Current slot. */
  slot(): bigint
  /** A fresh transaction id: hex, 64 characters. */
  newTxId(): string
}

/** The simulated base ledger: one chain that never rolls back. Transactions obey the same rules as in the head. */
export class BaseLedger {
  readonly #utxo = new UtxoSet()
  readonly #port: BaseLedgerPort

  constructor(port: BaseLedgerPort) {
    this.#port = port
  }

  get parameters(): LedgerParameters {
    return this.#port.parameters
  }

  get(input: TxInput): LedgerEntry | undefined {
    return this.#utxo.get(refOf(input))
  }

  /** Applies a signed transaction, or says why not. */
  submit(tx: PreparedTx): readonly string[] {
    const { parameters, networkId, duplicateCheck } = this.#port
    const failures = validateTx(tx, { parameters, networkId, duplicateCheck, slot: this.#port.slot(), utxo: this.#utxo })
    if (failures.length > 0) return failures
    this.#utxo.remove(tx.inputs.map(refOf))
    this.#utxo.add(tx.outputs)
    return failures
  }

  /** Puts outputs on the ledger in a transaction of the node's own. */
  produce(outputs: readonly TxOutput[]): UtxoView {
    const txHash = this.#port.newTxId()
    const entries = outputs.map((output, index) => new LedgerEntry({ txHash, index }, output))
    this.#utxo.add(entries)
    return new View(entries)
  }

  /** Puts an output with a given name on the ledger. */
  place(input: TxInput, output: TxOutput): void {
    this.#utxo.add([new LedgerEntry(input, output)])
  }

  /** Takes an output off the ledger: a script of the head has spent it. */
  consume(input: TxInput): void {
    this.#utxo.remove([refOf(input)])
  }

  /** Unspent outputs that pass the filter. */
  find(filter: (entry: LedgerEntry) => boolean): UTxO[] {
    return this.#utxo
      .view()
      .entries.filter(filter)
      .map(({ input, output }) => ({ input, output }))
  }
}
