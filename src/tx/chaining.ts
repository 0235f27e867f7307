import type { UTxO } from '../types/utxo.js'
import type { BuiltTransaction } from './buildTx.js'
import { inputKey } from './inputs.js'

/**
 * Returns the outputs of a transaction with their references, so that a next transaction can spend them.
 *
 * @example
 * ```ts
 * import { buildPayment, buildSweep, toUtxos } from 'layer-sdk/tx'
 *
 * const address = 'addr_test1vzpwq95z3xyum8vqndgdd9mdnmafh3djcxnc6jemlgdmswcve6tkw'
 * const output = { address, amount: [{ unit: 'lovelace', quantity: '9000000' }] }
 * const utxos = [{ input: { txHash: '00'.repeat(32), index: 0 }, output }]
 * const split = buildPayment({ utxos, to: address, amount: 5_000_000n, changeAddress: address })
 * const [wanted] = toUtxos(split)
 * console.log(buildSweep({ utxos: [wanted!], to: address }).outputs[0]?.amount) // 5 ada, the rest stays
 * ```
 */
export function toUtxos({ txId, outputs }: Pick<BuiltTransaction, 'txId' | 'outputs'>): UTxO[] {
  return outputs.map((output, index) => ({ input: { txHash: txId, index }, output }))
}

/**
 * Returns the unspent outputs after a transaction: `utxos` without the outputs that it spends, and with those that it
 * creates at `address`. A second payment that is built from the result can be submitted before the first is confirmed.
 * Built from the same `utxos` as the first, it would be a double spend, or the same transaction again.
 *
 * @example
 * ```ts
 * import { buildPayment, utxosAfter } from 'layer-sdk/tx'
 *
 * const address = 'addr_test1vzpwq95z3xyum8vqndgdd9mdnmafh3djcxnc6jemlgdmswcve6tkw'
 * const output = { address, amount: [{ unit: 'lovelace', quantity: '9000000' }] }
 * let utxos = [{ input: { txHash: '00'.repeat(32), index: 0 }, output }]
 * const first = buildPayment({ utxos, to: address, amount: 2_000_000n, changeAddress: address })
 * utxos = utxosAfter(utxos, first, address)
 * const second = buildPayment({ utxos, to: address, amount: 2_000_000n, changeAddress: address })
 * console.log(first.txId !== second.txId) // true
 * ```
 */
export function utxosAfter(
  utxos: readonly UTxO[],
  transaction: Pick<BuiltTransaction, 'txId' | 'inputs' | 'outputs'>,
  address: string
): UTxO[] {
  const spent = new Set(transaction.inputs.map(({ input }) => inputKey(input)))
  const made = toUtxos(transaction).filter(({ output }) => output.address === address)
  return [...utxos.filter(({ input }) => !spent.has(inputKey(input))), ...made]
}
