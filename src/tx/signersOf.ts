import type { Credential } from '../codec/address.js'
import { addressFromBytes, parseAddress } from '../codec/address.js'
import { bytesToHex, hexToBytes } from '../codec/hex.js'
import type { NativeScript } from '../codec/nativeScript.js'
import { nativeScriptFromBytes, nativeScriptHash } from '../codec/nativeScript.js'
import { readTransaction, toTransactionBytes } from '../codec/transaction.js'
import { decodeTransactionBody } from '../codec/transactionBody.js'
import { readNativeScripts, readVkeyWitnesses } from '../codec/witnessSet.js'
import { InvalidArgumentError } from '../errors/input.js'
import { blake2b224 } from '../hash/blake2b.js'
import type { UTxO } from '../types/utxo.js'
import { assertUtxos, inputKey, keyHashesOf } from './inputs.js'

/** Reason for which a key must sign. */
export interface SignerReason {
  /** Part that needs the key: an input, collateral, a withdrawal, the list of required signers, or a native script. */
  kind: 'input' | 'collateral' | 'withdrawal' | 'required' | 'native-script'
  /** `txHash#index`, the bytes of the reward address in hex, or the script hash; null for a required signer. */
  subject: string | null
}

/** A key that may have to sign a transaction. */
export interface TxSigner {
  /** Key hash: hex, 56 characters. */
  keyHash: string
  /** True when the transaction has a signature of the key. The signature is not verified. */
  signed: boolean
  /** False for a key of a native script that could also be satisfied without it. */
  needed: boolean
  /** Reasons, at least one. */
  reasons: SignerReason[]
}

/** Signatures that a transaction needs and has. */
export interface TxSigners {
  /** Keys that may have to sign, in the order in which the transaction names them. */
  signers: TxSigner[]
  /**
   * Hashes of the needed keys whose signatures are missing. Keys of a native script that could be satisfied without
   * them are left out.
   */
  missing: string[]
  /** Native scripts: `scriptHash` (hex), `satisfied` when it has enough signatures, `keyHashes` that it names (hex). */
  scripts: { scriptHash: string; satisfied: boolean; keyHashes: string[] }[]
  /** Inputs (`txHash#index`) whose outputs are not among `utxos`, so that their signers are unknown. */
  unknown: string[]
  /** True when every key and every native script has its signatures, and every input is known. */
  complete: boolean
}

/**
 * Lists the keys that must sign a transaction, and those that have signed it: keys of inputs, collateral and
 * withdrawals, required signers, and keys that native scripts name. Certificates and votes are not considered.
 *
 * @param tx - CBOR hex, signed or not, or a built transaction, of which `cborHex` is read
 * @param utxos - outputs that it spends, refers to and uses as collateral
 * @throws {@link InvalidArgumentError}, {@link InvalidHexError}, {@link InvalidCborError}
 * @example
 * ```ts
 * import { signersOf, TxBuilder } from 'layer-sdk/tx'
 *
 * const address = 'addr_test1vzpwq95z3xyum8vqndgdd9mdnmafh3djcxnc6jemlgdmswcve6tkw'
 * const output = { address, amount: [{ unit: 'lovelace', quantity: '9000000' }] }
 * const utxos = [{ input: { txHash: '00'.repeat(32), index: 0 }, output }]
 * const tx = new TxBuilder().spend(utxos).changeTo(address).build()
 * console.log(signersOf(tx, utxos).missing) // one key
 * ```
 */
