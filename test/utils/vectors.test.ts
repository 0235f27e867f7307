import { decodeBech32 } from '../../src/codec/bech32'
import { CborReader } from '../../src/codec/cbor/reader'
import { decodeTxOutput } from '../../src/codec/txOutput'
import { SLOT_CONFIG } from '../../src/constants'
import { stringifyJson } from '../../src/codec/json'
import { isLayerError } from '../../src/errors/base'
import * as utils from '../../src/utils/index'
import { describeWithShared, homeVectors, loadVectors, sharedVectors } from '../support/vectors'

const codeOf = (run: () => unknown): string => {
  try {
    run()
  } catch (error) {
    if (isLayerError(error)) return error.code
    throw error
  }
  return 'nothing thrown'
}

/**
 * The JSON in the vectors was written with integers rounded to 53 bits; exactness is proved by the way back to CBOR.
 */
const rounded = (json: unknown): unknown => JSON.parse(JSON.stringify(JSON.parse(stringifyJson(json))))

/** What holds for each figure of a set. */
const CHECKS: Record<string, [name: string, check: (vector: any) => void]> = {
  addresses: [
    'address %s',
    (vector) => {
      // Test addresses under the prefix of mainnet, in the vectors of cardano-addresses, are invalid by cardano-api.
      const foreignPrefix = ['addr', 'stake'].includes(vector.prefix) && vector.networkId === 0
      const valid = vector.valid && !foreignPrefix
      expect(utils.isValidAddress(vector.address)).toBe(valid)
      if (!valid) {
        expect(codeOf(() => utils.addressInfo(vector.address))).toBe('INPUT_ADDRESS')
        return
      }
      const info = utils.addressInfo(vector.address)
      const types = ['base', 'base', 'base', 'base', 'pointer', 'pointer', 'enterprise', 'enterprise', 'byron']
      expect(info.type).toBe(types[vector.type] ?? 'reward')
      // The ledger writes a pointer that is too large for it as 0, 0, 0; an SDK keeps the bytes of the text.
      const hugePointer = info.pointer !== undefined && info.pointer.slot > 0xffffffffn
      if (vector.hex !== undefined && !hugePointer) expect(info.hex).toBe(vector.hex)
      if (vector.networkId !== undefined) expect(info.networkId).toBe(vector.networkId)
      const { payment, stake } = info
      if (vector.paymentCredHash !== undefined && payment !== undefined) {
        expect(payment).toEqual({ kind: vector.paymentCredKind, hash: vector.paymentCredHash })
      }
      if (vector.stakeCredHash !== undefined)
        expect(stake).toEqual({ kind: vector.stakeCredKind, hash: vector.stakeCredHash })
      if (vector.pointer !== undefined && info.type === 'pointer' && !hugePointer) {
        const { slot, txIndex, certIndex } = info.pointer!
        expect([slot, txIndex, certIndex].map(Number)).toEqual(vector.pointer.map(Number))
      }
      if (vector.byronProtocolMagic !== undefined)
        expect(info.byron!.magic ?? 764824073).toBe(vector.byronProtocolMagic)
      const credential = payment ?? stake
      if (credential?.kind === 'key') expect(utils.getPubkeyHashFromAddress(vector.address)).toBe(credential.hash)
      else expect(codeOf(() => utils.getPubkeyHashFromAddress(vector.address))).toBe('INPUT_ADDRESS')
      if (info.networkId > 1 || info.type === 'byron' || info.type === 'pointer') return
      // Built again from the credentials; one vector carries a reward address under the prefix of a payment address.
      const networkId = info.networkId as utils.NetworkId
      const built =
        info.type === 'base'
          ? utils.buildBaseAddress(networkId, payment!, stake!)
          : info.type === 'reward'
            ? utils.buildRewardAddress(networkId, stake!)
            : utils.buildEnterpriseAddress(networkId, payment!)
      expect(utils.addressInfo(built).hex).toBe(info.hex)
    }
  ],
  slot_time: [
    'slot %s',
    (vector) => {
      const config = SLOT_CONFIG[(vector.network as string).toUpperCase() as 'MAINNET']
      const slot = vector.enclosingSlot ?? vector.slot
      if (vector.enclosingSlot === undefined)
        expect(utils.slotToBeginUnixTime(vector.slot, config)).toBe(vector.unixTimeMs)
      expect(utils.unixTimeToEnclosingSlot(vector.unixTimeMs, config)).toBe(slot)
      expect(utils.resolveSlotNo(vector.unixTimeMs, vector.network)).toBe(String(slot))
      if (vector.epoch === undefined) return
      expect(utils.resolveEpochNo(vector.unixTimeMs, vector.network)).toBe(vector.epoch)
      if (vector.epochSlot !== undefined) expect(utils.slotToEpochNo(slot, config).epochSlot).toBe(vector.epochSlot)
    }
  ],
  native_scripts: [
    'native script %s',
    (vector) => {
      expect(utils.policyIdFromNativeScript(vector.cborHex)).toBe(vector.scriptHash)
      const json = utils.nativeScriptToJson(vector.cborHex)
      const text = stringifyJson(json)
      expect(JSON.parse(text.replace(/"slot":(\d+)/g, '"slot":"$1"'))).toEqual(vector.json)
      expect(utils.nativeScriptToJson(utils.nativeScriptFromJson(text))).toEqual(json)
      if (vector.kind !== 'single-key policy') return
      expect(utils.buildPolicyScriptFromPubkey(vector.pubkeyHex)).toBe(vector.cborHex)
      expect(utils.buildMintingPolicyScriptFromAddress(vector.address)).toBe(vector.cborHex)
      expect(utils.buildMintingPolicyScriptFromKeyHash(vector.keyHash)).toBe(vector.cborHex)
    }
  ],
  plutus_scripts: [
    'Plutus script %s',
    (vector) => {
      const language = `Plutus${vector.language}` as utils.PlutusLanguage
      expect(utils.plutusScriptHash(vector.scriptBytesHex, language)).toBe(vector.scriptHash)
      const info = utils.addressInfo(utils.scriptAddress(vector.scriptHash, 1))
      expect(info).toMatchObject({ type: 'enterprise', payment: { kind: 'script', hash: vector.scriptHash } })
    }
  ],
  plutus_data: [
    'PlutusData %s',
    (vector) => {
      const data = utils.PlutusData.fromCbor(vector.cborHex)
      expect(data.toCbor()).toBe(vector.cborHex)
      expect(data.hash()).toBe(vector.datumHash)
      if (vector.jsonDetailed !== undefined) expect(rounded(data.toJson())).toEqual(vector.jsonDetailed)
      const again = utils.PlutusData.fromJson(stringifyJson(data.toJson()))
      expect(utils.PlutusData.fromCbor(again.toCbor()).toJson()).toEqual(data.toJson())
    }
  ],
  metadatum_json: [
    'metadatum %s',
    (vector) => {
      const value = JSON.parse(vector.json)
      if (vector.expectError === true) expect(codeOf(() => utils.metadataObjToMetadatum(value))).toBe('INPUT_METADATUM')
      else {
        const metadatum = utils.metadataObjToMetadatum(value)
        expect(metadatum.toCbor()).toBe(vector.expect.noConversions)
        expect(utils.metadatumToObj(metadatum.toCbor())).toEqual(value)
      }
    }
  ],
  auxiliary_data: [
    'auxiliary data %s',
    (vector) => {
      expect(utils.auxiliaryDataHash(vector.auxDataCborHex)).toBe(vector.auxDataHash)
      const { metadata } = utils.decodeAuxiliaryData(vector.auxDataCborHex)
      expect([...metadata.keys()].map(String).sort()).toEqual([...vector.labels].sort())
      for (const [label, metadatum] of metadata) {
        if (vector.metadataDetailedJson?.[String(label)] == null) continue
        expect(rounded(metadatum.toJson())).toEqual(vector.metadataDetailedJson[String(label)])
      }
    }
  ],
  cip14_fingerprints: [
    'fingerprint %s',
    (vector) => {
      expect(utils.assetFingerprint(vector.policyId, vector.assetNameHex)).toBe(vector.fingerprint)
      expect(utils.assetFingerprint(vector.policyId + vector.assetNameHex)).toBe(vector.fingerprint)
    }
  ],
  cip67_labels: [
    'asset label %s',
    (vector) => {
      expect(utils.decodeAssetLabel(vector.prefixHex)).toBe(vector.label)
      expect(utils.decodeAssetLabel(`${vector.prefixHex}cafe`)).toBe(vector.id === 'bad000de1' ? null : vector.label)
      if (vector.label !== null) expect(utils.encodeAssetLabel(vector.label)).toBe(vector.prefixHex)
    }
  ],
  tx_outputs: [
    'output %s is valid',
    (vector) => {
      const output = decodeTxOutput(new CborReader(utils.hexToBytes(vector.cborHex)))
      expect(utils.isValidTxOutput(output)).toBe(true)
    }
  ]
}

