import { hexToBytes } from '../../../codec/hex.js'
import type { BaseChain } from '../../chain/BaseChain.js'
import { prepareTx, type PreparedTx } from '../../rules/preparedTx.js'
import { isObject } from '../../json/isObject.js'
import type { JsonValue } from '../../json/jsonText.js'
import { invalidRequest, RpcFailure } from './failure.js'
import { refusalOf } from './refusal.js'
import type { Params } from './Params.js'

/** `submitTransaction` */
export async function answerSubmit(params: Params, chain: BaseChain): Promise<JsonValue> {
  let tx: PreparedTx
  const bytes = transactionBytes(params)
  try {
    tx = prepareTx(bytes)
  } catch (error) {
    throw deserialisationFailure(error as Error)
  }
  const reasons = await chain.submit(tx)
  if (reasons.length > 0) throw refusalOf(reasons, tx, chain)
  return { transaction: { id: tx.txId } }
}

/** The bytes of `{ transaction: { cbor } }`. @throws {@link RpcFailure} */
export function transactionBytes({ transaction }: Params): Uint8Array {
  const cbor = isObject(transaction) ? transaction['cbor'] : undefined
  if (typeof cbor !== 'string' || !/^([0-9a-f]{2})+$/i.test(cbor))
    throw invalidRequest("field 'transaction.cbor' must be CBOR in hex")
  return hexToBytes(cbor)
}

/**
 * Returns the error for a transaction that cannot be decoded. Ogmios names a reason for each era; here there is only
 * one era.
 */
export function deserialisationFailure({ message }: Error): RpcFailure {
  const eras = ['shelley', 'allegra', 'mary', 'alonzo', 'babbage', 'conway']
  const reason = message.split('\n', 1)[0]!
  return new RpcFailure(
    -32602,
    `Invalid transaction: it is not well-formed. ${reason}`,
    Object.fromEntries(eras.map((era) => [era, reason]))
  )
}
