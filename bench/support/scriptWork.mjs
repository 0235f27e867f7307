// Transactions that each spend from a script of PlutusV3, built by another library; prints ms for each in a head, and
// in the evaluator alone.
import * as csl from '@emurgo/cardano-serialization-lib-nodejs'
import { DevNode } from 'layer-sdk/devnode'
import { scalusEvaluator } from 'layer-sdk/scalus'

const COUNT = 200
const WARM = 50
const LOVELACE = 5_000_000
/** `(program 1.1.0 (lam x (con unit ())))`: succeeds. */
const SCRIPT = csl.PlutusScript.new_v3(Buffer.from('450101002499', 'hex'))
const SCRIPT_ADDRESS = csl.EnterpriseAddress.new(0, csl.Credential.from_scripthash(SCRIPT.hash())).to_address()
const UNIT = csl.PlutusData.from_hex('d87980')
const big = (value) => csl.BigNum.from_str(String(value))
const inputOf = ({ input }) => csl.TransactionInput.new(csl.TransactionHash.from_hex(input.txHash), input.index)
const setOf = (utxo) => {
  const inputs = csl.TransactionInputs.new()
  inputs.add(inputOf(utxo))
  return inputs
}

function spend(locked, collateral, { skey, address }, costModel) {
  const outputs = csl.TransactionOutputs.new()
  outputs.add(csl.TransactionOutput.new(csl.Address.from_bech32(address), csl.Value.new(big(LOVELACE))))
  const body = csl.TransactionBody.new_tx_body(setOf(locked), outputs, big(0))
  body.set_collateral(setOf(collateral))
  const redeemers = csl.Redeemers.new()
  redeemers.add(
    csl.Redeemer.new(csl.RedeemerTag.new_spend(), big(0), UNIT, csl.ExUnits.new(big(200_000), big(200_000_000)))
  )
  const model = csl.CostModel.new()
  costModel.forEach((cost, i) => model.set(i, csl.Int.from_str(String(cost))))
  const costs = csl.Costmdls.new()
  costs.insert(csl.Language.new_plutus_v3(), model)
  body.set_script_data_hash(csl.hash_script_data(redeemers, costs))
  const scripts = csl.PlutusScripts.new()
  scripts.add(SCRIPT)
  const witnesses = csl.TransactionWitnessSet.new()
  witnesses.set_plutus_scripts(scripts)
  witnesses.set_redeemers(redeemers)
  const tx = csl.FixedTransaction.from_bytes(csl.Transaction.new(body, witnesses).to_bytes())
  tx.sign_and_add_vkey_signature(csl.PrivateKey.from_normal_bytes(Buffer.from(skey.slice(4), 'hex')))
  return { type: 'Tx ConwayEra', description: '', cborHex: tx.to_hex(), txId: tx.transaction_hash().to_hex() }
}

const evaluate = scalusEvaluator()
const requests = []
const scriptEvaluator = (request) => {
  requests.push(request)
  return evaluate(request)
}
const [alice] = new DevNode({ accounts: 0 }).keys
const locked = { address: SCRIPT_ADDRESS.to_bech32(), lovelace: LOVELACE, datum: 'd87980' }
const inHead = [...Array.from({ length: COUNT + WARM }, () => locked), { address: alice.address, lovelace: 7_000_000 }]
const node = new DevNode({
  open: true,
  accounts: 0,
  inHead,
  scriptEvaluator,
  protocolParameters: { utxoCostPerByte: 0 }
})
const [collateral] = node.headUtxos(alice.address)
const costModel = node.protocolParameters.costModels.PlutusV3
let waiting = () => undefined
const client = node.open('snapshot-utxo=no', {
  send(text) {
    const { tag, validationError } = JSON.parse(text)
    if (tag === 'TxInvalid') throw new Error(validationError.reason)
    if (tag === 'TxValid') waiting()
  },
  close() {}
})
const inputs = node
  .headUtxos(locked.address)
  .map((utxo) => JSON.stringify({ tag: 'NewTx', transaction: spend(utxo, collateral, alice, costModel) }))

async function inTheHead(texts) {
  const startedAt = performance.now()
  for (const text of texts) {
    const valid = new Promise((resolve) => (waiting = resolve))
    node.receive(client, text)
    await valid
  }
  return (performance.now() - startedAt) / texts.length
}
async function alone(all) {
  const startedAt = performance.now()
  for (const request of all) await evaluate(request)
  return (performance.now() - startedAt) / all.length
}

await inTheHead(inputs.slice(0, WARM))
await alone(requests)
requests.length = 0
const head = await inTheHead(inputs.slice(WARM))
console.log(JSON.stringify({ head, alone: await alone(requests) }))
process.exit(0)
