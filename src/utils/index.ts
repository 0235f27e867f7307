/**
 * Pure functions over public data: addresses, amounts, assets, metadata, Plutus data, hashes and slots. They need no
 * network and no secret.
 *
 * @see docs/guides/utilities.md
 * @packageDocumentation
 */
export { isValidAddress } from '../codec/address.js'
export { ada, formatAda } from './ada.js'
export { NETWORK_ID, SLOT_CONFIG } from '../constants.js'
export type { NetworkId, NetworkName, SlotConfig } from '../constants.js'
export type { Amount, Hex, ScriptLanguage, ScriptRef, TxInput, TxOutput, UTxO } from '../types/utxo.js'

export { bytesToHex, hexToBytes } from './hex.js'
export { fromUTF8, hexToString, stringToHex, toBytes, toUTF8 } from './text.js'

export {
  addressInfo,
  buildBaseAddress,
  buildEnterpriseAddress,
  buildRewardAddress,
  getPubkeyHashFromAddress,
  scriptAddress
} from './address.js'
export type { AddressInfo, CredentialInput } from './address.js'
export type { Credential, StakePointer } from '../codec/address.js'
export { isValidTxOutput } from './output.js'

export { assetFingerprint, decodeAssetLabel, encodeAssetLabel } from './asset.js'
export {
  decodeGovernanceActionId,
  decodeGovernanceId,
  encodeGovernanceActionId,
  encodeGovernanceId
} from '../codec/governanceId.js'
export type { GovernanceId, GovernanceRole } from '../codec/governanceId.js'

export {
  buildLayerSlotConfig,
  resolveEpochNo,
  resolveSlotNo,
  slotToBeginUnixTime,
  slotToEpochNo,
  unixTimeToEnclosingSlot
} from './slot.js'

export {
  buildMintingPolicyScriptFromAddress,
  buildMintingPolicyScriptFromKeyHash,
  buildPolicyScriptFromPubkey,
  nativeScriptFromJson,
  nativeScriptToJson,
  plutusScriptHash,
  policyIdFromNativeScript
} from './script.js'
export type { NativeScriptJson } from './script.js'

export { auxiliaryDataHash, buildAuxiliaryData, metadataObjToMetadatum, metadatumToObj } from './metadata.js'
export type { MetadataByLabel } from './metadata.js'
export { chunkMetadataText, Metadatum } from '../codec/metadatum.js'
export type { MetadatumInput, MetadatumJson, MetadatumObject } from '../codec/metadatum.js'
export { decodeAuxiliaryData } from '../codec/auxiliaryData.js'
export type { AuxiliaryData } from '../codec/auxiliaryData.js'

export { PlutusData } from '../codec/plutusData.js'
export type { PlutusDataJson, PlutusDataKind } from '../codec/plutusData.js'
export {
  mkAddress,
  mkBool,
  mkBytes,
  mkConstr,
  mkInt,
  mkList,
  mkMap,
  mkOption,
  mkOutputReference
} from './plutusData.js'

export { buildCostModels } from './costModels.js'
export { Costmdls, scriptDataHash } from '../codec/costModels.js'
export type { PlutusLanguage, ScriptDataParts } from '../codec/costModels.js'

export { chainCliKeygen, genVkey, layerCliKeygen } from './keygen.js'
export type { ChainCliSkey, ChainCliVkey, LayerCliSkey, LayerCliVkey } from './keygen.js'
export type { TextEnvelope } from '../codec/textEnvelope.js'
