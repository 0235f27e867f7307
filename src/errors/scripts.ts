import { describeValue, LayerSdkError } from './base.js'

/** Reason of a {@link ScriptInputError}, as a word that programs can compare. */
export type ScriptInputReason =
  | 'input-unknown'
  | 'script-missing'
  | 'redeemer-missing'
  | 'redeemer-unused'
  | 'datum-missing'
  | 'datum-unused'
  | 'cost-model-missing'
  | 'too-many-units'
  | 'signature-missing'

/** Position of a script in a transaction. */
export interface ScriptPosition {
  /** Purpose and index in the ledger's order, e.g. `spend#0`; null where no redeemer is concerned. */
  readonly redeemer: string | null
  /** The output that it spends, `txHash#index`; null for other purposes, and where it is not known. */
  readonly input: string | null
  /** Hex, 56 characters; null where it is not known. */
  readonly scriptHash: string | null
}

/** Returns the lines of an error message that name a script's position. */
function positionText({ redeemer, input, scriptHash }: ScriptPosition): string[] {
  return [
    ...(redeemer === null ? [] : [`Redeemer ${redeemer}`]),
    ...(input === null ? [] : [`Input ${input}`]),
    ...(scriptHash === null ? [] : [`Script ${scriptHash}`])
  ]
}

/**
 * A script, redeemer or datum of a transaction is missing, unused or does not match, so that the ledger would refuse
 * the transaction. It was not sent: correct the part that `reason` names.
 */
export class ScriptInputError extends LayerSdkError<'CLIENT_SCRIPT_INPUT'> implements ScriptPosition {
  override readonly name = 'ScriptInputError'
  /** No transaction was sent. */
  override readonly outcome = 'none'
  /** Reason of the refusal, as a word that programs can compare. */
  readonly reason: ScriptInputReason
  /** Purpose and index in the ledger's order, e.g. `spend#0`; null where no redeemer is concerned. */
  readonly redeemer: string | null
  /** The output that it spends, `txHash#index`; null for other purposes. */
  readonly input: string | null
  /** Hex, 56 characters; null where it is not known. */
  readonly scriptHash: string | null
  constructor(
    reason: ScriptInputReason,
    summary: string,
    position: Partial<ScriptPosition>,
    { expected, got }: { readonly expected: string; readonly got: string }
  ) {
    const whole: ScriptPosition = { redeemer: null, input: null, scriptHash: null, ...position }
    super('CLIENT_SCRIPT_INPUT', `${summary} No transaction was sent.`, { expected, got, details: positionText(whole) })
    this.reason = reason
    this.redeemer = whole.redeemer
    this.input = whole.input
    this.scriptHash = whole.scriptHash
  }
}

/** Maximum number of traces in a message. */
const SHOWN_TRACES = 5

/**
 * A script of a transaction failed when it was evaluated. No transaction was sent: read `reason` and `traces`, then
 * correct the redeemer, the datum or the transaction.
 */
export class ScriptFailedError extends LayerSdkError<'CLIENT_SCRIPT_FAILED'> implements ScriptPosition {
  override readonly name = 'ScriptFailedError'
  /** No transaction was sent. */
  override readonly outcome = 'none'
  /**
   * Purpose and index in the ledger's order, e.g. `spend#0`; null when the evaluator does not name it and there are
   * several.
   */
  readonly redeemer: string | null
  /** The output that it spends, `txHash#index`; null for other purposes. */
  readonly input: string | null
  /** Hex, 56 characters; null where it is not known. */
  readonly scriptHash: string | null
  /** The evaluator's own text. */
  readonly reason: string
  /** Trace messages of the script, oldest first. */
  readonly traces: readonly string[]
  constructor(positions: readonly ScriptPosition[], reason: string, traces: readonly string[], cause?: unknown) {
    const only = positions.length === 1 ? positions[0]! : { redeemer: null, input: null, scriptHash: null }
    super('CLIENT_SCRIPT_FAILED', 'A script refuses the transaction. No transaction was sent.', {
      details: [
        ...(positions.length === 1 ? [] : ['One of these, the evaluator does not say which:']),
        ...positions.map((position) => positionText(position).join(', ')),
        `The evaluator says: ${reason.slice(0, 400)}`,
        ...traces.slice(0, SHOWN_TRACES).map((trace) => `Trace: ${trace.slice(0, 200)}`)
      ],
      cause
    })
    this.redeemer = only.redeemer
    this.input = only.input
    this.scriptHash = only.scriptHash
    this.reason = reason
    this.traces = traces
  }
}

/**
 * A transaction has Plutus scripts, and neither the call nor the client has an evaluator. No transaction was sent: pass
 * `evaluator`, e.g. `scalusEvaluator()` of `layer-sdk/scalus`.
 */
export class EvaluatorMissingError extends LayerSdkError<'CLIENT_EVALUATOR_MISSING'> {
  override readonly name = 'EvaluatorMissingError'
  constructor(positions: readonly ScriptPosition[]) {
    super('CLIENT_EVALUATOR_MISSING', 'Plutus scripts need an evaluator. No transaction was sent.', {
      expected: 'the option evaluator of createHeadClient or of the call: scalusEvaluator() of layer-sdk/scalus',
      got: 'none',
      details: positions.map((position) => positionText(position).join(', '))
    })
  }
}

/**
 * The script evaluator itself failed, which does not mean that the scripts fail. No transaction was sent: read `cause`,
 * and call again.
 */
export class EvaluatorFailedError extends LayerSdkError<'CLIENT_EVALUATOR_FAILED'> {
  override readonly name = 'EvaluatorFailedError'
  constructor(expected: string, cause: unknown) {
    const got = cause instanceof Error ? cause.message.slice(0, 400) : describeValue(cause)
    super('CLIENT_EVALUATOR_FAILED', 'The script evaluator failed. No transaction was sent.', { expected, got, cause })
  }
}
