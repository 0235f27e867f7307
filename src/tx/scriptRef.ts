import { hexToBytes } from '../codec/hex.js'
import { CborWriter } from '../codec/cbor/writer.js'
import { scriptRefHash } from '../codec/scriptHash.js'
import { InvalidArgumentError } from '../errors/input.js'
import type { ScriptLanguage, ScriptRef } from '../types/utxo.js'
import { wrappedScript } from './assertions.js'

const LANGUAGES: readonly ScriptLanguage[] = ['native', 'PlutusV1', 'PlutusV2', 'PlutusV3']

/**
 * Makes a script from its code, in the form in which outputs carry it and `spendScript` receives it. Plutus code may be
 * a blueprint's `compiledCode` (wrapped in one CBOR byte string), or the `cborHex` of a script file (wrapped in two).
 *
 * @param code - CBOR hex
 * @param hash - expected hash of the script, hex, 56 characters; it decides how the code is wrapped. @default the
 * wrapping is recognised by its form
 * @throws {@link InvalidArgumentError} on another language, code that is not a script, or a script with another hash
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

/** Returns the code as a script whose hashed bytes are `code` itself, without recognising its wrapping. */
function wrappedOnce(language: ScriptLanguage, code: string): ScriptRef {
  return { language, cborHex: new CborWriter().bytes(hexToBytes(code, 'code')).toHex() }
}
