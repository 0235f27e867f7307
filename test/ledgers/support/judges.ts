import * as cquisitor from '@cardananium/cquisitor-lib'
import { Emulator, SlotConfig } from 'scalus'
import { scalusEvaluator } from '../../../src/adapters/scalus'
import { addressToString } from '../../../src/codec/address'
import { CborWriter } from '../../../src/codec/cbor/writer'
import { bytesToHex } from '../../../src/codec/hex'
import { encodeTxOutput } from '../../../src/codec/txOutput'
import { prepareTx } from '../../../src/devnode/rules/preparedTx'
import { baseParameters, ledgerParameters } from '../../../src/devnode/rules/protocolParameters'
import { runScripts } from '../../../src/devnode/rules/runScripts'
import { ScriptRunner } from '../../../src/devnode/rules/ScriptRunner'
import { LedgerEntry, UtxoSet, UtxoView } from '../../../src/devnode/rules/utxoSet'
import type { LedgerEnvironment } from '../../../src/devnode/rules/LedgerEnvironment'
import type { LedgerParameters } from '../../../src/devnode/rules/LedgerParameters'
import { validateTx } from '../../../src/devnode/rules/validateTx'
import { isLayerError } from '../../../src/errors'
import type { UTxO } from '../../../src/types/utxo'
import type { Draft } from './draft'
import { inputCbor } from './draft'
import { ALL, COST_MODELS, SLOT, ZERO_TIME_MS } from './world'

/** Reasons against a transaction; none: it is accepted. */
export type Verdict = readonly string[]
export type LedgerName = Draft['ledger']
/** What a transaction names, which the stateless validator has to be told. */
type Named = Pick<Draft, 'inputs' | 'collateral' | 'referenceInputs' | 'withdrawals'>

const head = ledgerParameters({
  txFeeFixed: 0,
  txFeePerByte: 0,
  utxoCostPerByte: 4310,
  maxTxSize: 16384,
  maxValueSize: 5000,
  collateralPercentage: 150,
  maxCollateralInputs: 3,
  executionUnitPrices: { priceMemory: 0, priceSteps: 0 },
  maxTxExecutionUnits: { memory: 14_000_000, steps: 10_000_000_000 },
  minFeeRefScriptCostPerByte: 0,
  protocolVersion: { major: 10, minor: 0 },
  costModels: COST_MODELS
})
const PARAMETERS: Readonly<Record<LedgerName, LedgerParameters>> = { base: baseParameters(head), head }

const utxo = new UtxoSet()
utxo.reset(new UtxoView(ALL.map(({ input, output }) => new LedgerEntry(input, output))))
const scripts = new ScriptRunner(scalusEvaluator({ inThread: true }), { timeoutMs: 20_000, slotZeroMs: ZERO_TIME_MS })

/** The ledgers of the local head node. */
export async function ours(tx: Uint8Array, ledger: LedgerName): Promise<Verdict> {
  const environment: LedgerEnvironment = {
    parameters: PARAMETERS[ledger],
    networkId: 0,
    slot: BigInt(SLOT),
    utxo,
    scripts,
    zeroAccounts: ledger === 'head'
  }
  try {
    const prepared = prepareTx(tx)
    await runScripts(prepared, () => environment)
    return validateTx(prepared, environment)
  } catch (error) {
    if (!isLayerError(error)) throw error
    return [`malformed: ${error.message.split('\n').join(' ')}`]
  }
}

let emulator: Emulator | undefined

/** The emulator of scalus, under mainnet's parameters of protocol version 10. */
export function scalus(tx: Uint8Array): Verdict {
  emulator ??= startEmulator()
  try {
    const { isSuccess, error } = emulator.snapshot().submitTx(tx)
    return isSuccess ? [] : [error ?? 'refused']
  } catch (error) {
    return [`malformed: ${String(error)}`]
  }
}

function startEmulator(): Emulator {
  const writer = new CborWriter().map(ALL.length)
  for (const { input, output } of ALL) writer.raw(inputCbor(input)).raw(encodeTxOutput(output))
  const started = new Emulator(writer.toBytes(), new SlotConfig(ZERO_TIME_MS, 0, 1000))
  started.setSlot(SLOT)
  return started
}

