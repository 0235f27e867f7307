// The door of this room for other rooms; index.ts is the public one.

export { SeedKey } from './SeedKey.js'
export {
  HARDENED,
  deriveChildPoint,
  derivePrivateChild,
  derivePrivatePath,
  derivePublicChild,
  openPrivateParent,
  openPublicParent,
  toExtendedPublic
} from './bip32.js'
export type { PublicParent } from './bip32.js'
export {
  decodeCoseKey,
  decodeCoseSign1,
  encodeCoseKey,
  encodeCoseSign1,
  encodeProtectedHeader,
  sigStructure
} from './cose.js'
export type { CoseSign1 } from './cose.js'
export { encodePoints, multiplyBase } from './curve.js'
export type { CurvePoint } from './curve.js'
export { expandSeed, publicKeyFromExtended, publicKeyFromSeed, signExtended, signWithSeed, verify } from './ed25519.js'
export {
  generateMnemonicText,
  passwordBytes,
  rootFromEntropy,
  rootFromEntropyAsync,
  wordsToEntropy
} from './mnemonic.js'
export { randomBytes } from './random.js'
export { createSha256 } from './sha256.js'
export { parseXpub, xprvFromBech32, xprvFromHex, xprvToBech32, xprvToHex } from './xprv.js'
