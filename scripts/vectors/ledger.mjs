// Figures about the ledger's structures, by cardano-serialization-lib and @cardano-sdk/core.
import { Cardano, createSlotEpochInfoCalc, createSlotTimeCalc } from '@cardano-sdk/core'
import { blake2b } from '@cardano-sdk/crypto'
import { base58, bech32 } from '@scure/base'
import CSL from '@emurgo/cardano-serialization-lib-nodejs'
import { bytesOf, cbor, hexOf, seeded } from './seeded.mjs'

export const num = (value) => CSL.BigNum.from_str(String(value))
const list = (type, items) => items.reduce((all, item) => (all.add(item), all), type.new())
const credentialOf = (kind, hash) =>
  kind === 'key'
    ? CSL.Credential.from_keyhash(CSL.Ed25519KeyHash.from_hex(hash))
    : CSL.Credential.from_scripthash(CSL.ScriptHash.from_hex(hash))

export function randomAddress(random, networkId = random.below(2)) {
  const credential = () => credentialOf(random.pick(['key', 'script']), random.hex(28))
  return random.below(2)
    ? CSL.BaseAddress.new(networkId, credential(), credential()).to_address()
    : CSL.EnterpriseAddress.new(networkId, credential()).to_address()
}

/**
 * Every type of CIP-19 on both networks, with its credentials; and each of them broken in one character, or under a
 * foreign prefix.
 */
export function addresses() {
  const random = seeded('addresses')
  const made = Array.from({ length: 88 }, (_, i) => {
    const networkId = i % 2
    const type = [0, 1, 2, 3, 4, 5, 6, 7, 14, 15, 8][(i >> 1) % 11]
    const [paymentCredHash, stakeCredHash] = [random.hex(28), random.hex(28)]
    const paymentCredKind = type % 2 ? 'script' : 'key'
    const stakeCredKind = type === 2 || type === 3 || type === 15 ? 'script' : 'key'
    const pay = () => credentialOf(paymentCredKind, paymentCredHash)
    const stake = () => credentialOf(stakeCredKind, stakeCredHash)
    const facts = { valid: true, type, networkId }
    if (type === 8) {
      const key = CSL.Bip32PrivateKey.from_bip39_entropy(random.bytes(32), new Uint8Array()).to_public()
      const magic = networkId ? 764824073 : 1 + random.below(4_000_000)
      const byron = CSL.ByronAddress.icarus_from_key(key, magic)
      return {
        id: `byron-${i}`,
        valid: true,
        type,
        address: base58.encode(byron.to_bytes()),
        hex: hexOf(byron.to_bytes()),
        byronProtocolMagic: magic
      }
    }
    if (type >= 14) {
      const address = CSL.RewardAddress.new(networkId, stake()).to_address()
      return {
        id: `reward-${i}`,
        ...facts,
        address: address.to_bech32(),
        hex: address.to_hex(),
        stakeCredKind,
        stakeCredHash
      }
    }
    const payment = { paymentCredKind, paymentCredHash }
    if (type < 4) {
      const address = CSL.BaseAddress.new(networkId, pay(), stake()).to_address()
      return {
        id: `base-${i}`,
        ...facts,
        address: address.to_bech32(),
        hex: address.to_hex(),
        ...payment,
        stakeCredKind,
        stakeCredHash
      }
    }
    if (type < 6) {
      const pointer = [random.below(2 ** 31), random.below(2000), random.below(100)]
      const address = CSL.PointerAddress.new(
        networkId,
        pay(),
        CSL.Pointer.new_pointer(...pointer.map(num))
      ).to_address()
      return { id: `pointer-${i}`, ...facts, address: address.to_bech32(), hex: address.to_hex(), ...payment, pointer }
    }
    const address = CSL.EnterpriseAddress.new(networkId, pay()).to_address()
    return { id: `enterprise-${i}`, ...facts, address: address.to_bech32(), hex: address.to_hex(), ...payment }
  })
  const broken = made
    .filter(({ type }, i) => type !== 8 && i % 3 === 0)
    .map(({ id, address, hex }, i) => {
      const at = address.length - 1 - random.below(40)
      const flipped = address.slice(0, at) + (address[at] === 'q' ? 'p' : 'q') + address.slice(at + 1)
      const foreign = bech32.encode(address.startsWith('stake') ? 'addr' : 'stake', bech32.toWords(bytesOf(hex)), false)
      const long = bech32.encode(address.slice(0, address.indexOf('1')), bech32.toWords(bytesOf(`${hex}00`)), false)
      const [what, wrong] = [
        ['flipped', flipped],
        ['foreign', foreign],
        ['short', address.slice(0, -1)],
        ['long', long]
      ][i % 4]
      return { id: `${what}-${id}`, valid: false, address: wrong }
    })
  return [...made, ...broken]
}

