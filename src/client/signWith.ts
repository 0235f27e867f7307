import { readTransaction, toTransactionBytes, transactionId } from '../codec/transaction.js'
import { readVkeyWitnesses } from '../codec/witnessSet.js'
import { WalletChangedTxError, WalletSignedNothingError } from '../errors/clientWallet.js'
import { callWallet } from './callWallet.js'
import type { Wallet } from '../types/wallet.js'

/** CBOR of an empty witness set, as transactions are built. */
const NO_WITNESSES = 'a0'

/**
 * Has the wallet sign a transaction, and checks that it added a signature and did not change the body. @throws
 * {@link WalletChangedTxError}, {@link WalletSignedNothingError}, the errors of the wallet
 */
export async function signWith(wallet: Wallet, txId: string, cborHex: string, partialSign: boolean): Promise<string> {
  const signed = await callWallet('signTx', () => wallet.signTx(cborHex, partialSign))
  const transaction = readTransaction(toTransactionBytes(signed))
  const bodyEnd = 2 * transaction.body.end
  // The same characters up to the end of the body: the same body, so that no hash is needed.
  const isSameText = cborHex.startsWith(signed.slice(0, bodyEnd))
  const signedId = isSameText ? txId : transactionId(transaction)
  if (signedId !== txId) throw new WalletChangedTxError(txId, signedId)
  const before =
    isSameText && cborHex.startsWith(NO_WITNESSES, bodyEnd)
      ? 0
      : readVkeyWitnesses(readTransaction(toTransactionBytes(cborHex))).length
  if (readVkeyWitnesses(transaction).length <= before) throw new WalletSignedNothingError(txId)
  return signed
}
