// The door of this room for other rooms; index.ts is the public one.

export { inParts } from './inParts.js'
export type { SignedSnapshot } from './inSteps.js'
export { getProof } from './outputProof.js'
export type { ProofSource } from './outputProof.js'
export { verificationRule } from './rule.js'
export type { VerificationRule } from './types.js'
