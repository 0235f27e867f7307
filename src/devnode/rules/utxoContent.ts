import { parseJson } from '../../codec/json.js'
import { encodeTxOutput } from '../../codec/txOutput.js'
import { valueFromAmounts, valueToAmounts } from '../../codec/value.js'
import type { Amount, TxOutput } from '../../types/utxo.js'
import { isObject } from '../json/isObject.js'
import type { LedgerEntry } from './utxoSet.js'

/** Returns the output of an entry in the node's JSON, as a client reads it. */
export function entryOutput(entry: LedgerEntry): unknown {
  return (parseJson(`{${entry.json()}}`) as Readonly<Record<string, unknown>>)[entry.ref]
}

/** Returns the {@link contentKey} of an entry. */
export const entryKey = (entry: LedgerEntry): string => contentKey(entryOutput(entry))

/** Returns the {@link contentKey} of address and value alone, the parts that every client has to state. */
export function paymentKey(output: unknown): string {
  return isObject(output) ? contentKey({ address: output['address'], value: output['value'] }) : ''
}

/** Returns the content of an output (the node's JSON) as a text to compare; the order of members does not count. */
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

/**
 * Returns the output that a client states, or null where the JSON is not an output. `readable` keeps the addresses that
 * could be read: of many outputs of one address without datums only the first is encoded to find out.
 */
export function statedOutput(json: unknown, readable?: Set<string>): TxOutput | null {
  if (!isObject(json) || typeof json['address'] !== 'string' || !isObject(json['value'])) return null
  const { address, value, datumhash, inlineDatumRaw } = json
  const amounts: Amount[] = []
  for (const [policy, quantity] of Object.entries(value)) {
    if (!isObject(quantity)) amounts.push({ unit: policy, quantity: String(quantity) })
    else
      for (const [name, amount] of Object.entries(quantity))
        amounts.push({ unit: policy + name, quantity: String(amount) })
  }
  const output: TxOutput = { address, amount: amounts }
  if (typeof inlineDatumRaw === 'string') output.inlineDatum = inlineDatumRaw
  else if (typeof datumhash === 'string') output.datumHash = datumhash
  try {
    // Lovelace first, and everything readable.
    output.amount = valueToAmounts(valueFromAmounts(amounts))
    const hasDatum = output.inlineDatum !== undefined || output.datumHash !== undefined
    if (!hasDatum && readable?.has(address) === true) return output
    encodeTxOutput(output)
    readable?.add(address)
    return output
  } catch {
    return null
  }
}
