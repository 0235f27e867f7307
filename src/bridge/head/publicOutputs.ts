import type { UTxO } from '../../types/utxo.js'
import type { TxOutJson } from '../protocol/types.js'
import { addressOf, eachAmount, outputFromJson, parseInputKey } from '../protocol/utxoJson.js'
import type { UnitCache } from '../protocol/utxoJson.js'

const KEY_HASH_CHARACTERS = 64
const HASH_SIGN = 35

/** Returns an output in public form. */
export function toUtxo(key: string, output: TxOutJson): UTxO {
  return { input: parseInputKey(key), output: outputFromJson(output, key) }
}

/** Returns a deep copy of an output. */
export function copyOf({ input, output }: UTxO): UTxO {
  const copy: UTxO = {
    input: { ...input },
    output: { ...output, amount: output.amount.map((amount) => ({ ...amount })) }
  }
  if (output.scriptRef !== undefined) copy.output.scriptRef = { ...output.scriptRef }
  return copy
}

/** Checks a key digit by digit; for one of another form, {@link parseInputKey} names the error in it. */
function checkKey(key: string): void {
  let at = KEY_HASH_CHARACTERS
  if (key.charCodeAt(at) === HASH_SIGN) {
    do at++
    while (key.charCodeAt(at) >= 48 && key.charCodeAt(at) <= 57)
  }
  if (at < key.length || at < KEY_HASH_CHARACTERS + 2 || at > KEY_HASH_CHARACTERS + 10) parseInputKey(key)
}

const ignore = (): void => undefined

/** Checks that an output can be read. @throws {@link ProtocolError} when it cannot */
export function checkOutput(key: string, output: TxOutJson, units: UnitCache): void {
  checkKey(key)
  addressOf(output, key)
  eachAmount(output.value, ignore, units)
}
