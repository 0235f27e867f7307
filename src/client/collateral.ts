import { isLayerError } from '../errors/base.js'
import { LastCollateralError } from '../errors/client.js'
import type { UTxO } from '../types/utxo.js'
import { refOf } from './PendingView.js'
import type { ReservationPlan } from './reserveTxs.js'

/** Minimum lovelace of an output that is kept as collateral for scripts in the head. */
const COLLATERAL_LOVELACE = 5_000_000n

/** True when an output can be collateral: ada alone, at least 5, without datum and script. */
export function isCollateral({ output: { amount, datumHash, inlineDatum, scriptRef } }: Pick<UTxO, 'output'>): boolean {
  return (
    amount.length === 1 &&
    BigInt(amount[0]!.quantity) >= COLLATERAL_LOVELACE &&
    [datumHash, inlineDatum, scriptRef].every((extra) => extra == null)
  )
}

/**
 * Wraps `build` so that at least one output that can be collateral remains, among the outputs to choose from or in the
 * change. If there is none to begin with, `build` is used as it is.
 */
export function keepingCollateral(build: ReservationPlan['build']): ReservationPlan['build'] {
  return (pool, required, validity) => {
    const built = build(pool, required, validity)
    const spent = new Set(built.inputs.map(refOf))
    const change = built.outputs.slice(1).map((output) => ({ output }))
    const candidates = pool.filter(isCollateral)
    if (
      candidates.length === 0 ||
      [...candidates.filter((utxo) => !spent.has(refOf(utxo))), ...change].some(isCollateral)
    )
      return built
    // The smallest one stays: the rest serves for the most.
    const [kept] = candidates.sort((a, b) =>
      BigInt(a.output.amount[0]!.quantity) < BigInt(b.output.amount[0]!.quantity) ? -1 : 1
    )
    try {
      return build(
        pool.filter((utxo) => utxo !== kept),
        required,
        validity
      )
    } catch (error) {
      if (isLayerError(error, 'TX_INSUFFICIENT_FUNDS')) throw new LastCollateralError()
      throw error
    }
  }
}
