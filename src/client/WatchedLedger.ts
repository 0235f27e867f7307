import type { LayerBridge } from '../bridge/inner.js'
import { readTransaction, toTransactionBytes } from '../codec/transaction.js'
import { decodeTransactionBody } from '../codec/transactionBody.js'
import { addValue, valueFromAmounts, valueToAmounts } from '../codec/value.js'
import type { Value } from '../codec/value.js'
import { isLayerError } from '../errors/base.js'
import type { Amount, TxOutput } from '../types/utxo.js'
import type { WatchedTx } from './types.js'

type Amounts = Pick<WatchedTx, 'sent' | 'received'>

const UNKNOWN: Amounts = { sent: null, received: null }

/** The head's outputs as a watcher has seen them: they name what a transaction spends, which the cache no longer has. */
export class WatchedLedger {
  readonly #bridge: LayerBridge
  #outputs: Map<string, TxOutput> | null = null

  constructor(bridge: LayerBridge) {
    this.#bridge = bridge
    this.#seed()
  }

  /** Amounts that a transaction moves; `isFinal`: its inputs are gone then, and its outputs there. */
  amountsOf(txId: string, cborHex: string | undefined, isFinal: boolean): Amounts {
    const outputs = this.#outputs ?? this.#seed()
    if (cborHex === undefined) return UNKNOWN
    try {
      const body = decodeTransactionBody(readTransaction(toTransactionBytes(cborHex)))
      const spent = body.inputs.map(({ txHash, index }) => {
        const ref = `${txHash}#${index}`
        const output = outputs?.get(ref)
        if (isFinal) outputs?.delete(ref)
        return output
      })
      const made = body.outputs
      if (isFinal) made.forEach((output, index) => outputs?.set(`${txId}#${index}`, output))
      const known = spent.filter((output) => output !== undefined)
      return { sent: known.length === spent.length ? sumsOf(known) : null, received: sumsOf(made) }
    } catch (error) {
      if (isLayerError(error)) return UNKNOWN
      throw error
    }
  }

  /** Reads the outputs of the cache again: a deposit or another head has brought some that no transaction made. */
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
