import { addressFromBytes } from '../../codec/address.js'
import { BODY_KEY, BodyEntries, TAG_SET } from '../../codec/bodyEntries.js'
import { equalBytes } from '../../codec/bytes.js'
import { readOptionalTag } from '../../codec/cbor/optional.js'
import { CborReader, MAJOR } from '../../codec/cbor/reader.js'
import type { Span } from '../../codec/cbor/reader.js'
import { bytesToHex } from '../../codec/hex.js'
import {
  readTransaction,
  toTransactionBytes,
  transactionHash,
  transactionId,
  type TransactionSpans
} from '../../codec/transaction.js'
import { readNativeScripts, readVkeyWitnesses, setVkeyWitnesses, type VkeyWitness } from '../../codec/witnessSet.js'
import { verify } from '../../crypto/inner.js'
import { TransactionMismatchError } from '../../errors/wallet.js'
import { blake2b224 } from '../../hash/blake2b.js'

/** A key's signature of a transaction. */
export interface TransactionWitness {
  /** Ed25519 public key: hex, 64 characters. */
  publicKeyHex: string
  /** Blake2b-224 of the public key: hex, 56 characters. */
  keyHashHex: string
  /** Signature of the transaction id: hex, 128 characters. */
  signatureHex: string
}

/** Blake2b-224 of a public key, hex. */
export const hashOfKey = (publicKey: Uint8Array): string => bytesToHex(blake2b224(publicKey))

/**
 * Returns the id of a transaction: blake2b-256 of its body's bytes, unchanged. Hex, 64 characters.
 *
 * @param txCbor - the transaction of any era from Shelley on, signed or not: CBOR hex.
 * @throws {@link InvalidHexError}, {@link InvalidCborError} when it is not one whole transaction.
 * @example
 * ```ts
 * import { txIdOf } from 'layer-sdk/wallet'
 * const tx = '84a3008182582000000000000000000000000000000000000000000000000000000000000000000001800200a0f5f6'
 * console.log(txIdOf(tx).length) // 64
 * ```
 */
export function txIdOf(txCbor: string): string {
  return transactionId(readTransaction(toTransactionBytes(txCbor)))
}

/**
 * Returns the hashes (hex, 56 characters) of the keys whose signature a transaction visibly demands: those of its
 * required signers, certificates, withdrawals and single-key native scripts, each once. The keys of its inputs are not
 * included, because only the outputs that it spends show them.
 *
 * @throws {@link InvalidHexError}, {@link InvalidCborError} when it is not one whole transaction.
 * @example
 * ```ts
 * import { requiredSigners } from 'layer-sdk/wallet'
 * const tx = '84a3008182582000000000000000000000000000000000000000000000000000000000000000000001800200a0f5f6'
 * console.log(requiredSigners(tx)) // []
 * ```
 */
export function requiredSigners(txCbor: string): string[] {
  return [...requiredKeyHashes(readTransaction(toTransactionBytes(txCbor)))]
}

/**
 * Returns the key witnesses that a transaction carries, in their order. They are not verified.
 *
 * @throws {@link InvalidHexError}, {@link InvalidCborError} when it is not one whole transaction.
 * @example
 * ```ts
 * import { AppWallet, witnessesOf } from 'layer-sdk/wallet'
 * const wallet = new AppWallet({ networkId: 0, key: { type: 'mnemonic', words: AppWallet.brew().split(' ') } })
 * const tx = '84a3008182582000000000000000000000000000000000000000000000000000000000000000000001800200a0f5f6'
 * console.log(witnessesOf(await wallet.signTx(tx))[0]?.keyHashHex === wallet.getAccount().paymentKey.keyHashHex) // true
 * ```
 */
export function witnessesOf(txCbor: string): TransactionWitness[] {
  return readVkeyWitnesses(readTransaction(toTransactionBytes(txCbor))).map(({ vkey, signature }) => ({
    publicKeyHex: bytesToHex(vkey),
    keyHashHex: hashOfKey(vkey),
    signatureHex: bytesToHex(signature)
  }))
}

/**
 * Adds the key witnesses of the second transaction to the first and returns the result, to combine the signatures of
 * parties that signed separately. When both have a witness of the same key, a valid signature replaces an invalid one.
 * The rest of the first transaction stays unchanged, byte for byte.
 *
 * @returns CBOR hex.
 * @throws {@link TransactionMismatchError} when the bodies differ: the signatures would not be of this transaction.
 * @throws {@link InvalidHexError}, {@link InvalidCborError} when one is not a whole transaction.
 * @example
 * ```ts
 * import { AppWallet, mergeWitnesses, witnessesOf } from 'layer-sdk/wallet'
 * const newWallet = () => new AppWallet({ networkId: 0, key: { type: 'mnemonic', words: AppWallet.brew().split(' ') } })
 * const tx = '84a3008182582000000000000000000000000000000000000000000000000000000000000000000001800200a0f5f6'
 * const both = mergeWitnesses(await newWallet().signTx(tx, true), await newWallet().signTx(tx, true))
 * console.log(witnessesOf(both).length) // 2
 * ```
 */
