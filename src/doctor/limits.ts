// Every threshold of the judges, with its source: `[Rn]` are rows of what operators learnt, `[D]` a decision of ours.

/** Outputs of a head from 2.2 on (partial-fanout.md, head size limit). */
export const MAX_OUTPUTS = 4_095
/** [D] */
export const OUTPUTS_WARNING = 3_500
/** Before 2.2 one transaction pays all out: a careful figure. */
export const MANY_OUTPUTS_BEFORE_22 = 40
/** Bytes of a fanout beside the output [R21]. */
export const FANOUT_ENVELOPE_BYTES = 840
/** `maxTxSize` of the sample parameters from 2.4 on: an output below it always fits [R21]. */
export const SAFE_OUTPUT_BYTES = 10_250
/** Outputs with a datum that careful operators leave in a head [R22]. */
export const MAX_DATUM_OUTPUTS = 10
/** An output of ada alone that can be collateral, in the head and in the node's wallet [R17], [R24]. */
export const COLLATERAL_LOVELACE = 5_000_000n
/** Wait after a decommit is final, ms [R12]. */
export const DECOMMIT_PAUSE_MS = 45_000
/** [D] A deposit expires soon when less than one part of so many is left of its window. */
export const EXPIRING_PART = 5
/** Seconds [R4]. */
export const SHORT_DEPOSIT_PERIOD = 600
/** Seconds [R4]. */
export const LARGE_DRIFT = 60
/** Below it the wallet is topped up [R23]. */
export const LOW_FUEL_LOVELACE = 15_000_000n
/** A request for a snapshot that waits so long is stuck, ms [D]. */
export const SILENT_AFTER_MS = 30_000
/** [D] ms. */
export const STALLED_AFTER_MS = 180_000
/** Seconds (Options.hs, default of mainnet). */
export const MAINNET_PERIOD = 43_200
/** [D], [R34] */
export const LARGE_HISTORY_BYTES: number = 64 * 1_024 * 1_024
/** [R34] */
export const LARGE_HISTORY_TXS = 10_000
/** References that a finding lists. */
export const MAX_REFS = 50

/** Figures of a fanout, by node version. Estimates: only those marked were measured by somebody. */
export interface FanoutCosts {
  /** Curve points of the published setup bound a step: 29 outputs; before 2.2 there is one step of any size. */
  readonly maxOutputs: number
  /** Execution steps that a transaction may use (base ledger). */
  readonly stepsLimit: number
  /** Steps of the script beside the outputs. */
  readonly baseSteps: number
  /** Steps of an output. */
  readonly stepsPerOutput: number
  /** Steps of a byte of an output: fixed by the one told chunk, 20 outputs with datums of 500 bytes [R19], [R20]. */
  readonly stepsPerByte: number
  /** Fee of a step, lovelace: about 2.2 ada for the told chunk [R19]; the least one has a single plain output. */
  readonly feePerChunk: { readonly least: bigint; readonly most: bigint }
  /** Fee of the close, lovelace [D]. */
  readonly closeFee: { readonly least: bigint; readonly most: bigint }
  /** Seconds of a step: a block, and the node that has to see it. */
  readonly secondsPerChunk: { readonly least: number; readonly most: number }
}

const FROM_22: FanoutCosts = {
  maxOutputs: 29,
  stepsLimit: 10_000_000_000,
  baseSteps: 600_000_000,
  stepsPerOutput: 150_000_000,
  stepsPerByte: 580_000,
  feePerChunk: { least: 600_000n, most: 2_200_000n },
  closeFee: { least: 400_000n, most: 1_000_000n },
  secondsPerChunk: { least: 20, most: 120 }
}

const BEFORE_22: FanoutCosts = { ...FROM_22, maxOutputs: Number.MAX_SAFE_INTEGER }

/** Returns the figures of a version; an unknown one has the newest. */
export function fanoutCostsOf(version: readonly [number, number, number] | null): FanoutCosts {
  return isBefore(version, 2, 2) ? BEFORE_22 : FROM_22
}

/** Returns true for a version before the given one; false where it is unknown. */
export function isBefore(version: readonly [number, number, number] | null, major: number, minor: number): boolean {
  return version !== null && (version[0] < major || (version[0] === major && version[1] < minor))
}
