/**
 * JSON that is inserted into other JSON unchanged: it is written already, or by a function on demand, for large and
 * rarely needed values.
 */
export class JsonText {
  readonly #text: string | (() => string)
  constructor(text: string | (() => string)) {
    this.#text = text
  }

  /** The JSON as text. */
  get text(): string {
    return typeof this.#text === 'string' ? this.#text : this.#text()
  }

  /** Returns the JSON. */
  toJsonText(): string {
    return this.text
  }
}

/**
 * A value that can be written as JSON. An object's own `toJsonText` has precedence; `undefined` members are left out,
 * as the node leaves out an absent `Maybe`.
 */
export type JsonValue =
  | null
  | boolean
  | number
  | bigint
  | string
  | { toJsonText(): string }
  | readonly JsonValue[]
  | { readonly [key: string]: JsonValue | undefined }

/** Writes a value as JSON, with big integers as plain digits. */
export function toJson(value: JsonValue): string {
  if (value === null) return 'null'
  switch (typeof value) {
    case 'string':
      return JSON.stringify(value)
    case 'number':
    case 'boolean':
    case 'bigint':
      return String(value)
    default:
  }
  if (Array.isArray(value)) return `[${(value as readonly JsonValue[]).map(toJson).join(',')}]`
  if (typeof (value as { toJsonText?: unknown }).toJsonText === 'function')
    return (value as { toJsonText(): string }).toJsonText()
  return `{${jsonMembersOf(value as { readonly [key: string]: JsonValue | undefined })}}`
}

/** Returns the members of an object as JSON, without the braces. */
export function jsonMembersOf(fields: { readonly [key: string]: JsonValue | undefined }): string {
  const parts: string[] = []
  for (const [key, value] of Object.entries(fields)) {
    if (value !== undefined) parts.push(`${JSON.stringify(key)}:${toJson(value)}`)
  }
  return parts.join(',')
}
