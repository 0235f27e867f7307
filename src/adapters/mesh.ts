/**
 * A head as the provider of Mesh: its builder reads outputs and parameters from a head client, and submits to the
 * head.
 *
 * @see docs/guides/choosing-a-builder.md
 * @see docs/guides/migration-from-mesh.md
 * @packageDocumentation
 */

import type { HeadClient } from '../client/inner.js'
import type { UTxO } from '../types/utxo.js'
import type { BuilderOptions, HeadSlotConfig, SubmitUntil } from './shared/headSource.js'
import { createHeadSource, unsupported } from './shared/headSource.js'
import { fromMesh, meshOutputsOf, toMesh, txInfo } from './shared/meshForms.js'
import type { MeshTxInfo, MeshUTxO } from './shared/meshForms.js'

export type { MeshTxInfo, MeshUTxO } from './shared/meshForms.js'
export type { BuilderOptions, HeadSlotConfig, SubmitUntil } from './shared/headSource.js'

/** Protocol parameters in Mesh's form, the `params` of its builder. */
export interface MeshProtocol {
  /** Always 0: a head has no epochs. */
  epoch: number
  /** Fee for each byte of a transaction, lovelace. */
  minFeeA: number
  /** Fee of every transaction, lovelace. */
  minFeeB: number
  /** Largest block, bytes. */
  maxBlockSize: number
  /** Largest transaction, bytes. */
  maxTxSize: number
  /** Largest block header, bytes. */
  maxBlockHeaderSize: number
  /** Deposit of a stake key, lovelace; a head registers none. */
  keyDeposit: number
  /** Deposit of a stake pool, lovelace; a head registers none. */
  poolDeposit: number
  /** Fraction of blocks that federated nodes make: always 0, as on the base ledger since Babbage. */
  decentralisation: number
  /** Least cost of a stake pool, lovelace, decimal digits. */
  minPoolCost: string
  /** Lovelace for each unit of memory that a script uses; a fraction. */
  priceMem: number
  /** Lovelace for each step of a script; a fraction. */
  priceStep: number
  /** Units of memory that the scripts of a transaction may use, decimal digits. */
  maxTxExMem: string
  /** Steps that the scripts of a transaction may use, decimal digits. */
  maxTxExSteps: string
  /** Units of memory in a block, decimal digits. */
  maxBlockExMem: string
  /** Steps in a block, decimal digits. */
  maxBlockExSteps: string
  /** Largest value of an output, bytes. */
  maxValSize: number
  /** Collateral that scripts need, percent of the fee. */
  collateralPercent: number
  /** Maximum number of collateral inputs. */
  maxCollateralInputs: number
  /** Least lovelace of an output for each of its bytes. */
  coinsPerUtxoSize: number
  /** Fee for each byte of a reference script, lovelace. */
  minFeeRefScriptCostPerByte: number
}

/** An address that holds a unit. */
export interface MeshHolder {
  /** Bech32. */
  address: string
  /** Decimal digits. */
  quantity: string
}

/** Assets of a policy, as Mesh's collections list them. */
export interface MeshCollection {
  /** Each unit of the policy, with its total quantity in the head's outputs. */
  assets: MeshHolding[]
  /** Always null: there is one page. */
  next: null
}

/** A unit and its quantity. */
export interface MeshHolding {
  /** Policy id and asset name, hex. */
  unit: string
  /** Decimal digits. */
  quantity: string
}

/** Execution units of one redeemer in Mesh's form. */
export interface MeshAction {
  /** Purpose of the redeemer. */
  tag: 'SPEND' | 'MINT' | 'CERT' | 'REWARD' | 'VOTE' | 'PROPOSE'
  /** Index of the input, policy, certificate, ... that the script is for, in the ledger's order, from 0. */
  index: number
  /** Units of memory, and steps. */
  budget: {
    /** Units of memory, a count. */
    mem: number
    /** Steps of the machine, a count. */
    steps: number
  }
}

/**
 * A head as Mesh's `IFetcher`, `ISubmitter`, `IEvaluator` and `IListener`. Methods that have no meaning in a head
 * reject with {@link UnsupportedInHeadError}.
 */
