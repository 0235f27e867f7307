import { bytesToHex, hexToBytes } from '../../codec/hex.js'
import { PlutusData } from '../../codec/plutusData.js'
import { isRecord } from '../../codec/record.js'
import { InvalidArgumentError } from '../../errors/input.js'
import type { DataConstructor, DataType, DataTypes } from './dataType.js'
import { resolveType } from './dataType.js'

/**
 * Returns true for an Option whose None is null. That excludes an Option of such an Option: null would be ambiguous.
 */
export function isNullable(type: DataType, types: DataTypes): boolean {
  const resolved = resolveType(type, types)
  return resolved.kind === 'option' && !isNullable(resolved.item, types)
}

/** Converts a value of a type to Plutus data. `path` names it in errors. @throws {@link InvalidArgumentError} */
export function encodeValueOf(type: DataType, value: unknown, types: DataTypes, path: string): PlutusData {
  const resolved = resolveType(type, types)
  const inner = (of: DataType, each: unknown, at: string): PlutusData => encodeValueOf(of, each, types, `${path}${at}`)
  switch (resolved.kind) {
    case 'any':
      return encodeAny(value, path)
    case 'integer':
      if (typeof value !== 'bigint' && !Number.isSafeInteger(value)) throw wrong(path, 'a bigint', value)
      return PlutusData.int(value as bigint | number)
    case 'bytes':
      if (typeof value !== 'string') throw wrong(path, 'bytes in hex', value)
      return PlutusData.bytes(hexToBytes(value, path))
    case 'boolean':
      if (typeof value !== 'boolean') throw wrong(path, 'true or false', value)
      return PlutusData.constr(value ? 1 : 0, [])
    case 'list':
      return PlutusData.list(listOf(value, path).map((each, i) => inner(resolved.item, each, `[${i}]`)))
    case 'tuple':
      return PlutusData.list(
        listOf(value, path, resolved.items.length).map((each, i) => inner(resolved.items[i]!, each, `[${i}]`))
      )
    case 'map':
      return PlutusData.map(
        listOf(value, path).map((pair, i) => {
          const [key, held] = listOf(pair, `${path}[${i}]`, 2)
          return [inner(resolved.key, key, `[${i}][0]`), inner(resolved.value, held, `[${i}][1]`)] as const
        })
      )
    case 'option':
      if (!isNullable(resolved, types)) return encodeChoice(nestedOption(resolved.item), value, types, path)
      return value === null || value === undefined
        ? PlutusData.constr(1, [])
        : PlutusData.constr(0, [inner(resolved.item, value, '')])
    case 'record':
      return encodeFields(resolved.constructor, value, types, path)
    case 'constructors':
      return encodeChoice(resolved.constructors, value, types, path)
  }
}

/** Converts Plutus data to a value of a type. @throws {@link InvalidArgumentError} when the data has another form */
export function decodeValueOf(type: DataType, data: PlutusData, types: DataTypes, path: string): unknown {
  const resolved = resolveType(type, types)
  const inner = (of: DataType, each: PlutusData, at: string): unknown => decodeValueOf(of, each, types, `${path}${at}`)
  const demand = (kind: PlutusData['kind']): void => {
    if (data.kind !== kind) throw wrong(path, `Plutus data of the form ${kind}`, data.kind)
  }
  switch (resolved.kind) {
    case 'any':
      return data
    case 'integer':
      demand('int')
      return data.asInt()
    case 'bytes':
      demand('bytes')
      return bytesToHex(data.asBytes())
    case 'boolean': {
      const { index } = constructorOf(data, path, [0, 1], [0, 0])
      return index === 1
    }
    case 'list':
      demand('list')
      return data.asList().map((each, i) => inner(resolved.item, each, `[${i}]`))
    case 'tuple': {
      demand('list')
      const items = data.asList()
      if (items.length !== resolved.items.length) throw wrong(path, `${resolved.items.length} items`, items.length)
      return items.map((each, i) => inner(resolved.items[i]!, each, `[${i}]`))
    }
    case 'map':
      demand('map')
      return data
        .asMap()
        .map(([key, held], i) => [inner(resolved.key, key, `[${i}][0]`), inner(resolved.value, held, `[${i}][1]`)])
    case 'option': {
      if (!isNullable(resolved, types)) return decodeChoice(nestedOption(resolved.item), data, types, path)
      const { index, fields } = constructorOf(data, path, [0, 1], [1, 0])
      return index === 1 ? null : inner(resolved.item, fields[0]!, '')
    }
    case 'record': {
      const { constructor } = resolved
      const { fields } = constructorOf(data, path, [constructor.index], [constructor.fields.length])
      return decodeFields(constructor, fields, types, path)
    }
    case 'constructors':
      return decodeChoice(resolved.constructors, data, types, path)
  }
}

