import { readFileSync } from 'node:fs'
import { join } from 'node:path'

type Schema = Record<string, any>

const load = (name: string): Schema => JSON.parse(readFileSync(join(__dirname, name), 'utf8')) as Schema
/** Excerpt of Blockfrost's published description; its head names version and commit. */
export const BLOCKFROST: Schema = load('blockfrost-0.1.91.json')
/** Excerpt of Ogmios' published JSON schemas; its head names version and commit. */
export const OGMIOS: Schema = load('ogmios-6.14.json')

/** Throws when a value is not of a published schema: our servers may only say and take what the description allows. */
export function assertSchema(schema: Schema, value: unknown, what: string): void {
  const problem = check(schema, value, '')
  if (problem) throw new Error(`${what} is not as published: ${problem}`)
}

const TYPES: Record<string, (value: unknown) => boolean> = {
  object: (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
  array: Array.isArray,
  string: (value) => typeof value === 'string',
  integer: (value) => typeof value === 'bigint' || Number.isSafeInteger(value),
  number: (value) => typeof value === 'number' || typeof value === 'bigint',
  boolean: (value) => typeof value === 'boolean',
  null: (value) => value === null
}

function check(schema: Schema, value: any, at: string): string | undefined {
  if (schema['$ref']) return check(OGMIOS['definitions'][schema['$ref']], value, at)
  if (schema['nullable'] && value === null) return undefined
  const types = [schema['type'] ?? []].flat() as string[]
  if (types.length > 0 && !types.some((type) => TYPES[type]!(value))) return `${at} is not ${types.join('|')}`
  if (schema['enum'] && !schema['enum'].includes(value)) return `${at} is not one of ${schema['enum'].join()}`
  if (schema['pattern'] && !new RegExp(schema['pattern']).test(value))
    return `${at} does not match ${schema['pattern']}`
  if (schema['minimum'] !== undefined && value < schema['minimum']) return `${at} is below ${schema['minimum']}`
  if (schema['maximum'] !== undefined && value > schema['maximum']) return `${at} is above ${schema['maximum']}`
  if (
    typeof value === 'string' &&
    (value.length < (schema['minLength'] ?? 0) || value.length > (schema['maxLength'] ?? Infinity))
  )
    return `${at} has a wrong length`
  for (const key of ['oneOf', 'anyOf']) {
    const problems = (schema[key] as Schema[] | undefined)?.map((each) => check(each, value, at))
    if (problems && !problems.includes(undefined)) return `${at} fits none: ${problems.join('; ')}`
  }
  if (TYPES['object']!(value)) return checkObject(schema, value, at)
  if (Array.isArray(value) && schema['items'])
    return firstProblem(value.map((item, i) => check(schema['items'], item, `${at}[${i}]`)))
  return undefined
}

function checkObject(schema: Schema, value: Schema, at: string): string | undefined {
  const { properties = {}, required = [], additionalProperties, propertyNames } = schema
  const missing = (required as string[]).find((key) => !(key in value))
  if (missing) return `${at}.${missing} is missing`
  return firstProblem(
    Object.entries(value).map(([key, item]) => {
      if (key in properties) return check(properties[key], item, `${at}.${key}`)
      if (additionalProperties === false) return `${at}.${key} is not known`
      const name = propertyNames && check(propertyNames, key, `${at}.${key}`)
      return name ?? (additionalProperties ? check(additionalProperties, item, `${at}.${key}`) : undefined)
    })
  )
}

const firstProblem = (problems: (string | undefined)[]): string | undefined =>
  problems.find((problem) => problem !== undefined)
