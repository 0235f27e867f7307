import type { CborReader } from '../../../codec/cbor/reader.js'
import type { CborWriter } from '../../../codec/cbor/writer.js'
import { bytesToHex, hexToBytes } from '../../../codec/hex.js'
import { isObject } from '../../json/isObject.js'
import { ParseFailure } from '../../json/ParseFailure.js'

/** A type of the node's API in both of its forms: the value of its JSON, and its CBOR. */
export interface Shape {
  /** @throws {@link ParseFailure} on a value of another shape. */
  write(writer: CborWriter, value: unknown): void
  /** @throws {@link InvalidCborError} or {@link ParseFailure} on other CBOR. */
  read(reader: CborReader): unknown
}

/** Members of a constructor in the order of their declaration, which is the wire format. */
export type Members = readonly (readonly [name: string, shape: Shape])[]

/** Throws the error for a value of another shape. */
export function mismatch(expected: string, value: unknown): never {
  throw new ParseFailure(`expected ${expected}, but got ${value === null ? 'null' : typeof value}`)
}

export const text: Shape = {
  write: (writer, value) => void writer.text(typeof value === 'string' ? value : mismatch('a text', value)),
  read: (reader) => reader.readText()
}

export const natural: Shape = {
  write: (writer, value) =>
    void writer.uint(
      BigInt(typeof value === 'number' || typeof value === 'bigint' ? value : mismatch('a number', value))
    ),
  read: (reader) => narrow(reader.readUint())
}

export const bool: Shape = {
  write: (writer, value) => void writer.bool(typeof value === 'boolean' ? value : mismatch('true or false', value)),
  read: (reader) => {
    const [byte] = reader.slice(reader.skip())
    return byte === 0xf5 || (byte !== 0xf4 && mismatch('true or false', byte))
  }
}

/** A byte string, which JSON has in hex. */
export const bytes: Shape = {
  write: (writer, value) => void writer.bytes(hexToBytes(typeof value === 'string' ? value : mismatch('hex', value))),
  read: (reader) => bytesToHex(reader.readBytes())
}

/** A list, without a length: the node's library writes it so, and accepts both. */
export const listOf = (item: Shape): Shape => ({
  write(writer, value) {
    writer.arrayIndefinite()
    for (const each of Array.isArray(value) ? (value as unknown[]) : mismatch('a list', value)) item.write(writer, each)
    writer.break()
  },
  read(reader) {
    const items: unknown[] = []
    reader.eachItem(() => items.push(item.read(reader)))
    return items
  }
})

/** As {@link listOf}, with its length: a `Seq`. */
export const sequenceOf = (item: Shape): Shape => ({
  write(writer, value) {
    const items = Array.isArray(value) ? (value as unknown[]) : mismatch('a list', value)
    writer.array(items.length)
    for (const each of items) item.write(writer, each)
  },
  read: (reader) => listOf(item).read(reader)
})

/** An optional value: a list of none or one; JSON has null, or no member. */
export const maybe = (shape: Shape): Shape => ({
  write(writer, value) {
    writer.array(value == null ? 0 : 1)
    if (value != null) shape.write(writer, value)
  },
  read(reader) {
    let value: unknown = null
    reader.eachItem(() => (value = shape.read(reader)))
    return value
  }
})

/** A map whose keys JSON has as texts; `keyOf` makes the key's value of one. */
export const mapOf = (
  key: Shape,
  value: Shape,
  keyOf: (name: string) => unknown = (name) => name,
  nameOf: (key: unknown) => string = String
): Shape => ({
  write(writer, object) {
    const entries = Object.entries(isObject(object) ? object : mismatch('an object', object)).sort(([a], [b]) =>
      a < b ? -1 : 1
    )
    writer.map(entries.length)
    for (const [name, each] of entries) {
      key.write(writer, keyOf(name))
      value.write(writer, each)
    }
  },
  read(reader) {
    const entries: [string, unknown][] = []
    reader.eachEntry(() => entries.push([nameOf(key.read(reader)), value.read(reader)]))
    return Object.fromEntries(entries)
  }
})

/** A type with one constructor around another type, which JSON shows alone. */
export const named = (tag: string, shape: Shape): Shape => ({
  write(writer, value) {
    writer.text(tag)
    shape.write(writer, value)
  },
  read(reader) {
    expectTag(reader, tag)
    return shape.read(reader)
  }
})

/** A type with one constructor and members; its JSON has no tag. */
export const recordShape = (tag: string, members: Members): Shape => ({
  write(writer, value) {
    writer.text(tag)
    writeMembers(writer, members, value)
  },
  read(reader) {
    expectTag(reader, tag)
    return readMembers(reader, members)
  }
})

/**
 * Like {@link recordShape}, for a type whose constructor has been replaced: the first is written, all of them are read.
 */
export const revised = (...constructors: readonly (readonly [tag: string, members: Members])[]): Shape => ({
  write(writer, value) {
    const [[tag, members]] = constructors as [(typeof constructors)[number]]
    recordShape(tag, members).write(writer, value)
  },
  read(reader) {
    const found = reader.readText()
    const [, members] = constructors.find(([tag]) => tag === found) ?? improper(found)
    return readMembers(reader, members)
  }
})

/**
 * A type with several constructors, distinguished by `tag`. One with a shape in place of members has a value without a
 * name: `contents`.
 */
export const union = (constructors: Readonly<Record<string, Members | Shape>>): Shape => ({
  write(writer, value) {
    const tag =
      isObject(value) && typeof value['tag'] === 'string' ? value['tag'] : mismatch('an object with a tag', value)
    const members = Object.hasOwn(constructors, tag)
      ? constructors[tag]!
      : mismatch(Object.keys(constructors).join(', '), tag)
    writer.text(tag)
    if ('write' in members) members.write(writer, (value as Record<string, unknown>)['contents'])
    else writeMembers(writer, members, value)
  },
  read(reader) {
    const tag = reader.readText()
    const members = Object.hasOwn(constructors, tag) ? constructors[tag]! : improper(tag)
    return { tag, ...('read' in members ? { contents: members.read(reader) } : readMembers(reader, members)) }
  }
})

/** A type of constructors without members, which JSON has as texts. */
export const oneOf = (...tags: readonly string[]): Shape => ({
  write: (writer, value) =>
    void writer.text(typeof value === 'string' && tags.includes(value) ? value : mismatch(tags.join(', '), value)),
  read(reader) {
    const tag = reader.readText()
    return tags.includes(tag) ? tag : improper(tag)
  }
})

function writeMembers(writer: CborWriter, members: Members, value: unknown): void {
  const object = isObject(value) ? value : mismatch('an object', value)
  for (const [name, shape] of members) shape.write(writer, object[name])
}

function readMembers(reader: CborReader, members: Members): Record<string, unknown> {
  return Object.fromEntries(members.map(([name, shape]) => [name, shape.read(reader)]))
}

function expectTag(reader: CborReader, tag: string): void {
  const found = reader.readText()
  if (found !== tag) improper(found)
}

/** Throws the error for an unexpected constructor, in the words of the node's decoder. */
function improper(tag: string): never {
  throw new ParseFailure(
    `DecoderErrorCustom ${JSON.stringify(`${JSON.stringify(tag)} is not a proper CBOR-encoded value`)}`
  )
}

/** Returns an integer as a number where a double holds it exactly, as JSON is read. */
export function narrow(value: bigint): number | bigint {
  return value <= BigInt(Number.MAX_SAFE_INTEGER) && value >= BigInt(Number.MIN_SAFE_INTEGER) ? Number(value) : value
}
