import type { DevNodeOptions, GenesisCborUTxO } from '../../../src/devnode'
import { readHome } from '../../support/vectors'

interface Published {
  costModels: { zeros: Record<string, number>; preprod: Record<string, number[]> }
  long: string[]
  cases: {
    id: string
    slot: number
    version: number
    models: 'zeros' | 'preprod' | 'none'
    withdrawals?: true
    expected: string | null
    tx: string
    outputs: Record<string, string>
  }[]
}

/** A transaction of the ledger's published test suites. */
export interface PublishedCase {
  id: string
  slot: number
  /** Whether it withdraws from an account, as only a head pretends to have one. */
  withdraws: boolean
  hasScripts: boolean
  /** What the first reason against it contains; null: valid. */
  expected: string | null
  tx: string
  outputs: GenesisCborUTxO[]
  protocolParameters: NonNullable<DevNodeOptions['protocolParameters']>
}

/** Those of test/vectors/ledger_cases.json, which names its sources, with the parameters that they were made for. */
export function publishedCases(): PublishedCase[] {
  const { costModels, long, cases } = readHome<Published>('ledger_cases')
  const whole = (hex: string): string => hex.replace(/\{(\d+)\}/g, (_, index) => long[Number(index)]!)
  const zeros = Object.fromEntries(
    Object.entries(costModels.zeros).map(([language, length]) => [language, new Array<number>(length).fill(0)])
  )
  const models = { zeros, preprod: costModels.preprod, none: {} }
  return cases.map(({ id, slot, version, models: costs, withdrawals = false, expected, tx, outputs }) => ({
    id,
    slot,
    withdraws: withdrawals,
    hasScripts: /plutus|Plutus|utxos-|utxow-|script|redeemer|ex-units/.test(id),
    expected,
    tx: whole(tx).toLowerCase(),
    outputs: Object.entries(outputs).map(([ref, output]) => {
      const [txHash, index] = ref.split('#')
      return { input: { txHash: txHash!, index: Number(index) }, output: whole(output).toLowerCase() }
    }),
    // What the published parameters have; the local base ledger has the same prices and sizes anyway.
    protocolParameters: {
      protocolVersion: { major: version, minor: 0 },
      costModels: models[costs],
      txFeePerByte: 44,
      txFeeFixed: 155381,
      executionUnitPrices: { priceMemory: 0.0577, priceSteps: 0.0000721 },
      maxTxExecutionUnits: { memory: costs === 'preprod' ? 14_000_000 : 10_000_000, steps: 10_000_000_000 },
      minFeeRefScriptCostPerByte: 15
    }
  }))
}
