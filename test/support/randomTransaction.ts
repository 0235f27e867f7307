import * as CSL from '@emurgo/cardano-serialization-lib-nodejs'
import type { randomSource } from './random'

type Random = ReturnType<typeof randomSource>

const num = (value: number | bigint): CSL.BigNum => CSL.BigNum.from_str(String(value))
const maybe = (random: Random): boolean => random.below(2) === 0

function address(random: Random): CSL.Address {
  const credential = (): CSL.Credential =>
    maybe(random)
      ? CSL.Credential.from_keyhash(CSL.Ed25519KeyHash.from_bytes(random.bytes(28)))
      : CSL.Credential.from_scripthash(CSL.ScriptHash.from_bytes(random.bytes(28)))
  const network = random.below(2)
  return maybe(random)
    ? CSL.BaseAddress.new(network, credential(), credential()).to_address()
    : CSL.EnterpriseAddress.new(network, credential()).to_address()
}

function data(random: Random, depth = 0): CSL.PlutusData {
  switch (random.below(depth > 2 ? 2 : 4)) {
    case 0:
      return CSL.PlutusData.new_integer(CSL.BigInt.from_str(String(random.below(2 ** 40) - 1000)))
    case 1:
      return CSL.PlutusData.new_bytes(random.bytes(random.below(90)))
    default: {
      const list = CSL.PlutusList.new()
      for (let i = random.below(3); i >= 0; i--) list.add(data(random, depth + 1))
      return maybe(random)
        ? CSL.PlutusData.new_list(list)
        : CSL.PlutusData.new_constr_plutus_data(CSL.ConstrPlutusData.new(num(random.below(140)), list))
    }
  }
}

function assets(random: Random): CSL.MultiAsset {
  const all = CSL.MultiAsset.new()
  for (let i = random.below(3); i >= 0; i--) {
    const names = CSL.Assets.new()
    for (let k = random.below(3); k >= 0; k--)
      names.insert(CSL.AssetName.new(random.bytes(random.below(33))), num(1n + BigInt(random.below(2 ** 47)) * 65_536n))
    all.insert(CSL.ScriptHash.from_bytes(random.bytes(28)), names)
  }
  return all
}

function output(random: Random): CSL.TransactionOutput {
  const value = CSL.Value.new(num(random.below(2 ** 47)))
  if (random.below(3) === 0) value.set_multiasset(assets(random))
  const made = CSL.TransactionOutput.new(address(random), value)
  const kind = random.below(4)
  if (kind === 0) made.set_data_hash(CSL.DataHash.from_bytes(random.bytes(32)))
  if (kind === 1) made.set_plutus_data(data(random))
  if (random.below(6) === 0)
    made.set_script_ref(CSL.ScriptRef.new_plutus_script(CSL.PlutusScript.new_v2(random.bytes(1 + random.below(60)))))
  return made
}

function inputs(random: Random, atLeast: number): CSL.TransactionInputs {
  const all = CSL.TransactionInputs.new()
  for (let i = random.below(4) + atLeast; i > 0; i--)
    all.add(CSL.TransactionInput.new(CSL.TransactionHash.from_bytes(random.bytes(32)), random.below(300)))
  return all
}

function witnesses(random: Random): CSL.TransactionWitnessSet {
  const set = CSL.TransactionWitnessSet.new()
  const keys = CSL.Vkeywitnesses.new()
  for (let i = random.below(3); i > 0; i--) {
    const key = CSL.PrivateKey.from_normal_bytes(random.bytes(32))
    keys.add(CSL.Vkeywitness.new(CSL.Vkey.new(key.to_public()), key.sign(random.bytes(32))))
  }
  if (keys.len() > 0) set.set_vkeys(keys)
  if (maybe(random)) {
    const list = CSL.PlutusList.new()
    for (let i = random.below(3); i >= 0; i--) list.add(data(random))
    set.set_plutus_data(list)
    const redeemers = CSL.Redeemers.new()
    const tags = [CSL.RedeemerTag.new_spend(), CSL.RedeemerTag.new_mint(), CSL.RedeemerTag.new_reward()]
    tags.slice(0, 1 + random.below(3)).forEach((tag) => {
      const units = CSL.ExUnits.new(num(random.below(2 ** 33)), num(random.below(2 ** 47)))
      redeemers.add(CSL.Redeemer.new(tag, num(random.below(30)), data(random), units))
    })
    set.set_redeemers(redeemers)
  }
  return set
}

/** CBOR hex of a random transaction, made by cardano-serialization-lib: well formed, and valid on no ledger. */
export function randomTransaction(random: Random): string {
  const outputs = CSL.TransactionOutputs.new()
  for (let i = random.below(4); i >= 0; i--) outputs.add(output(random))
  const body = CSL.TransactionBody.new_tx_body(inputs(random, 1), outputs, num(random.below(2 ** 32)))
  if (maybe(random)) body.set_ttl(num(random.below(2 ** 47)))
  if (maybe(random)) body.set_validity_start_interval_bignum(num(random.below(2 ** 47)))
  if (random.below(3) === 0) {
    const minted = CSL.MintAssets.new()
    minted.insert(
      CSL.AssetName.new(random.bytes(random.below(33))),
      CSL.Int.new_i32(random.below(2 ** 31) - 2 ** 30 || 1)
    )
    body.set_mint(CSL.Mint.new_from_entry(CSL.ScriptHash.from_bytes(random.bytes(28)), minted))
  }
  if (random.below(3) === 0) {
    const signers = CSL.Ed25519KeyHashes.new()
    for (let i = random.below(2); i >= 0; i--) signers.add(CSL.Ed25519KeyHash.from_bytes(random.bytes(28)))
    body.set_required_signers(signers)
  }
  if (random.below(3) === 0) {
    body.set_collateral(inputs(random, 1))
    body.set_total_collateral(num(random.below(2 ** 32)))
    body.set_reference_inputs(inputs(random, 1))
  }
  if (random.below(4) === 0) {
    const accounts = CSL.Withdrawals.new()
    const credential = CSL.Credential.from_keyhash(CSL.Ed25519KeyHash.from_bytes(random.bytes(28)))
    accounts.insert(CSL.RewardAddress.new(random.below(2), credential), num(random.below(2 ** 40)))
    body.set_withdrawals(accounts)
  }
  let auxiliary: CSL.AuxiliaryData | undefined
  if (random.below(3) === 0) {
    const metadata = CSL.GeneralTransactionMetadata.new()
    metadata.insert(num(random.below(100_000)), CSL.TransactionMetadatum.new_text(String(random.below(2 ** 40))))
    auxiliary = CSL.AuxiliaryData.new()
    auxiliary.set_metadata(metadata)
    body.set_auxiliary_data_hash(CSL.hash_auxiliary_data(auxiliary))
  }
  return CSL.Transaction.new(body, witnesses(random), auxiliary).to_hex()
}