const wrong = (path: string, expected: string, got: unknown): InvalidArgumentError =>
  new InvalidArgumentError(path, expected, got)

/** Constructors of an Option of an Option, which is written with its constructors because null would be ambiguous. */
const nestedOption = (item: DataType): readonly DataConstructor[] => [
  { title: 'Some', index: 0, fields: [{ name: null, type: item }] },
  { title: 'None', index: 1, fields: [] }
]

function encodeAny(value: unknown, path: string): PlutusData {
  const source: unknown =
    isRecord(value) && typeof value['toCbor'] === 'function' ? (value as { toCbor(): unknown }).toCbor() : value
  if (typeof source !== 'string') throw wrong(path, 'PlutusData, or its CBOR in hex', value)
  return PlutusData.fromCbor(source)
}

function listOf(value: unknown, path: string, length?: number): readonly unknown[] {
  if (!Array.isArray(value) || (length !== undefined && value.length !== length))
    throw wrong(path, length === undefined ? 'a list' : `a list of ${length}`, value)
  return value as readonly unknown[]
}

/** Encodes a value of a type with several constructors: `'Title'` without fields, `{ Title: fields }` with fields. */
function encodeChoice(
  constructors: readonly DataConstructor[],
  value: unknown,
  types: DataTypes,
  path: string
): PlutusData {
  const names = isRecord(value) ? Object.keys(value) : [value]
  const chosen = names.length === 1 ? constructors.find(({ title }) => title === names[0]) : undefined
  if (chosen === undefined || isRecord(value) !== chosen.fields.length > 0)
    throw wrong(
      path,
      constructors.map(({ title, fields }) => (fields.length === 0 ? `'${title}'` : `{ ${title} }`)).join(' or '),
      value
    )
  return encodeFields(chosen, isRecord(value) ? value[chosen.title] : undefined, types, `${path}.${chosen.title}`)
}

function decodeChoice(
  constructors: readonly DataConstructor[],
  data: PlutusData,
  types: DataTypes,
  path: string
): unknown {
  const { index, fields } = constructorOf(
    data,
    path,
    constructors.map((each) => each.index),
    constructors.map((each) => each.fields.length)
  )
  const chosen = constructors.find((each) => each.index === index)!
  if (chosen.fields.length === 0) return chosen.title
  return { [chosen.title]: decodeFields(chosen, fields, types, `${path}.${chosen.title}`) }
}

/** Encodes the fields of a constructor: an object by their names, or a list when the schema does not name them. */
function encodeFields({ index, fields }: DataConstructor, value: unknown, types: DataTypes, path: string): PlutusData {
  if (fields.length === 0) {
    if (value != null && !(isRecord(value) && Object.keys(value).length === 0) && !isEmptyList(value))
      throw wrong(path, 'no fields', value)
    return PlutusData.constr(index, [])
  }
  if (fields[0]!.name === null) {
    const list = listOf(value, path, fields.length)
    return PlutusData.constr(
      index,
      fields.map(({ type }, i) => encodeValueOf(type, list[i], types, `${path}[${i}]`))
    )
  }
  const names = fields.map(({ name }) => name!)
  if (!isRecord(value) || Object.keys(value).some((key) => !names.includes(key)))
    throw wrong(path, `{ ${names.join(', ')} }`, value)
  return PlutusData.constr(
    index,
    fields.map(({ type, name }) =>
      encodeValueOf(type, Object.hasOwn(value, name!) ? value[name!] : undefined, types, `${path}.${name!}`)
    )
  )
}

const isEmptyList = (value: unknown): boolean => Array.isArray(value) && value.length === 0

function decodeFields(
  { fields }: DataConstructor,
  data: readonly PlutusData[],
  types: DataTypes,
  path: string
): unknown {
  const values = fields.map(({ type, name }, i) =>
    decodeValueOf(type, data[i]!, types, name === null ? `${path}[${i}]` : `${path}.${name}`)
  )
  if (fields.length > 0 && fields[0]!.name === null) return values
  return Object.fromEntries(fields.map(({ name }, i) => [name!, values[i]]))
}

/** Reads a constructor with its fields. @throws {@link InvalidArgumentError} on another index or number of fields */
function constructorOf(
  data: PlutusData,
  path: string,
  indices: readonly number[],
  counts: readonly number[]
): { readonly index: number; readonly fields: readonly PlutusData[] } {
  if (data.kind !== 'constr') throw wrong(path, 'Plutus data of the form constr', data.kind)
  const { index, fields } = data.asConstr()
  const at = indices.indexOf(Number(index))
  if (at < 0 || counts[at] !== fields.length)
    throw wrong(path, `constructor ${indices.map((each, i) => `${each} with ${counts[i]!} fields`).join(' or ')}`, {
      index: String(index),
      fields: fields.length
    })
  return { index: Number(index), fields }
}
