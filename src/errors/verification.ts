import { LayerSdkError } from './base.js'

/**
 * Reason of a failed verification. Stable: programs may compare it.
 *
 * - `input`: an argument is not of the form that is needed
 * - `rule`: the version is no version or older than 0.20, or the snapshot lacks a member that its rule signs
 * - `unknown-rule`: the node is newer than this package knows: neither a forgery nor verified. Update, or go on without
 *   verification
 * - `parties`: no parties, one twice, or a key that no party can have
 * - `initial`: the initial snapshot (number 0), which no party signs
 * - `signature`: a signature is missing, malformed or not that party's over this snapshot
 * - `party-order`: a signature is good, but of another party than the one of its place
 * - `output`: an output that the ledger cannot hold, or whose fields contradict each other
 * - `too-large`: more outputs than an accumulator (4,095) or one proof (64) covers
 * - `accumulator`: the outputs are not those of the accumulator, or the commitment does not hash to it
 * - `point`, `infinity`: a commitment or a proof is not a usable point of the curve
 * - `remainder`: the remainder of a non-membership proof is zero or not below the order of the curve
 * - `proof`: the proof does not hold: the outputs are not (or, for non-membership, are) in the set
 * - `stale`: a snapshot older than one that was verified before
 * - `accelerator`: the accelerator failed
 */
export type VerificationReason =
  | 'input'
  | 'rule'
  | 'unknown-rule'
  | 'parties'
  | 'initial'
  | 'signature'
  | 'party-order'
  | 'output'
  | 'too-large'
  | 'accumulator'
  | 'point'
  | 'infinity'
  | 'remainder'
  | 'proof'
  | 'stale'
  | 'accelerator'

/** Versions of the node that reason `unknown-rule` is about. */
export interface RuleVersions {
  /** The node's version as it says it; null where it says none and its snapshot is of a later form. */
  readonly node: string | null
  /** The newest version whose rule this package knows, e.g. `'2.4'`. */
  readonly newestKnown: string
}

/**
 * Something cannot be verified, hashed or proven; `reason` says why. The checks of `layer-sdk/verify` answer with the
 * same reasons and never throw.
 */
export class VerificationError extends LayerSdkError<'VERIFICATION'> {
  override readonly name = 'VerificationError'
  /** Why; stable. */
  readonly reason: VerificationReason
  /** With reason `unknown-rule`: the node's version and the newest one that is known. */
  readonly versions?: RuleVersions

  constructor(
    reason: VerificationReason,
    summary: string,
    details: { expected?: string; got?: string; cause?: unknown; versions?: RuleVersions } = {}
  ) {
    super('VERIFICATION', summary, details)
    this.reason = reason
    if (details.versions !== undefined) this.versions = details.versions
  }
}

/** The error of a node that is newer than the rules that are known. */
export function unknownRuleError(versions: RuleVersions): VerificationError {
  const { node, newestKnown } = versions
  return new VerificationError(
    'unknown-rule',
    'The node is newer than this version of layer-sdk can verify: update layer-sdk, or go on without verify.',
    {
      expected: `a node up to ${newestKnown}`,
      got: node === null ? 'a snapshot with appliedAccumulator, which a later node sends' : JSON.stringify(node),
      versions
    }
  )
}
