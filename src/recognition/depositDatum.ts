import { addressToString, baseAddress, enterpriseAddress, parseAddress } from '../codec/address.js'
import type { Credential } from '../codec/address.js'
import { encodeDepositDatum } from '../codec/depositDatum.js'
import { bytesToHex } from '../codec/hex.js'
import { PlutusData } from '../codec/plutusData.js'
import { addUnit, LOVELACE, valueToAmounts } from '../codec/value.js'
import type { Hex, TxOutput, UTxO } from '../types/utxo.js'

/** Content of a deposit's datum. */
export interface DecodedDeposit {
  /** Head that it is meant for: hex, 56 characters. */
  readonly headId: Hex
  /** Time from which its owner can recover it: ms since the Unix epoch. */
  readonly deadlineMs: number
  /** The deposited outputs under the references that they had; reference scripts are lost. */
  readonly deposited: readonly UTxO[]
}

const MAX_DEPOSITED = 1_000

/**
 * Reads the datum of a deposit from its output on the base ledger: the outputs that enter the head, or return to their
 * owner. Null for any other datum: one of another contract, or one that does not encode to the same bytes again. Never
 * throws.
 *
 * @param output - output 0 of the deposit's transaction; its address says the network of the deposited ones
 * @example
 * ```ts
 * import { readDepositDatum } from 'layer-sdk/recognition'
 * console.log(readDepositDatum({ address: 'addr_test1...', amount: [] })) // null
 * ```
 * @see cardano-scaling/hydra, Hydra.Contract.Commit (`serializeCommit`)
 */
export function readDepositDatum(output: TxOutput): DecodedDeposit | null {
  try {
    const { inlineDatum } = output
    if (typeof inlineDatum !== 'string') return null
    const networkId = parseAddress(output.address).networkId === 1 ? 1 : 0
    const { index, fields } = PlutusData.fromCbor(inlineDatum).asConstr()
    const [headId, deadline, commits] = fields
    if (index !== 0n || fields.length !== 3 || commits!.asList().length > MAX_DEPOSITED) return null
    const decoded = {
      headId: bytesToHex(headId!.asBytes()),
      deadlineMs: Number(deadline!.asInt()),
      deposited: commits!.asList().map((commit) => readCommit(commit, networkId))
    }
    if (!Number.isSafeInteger(decoded.deadlineMs) || decoded.deadlineMs < 0) return null
    return bytesToHex(encodeDepositDatum(decoded)) === inlineDatum ? decoded : null
  } catch {
    // Another contract's datum.
    return null
  }
}

function constr(data: PlutusData | undefined, index: bigint, count: number): readonly PlutusData[] {
  const read = data!.asConstr()
  if (read.index !== index || read.fields.length !== count) throw new RangeError('another constructor')
  return read.fields
}

function readCommit(commit: PlutusData, networkId: 0 | 1): UTxO {
  const [ref, serialised] = constr(commit, 0n, 2)
  const [txId, index] = constr(ref, 0n, 2)
  const txHash = bytesToHex(txId!.asBytes())
  const output = PlutusData.fromCbor(serialised!.asBytes())
  return { input: { txHash, index: Number(index!.asInt()) }, output: readTxOut(output, networkId) }
}

function readTxOut(data: PlutusData, networkId: 0 | 1): TxOutput {
  const [address, value, datum, script] = constr(data, 0n, 4)
  constr(script, 1n, 0)
  return { address: readAddress(address!, networkId), amount: readAmount(value!), ...readDatum(datum!) }
}

function readAddress(data: PlutusData, networkId: 0 | 1): string {
  const [payment, stake] = constr(data, 0n, 2)
  const paymentCredential = readCredential(payment!)
  if (stake!.asConstr().index === 1n) return addressToString(enterpriseAddress(networkId, paymentCredential))
  // Pointers cannot be in new outputs any more.
  const [hash] = constr(constr(stake, 0n, 1)[0], 0n, 1)
  return addressToString(baseAddress(networkId, paymentCredential, readCredential(hash!)))
}

function readCredential(data: PlutusData): Credential {
  const { index, fields } = data.asConstr()
  return { kind: index === 0n ? 'key' : 'script', hash: bytesToHex(fields[0]!.asBytes()) }
}

function readAmount(data: PlutusData): TxOutput['amount'] {
  const value = new Map<string, bigint>([[LOVELACE, 0n]])
  for (const [policy, names] of data.asMap()) {
    const id = bytesToHex(policy.asBytes())
    for (const [name, quantity] of names.asMap())
      addUnit(value, id === '' ? LOVELACE : id + bytesToHex(name.asBytes()), quantity.asInt())
  }
  return valueToAmounts(value)
}

function readDatum(data: PlutusData): Pick<TxOutput, 'inlineDatum' | 'datumHash'> {
  const { index, fields } = data.asConstr()
  if (index === 0n) return {}
  if (index === 1n) return { datumHash: bytesToHex(fields[0]!.asBytes()) }
  return { inlineDatum: fields[0]!.toCbor() }
}
