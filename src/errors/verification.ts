import { LayerSdkError } from './base.js'

/**
 * Reason of a failed verification. Stable: programs may compare it.
 *
 * - `input`: an argument does not have the required form
 * - `rule`: the node's version is malformed or older than 0.20, or the snapshot lacks a member that its rule signs
 * - `unknown-rule`: the node is newer than this package knows, so its snapshot is neither verified nor shown to be
 *   forged. Update layer-sdk, or go on without verification
 * - `parties`: the list of parties is empty, names one twice, or has an invalid key
 * - `initial`: the initial snapshot (number 0), which no party signs
 * - `signature`: a signature is missing, malformed or not that party's over this snapshot
 * - `party-order`: a signature is valid, but is that of a different party from the one at its position
 * - `output`: an output that the ledger does not allow, or whose fields contradict each other
 * - `too-large`: more outputs than an accumulator (4,095) or one proof (64) covers
 * - `accumulator`: the outputs are not those that the accumulator (hash of a commitment to all outputs) covers, or the
 *   commitment does not have that hash
 * - `point`, `infinity`: a commitment or a proof is not a usable point of the curve
 * - `remainder`: the remainder of a non-membership proof is zero or not below the order of the curve
 * - `proof`: the proof does not hold: the outputs are not (or, for non-membership, are) in the set
 * - `stale`: a snapshot older than one that was verified before
 * - `accelerator`: the accelerator (a caller's object that computes sums on the curve faster) failed
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

/** Versions that an error with the reason `unknown-rule` compares. */
export interface RuleVersions {
  /** Version that the node states; null when it states none, but its snapshot has a later form. */
  readonly node: string | null
  /** Newest version whose signing rule this package knows, e.g. `'2.4'`. */
  readonly newestKnown: string
}

/**
 * A snapshot, an output or a proof cannot be verified, hashed or made; `reason` says why. Do not rely on such data. The
 * checks of `layer-sdk/verify` do not throw this error: they return the same reasons.
 */
export class VerificationError extends LayerSdkError<'VERIFICATION'> {
  override readonly name = 'VerificationError'
  /** Reason as a word that programs can compare; stable across releases. */
  readonly reason: VerificationReason
  /** With the reason `unknown-rule`: the node's version, and the newest version that this package knows. */
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

/** Makes the error about a node that is newer than the known signing rules. */
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
