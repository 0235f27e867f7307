// Every threshold of the judges, with its source: `[Rn]` are rows of what operators learnt, `[D]` a decision of ours.

/** Maximum number of outputs of a head from 2.2 on (partial-fanout.md, head size limit). */
export const MAX_OUTPUTS = 4_095
/** Number of outputs from which on a warning is due [D]. */
export const OUTPUTS_WARNING = 3_500
/** Number of outputs that a fanout before 2.2, which is one transaction, can pay out: a careful figure. */
export const MANY_OUTPUTS_BEFORE_22 = 40
/** Bytes of a fanout transaction without the outputs that it pays out [R21]. */
export const FANOUT_ENVELOPE_BYTES = 840
/** `maxTxSize` of the sample parameters from 2.4 on: an output below it always fits [R21]. */
export const SAFE_OUTPUT_BYTES = 10_250
/** Number of outputs with a datum that careful operators allow in a head [R22]. */
export const MAX_DATUM_OUTPUTS = 10
/**
 * Least lovelace of an output of ada alone that can be collateral, in the head and in the wallet of the node [R17],
 * [R24].
 */
export const COLLATERAL_LOVELACE = 5_000_000n
/** Wait after a decommit has become final before the next one is sent, ms [R12]. */
export const DECOMMIT_PAUSE_MS = 45_000
/** A deposit is about to expire when less than one part of this many is left of its window [D]. */
export const EXPIRING_PART = 5
/** Deposit period below which the drift of the node matters, seconds [R4]. */
export const SHORT_DEPOSIT_PERIOD = 600
/** Drift that is too large for such a period, seconds [R4]. */
export const LARGE_DRIFT = 60
/** Lovelace in the wallet of the node below which it should be topped up [R23]. */
export const LOW_FUEL_LOVELACE = 15_000_000n
/** A request for a snapshot that waits so long is stuck, ms [D]. */
export const SILENT_AFTER_MS = 30_000
/** Age of the newest block from which on the chain counts as stalled, ms [D]. */
export const STALLED_AFTER_MS = 180_000
/** Least contestation period that is safe on mainnet: the default there, seconds (Options.hs). */
export const MAINNET_PERIOD = 43_200
/** Size from which on a history counts as large, bytes [D], [R34]. */
export const LARGE_HISTORY_BYTES: number = 64 * 1_024 * 1_024
/** Number of transactions from which on a history counts as large [R34]. */
export const LARGE_HISTORY_TXS = 10_000
/** Maximum number of references that a finding lists. */
export const MAX_REFS = 50

/** Figures of a fanout, by node version. They are estimates, apart from those with a source of their own. */
export interface FanoutCosts {
  /**
   * Maximum number of outputs in one step: 29 by the curve points of the published setup; before 2.2 there is one step
   * of any size.
   */
  readonly maxOutputs: number
  /** Execution steps that a transaction may use (base ledger). */
  readonly stepsLimit: number
  /** Execution steps of the script without its outputs. */
  readonly baseSteps: number
  /** Execution steps for each output. */
  readonly stepsPerOutput: number
  /**
   * Execution steps for each byte of an output, by the one chunk that was reported: 20 outputs with datums of 500 bytes
   * [R19], [R20].
   */
  readonly stepsPerByte: number
  /**
   * Fee of one step, lovelace: from that of a single plain output to that of the reported chunk, about 2.2 ada [R19].
   */
  readonly feePerChunk: { readonly least: bigint; readonly most: bigint }
  /** Fee of the close, lovelace [D]. */
  readonly closeFee: { readonly least: bigint; readonly most: bigint }
  /** Duration of one step, seconds: until a block contains it and the node has seen that. */
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

/** Returns the figures of a version; those of the newest for an unknown one. */
export function fanoutCostsOf(version: readonly [number, number, number] | null): FanoutCosts {
  return isBefore(version, 2, 2) ? BEFORE_22 : FROM_22
}

/** Returns true for a version before the given one; false where it is unknown. */
export function isBefore(version: readonly [number, number, number] | null, major: number, minor: number): boolean {
  return version !== null && (version[0] < major || (version[0] === major && version[1] < minor))
}
