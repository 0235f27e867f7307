import { type Credential, parseAddress } from '../codec/address.js'
import { PLUTUS_LANGUAGES, type PlutusLanguage } from '../codec/costModels.js'
import { hexToBytes } from '../codec/hex.js'
import { PlutusData } from '../codec/plutusData.js'
import { InvalidAddressError, InvalidArgumentError } from '../errors/input.js'

/**
 * Creates an integer of any size.
 *
 * @throws {@link InvalidArgumentError} on a number that is not a safe integer.
 * @example
 * ```ts
 * import { mkInt } from 'layer-sdk/utils'
 * console.log(mkInt(42).toCbor(), mkInt(2n ** 64n).toCbor()) // 182a c249010000000000000000
 * ```
 */
export function mkInt(value: number | bigint): PlutusData {
  return PlutusData.int(value)
}

/**
 * Creates bytes of any length, from hex.
 *
 * @throws {@link InvalidHexError}
 * @example
 * ```ts
 * import { mkBytes } from 'layer-sdk/utils'
 * console.log(mkBytes('cafe').toCbor()) // 42cafe
 * ```
 */
export function mkBytes(hex: string): PlutusData {
  return PlutusData.bytes(hexToBytes(hex))
}

/**
 * Creates a constructor with its `index` (0 to 2^64-1) and fields.
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

/**
 * Creates a map; order and repeated keys are preserved.
 *
 * @example
 * ```ts
 * import { mkBytes, mkInt, mkMap } from 'layer-sdk/utils'
 * console.log(mkMap([[mkInt(1), mkBytes('cafe')]]).toCbor()) // a10142cafe
 * ```
 */
export function mkMap(pairs: readonly (readonly [PlutusData, PlutusData])[]): PlutusData {
  return PlutusData.map(pairs)
}

/**
 * Creates a list.
 *
 * @example
 * ```ts
 * import { mkInt, mkList } from 'layer-sdk/utils'
 * console.log(mkList([mkInt(1), mkInt(2)]).toCbor()) // 9f0102ff
 * ```
 */
export function mkList(items: readonly PlutusData[]): PlutusData {
  return PlutusData.list(items)
}

/**
 * Creates a boolean: constructor 0 is False, 1 is True.
 *
 * @throws {@link InvalidArgumentError} on another type.
 * @example
 * ```ts
 * import { mkBool } from 'layer-sdk/utils'
 * console.log(mkBool(true).toCbor()) // d87a80
 * ```
 */
export function mkBool(value: boolean): PlutusData {
  if (typeof value !== 'boolean') throw new InvalidArgumentError('value', 'true or false', value)
  return PlutusData.constr(value ? 1 : 0, [])
}

/**
 * Creates an optional value: constructor 0 with the value, or constructor 1 for none (`null` or `undefined`).
 *
 * @throws {@link InvalidArgumentError} on anything but PlutusData, null or undefined.
 * @example
 * ```ts
 * import { mkInt, mkOption } from 'layer-sdk/utils'
 * console.log(mkOption(mkInt(1)).toCbor(), mkOption().toCbor()) // d8799f01ff d87a80
 * ```
 */
export function mkOption(value?: PlutusData | null): PlutusData {
  return value === undefined || value === null ? PlutusData.constr(1, []) : PlutusData.constr(0, [value])
}

/**
 * Creates the data of an address as scripts see it (`Address` of PlutusLedgerApi).
 *
 * @throws {@link InvalidAddressError} on a reward or Byron address, which scripts never see.
 * @example
 * ```ts
 * import { mkAddress } from 'layer-sdk/utils'
 * console.log(mkAddress('addr1vx2fxv2umyhttkxyxp8x0dlpdt3k6cwng5pxj3jhsydzers66hrl8').toJson())
 * ```
 */
export function mkAddress(address: string): PlutusData {
  const { type, payment, stake, pointer } = parseAddress(address, 'address')
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
 * Creates the data of an output reference as scripts see it (`TxOutRef` of PlutusLedgerApi).
 *
 * @param txHash - hex, 64 characters.
 * @param language - PlutusV1 and PlutusV2 wrap the transaction id in a constructor of its own. Default: PlutusV3.
 * @throws {@link InvalidHexError} @throws {@link InvalidArgumentError}
 * @example
 * ```ts
 * import { mkOutputReference } from 'layer-sdk/utils'
 * console.log(mkOutputReference('00'.repeat(32), 0).toCbor())
 * ```
 */
export function mkOutputReference(txHash: string, index: number, language: PlutusLanguage = 'PlutusV3'): PlutusData {
  const id = PlutusData.bytes(hexToBytes(txHash, 'txHash', 32))
  const place = mkInt(index)
  if (index < 0) throw new InvalidArgumentError('index', 'a whole number from 0', index)
  if (!PLUTUS_LANGUAGES.includes(language))
    throw new InvalidArgumentError('language', PLUTUS_LANGUAGES.join(', '), language)
  return mkConstr(0, [language === 'PlutusV3' ? id : mkConstr(0, [id]), place])
}

function credential({ kind, hash }: Credential): PlutusData {
  return mkConstr(kind === 'key' ? 0 : 1, [mkBytes(hash)])
}
