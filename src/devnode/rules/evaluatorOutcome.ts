import { describeValue } from '../../errors/base.js'
import { isObject } from '../json/isObject.js'
import type { ScriptUnits } from '../../types/scriptEvaluator.js'
import { REDEEMER_TAGS, type RedeemerTag } from '../../codec/redeemer.js'
import { redeemerKey } from './txScripts.js'

/**
 * Outcome of running a transaction's scripts: `broken` is a failure of the evaluator itself, and no verdict on the
 * scripts.
 */
export type ScriptOutcome =
  | { readonly kind: 'passed'; readonly units: ReadonlyMap<string, Units> }
  | {
      readonly kind: 'failed'
      readonly redeemer: string | null
      readonly message: string
      readonly logs: readonly string[]
    }
  | { readonly kind: 'broken'; readonly message: string }

/** Units that a redeemer uses. */
export interface Units {
  readonly tag: RedeemerTag
  readonly index: number
  readonly mem: bigint
  readonly cpu: bigint
}

/** Most lines of a script's log that are kept: a script that traces without end must not fill the node's messages. */
const MAX_LOGS = 1000
const MAX_TEXT = 10_000

/** Reads the result of an evaluator, which may be of any type. */
export function evaluatorOutcome(answer: unknown): ScriptOutcome {
  return guarded(() => {
    if (!Array.isArray(answer)) return nonsense('an array of { tag, index, mem, cpu }', answer)
    const units = new Map<string, Units>()
    for (const each of answer as unknown[]) {
      const unit = unitsOf(each)
      if (unit === null || units.has(redeemerKey(unit)))
        return nonsense('{ tag, index, mem, cpu } once for each redeemer', each)
      units.set(redeemerKey(unit), unit)
    }
    return { kind: 'passed', units }
  })
}

/**
 * Reads the rejection of an evaluator: with `logs` it is the failure of a script, otherwise one of the evaluator
 * itself.
 */
export function rejectionOutcome(error: unknown): ScriptOutcome {
  return guarded(() => {
    const { message, logs, redeemer } = (error ?? {}) as { message?: unknown; logs?: unknown; redeemer?: unknown }
    if (typeof message !== 'string') return { kind: 'broken', message: `it rejected with ${describeValue(error)}` }
    if (!Array.isArray(logs)) return { kind: 'broken', message: message.slice(0, MAX_TEXT) }
    const pointer = isObject(redeemer) ? unitsOf({ ...redeemer, mem: 0n, cpu: 0n }) : null
    const texts = logs.slice(0, MAX_LOGS).map((log) => String(log).slice(0, MAX_TEXT))
    return {
      kind: 'failed',
      redeemer: pointer === null ? null : redeemerKey(pointer),
      message: message.slice(0, MAX_TEXT),
      logs: texts
    }
  })
}

function unitsOf(value: unknown): Units | null {
  if (!isObject(value)) return null
  const { tag, index, mem, cpu } = value as Partial<Record<keyof ScriptUnits, unknown>>
  const purpose = REDEEMER_TAGS.find((each) => each === tag)
  const [exactMem, exactCpu] = [wholeNumber(mem), wholeNumber(cpu)]
  if (purpose === undefined || !Number.isSafeInteger(index) || exactMem === null || exactCpu === null) return null
  return { tag: purpose, index: index as number, mem: exactMem, cpu: exactCpu }
}

function wholeNumber(value: unknown): bigint | null {
  const isWhole = typeof value === 'bigint' || Number.isSafeInteger(value)
  return isWhole && (value as bigint | number) >= 0 ? BigInt(value as bigint | number) : null
}

const nonsense = (expected: string, got: unknown): ScriptOutcome => ({
  kind: 'broken',
  message: `expected ${expected}, got ${describeValue(got)}`
})

/** Runs `read`; an error counts as `broken`, because getters and proxies of foreign code may throw. */
function guarded(read: () => ScriptOutcome): ScriptOutcome {
  try {
    return read()
  } catch {
    return { kind: 'broken', message: 'its answer cannot be read' }
  }
}
