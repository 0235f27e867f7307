import { bytesToHex } from '../codec/hex.js'
import { blake2b256 } from '../hash/blake2b.js'

const encoder = /* @__PURE__ */ new TextEncoder()

/**
 * Returns canonical JSON, in which equal documents are equal texts: without spaces, with members in the order of their
 * names, and with numbers as ECMAScript writes them (`0.0` and `0` are one number, `5.77e-2` and `0.0577` too).
 */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`
  if (typeof value === 'bigint') return String(value)
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null'
  const members = Object.entries(value as Record<string, unknown>)
    .filter(([, member]) => member !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${canonicalJson(member)}`).join(',')}}`
}

/** Returns the BLAKE2b-256 hash of the canonical JSON of a document: hex, 64 characters. */
export function hashJson(value: unknown): string {
  return bytesToHex(blake2b256(encoder.encode(canonicalJson(value))))
}
