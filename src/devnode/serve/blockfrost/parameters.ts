import type { BaseChain } from '../../chain/BaseChain.js'
import { epochOf } from '../../chain/BaseChain.js'
import type { JsonValue } from '../../json/jsonText.js'
import { notFound } from './reply.js'

type Parameters = Readonly<Record<string, JsonValue>>

/** GET /epochs/latest/parameters */
export function blockfrostParameters({ parameters, tip }: BaseChain): JsonValue {
  const protocolParameters = parameters as Parameters
  const text = (key: string): string => String(protocolParameters[key] as number)
  const part = (key: string): Parameters => protocolParameters[key] as Parameters
  const { major, minor } = part('protocolVersion')
  const pool = part('poolVotingThresholds')
  const drep = part('dRepVotingThresholds')
  const models = part('costModels') as unknown as Readonly<Record<string, readonly number[]>>
  return {
    epoch: epochOf(tip.slot).epoch,
    min_fee_a: protocolParameters['txFeePerByte'],
    min_fee_b: protocolParameters['txFeeFixed'],
    max_block_size: protocolParameters['maxBlockBodySize'],
    max_tx_size: protocolParameters['maxTxSize'],
    max_block_header_size: protocolParameters['maxBlockHeaderSize'],
    key_deposit: text('stakeAddressDeposit'),
    pool_deposit: text('stakePoolDeposit'),
    e_max: protocolParameters['poolRetireMaxEpoch'],
    n_opt: protocolParameters['stakePoolTargetNum'],
    a0: protocolParameters['poolPledgeInfluence'],
    rho: protocolParameters['monetaryExpansion'],
    tau: protocolParameters['treasuryCut'],
    decentralisation_param: 0,
    extra_entropy: null,
    protocol_major_ver: major,
    protocol_minor_ver: minor,
    min_utxo: text('utxoCostPerByte'),
    min_pool_cost: text('minPoolCost'),
    nonce: '00'.repeat(32),
    // By position: the names are a convention of indexers, and clients read the values in this order.
    cost_models: Object.fromEntries(Object.entries(models).map(([language, costs]) => [language, { ...costs }])),
    cost_models_raw: models as unknown as JsonValue,
    price_mem: part('executionUnitPrices')['priceMemory'],
    price_step: part('executionUnitPrices')['priceSteps'],
    max_tx_ex_mem: String(part('maxTxExecutionUnits')['memory'] as number),
    max_tx_ex_steps: String(part('maxTxExecutionUnits')['steps'] as number),
    max_block_ex_mem: String(part('maxBlockExecutionUnits')['memory'] as number),
    max_block_ex_steps: String(part('maxBlockExecutionUnits')['steps'] as number),
    max_val_size: text('maxValueSize'),
    collateral_percent: protocolParameters['collateralPercentage'],
    max_collateral_inputs: protocolParameters['maxCollateralInputs'],
    coins_per_utxo_size: text('utxoCostPerByte'),
    coins_per_utxo_word: text('utxoCostPerByte'),
    pvt_motion_no_confidence: pool['motionNoConfidence'],
    pvt_committee_normal: pool['committeeNormal'],
    pvt_committee_no_confidence: pool['committeeNoConfidence'],
    pvt_hard_fork_initiation: pool['hardForkInitiation'],
    dvt_motion_no_confidence: drep['motionNoConfidence'],
    dvt_committee_normal: drep['committeeNormal'],
    dvt_committee_no_confidence: drep['committeeNoConfidence'],
    dvt_update_to_constitution: drep['updateToConstitution'],
    dvt_hard_fork_initiation: drep['hardForkInitiation'],
    dvt_p_p_network_group: drep['ppNetworkGroup'],
    dvt_p_p_economic_group: drep['ppEconomicGroup'],
    dvt_p_p_technical_group: drep['ppTechnicalGroup'],
    dvt_p_p_gov_group: drep['ppGovGroup'],
    dvt_treasury_withdrawal: drep['treasuryWithdrawal'],
    committee_min_size: text('committeeMinSize'),
    committee_max_term_length: text('committeeMaxTermLength'),
    gov_action_lifetime: text('govActionLifetime'),
    gov_action_deposit: text('govActionDeposit'),
    drep_deposit: text('dRepDeposit'),
    drep_activity: text('dRepActivity'),
    pvtpp_security_group: pool['ppSecurityGroup'],
    pvt_p_p_security_group: pool['ppSecurityGroup'],
    min_fee_ref_script_cost_per_byte: protocolParameters['minFeeRefScriptCostPerByte']
  }
}

/** GET /epochs/{latest or number}/parameters: the parameters never change, an epoch that is not yet there has none. */
export function epochParameters(epoch: string, chain: BaseChain): JsonValue {
  if (epoch === 'latest') return blockfrostParameters(chain)
  if (!/^\d{1,9}$/.test(epoch) || Number(epoch) > epochOf(chain.tip.slot).epoch) throw notFound()
  return { ...(blockfrostParameters(chain) as Parameters), epoch: Number(epoch) }
}
