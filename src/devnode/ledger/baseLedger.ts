import type { TxInput, TxOutput, UTxO } from '../../types/utxo.js'
import { deriveId } from '../keys.js'
import type { NodeContext } from '../NodeContext.js'
import { baseRules } from './rulesAt.js'
import { BASE_PARAMETERS } from './protocolParameters.js'
import type { LedgerParameters } from './validateTx.js'
import { validateTx } from './validateTx.js'
import type { PreparedTx } from './preparedTx.js'
import type { UtxoView } from './utxoSet.js'
import { LedgerEntry, refOf, UtxoSet, UtxoView as View } from './utxoSet.js'

/** The simulated base ledger: one chain that never rolls back. Transactions obey the same rules as in the head. */
export class BaseLedger {
  readonly #utxo = new UtxoSet()
  readonly #context: Pick<NodeContext, 'options' | 'features'>
  #produced = 0

  constructor(context: Pick<NodeContext, 'options' | 'features'>) {
    this.#context = context
  }

  get parameters(): LedgerParameters {
    return BASE_PARAMETERS
  }

  get(input: TxInput): LedgerEntry | undefined {
    return this.#utxo.get(refOf(input))
  }

  /** Applies a signed transaction, or says why not. */
  submit(tx: PreparedTx): readonly string[] {
    const failures = validateTx(tx, { ...baseRules(this.#context), utxo: this.#utxo })
    if (failures.length > 0) return failures
    this.#utxo.remove(tx.inputs.map(refOf))
    this.#utxo.add(tx.outputs)
    return failures
  }

  /** Puts outputs on the ledger in a transaction of the node's own. */
  produce(outputs: readonly TxOutput[]): UtxoView {
    const txHash = deriveId(this.#context.options.seed, `base transaction ${++this.#produced}`)
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
