/**
 * Converts between this package's values and those of `@cardano-sdk/core`, and implements the keys of
 * `@cardano-sdk/crypto` in pure JavaScript.
 *
 * @see docs/guides/wallet.md
 * @packageDocumentation
 */
export { NobleBip32Ed25519 } from './NobleBip32Ed25519.js'
export { fromCorePlutusData, toCorePlutusData } from './plutusData.js'
export type { CborSerializable } from './plutusData.js'
export { fromCoreMetadatum, toCoreMetadatum } from './metadatum.js'
export { fromCoreCostModels, toCoreCostModels } from './costModels.js'
export { fromCoreScript, fromCoreUtxo, toCoreScript, toCoreUtxo } from './utxo.js'
