import { bytesToHex } from '../codec/hex.js'
import { exactInteger } from '../codec/integer.js'
import type { PlutusData } from '../codec/plutusData.js'
import { ownMember, isPlainRecord } from './record.js'

/**
 * Returns true when JSON of the detailed schema equals data that was decoded. It walks the data, which is finite, and
 * never the JSON, which may come as an object with cycles.
 */
export function matchesDetailed(data: PlutusData, json: unknown): boolean {
  if (!isPlainRecord(json)) return false
  switch (data.kind) {
    case 'int': {
      const value = ownMember(json, 'int')
      // Longer digits than the number's own need no conversion: that would need time by their square.
      return (typeof value !== 'string' || value === String(data.asInt())) && exactInteger(value) === data.asInt()
    }
    case 'bytes':
      return ownMember(json, 'bytes') === bytesToHex(data.asBytes())
    case 'list':
      return matchesList(data.asList(), ownMember(json, 'list'))
    case 'map': {
      const pairs = ownMember(json, 'map')
      const entries = data.asMap()
      if (!Array.isArray(pairs) || pairs.length !== entries.length) return false
      return entries.every(([key, value], i) => {
        const pair: unknown = pairs[i]
        return (
          isPlainRecord(pair) &&
          matchesDetailed(key, ownMember(pair, 'k')) &&
          matchesDetailed(value, ownMember(pair, 'v'))
        )
      })
    }
    case 'constr': {
      const { index, fields } = data.asConstr()
      const named = ownMember(json, 'constructor')
      return (
        typeof named !== 'string' && exactInteger(named) === index && matchesList(fields, ownMember(json, 'fields'))
      )
    }
  }
}

function matchesList(items: readonly PlutusData[], json: unknown): boolean {
  return Array.isArray(json) && json.length === items.length && items.every((item, i) => matchesDetailed(item, json[i]))
}
