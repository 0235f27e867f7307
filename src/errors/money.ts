import { LayerSdkError } from './base.js'

/** The part of a draft that a {@link DraftDifference} is about. Stable: programs may compare it. */
export type DraftPart =
  | 'form'
  | 'txId'
  | 'inputs'
  | 'outputs'
  | 'deposit'
  | 'datum'
  | 'deadline'
  | 'change'
  | 'fee'
  | 'validity'
  | 'body'
  | 'collateral'
  | 'signers'
  | 'witnesses'
  | 'scripts'
  | 'metadata'

/** One difference between a draft and the request. */
export interface DraftDifference {
  /** Part of the draft with the difference. */
  readonly part: DraftPart
  /** Requested value. */
  readonly expected: string
  /** Value in the draft. */
  readonly got: string
}

/** Maximum number of differences in a message; `differences` has all of them. */
const SHOWN_DIFFERENCES = 5

/**
 * The transaction that a node drafted for a deposit differs from the request. It was not signed: compare `differences`,
 * and use another node.
 */
export class DraftMismatchError extends LayerSdkError<'CLIENT_DRAFT_MISMATCH'> {
  override readonly name = 'DraftMismatchError'
  /** Without a signature the draft has no effect. */
  override readonly outcome = 'none'
  /** All differences. The message begins with the first. Never empty. */
  readonly differences: readonly DraftDifference[]
  constructor(differences: readonly DraftDifference[], cause?: unknown) {
    const [first, ...others] = differences
    const shown = others
      .slice(0, SHOWN_DIFFERENCES - 1)
      .map(({ part, expected, got }) => `Also in ${part}: expected ${expected}, got ${got}`)
    super('CLIENT_DRAFT_MISMATCH', `The drafted deposit is not what was asked for (${first!.part}); do not sign it.`, {
      expected: first!.expected,
      got: first!.got,
      details: [
        ...shown,
        ...(others.length > shown.length ? [`${others.length - shown.length} further differences`] : []),
        'Use another node: this one, or a gateway before it, errs or lies'
      ],
      cause
    })
    this.differences = differences
  }
}

/** A transaction would cost more than the caller's limit. It was not signed: check the cost, or raise the limit. */
export class CostLimitError extends LayerSdkError<'CLIENT_COST_LIMIT'> {
  override readonly name = 'CostLimitError'
  /** Without a signature the transaction has no effect. */
  override readonly outcome = 'none'
  /** Name of the option that the cost exceeds. */
  readonly limit: 'maxFee' | 'maxMinLovelace'
  /** Cost of the transaction: lovelace, in decimal. */
  readonly lovelace: string
  /** Limit of the cost: lovelace, in decimal. */
  readonly limitLovelace: string
  constructor(limit: 'maxFee' | 'maxMinLovelace', lovelace: bigint, limitLovelace: bigint) {
    const what = limit === 'maxFee' ? 'fee' : 'least lovelace of an output whose lovelace was not stated'
    super('CLIENT_COST_LIMIT', `The ${what} is above the limit ${limit}; no transaction was sent.`, {
      expected: `at most ${limitLovelace} lovelace`,
      got: `${lovelace}`,
      details: [
        "The figure follows from the ledger's parameters, as the node or provider states them",
        `Raise ${limit} if it is right`
      ]
    })
    this.limit = limit
    this.lovelace = String(lovelace)
    this.limitLovelace = String(limitLovelace)
  }
}
