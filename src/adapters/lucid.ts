/**
 * A head as the provider of Lucid Evolution: its builder reads outputs and parameters from a head client, and submits
 * to the head.
 *
 * @see docs/guides/choosing-a-builder.md
 * @packageDocumentation
 */

import type { EvaluatedRedeemer, HeadClient } from '../client/inner.js'
import { isLayerError } from '../errors/base.js'
import type { TxOutput, UTxO } from '../types/utxo.js'
import type { BuilderOptions, HeadSlotConfig, SubmitUntil } from './shared/headSource.js'
import { createHeadSource, unsupported } from './shared/headSource.js'

export type { BuilderOptions, HeadSlotConfig, SubmitUntil } from './shared/headSource.js'

/** An output in Lucid's form. */
export interface LucidUTxO {
  /** Hex, 64 characters. */
  txHash: string
  /** Position in the transaction's outputs, from 0. */
  outputIndex: number
  /** Bech32. */
  address: string
  /** Amounts by unit: `lovelace`, or policy id and asset name in hex. */
  assets: Record<string, bigint>
  /** Hash of its datum: hex, 64 characters. */
  datumHash?: string
  /** Inline datum: CBOR hex. */
  datum?: string
  /** Reference script: its `type` and the `script` as CBOR hex. */
  scriptRef?: { type: 'Native' | 'PlutusV1' | 'PlutusV2' | 'PlutusV3'; script: string }
}

/** A payment credential in Lucid's form. */
export interface LucidCredential {
  /** Kind of the witness: a key or a script. */
  type: 'Key' | 'Script'
  /** Hash of the key or script: hex, 56 characters. */
  hash: string
}

/**
 * Cost model of a script language. The value is a list and a record by position at once: Lucid up to 0.4.30 reads the
 * record, from 0.4.34 on the list.
 */
export type LucidCostModel = number[] & Record<string, number>

/** Protocol parameters in Lucid's form. */
export interface LucidProtocolParameters {
  /** Fee for each byte of a transaction, lovelace. */
  minFeeA: number
  /** Fee of every transaction, lovelace. */
  minFeeB: number
  /** Largest transaction, bytes. */
  maxTxSize: number
  /** Largest value of an output, bytes. */
  maxValSize: number
  /** Deposit of a stake key, lovelace; a head registers none. */
  keyDeposit: bigint
  /** Deposit of a stake pool, lovelace; a head registers none. */
  poolDeposit: bigint
  /** Deposit of a DRep, lovelace; a head registers none. */
  drepDeposit: bigint
  /** Deposit of a governance action, lovelace; a head has none. */
  govActionDeposit: bigint
  /** Lovelace for each unit of memory that a script uses; a fraction. */
  priceMem: number
  /** Lovelace for each step of a script; a fraction. */
  priceStep: number
  /** Units of memory that the scripts of a transaction may use. */
  maxTxExMem: bigint
  /** Steps that the scripts of a transaction may use. */
  maxTxExSteps: bigint
  /** Least lovelace of an output for each of its bytes. */
  coinsPerUtxoByte: bigint
  /** Collateral that scripts need, percent of the fee. */
  collateralPercentage: number
  /** Maximum number of collateral inputs. */
  maxCollateralInputs: number
  /** Fee for each byte of a reference script, lovelace. */
  minFeeRefScriptCostPerByte: number
  /** Costs in the ledger's order. */
  costModels: Record<'PlutusV1' | 'PlutusV2' | 'PlutusV3', LucidCostModel>
}

/** Execution units of one redeemer in Lucid's form. */
export interface LucidEvalRedeemer {
  /** Units of memory, and steps. */
  ex_units: {
    /** Units of memory, a count. */
    mem: number
    /** Steps of the machine, a count. */
    steps: number
  }
  /** Index of the input, policy, certificate, ... that the script is for, in the ledger's order, from 0. */
  redeemer_index: number
  /** Purpose of the redeemer. */
  redeemer_tag: 'spend' | 'mint' | 'publish' | 'withdraw' | 'vote' | 'propose'
}

/**
 * A head as Lucid Evolution's `Provider`. Methods that have no meaning in a head reject with
 * {@link UnsupportedInHeadError}.
 */
