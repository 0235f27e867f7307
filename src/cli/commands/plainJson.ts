/** Returns a value as JSON: bigints as decimal strings, Maps as objects. */
export function inPlainJson(value: unknown): string {
  return JSON.stringify(value, (_, member: unknown) => {
    if (typeof member === 'bigint') return member.toString()
    if (member instanceof Map)
      return Object.fromEntries(
        [...member].map(([key, each]) => [String(key), hasJson(each) ? each.toJson() : (each as unknown)])
      )
    return member
  })
}

const hasJson = (value: unknown): value is { toJson(): unknown } =>
  typeof value === 'object' && value !== null && typeof (value as { toJson?: unknown }).toJson === 'function'
