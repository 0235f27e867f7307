import { addressToString, enterpriseAddress } from '../codec/address.js'
import { bytesToHex } from '../codec/hex.js'
import { encodeDepositDatum } from '../codec/depositDatum.js'
import { minLovelace } from '../codec/txOutput.js'
import type { Value } from '../codec/value.js'
import { addValue, LOVELACE, valueFromAmounts, valueToAmounts } from '../codec/value.js'
import { InvalidArgumentError } from '../errors/input.js'
import { OutputBelowMinimumError } from '../errors/tx.js'
import type { TxOutput, UTxO } from '../types/utxo.js'
import type { TxPlan } from './buildTx.js'
import type { PaymentAmount } from './PaymentAmount.js'
import { assertPaymentOutput } from './assertions.js'
import { assertOutput, assertPolicy, balanceTx, chosenInputs, writeTx } from './buildTx.js'
import { toUtxos } from './chaining.js'
import { inLedgerOrder } from './inputs.js'

/**
 * A blueprint of a deposit, for `bridge.commit`: the node adds its fuel, the deposit's script and the change.
 */
export interface Blueprint {
  /** CBOR hex. Neither signed nor submitted: the wallet signs the node's draft. */
  cborHex: string
  /** Free text for the envelope. */
  description: string
  /**
   * Hex, 64 characters. Output `i` of the blueprint is `txId#i` in the head; without outputs, the spent outputs keep
   * their references there.
   */
  txId: string
  /** Outputs that it spends. */
  utxo: UTxO[]
  /** Outputs that go into the head; empty: all inputs. */
  outputs: TxOutput[]
  /** Address to which the node sends the amount that is not deposited; absent when there is none. */
  changeAddress?: string
}

/** As long as any: the node's own values are not known yet. */
const PLACEHOLDER = { headId: 'ff'.repeat(28), scriptHash: 'ff'.repeat(28), deadlineMs: 2 ** 45 }
/** Prices of a blueprint: the node pays. */
export const FREE = { minFeeA: 0n, minFeeB: 0n, minFeeRefScriptCostPerByte: 0 }

/** Writes the deposit of a plan: fee and change are the node's to add, so that they are no part of it. */
export function buildBlueprint(plan: TxPlan): Blueprint {
  const free: TxPlan = { ...plan, parameters: { ...plan.parameters, ...FREE } }
  plan.outputs.forEach((output, index) => assertOutput(output, index, plan.parameters))
  for (const unit of plan.mint.keys()) assertPolicy(unit, plan)
  // Without outputs the node deposits all inputs, so that there is no change.
  const { inputs, change } = plan.outputs.length === 0 ? wholeInputs(free) : balanceTx(free)
  if (change.length > 1)
    throw new InvalidArgumentError('changeTo', 'change that fits one output: spend fewer assets', change)
  const { cborHex, txId } = writeTx(free, { fee: 0n, inputs, outputs: plan.outputs })
  assertDeposit(plan.outputs.length === 0 ? inputs : toUtxos({ txId, outputs: [...plan.outputs] }), plan)
  return {
    cborHex,
    description: '',
    txId,
    utxo: inputs,
    outputs: [...plan.outputs],
    ...(change.length === 0 ? {} : { changeAddress: change[0]!.address })
  }
}

function wholeInputs(plan: TxPlan): { inputs: UTxO[]; change: TxOutput[] } {
  if (plan.chosen.size === 0)
    throw new InvalidArgumentError(
      'spend',
      'outputs to deposit as they are, or pay() with what of them to deposit',
      'none'
    )
  return { inputs: inLedgerOrder(chosenInputs(plan)), change: [] }
}

/**
 * Rejects too small a deposit: its output carries a datum with all deposited outputs, so it needs more lovelace than
 * they do elsewhere. The node tops up too little, but heads then ignore the deposit, whose value is another than its
 * datum says: it could only be recovered.
 */
export function assertDeposit(deposited: readonly UTxO[], { parameters }: TxPlan): void {
  const { lovelace, minimum } = leastOf(deposited, parameters.coinsPerUtxoByte)
  if (lovelace < minimum) throw new OutputBelowMinimumError(0, lovelace, minimum)
}

/** Returns the lovelace of a deposit, and the least that its output on the base ledger has to hold. */
function leastOf(
  deposited: readonly UTxO[],
  coinsPerUtxoByte: bigint
): { readonly lovelace: bigint; readonly minimum: bigint } {
  const value: Value = new Map()
  for (const { output } of deposited) addValue(value, valueFromAmounts(output.amount))
  const { headId, scriptHash, deadlineMs } = PLACEHOLDER
  const inlineDatum = bytesToHex(encodeDepositDatum({ headId, deadlineMs, deposited }))
  const address = addressToString(enterpriseAddress(0, { kind: 'script', hash: scriptHash }))
  const minimum = minLovelace({ address, amount: valueToAmounts(value), inlineDatum }, coinsPerUtxoByte)
  return { lovelace: value.get(LOVELACE) ?? 0n, minimum }
}

/**
 * The amount of a deposit as it is stated, or with the least lovelace that a deposit of it has to hold where it states
 * none.
 */
export function depositAmount(
  to: string,
  amount: PaymentAmount,
  coinsPerUtxoByte: bigint,
  extras: Pick<TxOutput, 'inlineDatum'> = {}
): PaymentAmount {
  if (typeof amount === 'bigint') return amount
  const value = assertPaymentOutput(amount)
  if (value.has(LOVELACE)) return amount
  for (;;) {
    const output = { address: to, amount: valueToAmounts(value), ...extras }
    const { lovelace, minimum } = leastOf([{ input: { txHash: 'ff'.repeat(32), index: 0 }, output }], coinsPerUtxoByte)
    // The datum repeats the lovelace, so that it can grow with it.
    if (lovelace >= minimum) return output.amount
    value.set(LOVELACE, minimum)
  }
}
