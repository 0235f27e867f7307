import { addressFromBytes } from '../../codec/address.js'
import { CborReader } from '../../codec/cbor/reader.js'
import { bytesToHex } from '../../codec/hex.js'
import type { NativeScript } from '../../codec/nativeScript.js'
import { nativeScriptFromBytes, nativeScriptHash } from '../../codec/nativeScript.js'
import type { TransactionSpans } from '../../codec/transaction.js'
import { readTransaction, transactionHash } from '../../codec/transaction.js'
import type { TransactionBody, BodyWithdrawal } from '../../codec/transactionBody.js'
import { BODY_KEY, decodeTransactionBody } from '../../codec/transactionBody.js'
import type { Value } from '../../codec/value.js'
import { readNativeScripts, readVkeyWitnesses, readWitnessEntries, WITNESS_KEY } from '../../codec/witnessSet.js'
import { verify } from '../../crypto/inner.js'
import { blake2b224, blake2b256 } from '../../hash/blake2b.js'
import type { TxInput, TxOutput } from '../../types/utxo.js'
import { assertMint, assertOutputShape } from './cborRules.js'
import { JsonText, toJson } from '../json/jsonText.js'
import { metadataIsValid } from './metadataRules.js'
import type { PlutusScript } from './plutusScript.js'
import { assertDecodable } from './strictDecoder.js'
import type { TxScripts } from './txScripts.js'
import { auxiliaryScripts, readTxScripts } from './txScripts.js'
import { LedgerEntry } from './utxoSet.js'

/** A transaction decoded once: all that the rules need, independent of a UTxO. */
export interface PreparedTx {
  /** Hex, 64 characters. */
  readonly txId: string
  /** The node's text envelope. */
  readonly envelope: JsonText
  readonly bytes: Uint8Array
  /** Bytes as the ledger counts them: without `isValid`. */
  readonly sizeBytes: number
  readonly inputs: readonly TxInput[]
  readonly collateral: readonly TxInput[]
  readonly referenceInputs: readonly TxInput[]
  readonly outputs: readonly LedgerEntry[]
  /**
   * Output that replaces all outputs of a transaction that declares its scripts failed; its index follows the last of
   * theirs.
   */
  readonly collateralReturn: LedgerEntry | null
  /** Bytes of each output, and of its value, as they stand; the collateral's return is the last. */
  readonly outputSizes: readonly { readonly output: number; readonly value: number }[]
  /** Lovelace; the amount that the transaction states to lose if its scripts fail. */
  readonly totalCollateral: bigint | undefined
  /** The transaction's own statement about its scripts: false means that they fail and only the collateral is spent. */
  readonly isValid: boolean
  /** Outputs that it spends: its inputs, or its collateral when its scripts fail. */
  readonly spends: readonly TxInput[]
  /** Outputs that it makes: its outputs, or the collateral's return. */
  readonly produces: readonly LedgerEntry[]
  readonly fee: bigint
  readonly ttl: bigint | undefined
  readonly validityStart: bigint | undefined
  readonly mint: Value
  readonly requiredSigners: readonly string[]
  readonly withdrawals: readonly BodyWithdrawal[]
  readonly networkId: number | undefined
  /** Lovelace that the transaction says are in the treasury. */
  readonly treasury: bigint | undefined
  /**
   * Hashes of the keys that signed, rightly or wrongly: the ledger reports a wrong signature as such, not as missing
   * too.
   */
  readonly signers: ReadonlySet<string>
  /** Keys, hex, whose signatures are wrong. */
  readonly wrongSignatures: readonly string[]
  readonly nativeScripts: ReadonlyMap<string, NativeScript>
  /** Plutus scripts, datums and redeemers. */
  readonly scripts: TxScripts
  readonly auxiliaryData: {
    readonly declared: string | undefined
    readonly actual: string | undefined
    readonly valid: boolean
    /** Plutus scripts that it publishes. */
    readonly scripts: readonly PlutusScript[]
  }
  /** A part that the local node has no rules for, or `null`. */
  readonly unsupported: string | null
}

/** Body keys that a head has no use for: certificates and governance. */
const UNSUPPORTED_KEYS: readonly (readonly [number, string])[] = [
  [BODY_KEY.CERTIFICATES, 'certificates'],
  [BODY_KEY.VOTING_PROCEDURES, 'votes'],
  [BODY_KEY.PROPOSAL_PROCEDURES, 'proposals'],
  [BODY_KEY.DONATION, 'donations']
]
/** `transaction_body` of the Conway CDDL; 6, 10 and 12 are not used any more. */
const LAST_BODY_KEY = 22
const CBOR_FALSE = 0xf4
const NOT_IN_CONWAY = [6, 10, 12]

/**
 * Decodes a transaction and verifies its signatures.
 *
 * @throws {@link InvalidCborError} and the like on a transaction that the node's decoder refuses before any rule runs.
 *
 * @param options.verified - it has been verified before: its signatures are checked on demand.
 */
