import { AlertRulesError } from '../../errors/doctor.js'
import { messageRow } from '../../bridge/inner.js'
import { DOCTOR_CODES } from '../codes.js'
import type { FindingCode } from '../codes.js'
import type { AlertRule, AlertSeverity, BuiltInRule } from './types.js'

/** Settings of a built-in rule. */
export interface BuiltInSettings {
  /** Weight. */
  readonly severity: AlertSeverity
  /** Time for which the condition holds before it fires, ms. */
  readonly for: number
  /** Code of the doctor's finding that the rule reports; absent: the rule is judged from the messages of the node. */
  readonly code?: FindingCode
}

const MINUTE = 60_000

/** The built-in rules with their settings; the guide "Watching" has a line for each. */
export const ALERT_RULES: Readonly<Record<BuiltInRule, BuiltInSettings>> = {
  'closed-by-other': { severity: 'warning', for: 0 },
  'closed-with-older-snapshot': { severity: 'critical', for: 0 },
  'contest-window': { severity: 'critical', for: 0 },
  'ready-to-fanout': { severity: 'info', for: 0 },
  'deposit-recoverable': { severity: 'warning', for: 0, code: 'deposit-expired' },
  'deposit-expiring': { severity: 'warning', for: 0, code: 'deposit-expiring' },
  'withdrawal-stuck': { severity: 'warning', for: 10 * MINUTE },
  'snapshot-stalled': { severity: 'warning', for: MINUTE },
  'node-unsynced': { severity: 'warning', for: MINUTE, code: 'node-unsynced' },
  'fuel-low': { severity: 'warning', for: 0, code: 'fuel-low' },
  unverified: { severity: 'critical', for: 0 },
  'post-failed': { severity: 'warning', for: 0 },
  'connection-lost': { severity: 'critical', for: MINUTE / 2 },
  'version-vulnerable': { severity: 'warning', for: 0, code: 'node-vulnerable' }
}

/** A rule whose defaults are filled in. */
export interface ReadRule {
  readonly name: string
  readonly on: string
  readonly kind: 'builtin' | 'code' | 'event'
  readonly severity: AlertSeverity
  readonly forMs: number
  readonly threshold: number
  /** Code of the doctor's finding that the rule reports; null: none. */
  readonly code: FindingCode | null
}

const MEMBERS: ReadonlySet<string> = new Set(['name', 'on', 'severity', 'for', 'threshold', 'off'])
const SEVERITIES: readonly unknown[] = ['critical', 'warning', 'info'] satisfies AlertSeverity[]
const MAX_RULES = 200
const MAX_FOR_MS = 30 * 86_400_000
const NAME = /^[\w.-]{1,64}$/

/**
 * Checks the given rules and joins them with the built-in ones. @throws {@link AlertRulesError} that lists all wrong
 * rules, not only the first
 */
export function readRules(input: unknown): readonly ReadRule[] {
  if (!Array.isArray(input) || input.length > MAX_RULES)
    throw new AlertRulesError([`no list of at most ${MAX_RULES} rules`])
  const problems = input.flatMap((rule: unknown, i) => problemsOf(rule).map((each) => `rules[${i}]: ${each}`))
  const names = (input as AlertRule[]).map((rule) => (problems.length > 0 ? '' : (rule.name ?? rule.on)))
  for (const name of new Set(names.filter((each, i) => each !== '' && names.indexOf(each) !== i)))
    problems.push(`two rules are named ${name}`)
  if (problems.length > 0) throw new AlertRulesError(problems)
  const userRules = input as AlertRule[]
  const builtIn = Object.entries(ALERT_RULES).flatMap(([name, settings]) => {
    const changed = userRules.find(({ on }) => on === name)
    return changed?.off === true ? [] : [merged(changed ?? { on: name }, 'builtin', settings)]
  })
  const others = userRules.filter(({ on, off }) => off !== true && !Object.hasOwn(ALERT_RULES, on))
  return [...builtIn, ...others.map((rule) => merged(rule, isCode(rule.on) ? 'code' : 'event', null))]
}

function merged(rule: AlertRule, kind: ReadRule['kind'], settings: BuiltInSettings | null): ReadRule {
  return {
    name: rule.name ?? rule.on,
    on: rule.on,
    kind,
    severity: rule.severity ?? settings?.severity ?? 'warning',
    forMs: rule.for ?? settings?.for ?? 0,
    threshold: rule.threshold ?? 1,
    code: kind === 'code' ? (rule.on as FindingCode) : (settings?.code ?? null)
  }
}

const isCode = (text: string): text is FindingCode => Object.hasOwn(DOCTOR_CODES, text)

function problemsOf(rule: unknown): string[] {
  if (typeof rule !== 'object' || rule === null || Array.isArray(rule)) return ['no object']
  const { name, on, severity, for: forMs, threshold, off } = rule as Record<string, unknown>
  const problems = Object.keys(rule).flatMap((key) => (MEMBERS.has(key) ? [] : [`unknown member ${key.slice(0, 40)}`]))
  if (typeof on !== 'string') problems.push('on is missing')
  else if (!Object.hasOwn(ALERT_RULES, on) && !isCode(on) && messageRow(on) === undefined)
    problems.push(`${on.slice(0, 40)} is no built-in rule, no code of the doctor and no event`)
  if (name !== undefined && (typeof name !== 'string' || !NAME.test(name)))
    problems.push('name: 1 to 64 letters, digits, dots and dashes')
  if (severity !== undefined && !SEVERITIES.includes(severity)) problems.push(`severity: ${SEVERITIES.join(', ')}`)
  if (forMs !== undefined && !isWhole(forMs, 0, MAX_FOR_MS)) problems.push(`for: whole ms from 0 to ${MAX_FOR_MS}`)
  if (threshold !== undefined && !isWhole(threshold, 1, 1_000_000)) problems.push('threshold: a whole number from 1')
  if (off !== undefined && typeof off !== 'boolean') problems.push('off: true or false')
  return problems
}

const isWhole = (value: unknown, least: number, most: number): boolean =>
  Number.isSafeInteger(value) && (value as number) >= least && (value as number) <= most