export interface LucidProvider {
  /** Returns the protocol parameters of the head. */
  getProtocolParameters(): Promise<LucidProtocolParameters>
  /**
   * Returns the unspent outputs of an address or credential. The client's own transactions that are not confirmed yet
   * count: their outputs are included, the outputs that they spend are not.
   */
  getUtxos(addressOrCredential: string | LucidCredential): Promise<LucidUTxO[]>
  /** Returns those outputs of {@link getUtxos} that hold a unit. */
  getUtxosWithUnit(addressOrCredential: string | LucidCredential, unit: string): Promise<LucidUTxO[]>
  /**
   * Returns the only output of the head that holds a unit. @throws {@link InvalidArgumentError} unless exactly one
   * output of the head holds it
   */
  getUtxoByUnit(unit: string): Promise<LucidUTxO>
  /** Returns those of the given outputs, by `txHash` and `outputIndex`, that are unspent. */
  getUtxosByOutRef(outRefs: { txHash: string; outputIndex: number }[]): Promise<LucidUTxO[]>
  /**
   * Waits for a transaction: resolves with true when a snapshot holds it, with false when the head has refused it or it
   * has expired. `checkInterval` is ignored.
   */
  awaitTx(txHash: string, checkInterval?: number): Promise<boolean>
  /**
   * Sends a transaction into the head, after the client's wallet has signed it if it has no signature. Resolves with
   * its id once the node has accepted it (TxValid), or with `until: 'confirmed'` once a snapshot holds it.
   */
  submitTx(tx: string, options?: SubmitUntil): Promise<string>
  /** Returns the slots of the head, for Lucid: `SLOT_CONFIG_NETWORK.Custom = provider.getSlotConfig()`. */
  getSlotConfig(): HeadSlotConfig
  /** Rejects: a head has no stake accounts. */
  getDelegation(rewardAddress: string): Promise<never>
  /**
   * Returns the datum with this hash, CBOR hex, from the transactions that the head accepted since the provider was
   * created. @throws {@link InvalidArgumentError} when none of the latest 1000 transactions has it
   */
  getDatum(datumHash: string): Promise<string>
  /**
   * Evaluates the scripts of a transaction in the head; Lucid calls it for `complete({ localUPLCEval: false })`.
   * `additionalUTxOs`: outputs that the head does not hold yet.
   * @throws {@link ScriptInputError}, {@link ScriptFailedError}, {@link EvaluatorMissingError},
   * {@link EvaluatorFailedError}
   */
  evaluateTx(tx: string, additionalUTxOs?: LucidUTxO[]): Promise<LucidEvalRedeemer[]>
}

/**
 * Creates a provider of Lucid Evolution (`@lucid-evolution/lucid` 0.4) that reads a head and submits to it. Validity
 * bounds require the head's slots under the network `Custom`, as in the example. Lucid evaluates scripts itself by
 * default; with `localUPLCEval: false` the option `evaluator` does.
 *
 * @beta
 * @param head - a connected client; it needs no wallet
 * @throws {@link InvalidArgumentError} when `head` is not a client
 * @example
 * ```ts no-run
 * import { Lucid, SLOT_CONFIG_NETWORK } from '@lucid-evolution/lucid'
 * import { createLucidProvider } from 'layer-sdk/lucid'
 *
 * const provider = createLucidProvider(head)
 * SLOT_CONFIG_NETWORK.Custom = provider.getSlotConfig()
 * const lucid = await Lucid(provider, 'Custom')
 * ```
 */
