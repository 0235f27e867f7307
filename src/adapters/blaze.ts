/**
 * A head as the provider of Blaze: its builder reads outputs and parameters from a head client, and submits to the
 * head.
 *
 * @see docs/guides/choosing-a-builder.md
 * @packageDocumentation
 */

import { CborWriter } from '../codec/cbor/writer.js'
import { parseAddress } from '../codec/address.js'
import { hexToBytes } from '../codec/hex.js'
import { readInput } from '../codec/bodyEntries.js'
import { CborReader } from '../codec/cbor/reader.js'
import { decodeTxOutput, encodeTxOutput } from '../codec/txOutput.js'
import type { HeadClient } from '../client/inner.js'
import { REDEEMER_TAGS } from '../codec/redeemer.js'
import { contextParts } from '../client/inner.js'
import { isLayerError } from '../errors/base.js'
import { InvalidArgumentError } from '../errors/input.js'
import type { UTxO } from '../types/utxo.js'
import type { BuilderOptions, HeadSlotConfig, SubmitUntil } from './shared/headSource.js'
import { createHeadSource } from './shared/headSource.js'

export type { BuilderOptions, HeadSlotConfig, SubmitUntil } from './shared/headSource.js'

/** The parts of the module `@blaze-cardano/sdk` that the provider uses. */
export interface BlazeSdk {
  /** The class that Blaze's providers extend. */
  readonly Provider: abstract new (network: never, networkName: never) => object
  /** Blaze's own classes. */
  readonly Core: {
    /** Class of unspent outputs. */
    readonly TransactionUnspentOutput: {
      /** Reads an output from CBOR hex. */
      fromCbor(cbor: never): unknown
    }
    /** Class of execution units. */
    readonly ExUnits: {
      /** Makes units from `{ memory, steps }`. */
      fromCore(units: never): unknown
    }
    /** Class of datums. */
    readonly PlutusData: {
      /** Reads a datum from CBOR hex. */
      fromCbor(cbor: never): unknown
    }
  }
}

/** Options of {@link createBlazeProvider}. */
export interface BlazeProviderOptions extends BuilderOptions {
  /**
   * Network of the head's addresses: 1 for mainnet, 0 for test networks. @default that of the client's addresses, or of
   * the head's outputs
   */
  networkId?: 0 | 1 | undefined
}

/** An address, or a payment credential, of Blaze's. */
type Owner = { toBech32(): string } | { toCore(): { hash: string } }
interface BlazeRedeemer {
  tag(): number
  index(): bigint
  setExUnits(units: unknown): void
}
interface BlazeRedeemers {
  values(): readonly BlazeRedeemer[]
  setValues(redeemers: readonly BlazeRedeemer[]): void
}
interface BlazeTx {
  toCbor(): string
  witnessSet(): { redeemers(): BlazeRedeemers | undefined }
}
interface Input {
  transactionId(): string
  index(): bigint
}

// Conway: the price per byte rises by a fifth every 25,600 bytes.
const REFERENCE_SCRIPT_RANGE = 25_600
const REFERENCE_SCRIPT_MULTIPLIER = 1.2
const NOT_CONFIRMED: readonly string[] = [
  'CLIENT_LEDGER',
  'CLIENT_TX_EXPIRED',
  'CLIENT_OUTCOME_UNKNOWN',
  'CLIENT_TIMEOUT'
]

/**
 * Creates a provider of Blaze (`@blaze-cardano/sdk` 0.2) that reads a head and submits to it. Pass the module as `sdk`,
 * because Blaze accepts only objects of its own classes. `complete()` evaluates scripts with the option `evaluator`. In
 * a head without fees the provider states a fixed fee of 1 lovelace, because Blaze 0.2.48 spends more than it has when
 * the fee is 0. `getSlotConfig()` returns the head's slots.
 *
 * @beta
 * @param head - a connected client; it needs no wallet
 * @throws {@link InvalidArgumentError} when `head` is not a client, `sdk` is not the module, or there is no address
 * that shows the network
 * @example
 * ```ts no-run
 * import * as sdk from '@blaze-cardano/sdk'
 * import { createBlazeProvider } from 'layer-sdk/blaze'
 *
 * const provider = createBlazeProvider(head, sdk)
 * const blaze = await sdk.Blaze.from(provider, await sdk.HotWallet.fromMasterkey(masterkey, provider))
 * ```
 */
