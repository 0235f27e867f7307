import { parseAddress } from '../codec/address.js'
import { isHex } from '../codec/hex.js'

const MAX_UINT64 = 2n ** 64n - 1n

/**
 * Returns true for a transaction output `{ address, amount }` that the ledger could hold: an address that can be paid
 * to; quantities in decimal digits up to 2^64-1, of assets at least 1; each unit once, `'lovelace'` or a policy id of
 * 28 bytes with a name of up to 32; a datum hash or an inline datum, not both. Least lovelace is not checked: it
 * depends on the protocol parameters. Never throws.
 *
 * @example
 * ```ts
 * import { isValidTxOutput } from 'layer-sdk/utils'
 * const address = 'addr1vx2fxv2umyhttkxyxp8x0dlpdt3k6cwng5pxj3jhsydzers66hrl8'
 * console.log(isValidTxOutput({ address, amount: [{ unit: 'lovelace', quantity: '1000000' }] })) // true
 * ```
 */
export function isValidTxOutput(output: unknown): boolean {
  try {
    if (typeof output !== 'object' || output === null) return false
    const { address, amount, datumHash, inlineDatum } = output as Record<string, unknown>
    if (parseAddress(address as string).type === 'reward') return false
    if (!Array.isArray(amount) || amount.length === 0) return false
    const units = new Set<string>()
    // Not every(): it steps over the holes of an array.
    for (const each of amount) {
      if (!isAmount(each)) return false
      units.add(each.unit.toLowerCase())
    }
    if (units.size !== amount.length) return false
    if (isSet(datumHash) && isSet(inlineDatum)) return false
    return (
      (!isSet(datumHash) || isHexOf(datumHash, 64, 64)) && (!isSet(inlineDatum) || isHexOf(inlineDatum, 2, Infinity))
    )
  } catch {
    return false
  }
}

function isAmount(value: unknown): value is { unit: string; quantity: string } {
  const { unit, quantity } = value as Record<string, unknown>
  if (typeof quantity !== 'string' || !/^(0|[1-9]\d{0,19})$/.test(quantity) || BigInt(quantity) > MAX_UINT64)
    return false
  return unit === 'lovelace' || (isHexOf(unit, 56, 120) && quantity !== '0')
}

// Providers write null for "none".
function isSet(value: unknown): boolean {
  return value !== undefined && value !== null
}

function isHexOf(value: unknown, least: number, most: number): boolean {
  return typeof value === 'string' && value.length >= least && value.length <= most && isHex(value)
}
