import { bytesToHex } from '../codec/hex.js'
import { exactInteger } from '../codec/integer.js'
import type { PlutusData } from '../codec/plutusData.js'
import { getOwn, isRecord } from './record.js'

/**
 * Returns true when JSON of the detailed schema equals data that was decoded. It walks the data, which is finite, and
 * never the JSON, which may come as an object with cycles.
 */
export function matchesDetailed(data: PlutusData, json: unknown): boolean {
  if (!isRecord(json)) return false
  switch (data.kind) {
    case 'int': {
      const value = getOwn(json, 'int')
      // Longer digits than the number's own need no conversion: that would need time by their square.
      return (typeof value !== 'string' || value === String(data.asInt())) && exactInteger(value) === data.asInt()
    }
    case 'bytes':
      return getOwn(json, 'bytes') === bytesToHex(data.asBytes())
    case 'list':
      return matchesList(data.asList(), getOwn(json, 'list'))
    case 'map': {
      const pairs = getOwn(json, 'map')
      const entries = data.asMap()
      if (!Array.isArray(pairs) || pairs.length !== entries.length) return false
      return entries.every(([key, value], i) => {
        const pair: unknown = pairs[i]
        return isRecord(pair) && matchesDetailed(key, getOwn(pair, 'k')) && matchesDetailed(value, getOwn(pair, 'v'))
      })
    }
    case 'constr': {
      const { index, fields } = data.asConstr()
      const named = getOwn(json, 'constructor')
      return typeof named !== 'string' && exactInteger(named) === index && matchesList(fields, getOwn(json, 'fields'))
    }
  }
}

function matchesList(items: readonly PlutusData[], json: unknown): boolean {
  return Array.isArray(json) && json.length === items.length && items.every((item, i) => matchesDetailed(item, json[i]))
}
