import { addressToString, enterpriseAddress } from '../codec/address.js'
import { bytesToHex } from '../codec/hex.js'
import { encodeDepositDatum } from '../codec/depositDatum.js'
import { minLovelace } from '../codec/txOutput.js'
import type { Value } from '../codec/value.js'
import { addValue, LOVELACE, valueFromAmounts, valueToAmounts } from '../codec/value.js'
import { described } from '../errors/base.js'
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
 * Draft of a deposit, for `bridge.commit`. The node completes it to the deposit's transaction: it adds inputs of its
 * own for the fee (its fuel), the output at the deposit's script, and the change.
 */
export interface Blueprint {
  /** Transaction as CBOR hex. It is neither signed nor submitted: the wallet signs the node's completed transaction. */
  cborHex: string
  /** Free text for the text envelope that the node receives. */
  description: string
  /**
   * Id of the blueprint: hex, 64 characters. Its output `i` is `txId#i` in the head. Without outputs, the spent outputs
   * keep their own references in the head.
   */
  txId: string
  /** Outputs that the blueprint spends. */
  utxo: UTxO[]
  /** Outputs that go into the head; empty when all inputs go into it unchanged. */
  outputs: TxOutput[]
  /** Address to which the node sends the amount that is not deposited; absent when there is none. */
  changeAddress?: string
}

/** Values of the greatest length, in place of those that only the node knows: they are used to compute sizes. */
const PLACEHOLDER = { headId: 'ff'.repeat(28), scriptHash: 'ff'.repeat(28), deadlineMs: 2 ** 45 }
/** Fee parameters of a blueprint: zero, because the node pays the fee. */
export const FREE = { minFeeA: 0n, minFeeB: 0n, minFeeRefScriptCostPerByte: 0 }

/** Makes the blueprint of a deposit from a plan. Fee and change are not part of it, because the node adds them. */
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
      described('none')
    )
  return { inputs: inLedgerOrder(chosenInputs(plan)), change: [] }
}

/**
 * Rejects a deposit that is too small. Its output on the base ledger carries a datum with all deposited outputs, so it
 * needs more lovelace than they need alone. The node would add the missing lovelace, but then the value differs from
 * the datum, so that heads ignore the deposit and it can only be recovered.
 */
export function assertDeposit(deposited: readonly UTxO[], { parameters }: TxPlan): void {
  const { lovelace, minimum } = leastOf(deposited, parameters.coinsPerUtxoByte)
  if (lovelace < minimum) throw new OutputBelowMinimumError(0, lovelace, minimum)
}

/** Returns the lovelace of a deposit, and the minimum that its output on the base ledger must hold. */
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
 * Returns the amount of a deposit unchanged, or, if it names no lovelace, with the least lovelace that such a deposit
 * must hold.
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
