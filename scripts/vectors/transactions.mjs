// Transactions by cardano-serialization-lib, also in encodings that no library writes but the chain holds.
import CSL from '@emurgo/cardano-serialization-lib-nodejs'
import { bytesOf, hexOf, parseItem, reencode, seeded } from './seeded.mjs'
import { costModels, num, randomAuxiliary, randomData, randomOutput, randomScript } from './ledger.mjs'

const HARD = 0x80000000
const list = (type, items) => items.reduce((all, item) => (all.add(item), all), type.new())
const inputs = (random, count) =>
  list(
    CSL.TransactionInputs,
    Array.from({ length: count }, () =>
      CSL.TransactionInput.new(CSL.TransactionHash.from_bytes(random.bytes(32)), random.below(300))
    )
  )
const keyOf = (random) => CSL.PrivateKey.from_normal_bytes(random.bytes(32))
const hashOf = (body) => CSL.FixedTransaction.new_from_body_bytes(body.to_bytes()).transaction_hash()

/** A transaction that uses each part of a body by chance; with a script, its data hash. */
function randomTransaction(random, { signers = random.below(3), withScript = false, plain = false } = {}) {
  const body = CSL.TransactionBody.new_tx_body(
    inputs(random, 1 + random.below(3)),
    list(
      CSL.TransactionOutputs,
      Array.from({ length: 1 + random.below(3) }, () => randomOutput(random))
    ),
    num(170_000 + random.below(500_000))
  )
  const witnesses = CSL.TransactionWitnessSet.new()
  let auxiliary
  if (!plain) {
    if (random.below(2)) body.set_ttl(num(random.below(2 ** 40)))
    if (random.below(3) === 0) body.set_validity_start_interval_bignum(num(random.below(2 ** 31)))
    if (random.below(3) === 0) body.set_required_signers(list(CSL.Ed25519KeyHashes, [keyOf(random).to_public().hash()]))
    if (random.below(4) === 0) body.set_reference_inputs(inputs(random, 2))
    if (random.below(4) === 0) {
      auxiliary = randomAuxiliary(random).data
      body.set_auxiliary_data_hash(CSL.hash_auxiliary_data(auxiliary))
    }
    if (random.below(4) === 0) {
      const withdrawals = CSL.Withdrawals.new()
      withdrawals.insert(
        CSL.RewardAddress.new(random.below(2), CSL.Credential.from_keyhash(keyOf(random).to_public().hash())),
        num(random.below(2 ** 40))
      )
      body.set_withdrawals(withdrawals)
    }
  }
  if (withScript) {
    const language = withScript
    const datums = random.below(2) ? list(CSL.PlutusList, [randomData(random, 2)]) : undefined
    const redeemers = list(CSL.Redeemers, [
      CSL.Redeemer.new(
        CSL.RedeemerTag.new_spend(),
        num(random.below(3)),
        randomData(random, 2),
        CSL.ExUnits.new(num(random.below(1e6)), num(random.below(1e9)))
      )
    ])
    body.set_collateral(inputs(random, 1))
    witnesses.set_redeemers(redeemers)
    if (datums !== undefined) witnesses.set_plutus_data(datums)
    witnesses.set_plutus_scripts(list(CSL.PlutusScripts, [randomScript(random).script]))
    body.set_script_data_hash(CSL.hash_script_data(redeemers, costModels().modelsOf([language]), datums))
  }
  const keys = Array.from({ length: signers }, () => keyOf(random))
  if (keys.length > 0)
    witnesses.set_vkeys(
      list(
        CSL.Vkeywitnesses,
        keys.map((key) => CSL.make_vkey_witness(hashOf(body), key))
      )
    )
  return { body, transaction: CSL.Transaction.new(body, witnesses, auxiliary), signers: keys.length }
}

const bodyKeysOf = (bytes) => {
  const body = parseItem(bytes).children[0]
  return body.children
    .filter((_, i) => i % 2 === 0)
    .map(({ argument }) => Number(argument))
    .sort((a, b) => a - b)
}

