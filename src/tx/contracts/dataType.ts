import { isRecord } from '../../codec/record.js'
import { described } from '../../errors/base.js'
import { InvalidArgumentError } from '../../errors/input.js'

/** A constructor of a type: its number in Plutus data, and its fields in order. */
export interface DataConstructor {
  readonly title: string
  readonly index: number
  /** Fields in order. All names are null unless the schema names each field, with different names. */
  readonly fields: readonly { readonly name: string | null; readonly type: DataType }[]
}

/** Type of Plutus data, as a schema of a blueprint (CIP-57) describes it. */
export type DataType =
  | { readonly kind: 'any' | 'integer' | 'bytes' | 'boolean' }
  | { readonly kind: 'list' | 'option'; readonly item: DataType }
  | { readonly kind: 'tuple'; readonly items: readonly DataType[] }
  | { readonly kind: 'map'; readonly key: DataType; readonly value: DataType }
  /** A type with only one constructor: the value is the object of its fields. */
  | { readonly kind: 'record'; readonly constructor: DataConstructor }
  | { readonly kind: 'constructors'; readonly constructors: readonly DataConstructor[] }
  /** Reference to a definition by its name; needed because types may refer to themselves. */
  | { readonly kind: 'named'; readonly name: string }

/** Types by their names in a blueprint's definitions. */
export type DataTypes = ReadonlyMap<string, DataType>

/** Maximum nesting of a schema, against hostile blueprints. */
const MAX_DEPTH = 100

/** Reads the definitions of a blueprint. @throws {@link InvalidArgumentError} naming the place */
export function readDefinitions(definitions: unknown): DataTypes {
  if (definitions === undefined) return new Map()
  if (!isRecord(definitions)) throw new InvalidArgumentError('blueprint.definitions', 'an object', definitions)
  const types = new Map<string, DataType>()
  for (const [name, schema] of Object.entries(definitions))
    types.set(name, readType(schema, `blueprint.definitions.${name}`, 0))
  return types
}

/**
 * Resolves a reference to a named type to the type itself.
 *
 * @throws {@link InvalidArgumentError} when it is not defined, or only refers to itself
 */
export function resolveType(type: DataType, types: DataTypes): Exclude<DataType, { kind: 'named' }> {
  let found = type
  for (let i = 0; found.kind === 'named'; i++) {
    const next = types.get(found.name)
    if (next === undefined || i > types.size)
      throw new InvalidArgumentError('blueprint.definitions', `a definition of ${found.name}`, described('none'))
    found = next
  }
  return found
}

/** Converts a schema of a blueprint to a type. @throws {@link InvalidArgumentError} naming the place */
export function readType(schema: unknown, path: string, depth = 0): DataType {
  if (!isRecord(schema) || depth > MAX_DEPTH) throw new InvalidArgumentError(path, 'a schema of CIP-57', schema)
  const inner = (value: unknown, at: string): DataType => readType(value, `${path}.${at}`, depth + 1)
  if (schema['$ref'] !== undefined) return { kind: 'named', name: referredName(schema['$ref'], path) }
  if (schema['schema'] !== undefined) return inner(schema['schema'], 'schema')
  const choices = schema['anyOf'] ?? schema['oneOf']
  if (choices !== undefined) return readConstructors(choices, path, depth)
  if (schema['allOf'] !== undefined) {
    const all = schema['allOf']
    if (!Array.isArray(all) || all.length !== 1) throw new InvalidArgumentError(`${path}.allOf`, 'one schema', all)
    return inner(all[0], 'allOf[0]')
  }
  const { dataType } = schema
  switch (dataType) {
    case undefined:
      return { kind: 'any' }
    case 'integer':
      return { kind: 'integer' }
    case 'bytes':
      return { kind: 'bytes' }
    case 'list': {
      const { items } = schema
      if (Array.isArray(items))
        return { kind: 'tuple', items: items.map((item: unknown, i) => inner(item, `items[${i}]`)) }
      return { kind: 'list', item: items === undefined ? { kind: 'any' } : inner(items, 'items') }
    }
    case 'map':
      return { kind: 'map', key: inner(schema['keys'] ?? {}, 'keys'), value: inner(schema['values'] ?? {}, 'values') }
    case 'constructor':
      return { kind: 'record', constructor: readConstructor(schema, path, depth) }
    default:
      throw new InvalidArgumentError(
        `${path}.dataType`,
        'integer, bytes, list, map or constructor: constants of the machine (#) are no data',
        dataType
      )
  }
}

/** Returns the name in a reference such as `#/definitions/a~1b` (RFC 6901), where `~1` is a slash. */
function referredName(ref: unknown, path: string): string {
  const name = typeof ref === 'string' ? /^#\/definitions\/(.+)$/.exec(ref)?.[1] : undefined
  if (name === undefined) throw new InvalidArgumentError(`${path}.$ref`, '#/definitions/NAME', ref)
  return name.replaceAll('~1', '/').replaceAll('~0', '~')
}

function readConstructors(choices: unknown, path: string, depth: number): DataType {
  if (!Array.isArray(choices) || choices.length === 0)
    throw new InvalidArgumentError(`${path}.anyOf`, 'a list of constructors', choices)
  const constructors = choices.map((each: unknown, i) => {
    const at = `${path}.anyOf[${i}]`
    if (!isRecord(each) || each['dataType'] !== 'constructor')
      throw new InvalidArgumentError(at, 'a constructor: other choices cannot be told apart', each)
    return readConstructor(each, at, depth)
  })
  for (const key of ['title', 'index'] as const)
    if (new Set(constructors.map((each) => each[key])).size < constructors.length)
      throw new InvalidArgumentError(`${path}.anyOf`, `constructors with a ${key} of their own`, choices)
  const [first, second] = constructors
  if (constructors.length === 1) return { kind: 'record', constructor: first! }
  if (constructors.length > 2) return { kind: 'constructors', constructors }
  const [zero, one] = first!.index < second!.index ? [first!, second!] : [second!, first!]
  if (zero.title === 'False' && one.title === 'True' && zero.fields.length + one.fields.length === 0)
    return zero.index === 0 && one.index === 1 ? { kind: 'boolean' } : { kind: 'constructors', constructors }
  const isOption = zero.title === 'Some' && zero.fields.length === 1 && one.title === 'None' && one.fields.length === 0
  return isOption && zero.index === 0 && one.index === 1
    ? { kind: 'option', item: zero.fields[0]!.type }
    : { kind: 'constructors', constructors }
}

function readConstructor(schema: Record<string, unknown>, path: string, depth: number): DataConstructor {
  const { index, title, fields = [] } = schema
  if (!Number.isSafeInteger(index) || (index as number) < 0)
    throw new InvalidArgumentError(`${path}.index`, 'a whole number from 0', index)
  if (!Array.isArray(fields)) throw new InvalidArgumentError(`${path}.fields`, 'a list of schemas', fields)
  const read = fields.map((field: unknown, i) => ({
    name: isRecord(field) && typeof field['title'] === 'string' ? field['title'] : null,
    type: readType(field, `${path}.fields[${i}]`, depth + 1)
  }))
  const names = new Set(read.map(({ name }) => name))
  const isNamed = names.size === read.length && !names.has(null)
  return {
    title: typeof title === 'string' ? title : `Constructor${String(index)}`,
    index: index as number,
    fields: isNamed ? read : read.map(({ type }) => ({ name: null, type }))
  }
}
