import { depositPhase, depositTimes } from '../codec/depositPhase.js'
import { addUnit, addValue, LOVELACE, valueFromAmounts } from '../codec/value.js'
import type { Hex, UTxO } from '../types/utxo.js'
import type { DecodedDeposit } from './depositDatum.js'
import { readDepositDatum } from './depositDatum.js'
import { toAmounts } from './sumOutputs.js'
import type { FoldedDeposits, RecognisedDeposit, RecognitionTime } from './types.js'
import type { WalletAddresses } from './walletAddresses.js'

/** Deposits, and the facts that their states depend on. */
export interface DepositsToJudge {
  /** Unspent outputs that may be deposits. */
  readonly outputs: readonly UTxO[]
  readonly wallet: WalletAddresses
  readonly asOf: RecognitionTime
  /** Deposit period of a head, ms; null where it is unknown. */
  periodOf(headId: Hex): number | null
  /** Id of the deposit that a verified snapshot includes; null: none. */
  readonly inSnapshot: Hex | null
  /** Deposits that the wallet knows as its own. @default none */
  readonly own?: readonly Hex[] | undefined
  /**
   * Deposits without tokens and with less lovelace than this are not listed one by one but added up.
   * @default 2_000_000n
   */
  readonly dustLimit?: bigint | undefined
}

/** Deposits that are listed one by one, and the sum of the others. */
export interface JudgedDeposits {
  readonly listed: RecognisedDeposit[]
  readonly folded: FoldedDeposits | null
}

/** Maximum number of deposits that are listed. */
const MAX_DEPOSITS = 100
const DEFAULT_DUST_LIMIT = 2_000_000n

/**
 * Returns the wallet's deposits among outputs, the next deadline first; outputs of other contracts are left out.
 * Anybody can make deposits to the wallet's address. So small ones are added up instead of listed; if too many remain,
 * the wallet's own are listed first, then the largest.
 */
export function judgeWalletDeposits(args: DepositsToJudge): JudgedDeposits {
  const { inSnapshot, own = [], dustLimit = DEFAULT_DUST_LIMIT } = args
  const found = args.outputs.flatMap((utxo) => {
    // From 2.4 on the chain accepts output 0 alone.
    const datum = utxo.input.index === 0 ? readDepositDatum(utxo.output) : null
    return datum === null ? [] : (judge(utxo.input.txHash, datum, args) ?? [])
  })
  const ownIds = new Set(own)
  const isKnown = ({ depositTxId }: RecognisedDeposit): boolean => depositTxId === inSnapshot || ownIds.has(depositTxId)
  const isDust = (each: RecognisedDeposit): boolean =>
    !isKnown(each) && each.amount.every(({ unit }) => unit === LOVELACE) && lovelaceOf(each) < dustLimit
  const byRank = (a: RecognisedDeposit, b: RecognisedDeposit): number =>
    Number(isKnown(b)) - Number(isKnown(a)) || Number(lovelaceOf(b) - lovelaceOf(a))
  const ranked = found.filter((each) => !isDust(each)).sort(byRank)
  const listed = ranked.slice(0, MAX_DEPOSITS).sort((a, b) => a.deadlineMs - b.deadlineMs)
  return { listed, folded: fold([...ranked.slice(MAX_DEPOSITS), ...found.filter(isDust)]) }
}

function fold(deposits: readonly RecognisedDeposit[]): FoldedDeposits | null {
  if (deposits.length === 0) return null
  const sum = new Map<string, bigint>()
  for (const { amount } of deposits) addValue(sum, valueFromAmounts(amount))
  return { count: deposits.length, amount: toAmounts(sum) }
}

const lovelaceOf = ({ amount }: RecognisedDeposit): bigint =>
  BigInt(amount.find(({ unit }) => unit === LOVELACE)?.quantity ?? 0)

function judge(
  depositTxId: Hex,
  { headId, deadlineMs, deposited }: DecodedDeposit,
  { wallet, asOf, periodOf, inSnapshot }: DepositsToJudge
): RecognisedDeposit | null {
  const sum = new Map<string, bigint>()
  const byAddress = new Map<string, Map<string, bigint>>()
  for (const { output } of deposited) {
    const walletAddress = wallet.find(output.address)
    if (walletAddress === undefined) continue
    const value = valueFromAmounts(output.amount)
    addValue(sum, value)
    const ofAddress = byAddress.get(walletAddress) ?? new Map<string, bigint>()
    byAddress.set(walletAddress, ofAddress)
    for (const [unit, quantity] of value) addUnit(ofAddress, unit, quantity)
  }
  if (byAddress.size === 0) return null
  const periodMs = periodOf(headId)
  const { phase, nextAt } = depositPhase(depositTimes(deadlineMs, periodMs), asOf.timeMs)
  return {
    depositTxId,
    headId,
    state: phase === 'recoverable' ? 'RECOVERABLE' : 'PENDING_DEPOSIT',
    phase,
    deadlineMs,
    nextMs: nextAt,
    amount: toAmounts(sum),
    byAddress: Object.fromEntries([...byAddress].map(([address, value]) => [address, toAmounts(value)])),
    inSnapshot: inSnapshot === depositTxId
  }
}
