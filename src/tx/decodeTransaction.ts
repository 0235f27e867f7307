import { addressToString } from '../codec/address.js'
import type { AuxiliaryData } from '../codec/auxiliaryData.js'
import { decodeAuxiliaryData } from '../codec/auxiliaryData.js'
import { readBool } from '../codec/cbor/optional.js'
import { CborReader } from '../codec/cbor/reader.js'
import type { Span } from '../codec/cbor/reader.js'
import { bytesToHex } from '../codec/hex.js'
import type { Metadatum } from '../codec/metadatum.js'
import { assertNoRepeatedEntries } from '../codec/repeatedEntries.js'
import { readTransaction, toTransactionBytes, transactionId } from '../codec/transaction.js'
import { BODY_KEY, decodeTransactionBody } from '../codec/transactionBody.js'
import type { TransactionBody } from '../codec/transactionBody.js'
import { InvalidArgumentError } from '../errors/input.js'
import type { Amount, ScriptRef, TxInput, TxOutput, UTxO } from '../types/utxo.js'
import { decodeWitnesses } from './decodeWitnesses.js'
import type { DecodedWitnesses } from './decodeWitnesses.js'

/** Withdrawal of staking rewards. */
export interface DecodedWithdrawal {
  /** Reward address: bech32. */
  readonly address: string
  /** Lovelace. */
  readonly amount: bigint
}

/** Decoded transaction. `cborHex` has its original bytes; parts that it does not have are null or empty. */
export interface DecodedTransaction extends DecodedWitnesses {
  /** Blake2b-256 of the body's bytes: hex, 64 characters. */
  readonly txId: string
  /** The original transaction: CBOR hex in lower case. */
  readonly cborHex: string
  /** False when it is marked as a transaction whose scripts fail, so that only its collateral is spent. */
  readonly isValid: boolean
  /** References of the outputs that it spends, in the transaction's order. */
  readonly inputs: readonly TxInput[]
  /** References of the outputs that it reads without spending them. */
  readonly referenceInputs: readonly TxInput[]
  /** References of the outputs that are spent when its scripts fail. */
  readonly collateral: readonly TxInput[]
  /** Output that returns the rest of the collateral when its scripts fail. */
  readonly collateralReturn: TxOutput | null
  /** Amount that the ledger collects when its scripts fail: lovelace. */
  readonly totalCollateral: bigint | null
  /** Outputs that it creates, in order, each with its reference as `input`. */
  readonly outputs: readonly UTxO[]
  /** Lovelace. */
  readonly fee: bigint
  /** First slot at which it is valid. */
  readonly validFrom: bigint | null
  /** First slot at which it is no longer valid. */
  readonly validTo: bigint | null
  /** Assets minted, or burned where the quantity is negative. */
  readonly mint: readonly Amount[]
  /** Rewards that it withdraws. */
  readonly withdrawals: readonly DecodedWithdrawal[]
  /** Original CBOR of each certificate: hex. */
  readonly certificates: readonly string[]
  /** Original CBOR of the votes: hex. */
  readonly votes: string | null
  /** Original CBOR of the proposals: hex. */
  readonly proposals: string | null
  /** Value of the treasury that the transaction states, as its scripts may require: lovelace. */
  readonly treasury: bigint | null
  /** Donation to the treasury: lovelace. */
  readonly donation: bigint | null
  /** Hashes of the keys that must sign: hex, 56 characters each. */
  readonly requiredSigners: readonly string[]
  /** 1: mainnet; 0: a test network. */
  readonly networkId: number | null
  /** Hex, 64 characters. */
  readonly auxiliaryDataHash: string | null
  /** Hex, 64 characters. */
  readonly scriptDataHash: string | null
  /** Metadata by label; empty when it has none. `toObject()` of an entry returns plain values. */
  readonly metadata: ReadonlyMap<bigint, Metadatum>
  /** Scripts in the auxiliary data, besides the metadata. */
  readonly auxiliaryScripts: readonly ScriptRef[]
}

