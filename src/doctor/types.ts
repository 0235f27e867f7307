import type { FindingCode } from './codes.js'

/** Weight of a finding: it blocks the next step, may block it, could not be judged, or is in order. */
export type FindingSeverity = 'block' | 'warn' | 'unknown' | 'ok'

/** Value of a figure in the evidence of a finding. */
export type FindingEvidence = bigint | number | string | boolean | null | readonly string[]

/**
 * One finding about a head.
 *
 * @example
 * ```ts
 * import { diagnose, type HeadFacts } from 'layer-sdk/doctor'
 *
 * export async function blocking(facts: HeadFacts): Promise<string[]> {
 *   const { findings } = await diagnose(facts)
 *   return findings.filter(({ severity }) => severity === 'block').map(({ code, remedy }) => `${code}: ${remedy}`)
 * }
 * ```
 */
export interface Finding {
  /** Code of the finding, which programs compare: it is never renamed or reused. */
  readonly code: FindingCode
  /** Weight of the finding; one that could not be judged is `'unknown'`, never `'ok'`. */
  readonly severity: FindingSeverity
  /** The finding in one sentence. */
  readonly what: string
  /** Figures that the finding is based on, by name; bigint where they may pass 2^53. */
  readonly evidence: Readonly<Record<string, FindingEvidence>>
  /** Next step, with the command to type where there is one. */
  readonly remedy: string
  /** Outputs (`txHash#index`), units, deposits or nodes concerned: at most 50. */
  readonly refs: readonly string[]
  /** Number of further ones, beyond the 50 in `refs`. */
  readonly omitted: number
  /** Link to the source of the rule. */
  readonly source: string
}

/** Range of an estimate. */
export interface EstimatedRange<T> {
  /** Lower end. */
  readonly least: T
  /** Upper end. */
  readonly most: T
}

/** Estimate of a head's exit: close, wait, fanout. */
export interface ExitEstimate {
  /** Number of outputs that are paid out. */
  readonly outputs: number
  /** Number of fanout transactions. */
  readonly chunks: EstimatedRange<number>
  /** Number of outputs in one fanout transaction. */
  readonly outputsPerChunk: EstimatedRange<number>
  /** Fees of close and fanout together, lovelace; the node's wallet pays them. */
  readonly fees: EstimatedRange<bigint>
  /** Amount that the node's wallet should hold to pay these fees, lovelace: the upper end of `fees`. */
  readonly fuel: bigint
  /** Outputs of the first fanout transaction in the order of their references: at most 50. */
  readonly first: readonly string[]
  /** Outputs that no fanout reaches, because one before them does not fit: at most 50. */
  readonly blocked: readonly string[]
  /** Number of further ones, beyond the 50 in `blocked`. */
  readonly blockedOmitted: number
  /**
   * Seconds from the close until the last output is on the base ledger; null while the contestation period is unknown.
   */
  readonly secondsToMoney: EstimatedRange<number> | null
}

/** Result of {@link diagnose}. */
export interface Diagnosis {
  /** Findings, the worst first. */
  readonly findings: readonly Finding[]
  /** Estimate of the exit; null while the outputs are unknown. */
  readonly exit: ExitEstimate | null
}

/** Overall verdict: `'incomplete'` where a source could not be read and no finding blocks. */
export type DoctorVerdict = 'ok' | 'warn' | 'block' | 'incomplete'

/** Step that the caller is about to make; some findings block only one of the two. */
export type PlannedStep = 'close' | 'decommit'

/** Options of {@link diagnose}. */
export interface DiagnoseOptions {
  /** Aborts the work; the promise then rejects with the reason of the signal. */
  signal?: AbortSignal
  /** Step that the caller is about to make. @default none */
  before?: PlannedStep
}