export function mergeWitnesses(txCborA: string, txCborB: string): string {
  const a = readTransaction(toTransactionBytes(txCborA))
  const b = readTransaction(toTransactionBytes(txCborB))
  const [id, idB] = [transactionHash(a), transactionHash(b)]
  if (!equalBytes(id, idB)) throw new TransactionMismatchError(bytesToHex(id), bytesToHex(idB))
  const valid = isSigned(a, id)
  const present = new Set(readVkeyWitnesses(a).map(({ vkey }) => bytesToHex(vkey)))
  const validInB = isSigned(b, id)
  const better = readVkeyWitnesses(b).filter(
    ({ vkey }) => !present.has(bytesToHex(vkey)) || (!valid(vkey) && validInB(vkey))
  )
  return bytesToHex(setVkeyWitnesses(a, better))
}

/**
 * Returns a function that tells whether a transaction carries a valid signature of a key, and no invalid one beside it,
 * which the ledger would refuse. `id`: the transaction's id.
 */
export function isSigned(transaction: TransactionSpans, id: Uint8Array): (vkey: Uint8Array) => boolean {
  const present = readVkeyWitnesses(transaction)
  return (vkey) => {
    const keyWitnesses = present.filter((each) => equalBytes(each.vkey, vkey))
    return keyWitnesses.length > 0 && keyWitnesses.every(({ signature }) => verify(signature, id, vkey))
  }
}

/**
 * Adds witnesses that the caller has made or verified to a transaction. A valid one of the same key that it has already
 * is kept.
 */
export function withWitnesses(
  transaction: TransactionSpans,
  id: Uint8Array,
  witnesses: readonly VkeyWitness[]
): Uint8Array {
  const signed = isSigned(transaction, id)
  return setVkeyWitnesses(
    transaction,
    witnesses.filter(({ vkey }) => !signed(vkey))
  )
}

/** See {@link requiredSigners}; `body` is the transaction's, when the caller has decoded it already. */
export function requiredKeyHashes(
  transaction: TransactionSpans,
  body: BodyEntries = new BodyEntries(transaction)
): Set<string> {
  const hashes = new Set(requiredKeys(transaction.bytes, body.entries.get(BODY_KEY.REQUIRED_SIGNERS)))
  for (const span of body.certificates) for (const hash of certificateKeys(transaction.bytes, span)) hashes.add(hash)
  for (const { address } of body.withdrawals) {
    const { stake } = addressFromBytes(address)
    if (stake?.kind === 'key') hashes.add(stake.hash)
  }
  for (const span of readNativeScripts(transaction)) {
    const reader = new CborReader(transaction.bytes, 'The native script', span.start, span.end)
    reader.readArrayHeader()
    // [0, key hash]: the one kind of script that no other key can satisfy.
    if (reader.readSafeUint() === 0) hashes.add(bytesToHex(reader.readBytes()))
  }
  return hashes
}

/**
 * Key hashes; from the Dijkstra era on also credentials `[0, key hash]` or `[1, script hash]`, of which only keys sign.
 */
function requiredKeys(bytes: Uint8Array, span: Span | undefined): string[] {
  if (span === undefined) return []
  const keys: string[] = []
  const reader = new CborReader(bytes, 'The required signers', span.start, span.end)
  readOptionalTag(reader, TAG_SET)
  reader.eachItem(() => {
    if (reader.peekMajor() === MAJOR.BYTES) keys.push(bytesToHex(reader.readBytes()))
    else keys.push(...credentialKey(reader))
  })
  return keys
}

/** Reads the hash of a credential `[0, key hash]`; no hash for a script's. */
function credentialKey(reader: CborReader): string[] {
  const count = reader.readArrayHeader()
  const kind = reader.readSafeUint()
  const hash = bytesToHex(reader.readBytes())
  if (count < 0) reader.readBreak()
  return kind === CREDENTIAL_KEY ? [hash] : []
}

/**
 * Certificates whose first field is a credential that must sign (Conway CDDL; old registrations, type 0, need no
 * signature).
 */
const CREDENTIAL_CERTIFICATES: ReadonlySet<number> = /* @__PURE__ */ new Set([
  1, 2, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18
])
const POOL_REGISTRATION = 3
const POOL_RETIREMENT = 4
const GENESIS_DELEGATION = 5
const CREDENTIAL_KEY = 0

/** Hashes of the keys that must sign for a certificate. Unknown kinds demand no visible key. */
function certificateKeys(bytes: Uint8Array, { start, end }: Span): string[] {
  const reader = new CborReader(bytes, 'The certificate', start, end)
  reader.readArrayHeader()
  const kind = reader.readSafeUint()
  if (kind === POOL_RETIREMENT || kind === GENESIS_DELEGATION) return [bytesToHex(reader.readBytes())]
  if (kind === POOL_REGISTRATION) return poolKeys(reader)
  return CREDENTIAL_CERTIFICATES.has(kind) ? credentialKey(reader) : []
}

/**
 * [3, operator, vrf key hash, pledge, cost, margin, reward account, owners, ...]: operator and owners sign. The owners
 * are the first list; Dijkstra has one field more before.
 */
function poolKeys(reader: CborReader): string[] {
  const keys = [bytesToHex(reader.readBytes())]
  while (!readOptionalTag(reader, TAG_SET) && reader.peekMajor() !== MAJOR.ARRAY) reader.skip()
  reader.eachItem(() => keys.push(bytesToHex(reader.readBytes())))
  return keys
}
