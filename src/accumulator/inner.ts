// The door of this room for other rooms; index.ts is the public one.

export { hashOfSet, KeptOutputs } from './KeptOutputs.js'
export type { OutputBytes } from './KeptOutputs.js'
export { OutputEncoder } from './OutputEncoder.js'
export {
  accumulateElements,
  accumulateInParts,
  accumulateRoots,
  assertCount,
  commitmentHash,
  rootOf
} from './accumulate.js'
export type { AccumulatorValue } from './accumulate.js'
export { loadCurve, readPoint } from './curve.js'
export type { Accelerator } from './curve.js'
export { checkAbsence, checkMembership, checkUpdate, decodeCommitment, proveAbsence, proveElements } from './proofs.js'
export { readOutput } from './readOutput.js'
export { asVerificationError, assertHex, fail, isPlainRecord, ownMember, reading } from './record.js'
export { MAX_ELEMENTS, MAX_PROVEN } from './setupPoints.js'
export { sha256 } from './sha256.js'
export { EMPTY_SET_HASH, elementOf, indexOfKey, readOutputData, readUtxoSet, unionOf, utxoSetHash } from './utxoSet.js'
export type { KeyedOutput, SetEntry } from './utxoSet.js'