export function randomData(random, depth = 3) {
  const size = depth > 0 ? random.below(4) : 0
  const inner = () => Array.from({ length: size }, () => randomData(random, depth - 1))
  switch (depth > 0 ? random.below(5) : random.below(2)) {
    case 0:
      return CSL.PlutusData.new_integer(
        CSL.BigInt.from_str(
          String(random.below(3) ? (random.below(2) ? 1n : -1n) * random.quantity() : random.below(40))
        )
      )
    case 1:
      return CSL.PlutusData.new_bytes(random.bytes(random.below(60)))
    case 2:
      return CSL.PlutusData.new_list(list(CSL.PlutusList, inner()))
    case 3: {
      const map = CSL.PlutusMap.new()
      for (const value of inner()) {
        const values = CSL.PlutusMapValues.new()
        values.add(value)
        map.insert(CSL.PlutusData.new_bytes(random.bytes(1 + random.below(20))), values)
      }
      return CSL.PlutusData.new_map(map)
    }
    default:
      return CSL.PlutusData.new_constr_plutus_data(
        CSL.ConstrPlutusData.new(num(random.pick([0, 1, 6, 7, 127, 128, 5000])), list(CSL.PlutusList, inner()))
      )
  }
}

export function plutusData() {
  const random = seeded('plutus data')
  return Array.from({ length: 120 }, (_, i) => {
    const data = randomData(random)
    // Compound data of no members is written in more than one way by the libraries in use; the figures keep to what
    // they agree on.
    return {
      id: `data-${i}`,
      cborHex: data.to_hex(),
      datumHash: CSL.hash_plutus_data(data).to_hex(),
      jsonDetailed: JSON.parse(data.to_json(CSL.PlutusDatumSchema.DetailedSchema))
    }
  })
}

/** A script as the ledger hashes it: CBOR bytes around the program. */
export function randomScript(random) {
  const language = random.pick(['V1', 'V2', 'V3'])
  const bytes = new Uint8Array(cbor(random.bytes(10 + random.below(300))))
  const script = { V1: CSL.PlutusScript.new, V2: CSL.PlutusScript.new_v2, V3: CSL.PlutusScript.new_v3 }[language](bytes)
  return { language, bytes, script }
}

export function plutusScripts() {
  const random = seeded('plutus scripts')
  return Array.from({ length: 60 }, (_, i) => {
    const { language, bytes, script } = randomScript(random)
    return { id: `script-${i}`, language, scriptBytesHex: hexOf(bytes), scriptHash: script.hash().to_hex() }
  })
}