const scriptRefHex = (output: UTxO['output']): string | undefined => {
  if (output.scriptRef === undefined) return undefined
  const { language, cborHex } = output.scriptRef
  const number = ['native', 'PlutusV1', 'PlutusV2', 'PlutusV3'].indexOf(language)
  return bytesToHex(new CborWriter().array(2).uint(number).toBytes()) + cborHex
}
const CQUISITOR_UTXO = ALL.map(({ input, output }) => ({
  isSpent: false,
  utxo: {
    input: { txHash: input.txHash, outputIndex: input.index },
    output: {
      address: output.address,
      amount: output.amount,
      dataHash: output.datumHash,
      plutusData: output.inlineDatum,
      scriptRef: scriptRefHex(output)
    }
  }
}))
const fraction = ({ numerator, denominator }: { numerator: bigint; denominator: bigint }): object => ({
  numerator: Number(numerator),
  denominator: Number(denominator)
})

function cquisitorContext(
  parameters: LedgerParameters,
  { inputs, collateral, referenceInputs, withdrawals }: Named
): string {
  const named = new Set([...inputs, ...collateral, ...referenceInputs].map(({ txHash, index }) => `${txHash}#${index}`))
  const { maxTxExUnits, costModels } = parameters
  return JSON.stringify({
    slot: SLOT,
    networkType: 'preprod',
    protocolParameters: {
      adaPerUtxoByte: Number(parameters.coinsPerUtxoByte),
      collateralPercentage: parameters.collateralPercentage,
      costModels: { plutusV1: costModels.PlutusV1, plutusV2: costModels.PlutusV2, plutusV3: costModels.PlutusV3 },
      drepDeposit: 500_000_000,
      executionPrices: { memPrice: fraction(parameters.priceMemory), stepPrice: fraction(parameters.priceSteps) },
      governanceActionDeposit: 100_000_000_000,
      maxBlockBodySize: 90_112,
      maxBlockExecutionUnits: { mem: 62_000_000, steps: 20_000_000_000 },
      maxBlockHeaderSize: 1100,
      maxCollateralInputs: parameters.maxCollateralInputs,
      maxEpochForPoolRetirement: 18,
      maxTransactionSize: parameters.maxTxSize,
      maxTxExecutionUnits: { mem: Number(maxTxExUnits.mem), steps: Number(maxTxExUnits.cpu) },
      maxValueSize: parameters.maxValueSize,
      minFeeCoefficientA: parameters.minFeeA,
      minFeeConstantB: parameters.minFeeB,
      minPoolCost: 170_000_000,
      protocolVersion: [10, 0],
      referenceScriptCostPerByte: fraction(parameters.refScriptCostPerByte),
      stakeKeyDeposit: 2_000_000,
      stakePoolDeposit: 500_000_000
    },
    utxoSet: CQUISITOR_UTXO.filter(({ utxo: { input } }) => named.has(`${input.txHash}#${input.outputIndex}`)),
    // A head makes up an empty account for each withdrawal of nothing.
    accountContexts: withdrawals.map(({ address }) => ({
      bech32Address: addressToString(address),
      isRegistered: true,
      balance: 0,
      delegatedToDrep: DREP
    })),
    poolContexts: [],
    drepContexts: [],
    govActionContexts: [],
    lastEnactedGovAction: [],
    currentCommitteeMembers: [],
    potentialCommitteeMembers: [],
    treasuryValue: 0
  })
}

/**
 * Scripts withdraw without one, which this validator does not know
 * (eras/conway/impl/src/Cardano/Ledger/Conway/Rules/Ledger.hs:489).
 */
const DREP = 'drep_always_abstain'

interface CquisitorResult {
  errors: { error: unknown; error_message: string }[]
  phase2_errors: { error: unknown; error_message: string }[]
  eval_redeemer_results: { success: boolean; error?: string | null }[]
}

/** The stateless validator of cquisitor, under the parameters of either ledger. */
export function cquisitorVerdict(tx: Uint8Array, ledger: LedgerName, named: Named): Verdict {
  try {
    const result = JSON.parse(
      cquisitor.validate_transaction_js(bytesToHex(tx), cquisitorContext(PARAMETERS[ledger], named))
    ) as CquisitorResult
    const name = (error: unknown): string => (typeof error === 'string' ? error : Object.keys(error as object)[0]!)
    return [...result.errors, ...result.phase2_errors].map(
      ({ error, error_message: message }) => `${name(error)}: ${message}`
    )
  } catch (error) {
    return [`malformed: ${String(error)}`]
  }
}
