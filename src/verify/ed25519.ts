// Loaded by import() alone. Named here, so that bundlers leave out the rest of the module: import() of a package
// includes all of it.
export { ed25519 } from '@noble/curves/ed25519.js'
