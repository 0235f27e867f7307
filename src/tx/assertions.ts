import { parseAddress } from '../codec/address.js'
import { CborReader } from '../codec/cbor/reader.js'
import { CborWriter } from '../codec/cbor/writer.js'
import { hexToBytes } from '../codec/hex.js'
import { nativeScriptFromBytes } from '../codec/nativeScript.js'
import type { Value } from '../codec/value.js'
import { LOVELACE, valueFromAmounts } from '../codec/value.js'
import { InvalidArgumentError } from '../errors/input.js'
import type { Amount, ScriptRef } from '../types/utxo.js'

const MAX_SLOT = 2n ** 64n - 1n

/** Returns an address if an output can have it: any valid address except a reward address. Otherwise throws. */
export function assertReceiver(address: string, what: string): string {
  if (parseAddress(address, what).type === 'reward')
    throw new InvalidArgumentError(what, 'an address that can hold funds', address)
  return address
}

/** Returns true for an array of objects. Their fields are checked later, when they are read. */
export function isAmounts(amounts: unknown): boolean {
  return Array.isArray(amounts) && amounts.every((each: unknown) => typeof each === 'object' && each !== null)
}

/** Returns the value of a payment. @throws {@link InvalidArgumentError} unless an amount is above zero */
export function assertPaymentOutput(amount: bigint | readonly Amount[]): Value {
  const isWellFormed = typeof amount === 'bigint' ? amount > 0n : isAmounts(amount)
  const value = !isWellFormed
    ? new Map<string, bigint>()
    : typeof amount === 'bigint'
      ? new Map([[LOVELACE, amount]])
      : valueFromAmounts(amount)
  if (value.size === 0)
    throw new InvalidArgumentError('amount', 'lovelace above 0 as a bigint, or a list of { unit, quantity }', amount)
  return value
}

/** Returns a slot number as a bigint. @throws {@link InvalidArgumentError} unless it is from 0 to 2^64-1 */
export function assertSlot(name: string, slot: number | bigint): bigint {
  const exact = typeof slot === 'bigint' || Number.isSafeInteger(slot) ? BigInt(slot) : -1n
  if (exact < 0n || exact > MAX_SLOT) throw new InvalidArgumentError(name, 'a slot number from 0', slot)
  return exact
}

/**
 * Returns a script in the form in which an output carries it. Plutus scripts come in two forms: a blueprint's
 * `compiledCode` (CIP-57) is a CBOR byte string of the program; outputs and cardano-cli's files have a byte string that
 * contains that one.
 *
 * @throws {@link InvalidArgumentError} when a Plutus script has neither form, {@link InvalidCborError} on an invalid
 * native script
 */
export function wrappedScript({ language, cborHex }: ScriptRef): ScriptRef {
  const bytes = hexToBytes(cborHex, 'scriptRef.cborHex')
  if (language === 'native') {
    nativeScriptFromBytes(bytes)
    return { language, cborHex }
  }
  const once = unwrapped(bytes)
  if (once === null || once.length === 0)
    throw new InvalidArgumentError(
      'scriptRef.cborHex',
      "a Plutus script: a blueprint's compiledCode, or the cborHex of a script file",
      cborHex
    )
  return unwrapped(once) === null ? { language, cborHex: new CborWriter().bytes(bytes).toHex() } : { language, cborHex }
}

/** Returns the content of a single whole byte string; null for any other item. */
function unwrapped(bytes: Uint8Array): Uint8Array | null {
  try {
    const reader = new CborReader(bytes, 'The script')
    const content = reader.readBytes()
    reader.finish()
    return content
  } catch {
    return null
  }
}
