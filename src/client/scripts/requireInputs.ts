import { ScriptInputError } from '../../errors/scripts.js'
import type { TxWithOutputs } from './resolveTx.js'

/** Checks that all outputs that a transaction names are known. @throws {@link ScriptInputError} */
export function requireInputs(tx: TxWithOutputs): void {
  for (const { txHash, index } of [...tx.inputs, ...tx.referenceInputs, ...tx.body.collateral]) {
    const input = `${txHash}#${index}`
    if (!tx.outputs.has(input))
      throw new ScriptInputError(
        'input-unknown',
        'An input of the transaction is not known.',
        { input },
        {
          expected: 'an unspent output of the head, of a transaction of this client in flight, or of the option utxos',
          got: input
        }
      )
  }
}
