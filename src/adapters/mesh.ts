import type { HeadClient } from '../client/api/createHeadClient.js'
import type { TxOutput, UTxO } from '../types/utxo.js'
import type { HeadSlotConfig, SubmitUntil } from './shared/headSource.js'
import { createHeadSource, unsupported } from './shared/headSource.js'

export type { HeadSlotConfig, SubmitUntil } from './shared/headSource.js'

/** An output in Mesh's form. */
export interface MeshUTxO {
  /** Where it stands: `txHash` (hex, 64 characters) and `outputIndex` from 0. */
  input: { outputIndex: number; txHash: string }
  /** What stands there. */
  output: {
    /** Bech32. */
    address: string
    /** Amounts by `unit` (`lovelace`, or policy id and asset name in hex); each `quantity` in decimal digits. */
    amount: { unit: string; quantity: string }[]
    /** Hash of its datum: hex, 64 characters. */
    dataHash?: string
    /** Inline datum: CBOR hex. */
    plutusData?: string
    /** Reference script, `[language, script]`: CBOR hex. */
    scriptRef?: string
  }
}

/** Protocol parameters in Mesh's form, those that its builder takes as `params`. */
export interface MeshProtocol {
  /** Always 0: a head has no epochs. */
  epoch: number
  /** Fee for each byte of a transaction, lovelace. */
  minFeeA: number
  /** Fee of every transaction, lovelace. */
  minFeeB: number
  /** Bytes. */
  maxBlockSize: number
  /** Largest transaction, bytes. */
  maxTxSize: number
  /** Bytes. */
  maxBlockHeaderSize: number
  /** Deposit of a stake key, lovelace; nothing registers one in a head. */
  keyDeposit: number
  /** Deposit of a stake pool, lovelace; nothing registers one in a head. */
  poolDeposit: number
  /** Always 0, as on the base ledger since Babbage; a fraction. */
  decentralisation: number
  /** Lovelace, decimal digits. */
  minPoolCost: string
  /** Lovelace for each unit of memory that a script uses; a fraction. */
  priceMem: number
  /** Lovelace for each step that a script takes; a fraction. */
  priceStep: number
  /** Units of memory that the scripts of a transaction may use, decimal digits. */
  maxTxExMem: string
  /** Steps that the scripts of a transaction may take, decimal digits. */
  maxTxExSteps: string
  /** Units of memory in a block, decimal digits. */
  maxBlockExMem: string
  /** Steps in a block, decimal digits. */
  maxBlockExSteps: string
  /** Largest value of an output, bytes. */
  maxValSize: number
  /** Collateral that scripts need, percent of the fee. */
  collateralPercent: number
  /** At most so many inputs of collateral. */
  maxCollateralInputs: number
  /** Least lovelace of an output for each of its bytes. */
  coinsPerUtxoSize: number
  /** Fee for each byte of a reference script, lovelace. */
  minFeeRefScriptCostPerByte: number
}

/**
 * A head as Mesh's `IFetcher` and `ISubmitter`. The methods that reject have no meaning in a head:
 * {@link UnsupportedInHeadError}.
 */
export interface MeshProvider {
  /**
   * Unspent outputs of an address, with what own transactions in flight make and without what they spend. `asset`: only
   * those that hold this unit.
   */
  fetchAddressUTxOs(address: string, asset?: string): Promise<MeshUTxO[]>
  /** Unspent outputs of a transaction. */
  fetchUTxOs(hash: string, index?: number): Promise<MeshUTxO[]>
  /** Parameters of the head. */
  fetchProtocolParameters(epoch?: number): Promise<MeshProtocol>
  /** Cost models of the head: PlutusV1, V2, V3. */
  fetchCostModels(epoch?: number): Promise<number[][]>
  /**
   * Sends a transaction into the head, signed by the client's wallet first when nobody has signed it, and resolves with
   * its id: at TxValid, or with `until: 'confirmed'` when a snapshot holds it.
   */
  submitTx(tx: string, options?: SubmitUntil): Promise<string>
  /** Slots of the head, for `resolveSlotNo` and validity bounds. */
  getSlotConfig(): HeadSlotConfig
  /** Rejects: a head has no stake accounts. */
  fetchAccountInfo(address: string): Promise<never>
  /** Rejects: `watchTxs()` of the client reports transactions. */
  fetchAddressTxs(address: string): Promise<never>
  /** Rejects: `head.bridge.snapshotUtxoArray()` has all outputs. */
  fetchAssetAddresses(asset: string): Promise<never>
  /** Rejects: metadata of assets is a matter of the base ledger. */
  fetchAssetMetadata(asset: string): Promise<never>
  /** Rejects: a head has snapshots, not blocks. */
  fetchBlockInfo(hash: string): Promise<never>
  /** Rejects: collections are a matter of the base ledger. */
  fetchCollectionAssets(policyId: string): Promise<never>
  /** Rejects: `waitForTx()` of the client says what became of a transaction. */
  fetchTxInfo(hash: string): Promise<never>
  /** Rejects: a head has no governance. */
  fetchGovernanceProposal(txHash: string, certIndex: number): Promise<never>
  /** Rejects: a head node is no REST provider. */
  get(url: string): Promise<never>
}

/**
 * A head as a provider of Mesh (`@meshsdk/core` 1.9). Give the builder `isHydra: true`, which turns Mesh's own fees
 * off, and the head's parameters.
 *
 * @param head - a connected client; it needs no wallet
 * @throws {@link InvalidArgumentError} when `head` is no client
 * @example
 * ```ts no-run
 * import { MeshTxBuilder } from '@meshsdk/core'
 * import { createMeshProvider } from 'layer-sdk/mesh'
 *
 * const provider = createMeshProvider(head)
 * const builder = new MeshTxBuilder({ fetcher: provider, submitter: provider, isHydra: true })
 * builder.protocolParams(await provider.fetchProtocolParameters())
 * ```
 */
export function createMeshProvider(head: HeadClient, options: SubmitUntil = {}): MeshProvider {
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
    submitTx: (tx, given) => source.submit(tx, given),
    getSlotConfig: () => source.slotConfig(),
    ...unsupported({
      fetchAccountInfo: 'a provider of the base ledger: a head has no stake accounts',
      fetchAddressTxs: 'watchTxs() of the head client',
      fetchAssetAddresses: 'head.bridge.snapshotUtxoArray()',
      fetchAssetMetadata: 'a provider of the base ledger',
      fetchBlockInfo: 'a provider of the base ledger: a head has snapshots, not blocks',
      fetchCollectionAssets: 'a provider of the base ledger',
      fetchTxInfo: 'waitForTx() of the head client',
      fetchGovernanceProposal: 'a provider of the base ledger',
      get: 'a provider of the base ledger'
    })
  }
}

function toMesh({ input, output }: UTxO): MeshUTxO {
  return {
    input: { outputIndex: input.index, txHash: input.txHash },
    output: {
      address: output.address,
      amount: output.amount.map(({ unit, quantity }) => ({ unit, quantity })),
      ...(output.datumHash === undefined ? {} : { dataHash: output.datumHash }),
      ...(output.inlineDatum === undefined ? {} : { plutusData: output.inlineDatum }),
      ...(output.scriptRef === undefined ? {} : { scriptRef: scriptCbor(output.scriptRef) })
    }
  }
}

/** CBOR of `script = [language, script]` (CDDL). */
function scriptCbor({ language, cborHex }: NonNullable<TxOutput['scriptRef']>): string {
  return `820${['native', 'PlutusV1', 'PlutusV2', 'PlutusV3'].indexOf(language)}${cborHex}`
}
