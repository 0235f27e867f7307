import { InvalidArgumentError } from '../errors/input.js'
import type { ScriptEvaluator } from '../types/scriptEvaluator.js'

/** Returns the evaluator, or null without one. @throws {@link InvalidArgumentError} on anything else */
export function checkEvaluator(evaluator: ScriptEvaluator | undefined): ScriptEvaluator | null {
  if (evaluator === undefined) return null
  if (typeof evaluator === 'function') return evaluator
  throw new InvalidArgumentError('evaluator', 'a function such as scalusEvaluator() returns', evaluator)
}
