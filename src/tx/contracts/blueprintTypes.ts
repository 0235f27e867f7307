import type { DataConstructor, DataType, DataTypes } from './dataType.js'
import { resolveType } from './dataType.js'
import { isNullable } from './dataValue.js'
import { readBlueprint } from './loadBlueprint.js'

/**
 * Returns TypeScript source with the types of a blueprint of compiled contracts (CIP-57): `Contracts`, for
 * `loadBlueprint<Contracts>(json)`, and a type for each of its definitions.
 *
 * @param json - the text of the file, or the parsed object
 * @throws {@link InvalidArgumentError} naming the place, {@link InvalidJsonError}
 */
export function blueprintTypes(json: unknown): string {
  const { title, definitions, validators } = readBlueprint(json)
  const names = typeNames(definitions)
  const write = (type: DataType): string => typeText(type, { names, types: definitions })
  const named = [...definitions].map(([name, type]) => `export type ${names.get(name)!} = ${write(type)}\n`)
  const contracts = validators.map(({ title: of, datum, redeemer, parameters }) => {
    const values = parameters.map(({ name, type }) => `${identifier(name)}: ${write(type)}`).join(', ')
    return [
      `  ${JSON.stringify(of)}: {`,
      `    datum: ${datum === null ? 'PlutusDataSource' : write(datum)}`,
      `    redeemer: ${write(redeemer)}`,
      `    parameters: [${values}]`,
      '  }'
    ].join('\n')
  })
  const body = [...named, `export type Contracts = {\n${contracts.join('\n')}\n}\n`].join('\n')
  const imported = /\bPlutusDataSource\b/.test(body) ? "import type { PlutusDataSource } from 'layer-sdk/tx'\n\n" : ''
  // No text of the blueprint may end the comment.
  return `// Types of ${JSON.stringify(title.slice(0, 100))}, written by layer-sdk blueprint.\n${imported}${body}`
}

interface Names {
  readonly names: ReadonlyMap<string, string>
  readonly types: DataTypes
}

/** Returns a unique TypeScript name for each definition. */
function typeNames(types: DataTypes): Map<string, string> {
  const names = new Map<string, string>()
  const used = new Set(['Contracts', 'PlutusDataSource', 'Array', 'ReadonlyArray'])
  for (const name of types.keys()) {
    const words = name.split(/[^A-Za-z0-9]+/).filter((word) => word !== '')
    const pascal = words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('')
    const base = /^[A-Za-z]/.test(pascal) ? pascal : `Type${pascal}`
    let free = base
    for (let i = 2; used.has(free); i++) free = `${base}${i}`
    used.add(free)
    names.set(name, free)
  }
  return names
}

/** Returns a name of the blueprint, which may be any text, as a valid label of a tuple. */
function identifier(name: string): string {
  const plain = name.replace(/[^A-Za-z0-9_]+/g, '_')
  return /^[A-Za-z_]/.test(plain) ? plain : `_${plain}`
}

const key = (name: string): string => (/^[A-Za-z_]\w*$/.test(name) ? name : JSON.stringify(name))

function typeText(type: DataType, all: Names): string {
  const write = (each: DataType): string => typeText(each, all)
  switch (type.kind) {
    case 'named':
      resolveType(type, all.types)
      return all.names.get(type.name)!
    case 'any':
      return 'PlutusDataSource'
    case 'integer':
      return 'bigint'
    case 'bytes':
      return 'string'
    case 'boolean':
      return 'boolean'
    case 'list':
      return `ReadonlyArray<${write(type.item)}>`
    case 'tuple':
      return `readonly [${type.items.map(write).join(', ')}]`
    case 'map':
      return `ReadonlyArray<readonly [${write(type.key)}, ${write(type.value)}]>`
    case 'option':
      return isNullable(type, all.types) ? `${write(type.item)} | null` : `{ Some: [${write(type.item)}] } | 'None'`
    case 'record':
      return fieldsText(type.constructor, all)
    case 'constructors':
      return type.constructors
        .map((each) =>
          each.fields.length === 0 ? JSON.stringify(each.title) : `{ ${key(each.title)}: ${fieldsText(each, all)} }`
        )
        .join(' | ')
  }
}

function fieldsText({ fields }: DataConstructor, all: Names): string {
  if (fields.length === 0) return 'Record<string, never>'
  if (fields[0]!.name === null) return `[${fields.map(({ type }) => typeText(type, all)).join(', ')}]`
  return `{ ${fields.map(({ name, type }) => `${key(name!)}: ${typeText(type, all)}`).join('; ')} }`
}
