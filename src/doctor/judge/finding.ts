import { DOCTOR_CODES } from '../codes.js'
import type { FindingCode } from '../codes.js'
import type { Reading } from '../facts/HeadFacts.js'
import { MAX_REFS } from '../limits.js'
import type { Finding, FindingEvidence, FindingSeverity } from '../types.js'

/** Parts of a finding besides code, weight and sentence. */
export interface FindingParts {
  readonly evidence?: Readonly<Record<string, FindingEvidence>>
  readonly refs?: readonly string[]
  readonly remedy?: string
}

/** Makes a finding; the remedy, unless given, and the source are those of the code. */
export function finding(
  code: FindingCode,
  severity: FindingSeverity,
  what: string,
  { evidence = {}, refs = [], remedy = DOCTOR_CODES[code].remedy }: FindingParts = {}
): Finding {
  return {
    code,
    severity,
    what,
    evidence,
    remedy: severity === 'ok' ? '' : remedy,
    refs: refs.slice(0, MAX_REFS),
    omitted: Math.max(0, refs.length - MAX_REFS),
    source: DOCTOR_CODES[code].source
  }
}

/** Makes findings of codes that could not be judged. */
export function unknowns(codes: readonly FindingCode[], reason: string): Finding[] {
  return codes.map((code) =>
    finding(code, 'unknown', `Not known: ${reason}`, {
      evidence: { reason },
      remedy: `Make this source readable (${reason}), then run the check again.`
    })
  )
}

/** Judges a value if it was read; otherwise returns `unknown` findings of the codes, with the reason why it was not. */
export function judged<T>(
  reading: Reading<T>,
  codes: readonly FindingCode[],
  judge: (value: T) => readonly Finding[]
): readonly Finding[] {
  return 'value' in reading ? judge(reading.value) : unknowns(codes, reading.unread)
}

/** Returns a count with its noun: `1 output`, `2 outputs`. */
export function numberOf(count: number, noun: string): string {
  return `${String(count).replace(/\B(?=(\d{3})+$)/g, ',')} ${noun}${count === 1 ? '' : 's'}`
}
