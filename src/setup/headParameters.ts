import { isRecord } from '../codec/record.js'
import { described } from '../errors/base.js'
import { InvalidArgumentError } from '../errors/input.js'
import { hashJson } from './canonicalJson.js'
import { MAX_FILE_CHARACTERS, MAX_HEAD_TX_SIZE } from './limits.js'
import { hasDepositActivation, NEWEST_NODE_VERSION, versionFamily } from './nodeOptions/nodeOptionsOf.js'

/** Protocol parameters in the form of cardano-cli, which hydra-node reads. */
export type CliParameters = Readonly<Record<string, unknown>>

/** Members of cardano-cli's form without which the node's ledger cannot start. */
const NEEDED = [
  'txFeePerByte',
  'txFeeFixed',
  'utxoCostPerByte',
  'maxTxSize',
  'maxValueSize',
  'maxTxExecutionUnits',
  'executionUnitPrices',
  'costModels',
  'protocolVersion'
]

/** Names of Blockfrost for plain numbers, by those of cardano-cli. */
const NUMBERS: Readonly<Record<string, string>> = {
  maxBlockBodySize: 'max_block_size',
  maxTxSize: 'max_tx_size',
  maxBlockHeaderSize: 'max_block_header_size',
  stakeAddressDeposit: 'key_deposit',
  stakePoolDeposit: 'pool_deposit',
  poolRetireMaxEpoch: 'e_max',
  stakePoolTargetNum: 'n_opt',
  poolPledgeInfluence: 'a0',
  monetaryExpansion: 'rho',
  treasuryCut: 'tau',
  minPoolCost: 'min_pool_cost',
  utxoCostPerByte: 'coins_per_utxo_size',
  maxValueSize: 'max_val_size',
  collateralPercentage: 'collateral_percent',
  maxCollateralInputs: 'max_collateral_inputs',
  committeeMinSize: 'committee_min_size',
  committeeMaxTermLength: 'committee_max_term_length',
  govActionLifetime: 'gov_action_lifetime',
  govActionDeposit: 'gov_action_deposit',
  dRepDeposit: 'drep_deposit',
  dRepActivity: 'drep_activity'
}

/** Names of Blockfrost for the members of nested objects, by those of cardano-cli. */
const NESTED: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  protocolVersion: { major: 'protocol_major_ver', minor: 'protocol_minor_ver' },
  maxTxExecutionUnits: { memory: 'max_tx_ex_mem', steps: 'max_tx_ex_steps' },
  maxBlockExecutionUnits: { memory: 'max_block_ex_mem', steps: 'max_block_ex_steps' },
  poolVotingThresholds: {
    motionNoConfidence: 'pvt_motion_no_confidence',
    committeeNormal: 'pvt_committee_normal',
    committeeNoConfidence: 'pvt_committee_no_confidence',
    hardForkInitiation: 'pvt_hard_fork_initiation',
    ppSecurityGroup: 'pvt_p_p_security_group'
  },
  dRepVotingThresholds: {
    motionNoConfidence: 'dvt_motion_no_confidence',
    committeeNormal: 'dvt_committee_normal',
    committeeNoConfidence: 'dvt_committee_no_confidence',
    updateToConstitution: 'dvt_update_to_constitution',
    hardForkInitiation: 'dvt_hard_fork_initiation',
    ppNetworkGroup: 'dvt_p_p_network_group',
    ppEconomicGroup: 'dvt_p_p_economic_group',
    ppTechnicalGroup: 'dvt_p_p_technical_group',
    ppGovGroup: 'dvt_p_p_gov_group',
    treasuryWithdrawal: 'dvt_treasury_withdrawal'
  }
}

/**
 * Makes the protocol parameters of a head from those of its base ledger: fees and prices 0, sizes and `utxoCostPerByte`
 * kept, `maxTxSize` at most 10,250 bytes from node version 2.4 on, so that each output can be fanned out.
 *
 * @param args - `from`: the base ledger's parameters, as cardano-cli (`query protocol-parameters`) or Blockfrost
 * (`/epochs/latest/parameters`) writes them, text or document. `nodeVersion`: '2.4' unless given.
 * @returns `parameters` for the file of `--ledger-protocol-parameters`, and `hash`, BLAKE2b-256 of its canonical JSON:
 * hex, 64 characters; it is the head file's `parametersHash`
 * @throws {@link InvalidArgumentError} with the name of the member that is missing or no number
 * @example
 * ```ts no-run
 * const { parameters, hash } = headParameters({ from: await readFile('mainnet.json', 'utf8') })
 * ```
 */
