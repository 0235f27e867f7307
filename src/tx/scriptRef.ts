import { hexToBytes } from '../codec/hex.js'
import { CborWriter } from '../codec/cbor/writer.js'
import { scriptRefHash } from '../codec/scriptHash.js'
import { InvalidArgumentError } from '../errors/input.js'
import type { ScriptLanguage, ScriptRef } from '../types/utxo.js'
import { wrappedScript } from './assertions.js'

const LANGUAGES: readonly ScriptLanguage[] = ['native', 'PlutusV1', 'PlutusV2', 'PlutusV3']

/**
 * Makes a script of its code, as outputs carry it and as `spendScript` receives it. Plutus code may come in either
 * wrapping: a blueprint's `compiledCode`, or the `cborHex` of a script file.
 *
 * @param code - CBOR hex
 * @param hash - hash that the script has to have, hex, 56 characters: it decides between the wrappings. @default the
 * wrapping is recognised by its form
 * @throws {@link InvalidArgumentError} on another language, code that is no script, or a script with another hash
 * @example
 * ```ts
 * import { scriptRef } from 'layer-sdk/tx'
 *
 * const script = scriptRef('PlutusV3', '450101002499')
 * console.log(script.cborHex) // 46450101002499
 * ```
 */
export function scriptRef(language: ScriptLanguage, code: string, hash?: string): ScriptRef {
  if (!LANGUAGES.includes(language)) throw new InvalidArgumentError('language', LANGUAGES.join(', '), language)
  const script = wrappedScript({ language, cborHex: code })
  if (hash === undefined) return script
  const found = [script, ...(language === 'native' ? [] : [wrappedOnce(language, code)])].find(
    (each) => scriptRefHash(each) === hash.toLowerCase()
  )
  if (found !== undefined) return found
  throw new InvalidArgumentError('hash', `the hash of the script, ${scriptRefHash(script)}`, hash)
}

/** The code as the bytes that are hashed, whatever they are. */
function wrappedOnce(language: ScriptLanguage, code: string): ScriptRef {
  return { language, cborHex: new CborWriter().bytes(hexToBytes(code, 'code')).toHex() }
}