describe('the utilities', () => {
  for (const [set, [name, check]] of Object.entries(CHECKS)) {
    it.each(homeVectors(set).map((vector) => [vector['id'], vector]))(
      `have the right result for ${name}`,
      (_, vector) => check(vector)
    )
  }

  it('governance ids of CIP-105 and CIP-129', () => {
    const entries = loadVectors('cip105_cip129_governance').flatMap(
      (vector) => vector.entries ?? [{ ...vector, hex: vector.identifierHex }]
    )
    let ids = 0
    for (const { bech32, hex } of entries) {
      const { prefix, bytes } = decodeBech32(bech32)
      expect(utils.bytesToHex(bytes)).toBe(hex)
      if (!/^(drep|cc_cold|cc_hot)(_vkh|_script)?$/.test(prefix)) continue
      const id = utils.decodeGovernanceId(bech32)
      expect(id.hash).toBe(hex.slice(-56))
      expect(bech32.startsWith(id.role)).toBe(true)
      // The deprecated form, a bare hash under drep1, is read and not written.
      if (id.format === 'CIP-129' || prefix !== id.role)
        expect(utils.encodeGovernanceId(id.role, id, id.format)).toBe(bech32)
      ids++
    }
    expect(ids).toBeGreaterThan(60)
  })

  it.each(
    loadVectors('key_text_envelopes')
      .filter((vector) => vector.verificationKeyCborHex)
      .map((vector) => [vector.type, vector])
  )('verification key of %s', (type, { description, cborHex, verificationKeyCborHex, chainCodeHex }) => {
    const vkey = utils.genVkey({ type, description, cborHex })
    expect(vkey.type).toBe(type.replace('SigningKey', 'VerificationKey'))
    expect(vkey.cborHex).toBe(verificationKeyCborHex)
    if (chainCodeHex !== undefined) expect(vkey.cborHex.slice(-64)).toBe(chainCodeHex)
  })
})

describeWithShared('the utilities, over the figures beside the checkout', () => {
  it.each(Object.keys(CHECKS))('have the right result for every one of %s', (set) => {
    const vectors = sharedVectors(set)
    expect(vectors).not.toHaveLength(0)
    for (const vector of vectors) {
      try {
        CHECKS[set]![1](vector)
      } catch (error) {
        throw new Error(`${set} ${vector['id']}`, { cause: error })
      }
    }
  })
})
