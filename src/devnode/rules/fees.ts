import type { Fraction, LedgerParameters } from './LedgerParameters.js'
import type { PreparedTx } from './preparedTx.js'
import type { TxScripts } from './txScripts.js'

/** Most bytes of reference scripts that a transaction may use (cardano-ledger-conway PParams.hs:982). */
export const MAX_REFERENCE_SCRIPT_BYTES = 204_800
/** Each stride of bytes costs 1.2 times as much as the one before (PParams.hs:984). */
const STRIDE_BYTES = 25_600
const GROWTH: Fraction = { numerator: 6n, denominator: 5n }

/** The part of a transaction that its fee depends on. */
export interface FeeBasis extends Pick<PreparedTx, 'sizeBytes'> {
  readonly scripts: Pick<TxScripts, 'redeemers'>
}

/** The least fee of a transaction: for its size, its execution units and the reference scripts it uses. Lovelace. */
export function minimumFee(tx: FeeBasis, referenceScriptBytes: number, parameters: LedgerParameters): bigint {
  const { minFeeA, minFeeB, priceMemory, priceSteps, refScriptCostPerByte } = parameters
  const { mem, cpu } = totalExUnits(tx)
  const units = add(times(priceMemory, mem), times(priceSteps, cpu))
  return (
    BigInt(minFeeA) * BigInt(tx.sizeBytes) +
    BigInt(minFeeB) +
    ceiling(units) +
    floor(referenceScriptFee(referenceScriptBytes, refScriptCostPerByte))
  )
}

/** Returns the units that all redeemers declare. */
export function totalExUnits({ scripts }: Pick<FeeBasis, 'scripts'>): { mem: bigint; cpu: bigint } {
  let mem = 0n
  let cpu = 0n
  for (const redeemer of scripts.redeemers.values()) {
    mem += redeemer.mem
    cpu += redeemer.cpu
  }
  return { mem, cpu }
}

/** @see eras/conway/impl/src/Cardano/Ledger/Conway/Tx.hs:122, tierRefScriptFee */
function referenceScriptFee(sizeBytes: number, price: Fraction): Fraction {
  let fee: Fraction = { numerator: 0n, denominator: 1n }
  let left = sizeBytes
  for (
    let tier = price;
    ;
    tier = { numerator: tier.numerator * GROWTH.numerator, denominator: tier.denominator * GROWTH.denominator }
  ) {
    fee = add(fee, times(tier, BigInt(Math.min(left, STRIDE_BYTES))))
    if (left < STRIDE_BYTES) return fee
    left -= STRIDE_BYTES
  }
}

const add = (a: Fraction, b: Fraction): Fraction => ({
  numerator: a.numerator * b.denominator + b.numerator * a.denominator,
  denominator: a.denominator * b.denominator
})
const times = ({ numerator, denominator }: Fraction, factor: bigint): Fraction => ({
  numerator: numerator * factor,
  denominator
})
const floor = ({ numerator, denominator }: Fraction): bigint => numerator / denominator
const ceiling = ({ numerator, denominator }: Fraction): bigint => (numerator + denominator - 1n) / denominator