/**
 * Decodes a transaction of any era from Shelley on: inputs, outputs, fee, validity, mint, metadata, datums, scripts,
 * redeemers and signers. Integers are exact; datums, redeemers, scripts and certificates keep their original bytes.
 * Signatures are not verified, and the rules of the ledger are not checked.
 *
 * @param cborHex - the signed or unsigned transaction: hex.
 * @throws {@link InvalidHexError}, {@link InvalidCborError} on bytes that are not a transaction, or that contain an
 * entry twice of which only one can be valid; {@link InvalidAddressError} on an output to a malformed address;
 * {@link InvalidArgumentError} on a value that is not a text
 * @see https://github.com/IntersectMBO/cardano-ledger/blob/master/eras/conway/impl/cddl-files/conway.cddl
 * @example
 * ```ts
 * import { decodeTransaction } from 'layer-sdk/tx'
 *
 * const cborHex =
 *   '84a300d90102818258200000000000000000000000000000000000000000000000000000000000000000000181a200581d60' +
 *   '00000000000000000000000000000000000000000000000000000000011a001e84800200a0f5f6'
 * const { txId, outputs, fee } = decodeTransaction(cborHex)
 * console.log(txId, outputs[0].output.amount, fee)
 * ```
 */
export function decodeTransaction(cborHex: string): DecodedTransaction {
  if (typeof cborHex !== 'string') throw new InvalidArgumentError('cborHex', 'a transaction: CBOR as hex', cborHex)
  const spans = readTransaction(toTransactionBytes(cborHex))
  const { bytes } = spans
  const body = decodeTransactionBody(spans)
  assertNoRepeatedEntries(bytes, body)
  const txId = transactionId(spans)
  const auxiliary: AuxiliaryData =
    spans.auxiliaryData === null
      ? { metadata: new Map(), scripts: [] }
      : decodeAuxiliaryData(bytes.subarray(spans.auxiliaryData.start, spans.auxiliaryData.end))
  return {
    txId,
    cborHex: bytesToHex(bytes),
    isValid: spans.isValid === null || readBool(readerOf(bytes, spans.isValid)),
    ...decodeBody(body, bytes, txId),
    ...decodeWitnesses(spans),
    metadata: auxiliary.metadata,
    auxiliaryScripts: auxiliary.scripts
  }
}

type BodyMembers = Omit<
  DecodedTransaction,
  keyof DecodedWitnesses | 'txId' | 'cborHex' | 'isValid' | 'metadata' | 'auxiliaryScripts'
>

function decodeBody(body: TransactionBody, bytes: Uint8Array, txId: string): BodyMembers {
  const rawOf = (key: number): string | null => {
    const span = body.entries.get(key)
    return span === undefined ? null : hexOf(bytes, span)
  }
  const donation = body.entries.get(BODY_KEY.DONATION)
  return {
    inputs: body.inputs,
    referenceInputs: body.referenceInputs,
    collateral: body.collateral,
    collateralReturn: body.collateralReturn ?? null,
    totalCollateral: body.totalCollateral ?? null,
    outputs: body.outputs.map((output, index) => ({ input: { txHash: txId, index }, output })),
    fee: body.fee,
    validFrom: body.validityStart ?? null,
    validTo: body.ttl ?? null,
    mint: [...body.mint].map(([unit, quantity]) => ({ unit, quantity: String(quantity) })),
    withdrawals: body.withdrawals.map(({ address, amount }) => ({ address: addressToString(address), amount })),
    certificates: body.certificates.map((span) => hexOf(bytes, span)),
    votes: rawOf(BODY_KEY.VOTING_PROCEDURES),
    proposals: rawOf(BODY_KEY.PROPOSAL_PROCEDURES),
    treasury: body.treasury ?? null,
    donation: donation === undefined ? null : readerOf(bytes, donation).readUint(),
    requiredSigners: body.requiredSigners,
    networkId: body.networkId ?? null,
    auxiliaryDataHash: body.auxiliaryDataHash ?? null,
    scriptDataHash: body.scriptDataHash ?? null
  }
}

const hexOf = (bytes: Uint8Array, { start, end }: Span): string => bytesToHex(bytes.subarray(start, end))

const readerOf = (bytes: Uint8Array, { start, end }: Span): CborReader =>
  new CborReader(bytes, 'The transaction', start, end)
