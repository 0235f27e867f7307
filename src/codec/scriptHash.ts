import { blake2b224 } from '../hash/blake2b.js'
import type { ScriptRef } from '../types/utxo.js'
import { concatBytes } from './bytes.js'
import { CborReader } from './cbor/reader.js'
import type { PlutusLanguage } from './costModels.js'
import { PLUTUS_LANGUAGES } from './costModels.js'
import { bytesToHex, hexToBytes } from './hex.js'
import { nativeScriptHash } from './nativeScript.js'

/** Hashes a reference script, as an output carries it: hex, 56 characters. @throws {@link InvalidCborError} */
export function scriptRefHash(script: ScriptRef): string {
  return script.language === 'native'
    ? nativeScriptHash(hexToBytes(script.cborHex, 'scriptRef.cborHex'))
    : plutusHash(script.language, plutusScriptBytes(script))
}

/**
 * Returns the bytes of a Plutus script as a witness set contains them, which are the ones that are hashed.
 *
 * @throws {@link InvalidCborError}
 */
export function plutusScriptBytes({ cborHex }: ScriptRef): Uint8Array {
  return new CborReader(hexToBytes(cborHex, 'scriptRef.cborHex'), 'The reference script').readBytes()
}

/**
 * Hashes a Plutus script: blake2b-224 of the language's tag and the script's bytes (Conway CDDL, `script_hash`).
 * Returns hex, 56 characters.
 */
export function plutusHash(language: PlutusLanguage, bytes: Uint8Array): string {
  return bytesToHex(blake2b224(concatBytes(Uint8Array.of(PLUTUS_LANGUAGES.indexOf(language) + 1), bytes)))
}
