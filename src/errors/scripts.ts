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

/** Words for a position, in messages. */
function positionText({ redeemer, input, scriptHash }: ScriptPosition): string[] {
  return [
    ...(redeemer === null ? [] : [`Redeemer ${redeemer}`]),
    ...(input === null ? [] : [`Input ${input}`]),
    ...(scriptHash === null ? [] : [`Script ${scriptHash}`])
  ]
}

/** The parts of a transaction with scripts do not fit together: the ledger would refuse it. No transaction was sent. */
export class ScriptInputError extends LayerSdkError<'CLIENT_SCRIPT_INPUT'> implements ScriptPosition {
  override readonly name = 'ScriptInputError'
  /** No transaction was sent. */
  override readonly outcome = 'none'
  /** The mistake, as a word that programs can compare. */
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

/** Traces that a message shows. */
const SHOWN_TRACES = 5

/** A script of a transaction failed when it was evaluated. No transaction was sent. */
export class ScriptFailedError extends LayerSdkError<'CLIENT_SCRIPT_FAILED'> implements ScriptPosition {
  override readonly name = 'ScriptFailedError'
  /** No transaction was sent. */
  override readonly outcome = 'none'
  /** Purpose and index in the ledger's order, e.g. `spend#0`; null where the evaluator names none of several. */
  readonly redeemer: string | null
  /** The output that it spends, `txHash#index`; null for other purposes. */
  readonly input: string | null
  /** Hex, 56 characters; null where it is not known. */
  readonly scriptHash: string | null
  /** The evaluator's words. */
  readonly reason: string
  /** Texts that the script traced, oldest first. */
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

/** A transaction has Plutus scripts, and neither the call nor the client has an evaluator. No transaction was sent. */
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

/** The evaluator failed, which does not mean that the scripts fail. No transaction was sent. */
export class EvaluatorFailedError extends LayerSdkError<'CLIENT_EVALUATOR_FAILED'> {
  override readonly name = 'EvaluatorFailedError'
  constructor(expected: string, cause: unknown) {
    const got = cause instanceof Error ? cause.message.slice(0, 400) : describeValue(cause)
    super('CLIENT_EVALUATOR_FAILED', 'The script evaluator failed. No transaction was sent.', { expected, got, cause })
  }
}
