import { parseJson } from '../codec/json.js'
import type { UtxoJson } from './clientInput.js'
import { isObject } from './clientInput.js'
import type { LedgerEntry } from './utxoSet.js'

/** An entry as a client reads it. */
export function entryOutput(entry: LedgerEntry): unknown {
  return (parseJson(`{${entry.json()}}`) as UtxoJson)[entry.ref]
}

/** {@link contentKey} of an entry. */
export const entryKey = (entry: LedgerEntry): string => contentKey(entryOutput(entry))

/** {@link contentKey} of the parts that every client has to state: address and value. */
export function paymentKey(output: unknown): string {
  return isObject(output) ? contentKey({ address: output['address'], value: output['value'] }) : ''
}

/** What an output in the node's JSON holds, as a text to compare by; the order of members does not count. */
export function contentKey(output: unknown): string {
  if (!isObject(output)) return ''
  const { address, value, datumhash, inlineDatumRaw, referenceScript } = output
  const units: string[] = []
  for (const [policy, quantity] of Object.entries(isObject(value) ? value : {})) {
    if (!isObject(quantity)) units.push(`${policy}=${String(quantity)}`)
    else for (const [name, amount] of Object.entries(quantity)) units.push(`${policy}${name}=${String(amount)}`)
  }
  const script = referenceScript == null ? '' : JSON.stringify(referenceScript)
  return [address, units.sort().join(), datumhash ?? '', inlineDatumRaw ?? '', script].join('|')
}
