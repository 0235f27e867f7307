// Loaded by import() alone. Named here, so that bundlers leave out the rest of these modules: import() of a package
// includes all of it.
export { interleavedMSMUnsafe, pippenger } from '@noble/curves/abstract/curve.js'
export { bls12_381 } from '@noble/curves/bls12-381.js'
