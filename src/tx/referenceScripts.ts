import { CborReader } from '../codec/cbor/reader.js'
import { hexToBytes } from '../codec/hex.js'
import type { UTxO } from '../types/utxo.js'

/**
 * Size of a price tier: after each such number of bytes the price per byte rises to 6/5 (fixed in the Conway ledger).
 */
const TIER_BYTES = 25_600n
const DECIMALS = 1_000_000

/**
 * Returns the part of the fee for reference scripts, lovelace. `inputs`: spent outputs and reference inputs; a script
 * counts each time that an output carries it. The sum is exact and rounded down at the end; the price of a byte is
 * rounded up to six decimals.
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

/** Returns the size of a script as the ledger counts it: for Plutus without the head of the CBOR byte string. */
function scriptSizeBytes({ output: { scriptRef } }: UTxO): number {
  if (scriptRef === undefined) return 0
  const bytes = hexToBytes(scriptRef.cborHex, 'scriptRef.cborHex')
  return scriptRef.language === 'native'
    ? bytes.length
    : new CborReader(bytes, 'The reference script').readBytes().length
}