export function createLucidProvider(head: HeadClient, options: BuilderOptions = {}): LucidProvider {
  const source = createHeadSource(head, options)
  const getUtxos = async (owner: string | LucidCredential): Promise<LucidUTxO[]> =>
    (typeof owner === 'string' ? await source.utxosAt(owner) : await source.allUtxos(owner.hash)).map(toLucid)
  return {
    async getProtocolParameters() {
      const { number, costModels } = await source.parameters()
      const big = (name: string): bigint => BigInt(number(name, 0))
      return {
        minFeeA: number('txFeePerByte'),
        minFeeB: number('txFeeFixed'),
        coinsPerUtxoByte: BigInt(number('utxoCostPerByte')),
        maxTxSize: number('maxTxSize'),
        maxValSize: number('maxValueSize'),
        keyDeposit: big('stakeAddressDeposit'),
        poolDeposit: big('stakePoolDeposit'),
        drepDeposit: big('dRepDeposit'),
        govActionDeposit: big('govActionDeposit'),
        priceMem: number('executionUnitPrices.priceMemory', 0),
        priceStep: number('executionUnitPrices.priceSteps', 0),
        maxTxExMem: big('maxTxExecutionUnits.memory'),
        maxTxExSteps: big('maxTxExecutionUnits.steps'),
        collateralPercentage: number('collateralPercentage', 0),
        maxCollateralInputs: number('maxCollateralInputs', 0),
        minFeeRefScriptCostPerByte: number('minFeeRefScriptCostPerByte', 0),
        costModels: {
          PlutusV1: costModelOf(costModels.PlutusV1),
          PlutusV2: costModelOf(costModels.PlutusV2),
          PlutusV3: costModelOf(costModels.PlutusV3)
        }
      }
    },
    getUtxos,
    getUtxosWithUnit: async (owner, unit) =>
      (await getUtxos(owner)).filter(({ assets }) => Object.hasOwn(assets, unit)),
    getUtxoByUnit: async (unit) => toLucid(await source.utxoWith(unit)),
    getUtxosByOutRef: async (refs) =>
      (await source.utxosOf(refs.map(({ txHash, outputIndex }) => ({ txHash, index: outputIndex })))).map(toLucid),
    async awaitTx(txHash) {
      try {
        await head.waitForTx(txHash)
        return true
      } catch (error) {
        if (isLayerError(error, 'CLIENT_LEDGER') || isLayerError(error, 'CLIENT_TX_EXPIRED')) return false
        throw error
      }
    },
    submitTx: (tx, submitOptions) => source.submit(tx, submitOptions),
    getSlotConfig: () => source.slotConfig(),
    getDatum: async (datumHash) => source.passed.datum(datumHash),
    async evaluateTx(tx, additionalUTxOs = []) {
      const units = await source.evaluate(tx, additionalUTxOs.map(fromLucid))
      return units.map(({ tag, index, mem, cpu }) => ({
        ex_units: { mem: Number(mem), steps: Number(cpu) },
        redeemer_index: index,
        redeemer_tag: PURPOSES[tag]
      }))
    },
    ...unsupported({
      getDelegation: 'a provider of the base ledger: a head has no stake accounts'
    })
  }
}

const PURPOSES: Readonly<Record<EvaluatedRedeemer['tag'], LucidEvalRedeemer['redeemer_tag']>> = {
  spend: 'spend',
  mint: 'mint',
  cert: 'publish',
  reward: 'withdraw',
  vote: 'vote',
  propose: 'propose'
}

/**
 * Returns a copy of a cost model in Lucid's type. A list is also a record by position, which TypeScript does not know.
 */
const costModelOf = (model: readonly number[]): LucidCostModel => [...model] as unknown as LucidCostModel

function toLucid({ input, output }: UTxO): LucidUTxO {
  const { address, datumHash, inlineDatum, scriptRef } = output
  return {
    txHash: input.txHash,
    outputIndex: input.index,
    address,
    assets: Object.fromEntries(output.amount.map(({ unit, quantity }) => [unit, BigInt(quantity)])),
    ...(datumHash === undefined ? {} : { datumHash }),
    ...(inlineDatum === undefined ? {} : { datum: inlineDatum }),
    ...(scriptRef === undefined
      ? {}
      : {
          scriptRef: {
            type: scriptRef.language === 'native' ? 'Native' : scriptRef.language,
            script: scriptRef.cborHex
          }
        })
  }
}

function fromLucid({ txHash, outputIndex, address, assets, datumHash, datum, scriptRef }: LucidUTxO): UTxO {
  const output: TxOutput = {
    address,
    amount: Object.entries(assets).map(([unit, quantity]) => ({ unit, quantity: String(quantity) }))
  }
  // Lucid resolves the datum behind a hash: the output itself holds the hash.
  if (datumHash != null) output.datumHash = datumHash
  else if (datum != null) output.inlineDatum = datum
  if (scriptRef != null)
    output.scriptRef = {
      language: scriptRef.type === 'Native' ? 'native' : scriptRef.type,
      cborHex: scriptRef.script
    }
  return { input: { txHash, index: outputIndex }, output }
}
