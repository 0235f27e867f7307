import { parseCbor } from './cborTree'
import type { CborItem } from './cborTree'

/** CBOR as a tree that tests change and write again; it shares nothing with src/codec. */
export type CborValue =
  | { readonly kind: 'int'; value: bigint }
  | { readonly kind: 'bytes'; hex: string }
  | { readonly kind: 'text'; hex: string }
  | { readonly kind: 'list'; readonly items: CborValue[]; readonly indefinite?: boolean }
  | { readonly kind: 'map'; readonly items: CborValue[] }
  | { readonly kind: 'tag'; number: bigint; readonly items: CborValue[] }
  | { readonly kind: 'simple'; value: bigint }

const toHex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex')

export function decodeValue(bytes: Uint8Array, item: CborItem = parseCbor(bytes)): CborValue {
  const children = (): CborValue[] => item.children.map((child) => decodeValue(bytes, child))
  switch (item.major) {
    case 0:
      return { kind: 'int', value: item.argument }
    case 1:
      return { kind: 'int', value: -1n - item.argument }
    case 2:
    case 3: {
      const kind = item.major === 2 ? 'bytes' : 'text'
      const chunks = item.argument < 0n ? item.children : [item]
      return {
        kind,
        hex: chunks.map((chunk) => toHex(bytes.subarray(chunk.end - Number(chunk.argument), chunk.end))).join('')
      }
    }
    case 4:
      return { kind: 'list', items: children(), indefinite: item.argument < 0n }
    case 5:
      return { kind: 'map', items: children() }
    case 6:
      return { kind: 'tag', number: item.argument, items: children() }
    default:
      return { kind: 'simple', value: item.argument }
  }
}

function head(major: number, argument: bigint): string {
  const first = (info: number): string => ((major << 5) | info).toString(16).padStart(2, '0')
  if (argument < 24n) return first(Number(argument))
  for (const [info, size] of [
    [24, 1],
    [25, 2],
    [26, 4],
    [27, 8]
  ] as const)
    if (argument < 1n << BigInt(8 * size)) return first(info) + argument.toString(16).padStart(2 * size, '0')
  throw new Error('too large')
}

export function encodeValue(value: CborValue): string {
  switch (value.kind) {
    case 'int':
      return value.value < 0n ? head(1, -1n - value.value) : head(0, value.value)
    case 'bytes':
    case 'text': {
      const chunk = (hex: string): string => head(value.kind === 'bytes' ? 2 : 3, BigInt(hex.length / 2)) + hex
      return chunk(value.hex)
    }
    case 'list':
      if (value.indefinite === true) return `9f${value.items.map(encodeValue).join('')}ff`
      return head(4, BigInt(value.items.length)) + value.items.map(encodeValue).join('')
    case 'map':
      return head(5, BigInt(value.items.length / 2)) + value.items.map(encodeValue).join('')
    case 'tag':
      return head(6, value.number) + value.items.map(encodeValue).join('')
    default:
      return head(7, value.value)
  }
}

export const int = (value: bigint | number): CborValue => ({ kind: 'int', value: BigInt(value) })
export const bytes = (hex: string): CborValue => ({ kind: 'bytes', hex })
export const list = (...items: CborValue[]): CborValue => ({ kind: 'list', items })
export const map = (...items: CborValue[]): CborValue => ({ kind: 'map', items })

/** The value of an integer key in a map; undefined when it is not there. */
export function at(container: CborValue, key: number): CborValue | undefined {
  if (container.kind !== 'map') throw new Error('no map')
  for (let i = 0; i < container.items.length; i += 2) {
    const each = container.items[i]!
    if (each.kind === 'int' && each.value === BigInt(key)) return container.items[i + 1]
  }
  return undefined
}

/** Sets or, with undefined, removes the value of an integer key. */
export function put(container: CborValue, key: number, value: CborValue | undefined): void {
  if (container.kind !== 'map') throw new Error('no map')
  const found = container.items.findIndex((each, i) => i % 2 === 0 && each.kind === 'int' && each.value === BigInt(key))
  if (found >= 0) container.items.splice(found, 2)
  if (value !== undefined) container.items.push(int(key), value)
}