export function headParameters({ from, nodeVersion = NEWEST_NODE_VERSION }: HeadParametersArgs): HeadParametersResult {
  if (versionFamily(nodeVersion) === null)
    throw new InvalidArgumentError('nodeVersion', 'a version of hydra-node, e.g. 2.4.1', nodeVersion)
  const document = typeof from === 'string' ? parse(from) : from
  if (!isRecord(document))
    throw new InvalidArgumentError('from', 'protocol parameters of cardano-cli or Blockfrost', document)
  const members = document as CliParameters
  const base = Object.hasOwn(members, 'min_fee_a') ? ofBlockfrost(members) : ofCardanoCli(members)
  const maxTxSize = base['maxTxSize'] as number
  const parameters = {
    ...base,
    txFeePerByte: 0,
    txFeeFixed: 0,
    executionUnitPrices: { priceMemory: 0, priceSteps: 0 },
    minFeeRefScriptCostPerByte: 0,
    maxTxSize: hasDepositActivation(nodeVersion) ? Math.min(maxTxSize, MAX_HEAD_TX_SIZE) : maxTxSize
  }
  return { parameters, hash: hashParameters(parameters) }
}

/** Arguments of {@link headParameters}. */
export interface HeadParametersArgs {
  /** Parameters of the base ledger: text or document. */
  from: unknown
  /** Version of the node. @default '2.4' */
  nodeVersion?: string | undefined
}

/** Parameters of a head. */
export interface HeadParametersResult {
  readonly parameters: CliParameters
  /** Hash of the parameters: BLAKE2b-256 of their canonical JSON, hex, 64 characters. */
  readonly hash: string
}

/**
 * Returns the hash of a head's parameters, as they are in the file or in a node's answer to `GET /protocol-parameters`.
 *
 * @example
 * ```ts no-run
 * import { hashParameters } from 'layer-sdk/setup'
 * console.log(hashParameters(await head.bridge.getRawProtocolParameters()))
 * ```
 */
export function hashParameters(parameters: unknown): string {
  return hashJson(parameters)
}

function parse(text: string): unknown {
  if (text.length > MAX_FILE_CHARACTERS)
    throw new InvalidArgumentError('from', 'a text of at most 1 MiB', described(`${text.length} characters`))
  try {
    return JSON.parse(text) as unknown
  } catch {
    throw new InvalidArgumentError('from', 'JSON', described(`${text.length} characters that are not JSON`))
  }
}

function ofCardanoCli(members: CliParameters): CliParameters {
  for (const name of NEEDED)
    if (!Object.hasOwn(members, name))
      throw new InvalidArgumentError(`from.${name}`, 'a member of that name', undefined)
  for (const name of ['maxTxSize', 'maxValueSize', 'utxoCostPerByte']) number(members, name)
  checkModels(members['costModels'], 'from.costModels')
  return members
}

function ofBlockfrost(members: CliParameters): CliParameters {
  const raw = members['cost_models_raw']
  checkModels(raw, 'from.cost_models_raw')
  const plain = Object.entries(NUMBERS).map(([name, theirs]) => [name, number(members, theirs)])
  const nested = Object.entries(NESTED).map(([name, parts]) => [
    name,
    Object.fromEntries(Object.entries(parts).map(([part, theirs]) => [part, number(members, theirs)]))
  ])
  return { ...Object.fromEntries([...plain, ...nested]), costModels: raw } as CliParameters
}

/** Checks that cost models are lists in the order of the ledger: an object by names has lost that order. */
function checkModels(models: unknown, path: string): void {
  if (typeof models !== 'object' || models === null || Object.keys(models).length === 0)
    throw new InvalidArgumentError(path, 'lists of numbers by language', models)
  for (const [language, model] of Object.entries(models))
    if (!Array.isArray(model) || !model.every((cost) => Number.isSafeInteger(cost)))
      throw new InvalidArgumentError(`${path}.${language.slice(0, 20)}`, 'a list of whole numbers', model)
}

/** Returns a number that Blockfrost may write as a text, as it does for lovelace. */
function number(members: CliParameters, name: string): number {
  const value = Object.hasOwn(members, name) ? members[name] : undefined
  const found = typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : value
  if (typeof found !== 'number' || !Number.isFinite(found) || found < 0 || found > Number.MAX_SAFE_INTEGER)
    throw new InvalidArgumentError(`from.${name}`, 'a number from 0', value)
  return found
}
