/**
 * Checks without a running bridge that all parties of a head signed a snapshot, and that an output is, or is not, part
 * of it. Works on public keys, signatures and outputs only.
 *
 * @see docs/guides/trust.md
 * @packageDocumentation
 */
export type { Accelerator } from './accelerator.js'
export type { AccumulatorValue } from '../accumulator/inner.js'
export {
  proveMembership,
  proveNonMembership,
  verifyMembership,
  verifyNonMembership,
  verifyUpdate
} from './membership.js'
export type {
  MembershipOptions,
  MembershipProof,
  NonMembershipOptions,
  NonMembershipProof,
  UpdateOptions
} from './membership.js'
export { followsFrom } from './followsFrom.js'
export type { TransitionOptions, TransitionReason, TransitionVerdict } from './transition.js'
export { getProof, verifyOutputProof } from './outputProof.js'
export type { OutputProof, OutputProofVerdict, ProofSource, VerifyOutputProofOptions } from './outputProof.js'
export { partiesFromDatum, partiesFromHead, partiesFromHeadIsOpen } from './parties.js'
export type { HeadOutput } from './parties.js'
export { verificationRule } from './rule.js'
export { accumulate, snapshotAccumulator, utxoHash } from './sets.js'
export type { AcceleratorOptions } from './sets.js'
export type { PendingHashes } from './snapshotMessage.js'
export type {
  AnyOutput,
  AnyUtxo,
  NodeOutput,
  Refutation,
  SnapshotOutputs,
  SnapshotToVerify,
  SnapshotVerdict,
  Verdict,
  VerificationRule
} from './types.js'
export { signedBytes, verifySnapshot } from './verifySnapshot.js'
export type { SignedBytesOptions, VerifySnapshotOptions } from './verifySnapshot.js'
export type { RuleVersions, VerificationReason } from '../errors/verification.js'
