import type { LayerBridge } from '../bridge/inner.js'
import { addValue, valueFromAmounts, valueToAmounts } from '../codec/value.js'
import type { Value } from '../codec/value.js'
import type { Amount, TxOutput } from '../types/utxo.js'
import { readTxChange } from './txChange.js'
import type { WatchedTx } from './types.js'

type Amounts = Pick<WatchedTx, 'sent' | 'received'>

const UNKNOWN: Amounts = { sent: null, received: null }

/**
 * The head's outputs as a watcher has seen them: they resolve the inputs of a transaction, which the cache no longer
 * has.
 */
export class WatchedLedger {
  readonly #bridge: LayerBridge
  #outputs: Map<string, TxOutput> | null = null

  constructor(bridge: LayerBridge) {
    this.#bridge = bridge
    this.#seed()
  }

  /**
   * Returns the amounts that a transaction moves. `isFinal`: it is confirmed, so its inputs are removed and its outputs
   * added.
   */
  amountsOf(txId: string, cborHex: string | undefined, isFinal: boolean): Amounts {
    const outputs = this.#outputs ?? this.#seed()
    const change = readTxChange(cborHex)
    if (change === null) return UNKNOWN
    const spent = change.spent.map((ref) => {
      const output = outputs?.get(ref)
      if (isFinal) outputs?.delete(ref)
      return output
    })
    if (isFinal) for (const { index, output } of change.made) outputs?.set(`${txId}#${index}`, output)
    const knownOutputs = spent.filter((output) => output !== undefined)
    const received = sumsOf(change.made.map(({ output }) => output))
    return { sent: knownOutputs.length === spent.length ? sumsOf(knownOutputs) : null, received }
  }

  /**
   * Reads the outputs from the cache again, because a deposit or a new head has brought some that no transaction made.
   */
  refresh(): void {
    this.#seed()
  }

  #seed(): Map<string, TxOutput> | null {
    if (!this.#bridge.getSnapshot().ready) return null
    const utxos = this.#bridge.snapshotUtxoArray()
    return (this.#outputs = new Map(utxos.map(({ input, output }) => [`${input.txHash}#${input.index}`, output])))
  }
}

function sumsOf(outputs: readonly TxOutput[]): Record<string, Amount[]> {
  const sums = new Map<string, Value>()
  for (const { address, amount } of outputs) {
    const sum = sums.get(address) ?? new Map<string, bigint>()
    addValue(sum, valueFromAmounts(amount))
    sums.set(address, sum)
  }
  return Object.fromEntries([...sums].map(([address, sum]) => [address, valueToAmounts(sum)]))
}
