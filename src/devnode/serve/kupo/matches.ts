import type { BaseApiRequest } from '../../chain/BaseApi.js'
import type { BaseChain } from '../../chain/BaseChain.js'
import type { Spending } from '../../chain/baseHistory.js'
import { datumHashOf, scriptHashOf } from '../../rules/scriptHash.js'
import type { LedgerEntry } from '../../rules/utxoSet.js'
import type { JsonValue } from '../../json/jsonText.js'
import { JsonText } from '../../json/jsonText.js'
import { KupoFailure } from './failure.js'
import type { Pattern } from './pattern.js'
import { holdsAsset, holdsPolicy, isHexPattern, readPattern } from './pattern.js'
import { scriptJson } from './scripts.js'

const HINTS = {
  pattern:
    "Invalid pattern! It must be '*', an address, credentials as 'payment/delegation', 'index@transaction', '*@transaction', 'policy.name' or 'policy.*'.",
  status: "Invalid filter query! Provide either '?spent' or '?unspent', without a value.",
  references: "Invalid query operator! '?resolve_hashes' takes no value.",
  filter:
    "Invalid or incomplete filter query parameters! 'policy_id' and 'transaction_id' must be hex; 'asset_name' needs 'policy_id', 'output_index' needs 'transaction_id'.",
  order: "Invalid sort direction: 'order' is most_recent_first or oldest_first.",
  slots:
    "Unprocessable slot range! 'created_after', 'created_before', 'spent_after' and 'spent_before' are slots; each bound can be given once."
}

interface Found {
  readonly entry: LedgerEntry
  readonly spending: Spending | undefined
  /** Slot and position in the block of its transaction. */
  readonly slot: number
  readonly index: number
}

/** GET /matches/{pattern}: outputs, unspent and spent, the newest first. */
export function matches(pattern: string, { query, headers }: BaseApiRequest, chain: BaseChain): JsonValue {
  const matching = readPattern(pattern)
  if (matching === null) throw new KupoFailure(400, HINTS.pattern)
  const slots = slotFilter(query)
  const status = statusOf(query)
  const resolve = flag(query, 'resolve_hashes', HINTS.references)
  const filter = queryFilter(query)
  const newestFirst = isNewestFirst(query)
  const quantitiesAsText = /asset-quantity\s*=\s*"?string/.test(headers['accept'] ?? '')
  const entries = status === 'unspent' ? chain.unspent() : chain.outputs()
  const found: Found[] = []
  for (const entry of entries) {
    if (!matching(entry) || !filter(entry)) continue
    const { history } = chain
    const { slot = 0, index = 0 } = history.get(entry.input.txHash) ?? {}
    const each = { entry, slot, index, spending: history.spending(entry.ref) }
    if ((status === 'spent' && each.spending === undefined) || !slots(each)) continue
    found.push(each)
  }
  found.sort((a, b) => a.slot - b.slot || a.index - b.index || a.entry.input.index - b.entry.input.index)
  if (newestFirst) found.reverse()
  return found.map((each) => matchJson(each, { chain, resolve, quantitiesAsText }))
}

function matchJson(
  { entry, spending, slot, index }: Found,
  { chain, resolve, quantitiesAsText }: { chain: BaseChain; resolve: boolean; quantitiesAsText: boolean }
): JsonValue {
  const { input, output, value } = entry
  const point = (at: number): Record<string, JsonValue> => ({ slot_no: at, header_hash: chain.blockAt(at).hash })
  const assets = [...value].filter(([unit]) => unit !== 'lovelace')
  const { inlineDatum, datumHash, scriptRef } = output
  const datum_type = inlineDatum !== undefined ? 'inline' : datumHash !== undefined ? 'hash' : undefined
  const datum = inlineDatum ?? (datumHash === undefined ? undefined : chain.findDatum(datumHash))
  return {
    transaction_index: index,
    transaction_id: input.txHash,
    output_index: input.index,
    address: output.address,
    value: {
      coins: value.get('lovelace') ?? 0n,
      assets: Object.fromEntries(
        assets.map(([unit, quantity]) => [
          assetName(unit),
          quantitiesAsText ? String(quantity) : new JsonText(String(quantity))
        ])
      )
    },
    datum_hash: datumHashOf(output),
    datum: resolve ? (datum ?? null) : undefined,
    datum_type,
    script_hash: scriptHashOf(output),
    script: resolve ? (scriptRef === undefined ? null : scriptJson(scriptRef)) : undefined,
    created_at: point(slot),
    spent_at:
      spending === undefined
        ? null
        : {
            ...point(spending.tx.slot),
            transaction_id: spending.tx.txId,
            input_index: spending.inputIndex,
            redeemer: null
          }
  }
}

