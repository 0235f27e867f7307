import { fail } from '../accumulator/inner.js'
import type { VerificationError } from '../errors/verification.js'
import { unknownRuleError } from '../errors/verification.js'
import type { VerificationRule } from './types.js'

/** All rules of released nodes, newest first. */
const RELEASED: readonly VerificationRule[] = ['2.4', '2.3', '2.2', '0.20-2.1']
/** All rules. `next` belongs to no released node and is used only when it is named. */
export const RULES: readonly VerificationRule[] = ['next', ...RELEASED]
/** Minor version of the newest node that is known. */
const NEWEST_KNOWN = '2.4'

/** Presence of the members of a snapshot by which rules differ. */
export interface RuleMembers {
  /** Its accumulator is stated or given (from 2.2). */
  readonly hasAccumulator: boolean
  /** It has the member `depositTxId`, null included (from 2.4). */
  readonly hasDeposit: boolean
  /** It has the member `appliedAccumulator` (the source after 2.4.1). */
  readonly hasApplied: boolean
}

/**
 * Returns the rule by which a version of the node signs snapshots. The version is the `hydraNodeVersion` of the node's
 * Greetings, such as `'2.4.1-099f5dd'`.
 *
 * Development builds between 2.2.0 and 2.3.0 report version 2.2.0 but may sign by rule `2.3` already, and those between
 * 2.3.0 and 2.4.0 by rule `2.4`. `verifySnapshot` with `nodeVersion` tries both.
 *
 * @throws {@link VerificationError} with reason `unknown-rule` on versions from 2.5, `rule` on a text that is not a
 * version and on versions before 0.20.
 * @example
 * ```ts
 * import { verificationRule } from 'layer-sdk/verify'
 * console.log(verificationRule('2.1.0'), verificationRule('2.4.1-099f5dd')) // 0.20-2.1 2.4
 * ```
 */
export function verificationRule(nodeVersion: string): VerificationRule {
  const parts = typeof nodeVersion === 'string' ? /^v?(\d{1,6})\.(\d{1,6})\.(\d{1,6})(?![\d.])/.exec(nodeVersion) : null
  if (parts === null) return fail('rule', 'The nodeVersion', 'a version such as "2.4.1"', nodeVersion)
  const [major, minor] = [Number(parts[1]), Number(parts[2])]
  if (major === 0 && minor < 20) return fail('rule', 'The nodeVersion', '0.20.0 or later', nodeVersion)
  if (major < 2 || (major === 2 && minor < 2)) return '0.20-2.1'
  if (major > 2 || minor > 4) throw unknownRule(nodeVersion)
  return `2.${minor}` as VerificationRule
}

/** Returns the rules to try, strictest first. */
export function rulesToTry(rule: unknown, nodeVersion: unknown, members: RuleMembers): readonly VerificationRule[] {
  if (rule !== undefined)
    return RULES.includes(rule as VerificationRule)
      ? [rule as VerificationRule]
      : fail('rule', 'The rule', RULES.join(', '), rule)
  if (nodeVersion !== undefined && nodeVersion !== null) {
    const nodeRule = verificationRule(nodeVersion as string)
    if (nodeRule === '2.2') return ['2.3', '2.2']
    // Nodes have the member exactly where they sign it.
    return nodeRule === '2.3' ? (members.hasDeposit ? ['2.4'] : ['2.3', '2.4']) : [nodeRule]
  }
  if (members.hasApplied) throw unknownRule(null)
  if (members.hasDeposit) return ['2.4']
  return members.hasAccumulator ? ['2.3', '2.2'] : ['0.20-2.1']
}

/** Creates the error for a node that is newer than this package, so that its signatures cannot be judged. */
export function unknownRule(node: string | null): VerificationError {
  return unknownRuleError({ node: node === null ? null : node.slice(0, 100), newestKnown: NEWEST_KNOWN })
}