/** A native script of the library, and its JSON as cardano-cli writes it. */
export function randomNative(random, depth = 3) {
  const kind = depth > 0 ? random.below(6) : random.below(3)
  if (kind === 0) {
    const keyHash = random.hex(28)
    return {
      script: CSL.NativeScript.new_script_pubkey(CSL.ScriptPubkey.new(CSL.Ed25519KeyHash.from_hex(keyHash))),
      json: { type: 'sig', keyHash }
    }
  }
  if (kind < 3) {
    // Below 2^53, which is what @cardano-sdk/core holds exactly.
    const slot = String(random.pick([0n, 1000n, random.quantity() % 2n ** 53n]))
    return kind === 1
      ? {
          script: CSL.NativeScript.new_timelock_start(CSL.TimelockStart.new_timelockstart(num(slot))),
          json: { type: 'after', slot }
        }
      : {
          script: CSL.NativeScript.new_timelock_expiry(CSL.TimelockExpiry.new_timelockexpiry(num(slot))),
          json: { type: 'before', slot }
        }
  }
  const inner = Array.from({ length: random.below(5) }, () => randomNative(random, depth - 1))
  const scripts = list(
    CSL.NativeScripts,
    inner.map(({ script }) => script)
  )
  const jsons = inner.map(({ json }) => json)
  if (kind === 3)
    return {
      script: CSL.NativeScript.new_script_all(CSL.ScriptAll.new(scripts)),
      json: { type: 'all', scripts: jsons }
    }
  if (kind === 4)
    return {
      script: CSL.NativeScript.new_script_any(CSL.ScriptAny.new(scripts)),
      json: { type: 'any', scripts: jsons }
    }
  const required = random.below(inner.length + 1)
  return {
    script: CSL.NativeScript.new_script_n_of_k(CSL.ScriptNOfK.new(required, scripts)),
    json: { type: 'atLeast', required, scripts: jsons }
  }
}

export function nativeScripts() {
  const random = seeded('native scripts')
  const general = Array.from({ length: 50 }, (_, i) => {
    const { script, json } = randomNative(random, 1 + (i % 4))
    return { id: `native-${i}`, cborHex: script.to_hex(), scriptHash: script.hash().to_hex(), json }
  })
  const single = Array.from({ length: 8 }, (_, i) => {
    const key = CSL.PrivateKey.from_normal_bytes(random.bytes(32)).to_public()
    const keyHash = key.hash().to_hex()
    const script = CSL.NativeScript.new_script_pubkey(CSL.ScriptPubkey.new(key.hash()))
    const address = CSL.EnterpriseAddress.new(i % 2, CSL.Credential.from_keyhash(key.hash()))
      .to_address()
      .to_bech32()
    return {
      id: `policy-${i}`,
      kind: 'single-key policy',
      pubkeyHex: hexOf(key.as_bytes()),
      keyHash,
      address,
      json: { type: 'sig', keyHash },
      cborHex: script.to_hex(),
      scriptHash: script.hash().to_hex()
    }
  })
  return [...general, ...single]
}

export function randomValue(random) {
  const value = CSL.Value.new(num(2_000_000n + random.quantity()))
  if (random.below(2)) return value
  const assets = CSL.MultiAsset.new()
  for (let n = random.below(4); n >= 0; n--)
    assets.set_asset(
      CSL.ScriptHash.from_hex(random.hex(28)),
      CSL.AssetName.new(random.bytes(random.below(33))),
      num(random.quantity())
    )
  value.set_multiasset(assets)
  return value
}

export function randomOutput(random, networkId = undefined) {
  const output = CSL.TransactionOutput.new(randomAddress(random, networkId), randomValue(random))
  const datum = random.below(4)
  if (datum === 1) output.set_data_hash(CSL.DataHash.from_hex(random.hex(32)))
  if (datum === 2) output.set_plutus_data(randomData(random, 2))
  if (random.below(5) === 0)
    output.set_script_ref(
      random.below(2)
        ? CSL.ScriptRef.new_plutus_script(randomScript(random).script)
        : CSL.ScriptRef.new_native_script(randomNative(random, 2).script)
    )
  return output
}

