import { type Credential, parseAddress } from '../codec/address.js'
import type { PlutusLanguage } from '../codec/costModels.js'
import { hexToBytes } from '../codec/hex.js'
import { PlutusData } from '../codec/plutusData.js'
import { InvalidAddressError } from '../errors/input.js'

/** Integer of any size. @throws {@link InvalidArgumentError} on a number that is not a safe integer. */
export function mkInt(value: number | bigint): PlutusData {
  return PlutusData.int(value)
}

/** Bytes of any length, from hex. @throws {@link InvalidHexError} */
export function mkBytes(hex: string): PlutusData {
  return PlutusData.bytes(hexToBytes(hex))
}

/**
 * Constructor `index` (0 to 2^64-1) with its fields.
 *
 * @throws {@link InvalidArgumentError}
 * @example
 * ```ts
 * import { mkBytes, mkConstr, mkInt } from 'layer-sdk/utils'
 * const datum = mkConstr(0, [mkBytes('cafe'), mkInt(2n ** 70n)])
 * console.log(datum.toCbor(), datum.hash())
 * ```
 */
export function mkConstr(index: number | bigint, fields: readonly PlutusData[]): PlutusData {
  return PlutusData.constr(index, fields)
}

/** Map; order and repeated keys stay as they are. */
export function mkMap(pairs: readonly (readonly [PlutusData, PlutusData])[]): PlutusData {
  return PlutusData.map(pairs)
}

/** List. */
export function mkList(items: readonly PlutusData[]): PlutusData {
  return PlutusData.list(items)
}

/** Boolean: constructor 0 is False, 1 is True. */
export function mkBool(value: boolean): PlutusData {
  return PlutusData.constr(value ? 1 : 0, [])
}

/** Optional value: constructor 0 with the value, or constructor 1 for none (`null` or `undefined`). */
export function mkOption(value?: PlutusData | null): PlutusData {
  return value === undefined || value === null ? PlutusData.constr(1, []) : PlutusData.constr(0, [value])
}

/**
 * The data of an address as scripts see it (`Address` of PlutusLedgerApi).
 *
 * @throws {@link InvalidAddressError} on a reward or Byron address, which scripts never see.
 */
export function mkAddress(address: string): PlutusData {
  const { type, payment, stake, pointer } = parseAddress(address)
  if (payment === undefined) {
    throw new InvalidAddressError('The address has no form in Plutus.', {
      expected: 'a payment address of Shelley',
      got: `a ${type} address`
    })
  }
  if (stake !== undefined) return mkConstr(0, [credential(payment), mkOption(mkConstr(0, [credential(stake)]))])
  if (pointer === undefined) return mkConstr(0, [credential(payment), mkOption()])
  const place = mkConstr(1, [mkInt(pointer.slot), mkInt(pointer.txIndex), mkInt(pointer.certIndex)])
  return mkConstr(0, [credential(payment), mkOption(place)])
}

/**
 * The data of an output reference as scripts see it (`TxOutRef` of PlutusLedgerApi).
 *
 * @param txHash - hex, 64 characters.
 * @param language - PlutusV1 and PlutusV2 wrap the transaction id in a constructor of its own. Default: PlutusV3.
 * @throws {@link InvalidHexError}
 */
export function mkOutputReference(txHash: string, index: number, language: PlutusLanguage = 'PlutusV3'): PlutusData {
  const id = PlutusData.bytes(hexToBytes(txHash, 'txHash', 32))
  return mkConstr(0, [language === 'PlutusV3' ? id : mkConstr(0, [id]), mkInt(index)])
}

function credential({ kind, hash }: Credential): PlutusData {
  return mkConstr(kind === 'key' ? 0 : 1, [mkBytes(hash)])
}
