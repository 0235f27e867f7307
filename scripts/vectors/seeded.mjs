// Chance that comes out the same on every run, and bytes of CBOR without any code of the package under test.
import { createHash } from 'node:crypto'

export const hexOf = (bytes) => Buffer.from(bytes).toString('hex')
export const bytesOf = (hex) => new Uint8Array(Buffer.from(hex, 'hex'))

/** A source of chance: the SHA-256 of a name and a counter. */
export function seeded(name) {
  let counter = 0
  const bytes = (length) => {
    const parts = []
    for (let have = 0; have < length; have += 32)
      parts.push(createHash('sha256').update(`${name}/${counter++}`).digest())
    return new Uint8Array(Buffer.concat(parts).subarray(0, length))
  }
  const below = (limit) => Buffer.from(bytes(6)).readUIntBE(0, 6) % limit
  const pick = (list) => list[below(list.length)]
  /** A quantity of any size up to 2^63 - 1, small ones as likely as large ones. */
  const quantity = () => (Buffer.from(bytes(8)).readBigUInt64BE() >> BigInt(1 + below(56))) + 1n
  return { bytes, hex: (length) => hexOf(bytes(length)), below, pick, quantity }
}

const headOf = (major, argument, wide = false) => {
  const n = BigInt(argument)
  const first = major << 5
  if (n < 24n && !wide) return [first | Number(n)]
  const size = wide || n > 0xffffffffn ? 8 : n > 0xffffn ? 4 : n > 0xffn ? 2 : 1
  return [first | (24 + Math.log2(size)), ...bytesOf(n.toString(16).padStart(size * 2, '0'))]
}

/** The few forms of CBOR that the figures need: Uint8Array, string, number, boolean, null, array, Map. */
export function cbor(value) {
  if (value instanceof Uint8Array) return [...headOf(2, value.length), ...value]
  if (typeof value === 'string') return [...headOf(3, Buffer.byteLength(value)), ...Buffer.from(value)]
  if (typeof value === 'number') return value < 0 ? headOf(1, -1 - value) : headOf(0, value)
  if (typeof value === 'boolean') return [value ? 0xf5 : 0xf4]
  if (value === null) return [0xf6]
  if (Array.isArray(value)) return [...headOf(4, value.length), ...value.flatMap(cbor)]
  return [...headOf(5, value.size), ...[...value].flatMap(([key, inner]) => [...cbor(key), ...cbor(inner)])]
}

/** Parses one CBOR item into { major, argument, indefinite, children, start, end }. */
export function parseItem(bytes, start = 0) {
  const major = bytes[start] >> 5
  const info = bytes[start] & 31
  const size = info < 24 || info === 31 ? 0 : 2 ** (info - 24)
  const argument =
    info < 24 ? BigInt(info) : size === 0 ? 0n : BigInt(`0x${hexOf(bytes.subarray(start + 1, start + 1 + size))}`)
  const item = {
    major,
    argument,
    indefinite: info === 31,
    children: [],
    start,
    body: start + 1 + size,
    end: start + 1 + size
  }
  const child = () => {
    const inner = parseItem(bytes, item.end)
    item.children.push(inner)
    item.end = inner.end
  }
  if (major === 2 || major === 3) {
    if (!item.indefinite) item.end += Number(argument)
  }
  if (item.indefinite) {
    while (bytes[item.end] !== 0xff) child()
    item.end += 1
  } else if (major === 6) child()
  else if (major === 4 || major === 5) for (let n = Number(argument) * (major - 3); n > 0; n--) child()
  return item
}

/**
 * The same item in other bytes: numbers and lengths in eight bytes, arrays and maps of indefinite length, sets without
 * tag 258. Strings keep their bytes, so hashes and signatures inside stay what they were.
 */
export function reencode(bytes, item, { wide = () => false, open = () => false, untag = false }) {
  const inner = item.children.flatMap((each) => reencode(bytes, each, { wide, open, untag }))
  if (item.major === 6 && item.argument === 258n && untag) return inner
  if (item.children.length === 0 && item.indefinite) return [...bytes.subarray(item.start, item.end)]
  if (item.major === 2 || item.major === 3)
    return item.indefinite
      ? [...bytes.subarray(item.start, item.end)]
      : [...headOf(item.major, item.argument, wide()), ...bytes.subarray(item.body, item.end)]
  if (item.major === 7) return [...bytes.subarray(item.start, item.end)]
  if ((item.major === 4 || item.major === 5) && (item.indefinite || open()))
    return [(item.major << 5) | 31, ...inner, 0xff]
  return [...headOf(item.major, item.argument, item.major < 2 && wide()), ...inner]
}
