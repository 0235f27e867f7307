import type { DoctorVerdict, Finding } from '../types.js'

/** Returns the overall verdict of findings: a blocking one decides, then an unknown one, then a warning. */
export function doctorVerdict(findings: readonly Finding[]): DoctorVerdict {
  const has = (severity: Finding['severity']): boolean => findings.some((each) => each.severity === severity)
  if (has('block')) return 'block'
  if (has('unknown')) return 'incomplete'
  return has('warn') ? 'warn' : 'ok'
}

/** Returns the exit code of a verdict: 0 for ok or warn, 1 for block, 3 for incomplete; with `strict` 1 for warn. */
export function verdictExitCode(verdict: DoctorVerdict, strict = false): number {
  if (verdict === 'block') return 1
  if (verdict === 'incomplete') return 3
  return strict && verdict === 'warn' ? 1 : 0
}
