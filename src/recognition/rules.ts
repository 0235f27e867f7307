import type { VerificationRule } from '../verify/index.js'

/** Name of the token that marks a head's output, "HydraHeadV2", in hex. */
export const HEAD_TOKEN = '4879647261486561645632'
/** Name of the token of the generation before, "HydraHeadV1": its heads follow other rules. */
export const FORMER_HEAD_TOKEN = '4879647261486561645631'

/** Positions of the fields in the datum of an open head. */
export interface OpenForm {
  readonly state: 'open'
  readonly fields: number
  /** Position of the deposit period; null: the datum does not contain it. */
  readonly depositPeriod: number | null
  readonly version: number
}

/** Positions of the fields in the datum of a closed head. */
export interface ClosedForm {
  readonly state: 'closed'
  readonly fields: number
  readonly depositPeriod: number | null
  readonly version: number
}

/** Number of fields in the datum of a head between two steps of its fanout. */
export interface ProgressForm {
  readonly state: 'fanout-progress'
  readonly fields: number
}

/** A form of the datum, and the rules that its parties sign by, strictest first. */
export type HeadRule = { readonly rules: readonly VerificationRule[] } & (OpenForm | ClosedForm | ProgressForm)

/**
 * The rules of recognition as data: forms of the datum, and for each the rules by which the snapshot may be signed. The
 * datum decides which applies, so an endpoint cannot choose. Builds of the node between 2.3.0 and 2.4.0 have the datum
 * of 2.4 and sign by the rule of 2.3.
 *
 * @see cardano-scaling/hydra, Contract/HeadState.hs, State
 */
export const HEAD_RULES: readonly HeadRule[] = [
  { state: 'open', fields: 7, depositPeriod: null, version: 4, rules: ['2.3', '2.2'] },
  { state: 'open', fields: 8, depositPeriod: 4, version: 5, rules: ['2.4', '2.3'] },
  { state: 'closed', fields: 9, depositPeriod: null, version: 3, rules: ['2.3', '2.2'] },
  { state: 'closed', fields: 10, depositPeriod: 3, version: 4, rules: ['2.4', '2.3'] },
  { state: 'fanout-progress', fields: 5, rules: ['2.4', '2.3', '2.2'] }
]

/** Constructor of the state -> its name; 2 is the final state, which no output has. */
export const HEAD_STATES: Readonly<Record<string, HeadRule['state'] | 'final'>> = {
  0: 'open',
  1: 'closed',
  2: 'final',
  3: 'fanout-progress'
}

/** Version of the newest node whose heads are known. */
export const NEWEST_KNOWN_NODE = '2.4'
