import { readTransaction, toTransactionBytes } from '../../codec/transaction.js'
import { decodeTransactionBody } from '../../codec/transactionBody.js'
import { InputReservedError } from '../../errors/client.js'
import type { Blueprint } from '../../tx/inner.js'
import { signersOf, toUtxos } from '../../tx/inner.js'
import type { UTxO } from '../../types/utxo.js'
import { refOf } from '../PendingView.js'
import type { DepositRequest, DepositSource } from './depositRequest.js'

/** Makes the request of a deposit that the caller designed, and keeps its outputs from other deposits. */
export function designedDeposit({ context, label }: DepositSource, designed: Blueprint): DepositRequest {
  const held = context.account.base.heldOf(designed.utxo)
  if (held !== undefined) throw new InputReservedError(held)
  const { txId, outputs } = designed
  const entering = outputs.length === 0 ? spentBy(designed) : toUtxos({ txId, outputs })
  const signs = signersOf(designed, designed.utxo).signers.length > 0
  context.account.base.hold(designed.utxo, label)
  return { blueprint: true, commit: designed, refs: entering.map(refOf), utxos: entering, signs }
}

/** Outputs that a blueprint spends; it states those that it refers to as well. */
function spentBy({ cborHex, utxo }: Blueprint): UTxO[] {
  const { inputs } = decodeTransactionBody(readTransaction(toTransactionBytes(cborHex)))
  const spent = new Set(inputs.map(({ txHash, index }) => `${txHash}#${index}`))
  return utxo.filter((each) => spent.has(refOf(each)))
}
