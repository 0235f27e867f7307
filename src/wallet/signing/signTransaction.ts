import { BODY_KEY, BodyEntries } from '../../codec/bodyEntries.js'
import { bytesToHex } from '../../codec/hex.js'
import { assertNoRepeatedEntries } from '../../codec/repeatedEntries.js'
import { readTransaction, toTransactionBytes, transactionHash } from '../../codec/transaction.js'
import { readVkeyWitnesses, setVkeyWitnesses } from '../../codec/witnessSet.js'
import { InvalidArgumentError, InvalidCborError } from '../../errors/input.js'
import { MissingSignersError } from '../../errors/wallet.js'
import type { Signer } from '../keys/Signer.js'
import { requiredKeyHashes, hashOfKey, isSigned } from './witnesses.js'

/**
 * Signs a transaction and splices the signatures into its witness set; every other byte stays unchanged. An existing
 * signature of an own key is kept when it is valid, and replaced when it is not.
 *
 * @param signer - signs in any case: the keys of inputs are not visible in a transaction.
 * @param optionalSigners - further own keys. They sign when the transaction visibly demands them, or carries a witness
 * of theirs.
 */
export function signTransaction(
  txCbor: string,
  partialSign: boolean,
  signer: Signer,
  optionalSigners: readonly Signer[] = []
): string {
  if (typeof partialSign !== 'boolean') throw new InvalidArgumentError('partialSign', 'true or false', partialSign)
  const transaction = readTransaction(toTransactionBytes(txCbor))
  const body = new BodyEntries(transaction)
  // No bytes are signed blindly: a map without inputs that can be read is no transaction. An empty list is a draft.
  if (!body.entries.has(BODY_KEY.INPUTS) || !body.inputs)
    throw new InvalidCborError('The transaction body', transaction.body.start, 'inputs', 'none')
  assertNoRepeatedEntries(transaction.bytes, body)
  const demanded = requiredKeyHashes(transaction, body)
  const present = new Set(readVkeyWitnesses(transaction).map(({ vkey }) => hashOfKey(vkey)))
  const concerned = [signer, ...optionalSigners.filter(({ keyHash }) => demanded.has(keyHash) || present.has(keyHash))]
  if (!partialSign) {
    const covered = new Set([...present, ...concerned.map(({ keyHash }) => keyHash)])
    const missing = [...demanded].filter((hash) => !covered.has(hash))
    if (missing.length > 0) throw new MissingSignersError(missing)
  }
  const id = transactionHash(transaction)
  const signed = isSigned(transaction, id)
  const witnesses = concerned
    .filter(({ publicKey }) => !signed(publicKey))
    .map((each) => ({ vkey: each.publicKey, signature: each.sign(id) }))
  return bytesToHex(setVkeyWitnesses(transaction, witnesses))
}