export interface MeshProvider {
  /**
   * Returns the unspent outputs of an address; with `asset`, only those that hold this unit. The client's own
   * transactions that are not confirmed yet count: their outputs are included, the outputs that they spend are not.
   */
  fetchAddressUTxOs(address: string, asset?: string): Promise<MeshUTxO[]>
  /** Returns the unspent outputs of a transaction; with `index`, only the output at this position. */
  fetchUTxOs(hash: string, index?: number): Promise<MeshUTxO[]>
  /** Returns the protocol parameters of the head. `epoch` is ignored, because a head has no epochs. */
  fetchProtocolParameters(epoch?: number): Promise<MeshProtocol>
  /** Returns the cost models of the head: PlutusV1, V2, V3. `epoch` is ignored. */
  fetchCostModels(epoch?: number): Promise<number[][]>
  /**
   * Sends a transaction into the head, after the client's wallet has signed it if it has no signature. Resolves with
   * its id once the node has accepted it (TxValid), or with `until: 'confirmed'` once a snapshot holds it.
   */
  submitTx(tx: string, options?: SubmitUntil): Promise<string>
  /**
   * Evaluates the scripts of a transaction in the head. The builder calls it after
   * `new MeshTxBuilder({ fetcher: provider, submitter: provider, evaluator: provider })`. Outputs that the head does
   * not hold yet are passed as `additionalUtxos` or as outputs of `additionalTxs` (CBOR hex).
   * @throws {@link ScriptInputError}, {@link ScriptFailedError}, {@link EvaluatorMissingError},
   * {@link EvaluatorFailedError}
   */
  evaluateTx(tx: string, additionalUtxos?: MeshUTxO[], additionalTxs?: string[]): Promise<MeshAction[]>
  /** Calls `callback` when a snapshot holds the transaction; never when the head rejects it. `limit` is ignored. */
  onTxConfirmed(txHash: string, callback: () => void, limit?: number): void
  /** Returns the addresses that hold a unit in the head, each with its quantity in decimal digits. */
  fetchAssetAddresses(asset: string): Promise<MeshHolder[]>
  /**
   * Returns the units of a policy in the head, each with its total quantity in decimal digits. There is one page:
   * `next` is null, and `cursor` is ignored.
   */
  fetchCollectionAssets(policyId: string, cursor?: number | string): Promise<MeshCollection>
  /**
   * Returns a transaction that the head accepted since the provider was created, if it is one of the latest 1000.
   * @throws {@link InvalidArgumentError} for any other
   */
  fetchTxInfo(hash: string): Promise<MeshTxInfo>
  /** Returns the slots of the head, for `resolveSlotNo` and validity bounds. */
  getSlotConfig(): HeadSlotConfig
  /** Rejects: a head has no stake accounts. */
  fetchAccountInfo(address: string): Promise<never>
  /** Rejects: use `watchTxs()` of the client, which reports transactions. */
  fetchAddressTxs(address: string): Promise<never>
  /** Rejects: the metadata of assets is on the base ledger, not in a head. */
  fetchAssetMetadata(asset: string): Promise<never>
  /** Rejects: a head has snapshots, not blocks. */
  fetchBlockInfo(hash: string): Promise<never>
  /** Rejects: a head has no governance. */
  fetchGovernanceProposal(txHash: string, certIndex: number): Promise<never>
  /** Rejects: a head node is not a REST provider. */
  get(url: string): Promise<never>
}

/**
 * Creates a provider of Mesh (`@meshsdk/core` 1.9) that reads a head and submits to it. Pass `isHydra: true`, which
 * turns Mesh's own fees off, and the head's protocol parameters to the builder.
 *
 * @param head - a connected client; it needs no wallet
 * @throws {@link InvalidArgumentError} when `head` is not a client
 * @example
 * ```ts no-run
 * import { MeshTxBuilder } from '@meshsdk/core'
 * import { createMeshProvider } from 'layer-sdk/mesh'
 *
 * const provider = createMeshProvider(head)
 * const builder = new MeshTxBuilder({ fetcher: provider, submitter: provider, evaluator: provider, isHydra: true })
 * builder.protocolParams(await provider.fetchProtocolParameters())
 * ```
 */
