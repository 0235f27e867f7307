import { CborReader } from '../codec/cbor/reader.js'
import { hexToBytes } from '../codec/hex.js'
import type { UTxO } from '../types/utxo.js'

/** Bytes after which a byte of reference scripts costs 6/5 of the price before (Conway, fixed in the ledger). */
const TIER_BYTES = 25_600n
const DECIMALS = 1_000_000

/**
 * Returns the part of the fee for the reference scripts of inputs: the ledger counts those of spent outputs too, each
 * time they are carried. Exact, and rounded down at the end; the price of a byte counts to six decimals.
 *
 * @see Conway, `tierRefScriptFee` and `txNonDistinctRefScriptsSize`
 */
export function referenceScriptFee(inputs: readonly UTxO[], pricePerByte: number): bigint {
  let left = pricePerByte === 0 ? 0n : BigInt(inputs.reduce((sum, utxo) => sum + scriptSizeBytes(utxo), 0))
  let price = BigInt(Math.ceil(pricePerByte * DECIMALS))
  let fee = 0n
  let divisor = BigInt(DECIMALS)
  for (; left > 0n; left -= TIER_BYTES) {
    fee += (left < TIER_BYTES ? left : TIER_BYTES) * price
    // The next tier in fifths: all sums so far are scaled with it.
    fee *= 5n
    price *= 6n
    divisor *= 5n
  }
  return fee / divisor
}

/** Bytes that the ledger hashes: of a Plutus script without the byte string's head around them. */
function scriptSizeBytes({ output: { scriptRef } }: UTxO): number {
  if (scriptRef === undefined) return 0
  const bytes = hexToBytes(scriptRef.cborHex, 'scriptRef.cborHex')
  return scriptRef.language === 'native'
    ? bytes.length
    : new CborReader(bytes, 'The reference script').readBytes().length
}