export function txOutputs() {
  const random = seeded('outputs')
  return Array.from({ length: 160 }, (_, i) => {
    const output = randomOutput(random)
    const least = CSL.min_ada_for_output(output, CSL.DataCost.new_coins_per_byte(num(4310))).to_str()
    return {
      id: `output-${i}`,
      cborHex: output.to_hex(),
      addressBech32: output.address().to_bech32(),
      lovelace: output.amount().coin().to_str(),
      // The library raises the amount until it is enough, which changes the size; where the amount already is, both
      // mean the same.
      ...(BigInt(least) <= BigInt(output.amount().coin().to_str()) ? { minLovelaceAt4310: least } : {})
    }
  })
}

const JSONS = [
  '0',
  '1',
  '-1',
  '42',
  '-4294967297',
  '9007199254740991',
  '""',
  '"text"',
  '"ünïcödé"',
  '[]',
  '[1,"a",[-2]]',
  '{}',
  '{"a":1}',
  '{"msg":["hello","world"]}',
  '{"721":{"policy":{"name":{"image":"ipfs://x","n":3}}}}',
  `"${'a'.repeat(64)}"`
]
const TOO_LONG = [
  `"${'a'.repeat(65)}"`,
  `"${'ä'.repeat(33)}"`,
  `["${'b'.repeat(70)}"]`,
  `{"k":"${'c'.repeat(65)}"}`,
  'null',
  'true',
  '1.5'
]

export const metadatumJson = () => [
  ...JSONS.map((json, i) => ({
    id: `m-${i}`,
    json,
    expect: { noConversions: CSL.encode_json_str_to_metadatum(json, CSL.MetadataJsonSchema.NoConversions).to_hex() }
  })),
  ...TOO_LONG.map((json, i) => {
    let refused = false
    try {
      CSL.encode_json_str_to_metadatum(json, CSL.MetadataJsonSchema.NoConversions)
    } catch {
      refused = true
    }
    if (!refused) throw new Error(`the library takes ${json}`)
    return { id: `e-${i}`, json, expectError: true }
  })
]

function randomMetadatum(random, depth = 2) {
  const { TransactionMetadatum: M } = CSL
  switch (depth > 0 ? random.below(5) : random.below(3)) {
    case 0:
      return M.new_int(
        random.below(2) ? CSL.Int.new(num(random.quantity())) : CSL.Int.new_negative(num(random.quantity()))
      )
    case 1:
      return M.new_bytes(random.bytes(random.below(65)))
    case 2:
      return M.new_text(random.hex(random.below(33)))
    case 3:
      return M.new_list(
        list(
          CSL.MetadataList,
          Array.from({ length: random.below(4) }, () => randomMetadatum(random, depth - 1))
        )
      )
    default: {
      const map = CSL.MetadataMap.new()
      for (let n = random.below(4); n > 0; n--)
        map.insert(randomMetadatum(random, 0), randomMetadatum(random, depth - 1))
      return M.new_map(map)
    }
  }
}

export function randomAuxiliary(random) {
  const metadata = CSL.GeneralTransactionMetadata.new()
  for (let n = 1 + random.below(3); n > 0; n--)
    metadata.insert(num(random.pick([674, 721, 1985, random.below(2 ** 40)])), randomMetadatum(random))
  const data = CSL.AuxiliaryData.new()
  data.set_metadata(metadata)
  const form = random.below(3)
  if (form === 1) data.set_native_scripts(list(CSL.NativeScripts, [randomNative(random, 2).script]))
  if (form === 2) {
    data.set_plutus_scripts(list(CSL.PlutusScripts, [randomScript(random).script]))
    data.set_prefer_alonzo_format(true)
  }
  return { data, metadata }
}

export function auxiliaryData() {
  const random = seeded('auxiliary data')
  return Array.from({ length: 60 }, (_, i) => {
    const { data, metadata } = randomAuxiliary(random)
    const labels = Array.from({ length: metadata.keys().len() }, (_, k) => metadata.keys().get(k))
    return {
      id: `aux-${i}`,
      auxDataHash: CSL.hash_auxiliary_data(data).to_hex(),
      auxDataCborHex: data.to_hex(),
      labels: labels.map((label) => label.to_str()),
      metadataDetailedJson: Object.fromEntries(
        labels.map((label) => [
          label.to_str(),
          JSON.parse(CSL.decode_metadatum_to_json_str(metadata.get(label), CSL.MetadataJsonSchema.DetailedSchema))
        ])
      )
    }
  })
}

