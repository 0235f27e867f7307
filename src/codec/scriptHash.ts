import { blake2b224 } from '../hash/blake2b.js'
import type { ScriptRef } from '../types/utxo.js'
import { concatBytes } from './bytes.js'
import { CborReader } from './cbor/reader.js'
import type { PlutusLanguage } from './costModels.js'
import { PLUTUS_LANGUAGES } from './costModels.js'
import { bytesToHex, hexToBytes } from './hex.js'
import { nativeScriptHash } from './nativeScript.js'

/** Hash of a script that an output carries: hex, 56 characters. @throws {@link InvalidCborError} */
export function scriptRefHash(script: ScriptRef): string {
  return script.language === 'native'
    ? nativeScriptHash(hexToBytes(script.cborHex, 'scriptRef.cborHex'))
    : plutusHash(script.language, plutusScriptBytes(script))
}

/** Bytes of a Plutus script as they stand in a witness set, and as they are hashed. @throws {@link InvalidCborError} */
export function plutusScriptBytes({ cborHex }: ScriptRef): Uint8Array {
  return new CborReader(hexToBytes(cborHex, 'scriptRef.cborHex'), 'The reference script').readBytes()
}

/**
 * Hash of a Plutus script: hex, 56 characters. The tag of the language stands before the bytes (Conway CDDL,
 * `script_hash`).
 */
export function plutusHash(language: PlutusLanguage, bytes: Uint8Array): string {
  return bytesToHex(blake2b224(concatBytes(Uint8Array.of(PLUTUS_LANGUAGES.indexOf(language) + 1), bytes)))
}
