// Of this folder no file imports src: it is a second reading of the proposed standard and of the accumulator's
// construction, on Node's own hashes and signatures and on @noble/curves.

/** Plutus data as CBOR has it. */
export type Data =
  | bigint
  | Uint8Array
  | readonly Data[]
  | { readonly constr: number; readonly fields: readonly Data[] }
  | { readonly pairs: readonly (readonly [Data, Data])[] }

/** Reads one item of CBOR, as far as datums need it. */
export function readPlutus(bytes: Uint8Array): Data {
  let at = 0
  const argument = (info: number): bigint => {
    if (info < 24) return BigInt(info)
    const length = 2 ** (info - 24)
    let value = 0n
    for (let i = 0; i < length; i++) value = value * 256n + BigInt(bytes[at++]!)
    return value
  }
  const isBreak = (): boolean => bytes[at] === 0xff && ++at > 0
  const read = (): Data => {
    const head = bytes[at++]!
    const [major, info] = [head >> 5, head & 31]
    if (info === 31) {
      if (major === 4) {
        const items: Data[] = []
        while (!isBreak()) items.push(read())
        return items
      }
      const chunks: number[] = []
      while (!isBreak()) chunks.push(...(read() as Uint8Array))
      return Uint8Array.from(chunks)
    }
    const value = argument(info)
    switch (major) {
      case 0:
        return value
      case 1:
        return -1n - value
      case 2:
        return bytes.slice(at, (at += Number(value)))
      case 4:
        return Array.from({ length: Number(value) }, read)
      case 5:
        return { pairs: Array.from({ length: Number(value) }, () => [read(), read()] as const) }
      case 6:
        return { constr: Number(value) - 121, fields: read() as readonly Data[] }
      default:
        throw new Error(`major type ${major} in a datum`)
    }
  }
  return read()
}

const head = (major: number, value: bigint): Buffer => {
  if (value < 24n) return Buffer.from([(major << 5) | Number(value)])
  const length = value < 256n ? 1 : value < 65_536n ? 2 : value < 2n ** 32n ? 4 : 8
  const info = { 1: 24, 2: 25, 4: 26, 8: 27 }[length]!
  return Buffer.concat([
    Buffer.from([(major << 5) | info]),
    Buffer.from(value.toString(16).padStart(2 * length, '0'), 'hex')
  ])
}

/** CBOR of an unsigned integer, a byte string, and of a constructor with fields. */
export const uint = (value: number | bigint): Buffer => head(0, BigInt(value))
export const byteString = (bytes: Uint8Array): Buffer => Buffer.concat([head(2, BigInt(bytes.length)), bytes])
export const map = (entries: readonly (readonly [Uint8Array, Uint8Array])[]): Buffer =>
  Buffer.concat([head(5, BigInt(entries.length)), ...entries.flat()])
const list = (items: readonly Uint8Array[]): Buffer =>
  items.length === 0
    ? Buffer.from('80', 'hex')
    : Buffer.concat([Buffer.from('9f', 'hex'), ...items, Buffer.from('ff', 'hex')])
export const constr = (index: number, ...fields: readonly Uint8Array[]): Buffer =>
  Buffer.concat([head(6, BigInt(121 + index)), list(fields)])

/** CBOR of Plutus data in its one form. */
export function encodePlutus(data: Data): Buffer {
  if (typeof data === 'bigint') return data >= 0n ? uint(data) : head(1, -1n - data)
  if (data instanceof Uint8Array) return byteString(data)
  if ('pairs' in data) return map(data.pairs.map(([key, value]) => [encodePlutus(key), encodePlutus(value)]))
  if ('constr' in data) return constr(data.constr, ...data.fields.map(encodePlutus))
  return list(data.map(encodePlutus))
}