export function fingerprints() {
  const random = seeded('fingerprints')
  return Array.from({ length: 12 }, (_, i) => {
    const [policyId, assetNameHex] = [random.hex(28), random.hex(random.pick([0, 1, 16, 32]))]
    return {
      id: `asset-${i}`,
      policyId,
      assetNameHex,
      fingerprint: Cardano.AssetFingerprint.fromParts(policyId, assetNameHex)
    }
  })
}

/** Parameters of the networks' geneses; Byron slots take 20 s, later ones one. */
const NETWORKS = {
  mainnet: { start: '2017-09-23T21:44:51Z', byronEpochs: 208, epochLength: 432_000 },
  preprod: { start: '2022-06-01T00:00:00Z', byronEpochs: 4, epochLength: 432_000 },
  preview: { start: '2022-10-25T00:00:00Z', byronEpochs: 0, epochLength: 86_400 }
}

export function slotTimes() {
  const random = seeded('slots')
  return Object.entries(NETWORKS).flatMap(([network, { start, byronEpochs, epochLength }]) => {
    const firstSlot = byronEpochs * 21_600
    const startTime = new Date(start)
    const eras = [
      ...(byronEpochs
        ? [{ parameters: { epochLength: 21_600, slotLength: 20_000 }, start: { slot: 0, time: startTime } }]
        : []),
      {
        parameters: { epochLength, slotLength: 1000 },
        start: { slot: firstSlot, time: new Date(startTime.getTime() + firstSlot * 20_000) }
      }
    ]
    const [timeOf, epochOf] = [createSlotTimeCalc(eras), createSlotEpochInfoCalc(eras)]
    const slots = [
      firstSlot,
      firstSlot + epochLength - 1,
      firstSlot + epochLength,
      ...Array.from({ length: 17 }, () => firstSlot + random.below(200_000_000))
    ]
    return slots.map((slot) => {
      const { epochNo, firstSlot: first } = epochOf(slot)
      return {
        id: `${network}-${slot}`,
        network,
        slot,
        unixTimeMs: timeOf(slot).getTime(),
        epoch: epochNo,
        epochSlot: slot - first.slot
      }
    })
  })
}

/**
 * Models of the length that each language had with protocol version 10, filled by chance; the encoding is the
 * library's.
 */
export function costModels() {
  const random = seeded('cost models')
  const models = Object.fromEntries(
    [
      ['PlutusV1', 166],
      ['PlutusV2', 175],
      ['PlutusV3', 251]
    ].map(([language, length]) => [
      language,
      Array.from({ length }, () => random.pick([0, 1, random.below(1000), random.below(2 ** 31)]))
    ])
  )
  const kinds = {
    PlutusV1: CSL.Language.new_plutus_v1(),
    PlutusV2: CSL.Language.new_plutus_v2(),
    PlutusV3: CSL.Language.new_plutus_v3()
  }
  const modelsOf = (languages) => {
    const all = CSL.Costmdls.new()
    for (const language of languages) {
      const model = CSL.CostModel.new()
      models[language].forEach((cost, i) => model.set(i, CSL.Int.new_i32(cost)))
      all.insert(kinds[language], model)
    }
    return all
  }
  return {
    modelsOf,
    figures: {
      models,
      encodings: Object.fromEntries(Object.keys(models).map((language) => [language, modelsOf([language]).to_hex()]))
    }
  }
}

/** Blake2b-224 roots and Blake2b-256 hashes by an implementation that the package does not use. */
export const blake2bOf = (hex, length) => blake2b.hash(hex, length)
