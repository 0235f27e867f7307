import type { DevNodeFaults } from '../../devnode/index.js'
import { noFaults, readFaults } from '../../devnode/inner.js'
import { parseJson } from '../../codec/json.js'
import { UsageError } from '../usage.js'

/**
 * Reads `--fault NAME[=VALUE]`: without a value a flag is set and a number is 1; `dropTags` accepts tags and
 * `failRoutes` routes, with commas between them, `httpFailure` JSON.
 *
 * @throws UsageError on an unknown name or a value of another kind.
 */
export function readFaultOptions(texts: readonly string[]): Partial<DevNodeFaults> {
  const faults: Record<string, unknown> = {}
  for (const text of texts) {
    const [name = '', ...rest] = text.split('=')
    faults[name] = faultValue(name, rest.length === 0 ? undefined : rest.join('='))
  }
  return readFaults(faults)
}

function faultValue(name: string, text: string | undefined): unknown {
  const none: Record<string, unknown> = { ...noFaults() }
  if (!Object.hasOwn(none, name))
    throw new UsageError(`--fault knows no "${name}", only ${Object.keys(none).join(', ')}.`)
  const kind = none[name]
  const wrong = (expected: string): UsageError =>
    new UsageError(`--fault ${name} needs ${expected}, not "${text ?? ''}".`)
  if (typeof kind === 'boolean') {
    if (text === undefined || text === 'true') return true
    if (text === 'false') return false
    throw wrong('true or false')
  }
  if (typeof kind === 'number') {
    if (text === undefined) return 1
    if (/^\d{1,9}$/.test(text)) return Number(text)
    throw wrong('a whole number')
  }
  if (text === undefined || text === '') throw wrong('a value')
  if (name === 'dropTags' || name === 'failRoutes') return text.split(',')
  return name === 'httpFailure' ? httpFailure(text, wrong) : text
}

function httpFailure(text: string, wrong: (expected: string) => UsageError): unknown {
  const expected = 'a status, or JSON { "status": 500, "body": "..." }'
  const failure = ((): unknown => {
    if (/^\d{3}$/.test(text)) return { status: Number(text), body: '' }
    try {
      return parseJson(text)
    } catch {
      throw wrong(expected)
    }
  })()
  const { status, body } = (failure ?? {}) as Record<string, unknown>
  const isStatus = Number.isInteger(status) && (status as number) >= 200 && (status as number) <= 599
  if (!isStatus || typeof body !== 'string') throw wrong(expected)
  return failure
}
