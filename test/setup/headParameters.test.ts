import { startDevNode } from '../../src/devnode'
import { headParameters, hashParameters } from '../../src/setup'
import { codeOf } from '../support/codeOf'
import { describeWithShared, readShared } from '../support/vectors'

const CLI = {
  txFeePerByte: 44,
  txFeeFixed: 155381,
  utxoCostPerByte: 4310,
  maxTxSize: 16384,
  maxValueSize: 5000,
  maxTxExecutionUnits: { memory: 14000000, steps: 10000000000 },
  executionUnitPrices: { priceMemory: 0.0577, priceSteps: 0.0000721 },
  costModels: { PlutusV1: [1, 2], PlutusV3: [3] },
  protocolVersion: { major: 10, minor: 0 },
  minFeeRefScriptCostPerByte: 15
}
const BLOCKFROST = {
  min_fee_a: 44,
  min_fee_b: 155381,
  max_block_size: 90112,
  max_tx_size: 16384,
  max_block_header_size: 1100,
  key_deposit: '2000000',
  pool_deposit: '500000000',
  e_max: 18,
  n_opt: 500,
  a0: 0.3,
  rho: 0.003,
  tau: 0.2,
  protocol_major_ver: 10,
  protocol_minor_ver: 0,
  min_pool_cost: '170000000',
  coins_per_utxo_size: '4310',
  max_tx_ex_mem: '14000000',
  max_tx_ex_steps: '10000000000',
  max_block_ex_mem: '62000000',
  max_block_ex_steps: '20000000000',
  max_val_size: '5000',
  collateral_percent: 150,
  max_collateral_inputs: 3,
  price_mem: 0.0577,
  price_step: 0.0000721,
  min_fee_ref_script_cost_per_byte: 15,
  cost_models_raw: { PlutusV1: [1, 2], PlutusV3: [3] },
  pvt_motion_no_confidence: 0.51,
  pvt_committee_normal: 0.51,
  pvt_committee_no_confidence: 0.51,
  pvt_hard_fork_initiation: 0.51,
  pvt_p_p_security_group: 0.51,
  dvt_motion_no_confidence: 0.67,
  dvt_committee_normal: 0.67,
  dvt_committee_no_confidence: 0.6,
  dvt_update_to_constitution: 0.75,
  dvt_hard_fork_initiation: 0.6,
  dvt_p_p_network_group: 0.67,
  dvt_p_p_economic_group: 0.67,
  dvt_p_p_technical_group: 0.67,
  dvt_p_p_gov_group: 0.75,
  dvt_treasury_withdrawal: 0.67,
  committee_min_size: '7',
  committee_max_term_length: '146',
  gov_action_lifetime: '6',
  gov_action_deposit: '100000000000',
  drep_deposit: '500000000',
  drep_activity: '20'
}

it('sets fees and prices to nothing, keeps the rest, and bounds the size from 2.4 on', () => {
  const { parameters, hash } = headParameters({ from: JSON.stringify(CLI) })
  expect(parameters).toEqual({
    ...CLI,
    txFeePerByte: 0,
    txFeeFixed: 0,
    executionUnitPrices: { priceMemory: 0, priceSteps: 0 },
    minFeeRefScriptCostPerByte: 0,
    maxTxSize: 10_250
  })
  expect(headParameters({ from: CLI, nodeVersion: '2.3.0' }).parameters['maxTxSize']).toBe(16_384)
  expect(headParameters({ from: { ...CLI, maxTxSize: 8_000 } }).parameters['maxTxSize']).toBe(8_000)
  // What is made of the result is the result: the file can be made again, in any order of its members.
  const again = JSON.stringify(Object.fromEntries(Object.entries(parameters).reverse()), null, 2)
  expect(headParameters({ from: again }).hash).toBe(hash)
  expect(hashParameters(JSON.parse(again.replace('"maxTxSize": 10250', '"maxTxSize": 1.025e4')))).toBe(hash)
})

it("reads Blockfrost's form to the same parameters as cardano-cli's", () => {
  const { parameters } = headParameters({ from: BLOCKFROST })
  expect(parameters).toMatchObject({
    maxTxSize: 10_250,
    utxoCostPerByte: 4310,
    protocolVersion: { major: 10, minor: 0 },
    costModels: CLI.costModels,
    maxTxExecutionUnits: CLI.maxTxExecutionUnits,
    dRepVotingThresholds: { ppGovGroup: 0.75, treasuryWithdrawal: 0.67 },
    txFeePerByte: 0
  })
})

it.each<[string, unknown, string]>([
  ['no document', 7, 'from'],
  ['text that is no JSON', '{', 'from'],
  ['a missing member', { ...CLI, maxTxSize: undefined }, 'from.maxTxSize'],
  ['a size as a text', { ...CLI, maxTxSize: 'large' }, 'from.maxTxSize'],
  ['a negative price of bytes', { ...CLI, utxoCostPerByte: -1 }, 'from.utxoCostPerByte'],
  ['cost models by name', { ...CLI, costModels: { PlutusV1: { add: 1 } } }, 'from.costModels.PlutusV1'],
  ['no cost models', { ...BLOCKFROST, cost_models_raw: null }, 'from.cost_models_raw'],
  ['a missing number of Blockfrost', { ...BLOCKFROST, drep_activity: null }, 'from.drep_activity'],
  ['text above 1 MiB', ' '.repeat(1024 * 1024 + 1), 'from']
])('refuses %s by name', async (_, from, name) => {
  expect(await codeOf(() => headParameters({ from }))).toBe('INPUT_ARGUMENT')
  expect(() => headParameters({ from })).toThrow(`${name} cannot be used`)
})

describeWithShared('parameters of a real head', () => {
  it('of 2.4 stay as they are: they were made so', () => {
    const real = JSON.parse(readShared('real/protocol-parameters-2.4.json')) as object
    const { parameters, hash } = headParameters({ from: real })
    expect(parameters).toEqual(real)
    expect(hash).toBe(hashParameters(real))
  })
})

it("has every member of the local head's own parameters, from which the file's members come too", async () => {
  const node = await startDevNode({ port: 0, rpcPort: 0 })
  const answer = await fetch(`${node.httpUrl}/protocol-parameters`)
  const head = (await answer.json()) as object
  await node.stop()
  expect(headParameters({ from: head }).parameters).toEqual(head)
  const made = headParameters({ from: BLOCKFROST }).parameters
  expect(Object.keys(head).filter((name) => !Object.hasOwn(made, name))).toEqual([])
})
