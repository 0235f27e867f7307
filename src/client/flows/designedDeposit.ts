import { parseAddress } from '../../codec/address.js'
import { readTransaction, toTransactionBytes } from '../../codec/transaction.js'
import { decodeTransactionBody } from '../../codec/transactionBody.js'
import { readNativeScripts } from '../../codec/witnessSet.js'
import { InputReservedError } from '../../errors/client.js'
import type { Blueprint } from '../../tx/inner.js'
import { toUtxos } from '../../tx/inner.js'
import { refOf } from '../PendingView.js'
import type { DepositRequest, DepositSource } from './depositRequest.js'

/**
 * Makes the request for a deposit that the caller designed as a blueprint, and reserves its outputs against other
 * deposits.
 */
export function designedDeposit({ context, label }: DepositSource, designed: Blueprint): DepositRequest {
  const { txId, outputs, utxo, cborHex } = designed
  const heldRef = context.account.base.heldOf(utxo)
  if (heldRef !== undefined) throw new InputReservedError(heldRef)
  const spans = readTransaction(toTransactionBytes(cborHex))
  const { inputs, requiredSigners } = decodeTransactionBody(spans)
  const refs = new Set(inputs.map(({ txHash, index }) => `${txHash}#${index}`))
  // It states the outputs that it refers to as well.
  const spent = utxo.filter((each) => refs.has(refOf(each)))
  const entering = outputs.length === 0 ? spent : toUtxos({ txId, outputs })
  const signs =
    requiredSigners.length + readNativeScripts(spans).length > 0 ||
    utxo.some(({ output }) => output.scriptRef?.language === 'native') ||
    spent.some(({ output }) => parseAddress(output.address).payment?.kind === 'key')
  context.account.base.hold(utxo, label)
  return { blueprint: true, commit: designed, refs: entering.map(refOf), utxos: entering, signs }
}
