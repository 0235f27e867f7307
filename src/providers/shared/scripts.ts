import { blake2b224 } from '../../hash/blake2b.js'
import { bytesToHex, hexToBytes } from '../../codec/hex.js'
import type { ScriptLanguage, ScriptRef } from '../../types/utxo.js'
import type { AnswerReader } from './ResponseReader.js'

/** In the order of their hash tags, 0 to 3 (ledger: blake2b-224 of tag and script bytes). */
export const LANGUAGES: readonly ScriptLanguage[] = ['native', 'PlutusV1', 'PlutusV2', 'PlutusV3']

/**
 * A Plutus script from bytes that may carry one CBOR byte-string wrapping more or less than the ledger's: the hash tells
 * which bytes they are, and in which language. Their CBOR is a byte string of them.
 */
export function scriptFromHash(cborHex: string, hash: string, read: AnswerReader): ScriptRef {
  const candidates = [cborHex, cborHex.slice(byteStringHead(cborHex)), wrapBytes(cborHex)]
  for (const candidate of candidates) {
    for (let tag = 1; tag < LANGUAGES.length; tag++) {
      const tagged = hexToBytes(`0${tag}${candidate}`)
      if (bytesToHex(blake2b224(tagged)) === hash) return { language: LANGUAGES[tag]!, cborHex: wrapBytes(candidate) }
    }
  }
  return read.check<never>(false, 'cbor', `a Plutus script with hash ${hash}`, undefined as never)
}

/** Length in hex characters of a byte string's CBOR head. */
function byteStringHead(cborHex: string): number {
  const info = parseInt(cborHex.slice(0, 2), 16) & 31
  return info < 24 ? 2 : 2 + 2 * 2 ** (info - 24)
}

/** CBOR of a byte string. */
export function wrapBytes(hex: string): string {
  return head(2, hex.length / 2) + hex
}

/**
 * CBOR of a native script from JSON: cardano-cli's, as the Indexer gives it, or the Rpc's own. Lists of more than 23 are
 * of indefinite length, as the ledger writes them.
 */
export function nativeScriptCbor(json: unknown, read: AnswerReader): string {
  const { type, clause, keyHash, from, scripts, required, atLeast, slot } = read.object(json, 'script') as Record<string, unknown>
  const list = (): string => {
    const items = read.list(scripts ?? from, 'scripts').map((each) => nativeScriptCbor(each, read))
    return items.length > 23 ? `9f${items.join('')}ff` : head(4, items.length) + items.join('')
  }
  switch (type ?? clause) {
    case 'sig':
    case 'signature':
      return `8200581c${read.hex(keyHash ?? from, 'keyHash', 28)}`
    case 'all':
      return `8201${list()}`
    case 'any':
      return `8202${list()}`
    case 'atLeast':
    case 'some': {
      const count = Number(required ?? atLeast)
      read.check(Number.isSafeInteger(count), 'required', 'a whole number', count)
      return `8303${count < 0 ? head(1, -1 - count) : head(0, count)}${list()}`
    }
    case 'after':
      return `8204${head(0, read.quantity(slot, 'slot'))}`
    case 'before':
      return `8205${head(0, read.quantity(slot, 'slot'))}`
    default:
      return read.check<never>(false, 'type', 'a kind of native script', undefined as never)
  }
}

function head(major: number, value: number | string): string {
  const number = BigInt(value)
  const digits = number.toString(16)
  const size = number < 24n ? 0 : digits.length <= 2 ? 1 : digits.length <= 4 ? 2 : digits.length <= 8 ? 4 : 8
  const first = (major << 5) | (size === 0 ? Number(number) : 24 + Math.log2(size))
  return first.toString(16).padStart(2, '0') + (size === 0 ? '' : digits.padStart(size * 2, '0'))
}
