import { fail } from '../accumulator/record.js'
import type { VerificationRule } from './types.js'

/** All rules, newest first. */
export const RULES: readonly VerificationRule[] = ['2.3', '2.2', '0.20-2.1']

/**
 * The rule that a version of the node signs by, from the `hydraNodeVersion` of its Greetings, such as `'2.3.0-ef833d8'`.
 *
 * Builds between 2.2.0 and 2.3.0 call themselves 2.2.0 and may sign by rule `2.3` already: `verifySnapshot` with `nodeVersion` tries both.
 *
 * @throws {@link VerificationError} with reason `rule` on another text and on versions before 0.20.
 * @example
 * ```ts
 * import { verificationRule } from 'layer-sdk/verify'
 * console.log(verificationRule('2.1.0'), verificationRule('2.3.0-ef833d8')) // 0.20-2.1 2.3
 * ```
 */
export function verificationRule(nodeVersion: string): VerificationRule {
  const parts = typeof nodeVersion === 'string' ? /^v?(\d{1,6})\.(\d{1,6})\.(\d{1,6})(?![\d.])/.exec(nodeVersion) : null
  if (parts === null) return fail('rule', 'The nodeVersion', 'a version such as "2.3.0"', nodeVersion)
  const [major, minor] = [Number(parts[1]), Number(parts[2])]
  if (major === 0 && minor < 20) return fail('rule', 'The nodeVersion', '0.20.0 or later', nodeVersion)
  if (major < 2 || (major === 2 && minor < 2)) return '0.20-2.1'
  return major === 2 && minor === 2 ? '2.2' : '2.3'
}

/** The rules to try, strictest first. */
export function rulesToTry(rule: unknown, nodeVersion: unknown, hasAccumulator: boolean): readonly VerificationRule[] {
  if (rule !== undefined) return RULES.includes(rule as VerificationRule) ? [rule as VerificationRule] : fail('rule', 'The rule', RULES.join(', '), rule)
  if (nodeVersion !== undefined && nodeVersion !== null) {
    const known = verificationRule(nodeVersion as string)
    return known === '2.2' ? ['2.3', '2.2'] : [known]
  }
  return hasAccumulator ? ['2.3', '2.2'] : ['0.20-2.1']
}
