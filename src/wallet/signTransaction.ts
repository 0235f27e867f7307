import { BODY_KEY, BodyEntries } from '../codec/bodyEntries.js'
import { bytesToHex } from '../codec/hex.js'
import { readTransaction, toTransactionBytes, transactionHash } from '../codec/transaction.js'
import { addVkeyWitnesses, readVkeyWitnesses } from '../codec/witnessSet.js'
import { InvalidArgumentError, InvalidCborError } from '../errors/input.js'
import { MissingSignersError } from '../errors/wallet.js'
import type { Signer } from './Signer.js'
import { demandedKeyHashes, hashOfKey } from './witnesses.js'

/**
 * Signs a transaction and splices the signatures into its witness set; every other byte stays as it came.
 *
 * @param always - keys that sign in any case: those of inputs are not visible in a transaction.
 * @param whenDemanded - further own keys, which sign when the transaction visibly demands them. Called with the demanded key hashes.
 */
export function signTransaction(txCbor: string, partialSign: boolean, always: Signer, whenDemanded: () => readonly Signer[] = () => []): string {
  if (typeof partialSign !== 'boolean') throw new InvalidArgumentError('partialSign', 'true or false', partialSign)
  const transaction = readTransaction(toTransactionBytes(txCbor))
  const body = new BodyEntries(transaction)
  // Nothing is signed blindly: a map without inputs that can be read is no transaction. An empty list is a draft.
  if (!body.entries.has(BODY_KEY.INPUTS) || !body.inputs) throw new InvalidCborError('The transaction body', transaction.body.start, 'inputs', 'none')
  const demanded = demandedKeyHashes(transaction, body)
  const present = new Set(readVkeyWitnesses(transaction).map(({ vkey }) => hashOfKey(vkey)))
  const further = demanded.size === 0 ? [] : whenDemanded().filter(({ keyHash }) => demanded.has(keyHash))
  const signers = [always, ...further].filter(({ keyHash }) => !present.has(keyHash))
  if (!partialSign) {
    const covered = new Set([...present, ...signers.map(({ keyHash }) => keyHash)])
    const missing = [...demanded].filter((hash) => !covered.has(hash))
    if (missing.length > 0) throw new MissingSignersError(missing)
  }
  if (signers.length === 0) return bytesToHex(transaction.bytes)
  const id = transactionHash(transaction)
  return bytesToHex(addVkeyWitnesses(transaction, signers.map((signer) => ({ vkey: signer.publicKey, signature: signer.sign(id) }))))
}
