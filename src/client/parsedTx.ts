import { readTransaction, toTransactionBytes, transactionId } from '../codec/transaction.js'
import { decodeTransactionBody } from '../codec/transactionBody.js'
import { readVkeyWitnesses } from '../codec/witnessSet.js'
import { InvalidArgumentError } from '../errors/input.js'
import type { TxInput, UTxO } from '../types/utxo.js'
import type { ClientContext } from './ClientContext.js'
import type { AnyTransaction } from './types.js'

/** A parsed transaction, with the parts by which the client follows it. */
export interface ParsedTx {
  readonly txId: string
  readonly cborHex: string
  readonly fee: bigint
  readonly inputs: readonly TxInput[]
  readonly outputs: UTxO['output'][]
  readonly isSigned: boolean
  /** True where it runs Plutus scripts. */
  readonly hasScripts: boolean
  readonly ttl: bigint | undefined
}

/**
 * Resolves the inputs of a transaction to outputs. One that the head does not know becomes an empty output, and the
 * ledger will refuse it.
 */
export function inputsOf(context: ClientContext, { inputs }: Pick<ParsedTx, 'inputs'>): UTxO[] {
  return inputs.map((input) => ({ input, output: outputOf(context, input) ?? { address: '', amount: [] } }))
}

function outputOf(context: ClientContext, { txHash, index }: TxInput): UTxO['output'] | undefined {
  const parent = context.view.get(txHash)
  if (parent !== undefined) return parent.outputs[index]?.output
  for (const address of context.account.addresses ?? []) {
    const found = context.bridge
      .getAddressUTxOs(address)
      ?.find(({ input }) => input.txHash === txHash && input.index === index)
    if (found !== undefined) return found.output
  }
  // Another client's: rare, and a scan of every output.
  return context.bridge.snapshotUtxoArray().find(({ input }) => input.txHash === txHash && input.index === index)
    ?.output
}

/**
 * Parses a transaction that a caller passed. @throws {@link InvalidArgumentError}, {@link InvalidHexError},
 * {@link InvalidCborError}
 */
export function parseTx(transaction: AnyTransaction): ParsedTx {
  const cborHex: unknown = typeof transaction === 'object' && transaction !== null ? transaction.cborHex : transaction
  if (typeof cborHex !== 'string')
    throw new InvalidArgumentError('transaction', 'CBOR hex, a built transaction, or { cborHex }', transaction)
  const spans = readTransaction(toTransactionBytes(cborHex))
  const body = decodeTransactionBody(spans)
  const txId = transactionId(spans)
  const stated = typeof transaction === 'object' ? transaction.txId : undefined
  if (stated !== undefined && stated.toLowerCase() !== txId)
    throw new InvalidArgumentError('transaction.txId', `the id of the transaction, ${txId}`, stated)
  return {
    txId,
    cborHex: cborHex.toLowerCase(),
    fee: body.fee,
    inputs: body.inputs,
    outputs: body.outputs,
    ttl: body.ttl,
    isSigned: readVkeyWitnesses(spans).length > 0,
    hasScripts: body.scriptDataHash !== undefined
  }
}
