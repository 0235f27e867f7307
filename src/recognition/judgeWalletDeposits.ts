import { addUnit, addValue, valueFromAmounts } from '../codec/value.js'
import type { Hex, UTxO } from '../types/utxo.js'
import type { DecodedDeposit } from './depositDatum.js'
import { readDepositDatum } from './depositDatum.js'
import { toAmounts } from './sumOutputs.js'
import type { RecognisedDeposit, RecognitionTime } from './types.js'
import type { WalletAddresses } from './walletAddresses.js'

/** Deposits, and what their states depend on. */
export interface DepositsToJudge {
  /** Unspent outputs that may be deposits. */
  readonly outputs: readonly UTxO[]
  readonly wallet: WalletAddresses
  readonly asOf: RecognitionTime
  /** Deposit period of a head, ms; null where it is unknown. */
  periodOf(headId: Hex): number | null
  /** The deposit that a verified snapshot carries. */
  readonly inSnapshot: Hex | null
}

/** Most deposits that are listed. */
const MAX_DEPOSITS = 100

/** The wallet's deposits among outputs, the next deadline first. Outputs of other contracts are passed over. */
export function judgeWalletDeposits(given: DepositsToJudge): RecognisedDeposit[] {
  const found = given.outputs.flatMap((utxo) => {
    // From 2.4 on the chain accepts output 0 alone.
    const datum = utxo.input.index === 0 ? readDepositDatum(utxo.output) : null
    return datum === null ? [] : (judge(utxo.input.txHash, datum, given) ?? [])
  })
  return found.sort((a, b) => a.deadlineMs - b.deadlineMs).slice(0, MAX_DEPOSITS)
}

function judge(
  depositTxId: Hex,
  { headId, deadlineMs, deposited }: DecodedDeposit,
  { wallet, asOf, periodOf, inSnapshot }: DepositsToJudge
): RecognisedDeposit | null {
  const sum = new Map<string, bigint>()
  const byAddress = new Map<string, Map<string, bigint>>()
  for (const { output } of deposited) {
    const own = wallet.find(output.address)
    if (own === undefined) continue
    const value = valueFromAmounts(output.amount)
    addValue(sum, value)
    const ofAddress = byAddress.get(own) ?? new Map<string, bigint>()
    byAddress.set(own, ofAddress)
    for (const [unit, quantity] of value) addUnit(ofAddress, unit, quantity)
  }
  if (byAddress.size === 0) return null
  const phase = phaseOf(deadlineMs, asOf.timeMs, periodOf(headId))
  return {
    depositTxId,
    headId,
    state: phase === 'recoverable' ? 'RECOVERABLE' : 'PENDING_DEPOSIT',
    phase,
    deadlineMs,
    amount: toAmounts(sum),
    byAddress: Object.fromEntries([...byAddress].map(([address, value]) => [address, toAmounts(value)])),
    inSnapshot: inSnapshot === depositTxId
  }
}

/**
 * The deadline itself still counts as pending. A head claims a deposit from two periods before its deadline on, and no
 * longer in the last one (HeadLogic.hs, determineNextDepositStatus), however the deadline was set.
 */
function phaseOf(deadlineMs: number, nowMs: number, periodMs: number | null): RecognisedDeposit['phase'] {
  if (nowMs > deadlineMs) return 'recoverable'
  if (periodMs === null) return null
  if (nowMs > deadlineMs - periodMs) return 'expired'
  return nowMs > deadlineMs - 2 * periodMs ? 'claimable' : 'waiting'
}