export function createBlazeProvider<Sdk extends BlazeSdk>(
  head: HeadClient,
  sdk: Sdk,
  options: BlazeProviderOptions = {}
): InstanceType<Sdk['Provider']> & { getSlotConfig(): HeadSlotConfig } {
  const source = createHeadSource(head, options)
  if (typeof sdk?.Provider !== 'function' || typeof sdk.Core?.TransactionUnspentOutput?.fromCbor !== 'function') {
    throw new InvalidArgumentError('sdk', "the module: import * as sdk from '@blaze-cardano/sdk'", sdk)
  }
  const toBlaze = (utxos: readonly UTxO[]): unknown[] =>
    utxos.map((utxo) => sdk.Core.TransactionUnspentOutput.fromCbor(encodeUtxo(utxo) as never))
  const utxosOf = (owner: Owner): Promise<UTxO[]> =>
    'toBech32' in owner ? source.utxosAt(owner.toBech32()) : source.allUtxos(owner.toCore().hash)
  const methods = {
    async getParameters() {
      const { number, costModels, protocolVersion } = await source.parameters()
      const [minFeeCoefficient, minFeeConstant] = [number('txFeePerByte'), number('txFeeFixed')]
      return {
        minFeeCoefficient,
        minFeeConstant: minFeeCoefficient === 0 ? Math.max(minFeeConstant, 1) : minFeeConstant,
        coinsPerUtxoByte: number('utxoCostPerByte'),
        maxTxSize: number('maxTxSize'),
        maxValueSize: number('maxValueSize'),
        maxBlockBodySize: number('maxBlockBodySize', 0),
        maxBlockHeaderSize: number('maxBlockHeaderSize', 0),
        stakeKeyDeposit: number('stakeAddressDeposit', 0),
        poolDeposit: number('stakePoolDeposit', 0),
        minPoolCost: number('minPoolCost', 0),
        poolRetirementEpochBound: number('poolRetireMaxEpoch', 0),
        desiredNumberOfPools: number('stakePoolTargetNum', 0),
        poolInfluence: String(number('poolPledgeInfluence', 0)),
        monetaryExpansion: String(number('monetaryExpansion', 0)),
        treasuryExpansion: String(number('treasuryCut', 0)),
        protocolVersion,
        collateralPercentage: number('collateralPercentage', 0),
        maxCollateralInputs: number('maxCollateralInputs', 0),
        costModels: new Map(
          [costModels.PlutusV1, costModels.PlutusV2, costModels.PlutusV3].map((model, language) => [language, model])
        ),
        prices: {
          memory: number('executionUnitPrices.priceMemory', 0),
          steps: number('executionUnitPrices.priceSteps', 0)
        },
        maxExecutionUnitsPerTransaction: {
          memory: number('maxTxExecutionUnits.memory', 0),
          steps: number('maxTxExecutionUnits.steps', 0)
        },
        maxExecutionUnitsPerBlock: {
          memory: number('maxBlockExecutionUnits.memory', 0),
          steps: number('maxBlockExecutionUnits.steps', 0)
        },
        minFeeReferenceScripts: {
          base: number('minFeeRefScriptCostPerByte', 0),
          range: REFERENCE_SCRIPT_RANGE,
          multiplier: REFERENCE_SCRIPT_MULTIPLIER
        }
      }
    },
    getUnspentOutputs: async (owner: Owner) => toBlaze(await utxosOf(owner)),
    getUnspentOutputsWithAsset: async (owner: Owner, unit: string) =>
      toBlaze((await utxosOf(owner)).filter(({ output }) => output.amount.some((each) => each.unit === unit))),
    getUnspentOutputByNFT: async (unit: string) => toBlaze([await source.utxoWith(unit)])[0],
    resolveUnspentOutputs: async (inputs: readonly Input[]) =>
      toBlaze(
        await source.utxosOf(inputs.map((input) => ({ txHash: input.transactionId(), index: Number(input.index()) })))
      ),
    async awaitTransactionConfirmation(txId: string, timeout?: number) {
      try {
        await head.waitForTx(txId, { timeout })
        return true
      } catch (error) {
        if (isLayerError(error) && NOT_CONFIRMED.includes(error.code)) return false
        throw error
      }
    },
    postTransactionToChain: (tx: { toCbor(): string }, submitOptions?: SubmitUntil) =>
      source.submit(tx.toCbor(), submitOptions),
    getSlotConfig: () => source.slotConfig(),
    resolveDatum: async (datumHash: string) =>
      sdk.Core.PlutusData.fromCbor(source.passed.datum(String(datumHash)) as never),
    async evaluateTransaction(tx: BlazeTx, additionalUtxos: readonly { toCbor(): string }[] = []) {
      const units = await source.evaluate(
        tx.toCbor(),
        additionalUtxos.map((utxo) => decodeUtxo(utxo.toCbor()))
      )
      const redeemers = tx.witnessSet().redeemers()
      for (const redeemer of redeemers?.values() ?? []) {
        const found = units.find(
          ({ tag, index }) => REDEEMER_TAGS.indexOf(tag) === redeemer.tag() && BigInt(index) === redeemer.index()
        )!
        const [memory, steps] = [Number(found.mem), Number(found.cpu)]
        redeemer.setExUnits(sdk.Core.ExUnits.fromCore({ memory, steps } as never))
      }
      // Otherwise the list keeps the bytes that it was read from, with the units as they were.
      redeemers?.setValues([...redeemers.values()])
      return redeemers
    }
  }
  class Provider extends (sdk.Provider as unknown as new (network: 0 | 1, networkName: string) => object) {}
  // A head is none of the networks that Blaze has names for.
  return Object.assign(
    new Provider(options.networkId ?? networkOf(head), 'unknown'),
    methods
  ) as unknown as InstanceType<Sdk['Provider']> & {
    getSlotConfig(): HeadSlotConfig
  }
}

/** Reads the network id from an address of the client or of the head. @throws {@link InvalidArgumentError} */
function networkOf({ context, bridge }: HeadClient): 0 | 1 {
  const address =
    contextParts(context).account.addresses?.[0] ??
    (bridge.getSnapshot().ready ? bridge.snapshotUtxoArray()[0]?.output.address : undefined)
  if (address === undefined)
    throw new InvalidArgumentError('networkId', '0 or 1, or a connected client, whose addresses tell it', undefined)
  return parseAddress(address).networkId === 1 ? 1 : 0
}

/** Encodes an output with its reference as `[input, output]` (CDDL), in hex. */
function encodeUtxo({ input, output }: UTxO): string {
  const writer = new CborWriter()
    .array(2)
    .array(2)
    .bytes(hexToBytes(input.txHash, 'txHash', 32))
    .uint(input.index)
  return writer.raw(encodeTxOutput(output)).toHex()
}

function decodeUtxo(cborHex: string): UTxO {
  const reader = new CborReader(hexToBytes(cborHex), 'The output')
  reader.readArrayHeader()
  return { input: readInput(reader), output: decodeTxOutput(reader) }
}