/** The id of the body's bytes as they stand, by the library that keeps them. */
const idOf = (bytes) => CSL.FixedTransaction.from_bytes(bytes).transaction_hash().to_hex()

const vectorOf = (id, bytes, vkeyWitnesses, vkeyWitnessesValid = vkeyWitnesses) => ({
  id,
  txId: idOf(bytes),
  bodyKeys: bodyKeysOf(bytes),
  vkeyWitnesses,
  vkeyWitnessesValid,
  cborHex: hexOf(bytes)
})

/** As the library writes them, a quarter with a script. */
export function conway() {
  const random = seeded('conway')
  return Array.from({ length: 120 }, (_, i) => {
    const { transaction, signers } = randomTransaction(random, {
      withScript: i % 4 === 0 ? random.pick(['PlutusV1', 'PlutusV2', 'PlutusV3']) : false
    })
    return vectorOf(`conway-${i}`, transaction.to_bytes(), signers)
  })
}

/** The same kinds in other encodings: the signatures are over other bytes, so none of them holds. */
export function oddlyEncoded() {
  const random = seeded('odd')
  const found = []
  for (let i = 0; found.length < 80; i++) {
    const { transaction, signers } = randomTransaction(random)
    const bytes = transaction.to_bytes()
    const chance = (percent) => () => random.below(100) < percent
    const style = [{ wide: chance(30) }, { open: chance(30) }, { wide: chance(10), open: chance(5) }, { untag: true }][
      i % 4
    ]
    const odd = new Uint8Array([0x84, ...parseItem(bytes).children.flatMap((item) => reencode(bytes, item, style))])
    try {
      found.push({ ...vectorOf(`odd-${i}`, odd, signers), vkeyWitnessesValid: undefined })
    } catch {
      // The library reads not every form that the ledger reads; without its id there is no figure.
    }
  }
  return found
}

/** Payments as a head sees them, and drafts that nobody has signed. */
export const payments = () => {
  const random = seeded('payments')
  return Array.from({ length: 40 }, (_, i) =>
    vectorOf(`payment-${i}`, randomTransaction(random, { signers: 1, plain: true }).transaction.to_bytes(), 1)
  )
}

export const drafts = () => {
  const random = seeded('drafts')
  return Array.from({ length: 30 }, (_, i) =>
    vectorOf(`draft-${i}`, randomTransaction(random, { signers: 0 }).transaction.to_bytes(), 0)
  )
}

/** A signer, a transaction and the one witness that signing adds. */
export function toSign(published) {
  const random = seeded('to sign')
  return Array.from({ length: 28 }, (_, i) => {
    const { body, transaction } = randomTransaction(random, { signers: i % 3 })
    const bytes = transaction.to_bytes()
    let key
    let signer
    if (i % 2) {
      key = CSL.PrivateKey.from_normal_bytes(random.bytes(32))
      signer = {
        kind: 'skey',
        skeyCborHex: `5820${hexOf(key.as_bytes())}`,
        vkeyCborHex: `5820${hexOf(key.to_public().as_bytes())}`
      }
    } else {
      const { entropyHex, mnemonic } = published.bip39_english[i % published.bip39_english.length]
      const [accountIndex, keyIndex] = [random.below(3), random.below(100)]
      const root = CSL.Bip32PrivateKey.from_bip39_entropy(bytesOf(entropyHex), new Uint8Array())
      key = [1852 + HARD, 1815 + HARD, accountIndex + HARD, 0, keyIndex]
        .reduce((parent, index) => parent.derive(index), root)
        .to_raw_key()
      signer = { kind: 'mnemonic', mnemonic, accountIndex, keyIndex }
    }
    const witness = CSL.make_vkey_witness(CSL.TransactionHash.from_hex(idOf(bytes)), key)
    return {
      id: `sign-${i}`,
      txId: idOf(bytes),
      txCborHex: hexOf(bytes),
      bodyBytesMustBe: hexOf(body.to_bytes()),
      signer,
      expectedVkeyWitness: {
        publicKeyHex: hexOf(key.to_public().as_bytes()),
        signatureHex: witness.signature().to_hex()
      }
    }
  })
}