export function prepareTx(bytes: Uint8Array, { verified = false }: { readonly verified?: boolean } = {}): PreparedTx {
  const spans = readTransaction(bytes)
  if (spans.isValid === null) new CborReader(bytes, 'The transaction').fail('an array of 4 items', '3 items')
  const body = decodeTransactionBody(spans)
  assertBodyKeys(body, bytes, spans)
  const hash = transactionHash(spans)
  const txId = bytesToHex(hash)
  let checked = verified ? null : checkSignatures(spans, hash)
  const { mint, inputs, collateral, referenceInputs, withdrawals } = body
  assertDecodable(spans, body)
  const mintSpan = body.entries.get(BODY_KEY.MINT)
  if (mintSpan !== undefined) assertMint(bytes, mintSpan)
  if (withdrawals.some(({ address }) => addressFromBytes(address).type !== 'reward')) {
    new CborReader(bytes, 'The withdrawals').fail('reward addresses', 'another address')
  }
  const collateralReturn =
    body.collateralReturn === undefined
      ? null
      : entryOf({ txHash: txId, index: body.outputSpans.length }, body.collateralReturn)
  const outputs = body.outputs.map((output, index) => entryOf({ txHash: txId, index }, output))
  const isValid = bytes[spans.isValid!.start] !== CBOR_FALSE
  const outputSpans = [
    ...body.outputSpans,
    ...[body.entries.get(BODY_KEY.COLLATERAL_RETURN)].filter((span) => span !== undefined)
  ]
  return {
    txId,
    envelope: txEnvelope(bytes, txId),
    bytes,
    sizeBytes: bytes.length - 1,
    inputs,
    collateral,
    referenceInputs,
    outputs,
    collateralReturn,
    totalCollateral: body.totalCollateral,
    isValid,
    spends: isValid ? inputs : collateral,
    produces: isValid ? outputs : collateralReturn === null ? [] : [collateralReturn],
    outputSizes: outputSpans.map((span) => ({ output: span.end - span.start, value: assertOutputShape(bytes, span) })),
    fee: body.fee,
    ttl: body.ttl,
    validityStart: body.validityStart,
    mint,
    requiredSigners: body.requiredSigners,
    withdrawals,
    networkId: body.networkId,
    treasury: body.treasury,
    get signers() {
      return (checked ??= checkSignatures(spans, hash)).signers
    },
    get wrongSignatures() {
      return (checked ??= checkSignatures(spans, hash)).wrongSignatures
    },
    nativeScripts: nativeScriptsOf(spans),
    scripts: readTxScripts(spans, body),
    auxiliaryData: auxiliaryDataOf(spans, body),
    unsupported: unsupportedPart(spans, body)
  }
}

/**
 * Returns a transaction in the node's text envelope, which is written only when needed, because the history holds many.
 */
export function txEnvelope(bytes: Uint8Array, txId: string): JsonText {
  return new JsonText(() => toJson({ cborHex: bytesToHex(bytes), description: '', txId, type: 'Tx ConwayEra' }))
}

function assertBodyKeys(body: TransactionBody, bytes: Uint8Array, { body: span }: TransactionSpans): void {
  const reader = new CborReader(bytes, 'The transaction body', span.start)
  for (const key of [BODY_KEY.INPUTS, BODY_KEY.OUTPUTS, BODY_KEY.FEE]) {
    if (!body.entries.has(key)) reader.fail(`key ${key}`, 'a body without it')
  }
  for (const key of body.entries.keys()) {
    if (key > LAST_BODY_KEY || NOT_IN_CONWAY.includes(key))
      reader.fail('keys of a Conway transaction body', `key ${key}`)
  }
}

function entryOf(input: TxInput, output: TxOutput): LedgerEntry {
  const entry = new LedgerEntry(input, output)
  // A datum or script that cannot be read is refused here, and not in the middle of a snapshot.
  entry.assertReadable()
  return entry
}

function checkSignatures(
  spans: TransactionSpans,
  hash: Uint8Array
): { signers: Set<string>; wrongSignatures: string[] } {
  const signers = new Set<string>()
  const wrongSignatures: string[] = []
  for (const { vkey, signature } of readVkeyWitnesses(spans)) {
    signers.add(bytesToHex(blake2b224(vkey)))
    if (!verify(signature, hash, vkey)) wrongSignatures.push(bytesToHex(vkey))
  }
  return { signers, wrongSignatures }
}

function nativeScriptsOf(spans: TransactionSpans): Map<string, NativeScript> {
  const scripts = new Map<string, NativeScript>()
  for (const { start, end } of readNativeScripts(spans)) {
    const cbor = spans.bytes.subarray(start, end)
    scripts.set(nativeScriptHash(cbor), nativeScriptFromBytes(cbor))
  }
  return scripts
}

function auxiliaryDataOf(
  { bytes, auxiliaryData }: TransactionSpans,
  body: TransactionBody
): PreparedTx['auxiliaryData'] {
  const declared = body.auxiliaryDataHash
  if (auxiliaryData === null) return { declared, actual: undefined, valid: true, scripts: [] }
  const data = bytes.subarray(auxiliaryData.start, auxiliaryData.end)
  return {
    declared,
    actual: bytesToHex(blake2b256(data)),
    valid: metadataIsValid(data),
    scripts: auxiliaryScripts(data)
  }
}

function unsupportedPart(spans: TransactionSpans, body: TransactionBody): string | null {
  for (const [key, what] of UNSUPPORTED_KEYS) if (body.entries.has(key)) return what
  return readWitnessEntries(spans).has(WITNESS_KEY.BOOTSTRAP) ? 'Byron witnesses' : null
}
