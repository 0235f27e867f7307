import { EvaluatorFailedError, ScriptFailedError } from '../errors/scripts.js'
import type { ScriptPosition } from '../errors/scripts.js'
import type { ScriptUnits } from '../types/scriptEvaluator.js'
import { REDEEMER_TAGS, redeemerName } from './redeemer.js'
import type { RedeemerTag } from './redeemer.js'

/**
 * Converts the rejection of an evaluator, which is code of another package. A rejection with `message` and `logs` means
 * that a script failed; any other that the evaluator itself failed. `needs`: the scripts that were evaluated.
 */
export function evaluatorError(
  error: unknown,
  needs: readonly ScriptPosition[]
): ScriptFailedError | EvaluatorFailedError {
  const { message, logs, redeemer } = (error ?? {}) as { message?: unknown; logs?: unknown; redeemer?: unknown }
  if (typeof message !== 'string' || !Array.isArray(logs))
    return new EvaluatorFailedError('units of each redeemer, or the failure of a script', error)
  const name = isPointer(redeemer) ? redeemerName(redeemer) : null
  const named = needs.filter((need) => need.redeemer === name)
  return new ScriptFailedError(named.length > 0 ? named : needs, message, logs.map(String), error)
}

const isPointer = (value: unknown): value is { tag: RedeemerTag; index: number } =>
  typeof value === 'object' && value !== null && 'tag' in value && 'index' in value

/**
 * Checks the answer of an evaluator, which must have the units of each redeemer (`spend#0`) once, and returns them in
 * the order of their tags and indices.
 *
 * @throws {@link EvaluatorFailedError}
 */
export function readScriptUnits(answer: unknown, redeemers: readonly string[]): ScriptUnits[] {
  const names = new Set(redeemers)
  const expected = `units of ${[...names].join(', ')}: { tag, index, mem, cpu } once for each`
  const units = Array.isArray(answer) ? answer.map((each) => readUnit(each)) : [null]
  for (const unit of units)
    if (unit === null || !names.delete(redeemerName(unit as { tag: RedeemerTag; index: number })))
      throw new EvaluatorFailedError(expected, answer)
  if (names.size > 0) throw new EvaluatorFailedError(expected, new Error(`no units of ${[...names].join(', ')}`))
  return (units as ScriptUnits[]).sort(
    (a, b) =>
      REDEEMER_TAGS.indexOf(a.tag as RedeemerTag) - REDEEMER_TAGS.indexOf(b.tag as RedeemerTag) || a.index - b.index
  )
}

function readUnit(value: unknown): ScriptUnits | null {
  const { tag, index, mem, cpu, logs } = (value ?? {}) as Partial<Record<keyof ScriptUnits, unknown>>
  if (!REDEEMER_TAGS.some((each) => each === tag) || !Number.isSafeInteger(index)) return null
  if (!isCount(mem) || !isCount(cpu)) return null
  const traces = Array.isArray(logs) ? logs.map(String) : []
  return { tag: tag as RedeemerTag, index: index as number, mem: BigInt(mem), cpu: BigInt(cpu), logs: traces }
}

const isCount = (value: unknown): value is bigint | number =>
  (typeof value === 'bigint' || Number.isSafeInteger(value)) && (value as bigint | number) >= 0