export function createMeshProvider(head: HeadClient, options: BuilderOptions = {}): MeshProvider {
  const source = createHeadSource(head, options)
  return {
    async fetchAddressUTxOs(address, asset) {
      const utxos = await source.utxosAt(address)
      return utxos
        .filter(({ output }) => asset === undefined || output.amount.some(({ unit }) => unit === asset))
        .map(toMesh)
    },
    async fetchUTxOs(hash, index) {
      const utxos = await source.allUtxos()
      return utxos
        .filter(({ input }) => input.txHash === hash.toLowerCase() && (index === undefined || input.index === index))
        .map(toMesh)
    },
    async fetchProtocolParameters() {
      const { number } = await source.parameters()
      return {
        epoch: 0,
        decentralisation: 0,
        minFeeA: number('txFeePerByte'),
        minFeeB: number('txFeeFixed'),
        coinsPerUtxoSize: number('utxoCostPerByte'),
        maxBlockSize: number('maxBlockBodySize', 0),
        maxTxSize: number('maxTxSize'),
        maxBlockHeaderSize: number('maxBlockHeaderSize', 0),
        maxValSize: number('maxValueSize'),
        keyDeposit: number('stakeAddressDeposit', 0),
        poolDeposit: number('stakePoolDeposit', 0),
        minPoolCost: String(number('minPoolCost', 0)),
        priceMem: number('executionUnitPrices.priceMemory', 0),
        priceStep: number('executionUnitPrices.priceSteps', 0),
        maxTxExMem: String(number('maxTxExecutionUnits.memory', 0)),
        maxTxExSteps: String(number('maxTxExecutionUnits.steps', 0)),
        maxBlockExMem: String(number('maxBlockExecutionUnits.memory', 0)),
        maxBlockExSteps: String(number('maxBlockExecutionUnits.steps', 0)),
        collateralPercent: number('collateralPercentage', 0),
        maxCollateralInputs: number('maxCollateralInputs', 0),
        minFeeRefScriptCostPerByte: number('minFeeRefScriptCostPerByte', 0)
      }
    },
    async fetchCostModels() {
      const { PlutusV1, PlutusV2, PlutusV3 } = (await source.parameters()).costModels
      return [PlutusV1, PlutusV2, PlutusV3]
    },
    submitTx: (tx, submitOptions) => source.submit(tx, submitOptions),
    async evaluateTx(tx, additionalUtxos = [], additionalTxs = []) {
      const units = await source.evaluate(tx, [
        ...additionalUtxos.map(fromMesh),
        ...additionalTxs.flatMap(meshOutputsOf)
      ])
      return units.map(({ tag, index, mem, cpu }) => ({
        tag: tag.toUpperCase() as MeshAction['tag'],
        index,
        budget: { mem: Number(mem), steps: Number(cpu) }
      }))
    },
    onTxConfirmed(txHash, callback) {
      head.waitForTx(txHash, { timeout: Infinity }).then(
        () => callback(),
        // Mesh calls back for confirmed transactions alone.
        () => undefined
      )
    },
    async fetchAssetAddresses(asset) {
      const holdings = sumBy(await source.allUtxos(), ({ output }) =>
        output.amount.filter(({ unit }) => unit === asset).map(({ quantity }) => [output.address, quantity])
      )
      return [...holdings].map(([address, quantity]) => ({ address, quantity: String(quantity) }))
    },
    async fetchCollectionAssets(policyId) {
      const holdings = sumBy(await source.allUtxos(), ({ output }) =>
        output.amount.filter(({ unit }) => unit.startsWith(policyId)).map(({ unit, quantity }) => [unit, quantity])
      )
      return { assets: [...holdings].map(([unit, quantity]) => ({ unit, quantity: String(quantity) })), next: null }
    },
    fetchTxInfo: async (hash) => txInfo(hash, source.passed, await source.allUtxos(), head.context.ledger),
    getSlotConfig: () => source.slotConfig(),
    ...unsupported({
      fetchAccountInfo: 'a provider of the base ledger: a head has no stake accounts',
      fetchAddressTxs: 'watchTxs() of the head client',
      fetchAssetMetadata: 'a provider of the base ledger',
      fetchBlockInfo: 'a provider of the base ledger: a head has snapshots, not blocks',
      fetchGovernanceProposal: 'a provider of the base ledger',
      get: 'a provider of the base ledger'
    })
  }
}

/** Sums quantities by key, over all outputs. */
function sumBy(utxos: readonly UTxO[], entriesOf: (utxo: UTxO) => string[][]): Map<string, bigint> {
  const sums = new Map<string, bigint>()
  for (const utxo of utxos)
    for (const [key, quantity] of entriesOf(utxo)) sums.set(key!, (sums.get(key!) ?? 0n) + BigInt(quantity!))
  return sums
}