export function signersOf(tx: string | { readonly cborHex: string }, utxos: readonly UTxO[]): TxSigners {
  const cborHex: unknown = typeof tx === 'object' && tx !== null ? tx.cborHex : tx
  if (typeof cborHex !== 'string') throw new InvalidArgumentError('tx', 'CBOR hex, or { cborHex }', tx)
  const spans = readTransaction(toTransactionBytes(cborHex))
  const body = decodeTransactionBody(spans)
  const outputs = new Map(assertUtxos(utxos).map((utxo) => [inputKey(utxo.input), utxo]))
  const signed = new Set(readVkeyWitnesses(spans).map(({ vkey }) => bytesToHex(blake2b224(vkey))))
  const natives = new Map<string, NativeScript>()
  for (const { start, end } of readNativeScripts(spans)) addNative(natives, spans.bytes.subarray(start, end))
  for (const input of [...body.inputs, ...body.referenceInputs]) {
    const scriptRef = outputs.get(inputKey(input))?.output.scriptRef
    if (scriptRef?.language === 'native') addNative(natives, hexToBytes(scriptRef.cborHex))
  }
  const signers = new Map<string, TxSigner>()
  const scripts = new Map<string, { scriptHash: string; satisfied: boolean; keyHashes: string[] }>()
  const unknown: string[] = []
  const addKey = (keyHash: string, needed: boolean, reason: SignerReason): void => {
    const signer = signers.get(keyHash)
    if (signer === undefined) signers.set(keyHash, { keyHash, signed: signed.has(keyHash), needed, reasons: [reason] })
    else {
      signer.needed ||= needed
      signer.reasons.push(reason)
    }
  }
  const addScript = (scriptHash: string): void => {
    const script = natives.get(scriptHash)
    if (script === undefined || scripts.has(scriptHash)) return
    const keyHashes = [...new Set(keyHashesOf(script))]
    scripts.set(scriptHash, { scriptHash, satisfied: isSigned(script, signed), keyHashes })
    const all = new Set(keyHashes)
    for (const keyHash of keyHashes) {
      all.delete(keyHash)
      // Needed, when all the others together do not suffice.
      addKey(keyHash, !isSigned(script, all), { kind: 'native-script', subject: scriptHash })
      all.add(keyHash)
    }
  }
  const addCredential = (credential: Credential | undefined, reason: SignerReason): void => {
    if (credential?.kind === 'key') addKey(credential.hash, true, reason)
    else if (credential !== undefined) addScript(credential.hash)
  }
  for (const kind of ['input', 'collateral'] as const)
    for (const input of kind === 'input' ? body.inputs : body.collateral) {
      const utxo = outputs.get(inputKey(input))
      if (utxo === undefined) unknown.push(inputKey(input))
      else addCredential(parseAddress(utxo.output.address).payment, { kind, subject: inputKey(input) })
    }
  for (const { address } of body.withdrawals)
    addCredential(addressFromBytes(address).stake, { kind: 'withdrawal', subject: bytesToHex(address) })
  for (const unit of body.mint.keys()) addScript(unit.slice(0, 56))
  for (const keyHash of body.requiredSigners) addKey(keyHash, true, { kind: 'required', subject: null })
  const all = [...signers.values()]
  const missing = all.filter((signer) => signer.needed && !signer.signed).map(({ keyHash }) => keyHash)
  const open = [...scripts.values()]
  const complete = missing.length + unknown.length === 0 && open.every(({ satisfied }) => satisfied)
  return { signers: all, missing, scripts: open, unknown, complete }
}

function addNative(natives: Map<string, NativeScript>, cbor: Uint8Array): void {
  natives.set(nativeScriptHash(cbor), nativeScriptFromBytes(cbor))
}

/**
 * Returns true when these keys satisfy the script. Its time bounds count as met: the body's validity decides on them.
 */
function isSigned(script: NativeScript, keys: ReadonlySet<string>): boolean {
  switch (script.type) {
    case 'sig':
      return keys.has(script.keyHash)
    case 'all':
      return script.scripts.every((each) => isSigned(each, keys))
    case 'any':
      return script.scripts.some((each) => isSigned(each, keys))
    case 'atLeast':
      return script.scripts.filter((each) => isSigned(each, keys)).length >= script.required
    case 'after':
    case 'before':
      return true
  }
}