/** `policy.name`; without a name the policy alone. */
function assetName(unit: string): string {
  return unit.length === 56 ? unit : `${unit.slice(0, 56)}.${unit.slice(56)}`
}

function flag(query: URLSearchParams, name: string, hint: string): boolean {
  const values = query.getAll(name)
  if (values.some((value) => value !== '')) throw new KupoFailure(400, hint)
  return values.length > 0
}

function statusOf(query: URLSearchParams): 'spent' | 'unspent' | null {
  const spent = flag(query, 'spent', HINTS.status)
  const unspent = flag(query, 'unspent', HINTS.status)
  if (spent && unspent) throw new KupoFailure(400, HINTS.status)
  return spent ? 'spent' : unspent ? 'unspent' : null
}

function isNewestFirst(query: URLSearchParams): boolean {
  const order = query.get('order') ?? 'most_recent_first'
  if (order !== 'most_recent_first' && order !== 'oldest_first') throw new KupoFailure(400, HINTS.order)
  return order === 'most_recent_first'
}

function queryFilter(query: URLSearchParams): Pattern {
  const once = (name: string): string | null => {
    const values = query.getAll(name)
    if (values.length > 1) throw new KupoFailure(400, HINTS.filter)
    return values[0] ?? null
  }
  const [policy, name, txId, index] = ['policy_id', 'asset_name', 'transaction_id', 'output_index'].map(once)
  const wrong =
    (policy != null && (!isHexPattern(policy, 56) || txId != null)) ||
    (name != null && (policy == null || !/^([0-9a-f]{2}){0,32}$/i.test(name))) ||
    (txId != null && !isHexPattern(txId, 64)) ||
    (index != null && (txId == null || !/^\d{1,5}$/.test(index)))
  if (wrong) throw new KupoFailure(400, HINTS.filter)
  if (policy != null) return name == null ? holdsPolicy(policy) : holdsAsset(policy, name)
  if (txId == null) return () => true
  return ({ input }) => input.txHash === txId.toLowerCase() && (index == null || input.index === Number(index))
}

function slotFilter(query: URLSearchParams): (found: Found) => boolean {
  const bound = (end: 'after' | 'before'): { field: 'created' | 'spent'; slot: number } | null => {
    const bounds = (['created', 'spent'] as const).flatMap((field) =>
      query.getAll(`${field}_${end}`).map((text) => ({ field, text }))
    )
    if (bounds.length === 0) return null
    const [{ field, text }] = bounds as [{ field: 'created' | 'spent'; text: string }]
    // A point is a slot and the hash of its block.
    if (bounds.length > 1 || !/^\d{1,15}(\.[0-9a-f]{64})?$/i.test(text)) throw new KupoFailure(400, HINTS.slots)
    return { field, slot: Number(text.split('.')[0]) }
  }
  const [after, before] = [bound('after'), bound('before')]
  const slotOf = (field: 'created' | 'spent', found: Found): number | undefined =>
    field === 'created' ? found.slot : found.spending?.tx.slot
  return (found) => {
    const [first, last] = [after && slotOf(after.field, found), before && slotOf(before.field, found)]
    return (
      (after === null || (first !== undefined && first! > after.slot)) &&
      (before === null || (last !== undefined && last! < before.slot))
    )
  }
}
