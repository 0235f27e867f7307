import { LayerSdkError } from './base.js'

/** The connector cannot carry out the request, e.g. a gateway without that route. Connect to the node itself. */
export class UnsupportedByConnectorError extends LayerSdkError<'BRIDGE_UNSUPPORTED_BY_CONNECTOR'> {
  override readonly name = 'UnsupportedByConnectorError'
  constructor(what: string, instead = 'a direct connection to the node') {
    super('BRIDGE_UNSUPPORTED_BY_CONNECTOR', `${what} is not available over this connector.`, { expected: instead })
  }
}

/** The node's version does not support the request. Use the call or the version that the message names. */
export class UnsupportedByNodeError extends LayerSdkError<'BRIDGE_UNSUPPORTED_BY_NODE'> {
  override readonly name = 'UnsupportedByNodeError'
  constructor(what: string, details: { expected: string; got?: string | undefined }) {
    super('BRIDGE_UNSUPPORTED_BY_NODE', `${what} is not available on this node.`, details)
  }
}

/** HTTP statuses without an answer of the node (0: no answer at all), which may still be working on the request. */
const NO_ANSWER: readonly number[] = [0, 408, 502, 504]

/** An HTTP request to the node got no answer or a refusal; `status` and `reason` are the node's answer. */
export class BridgeRequestError extends LayerSdkError<'BRIDGE_REQUEST'> {
  override readonly name = 'BridgeRequestError'
  /** `unknown` when a request other than GET got no answer, since the node may have carried it out; else `none`. */
  override readonly outcome: 'none' | 'unknown'
  /** HTTP status, or 0 when no answer came. */
  readonly status: number
  /** The node's own text, or the failure of the request. */
  readonly reason: string
  /** The decoded body of the answer, when it was JSON. */
  readonly body: unknown
  constructor(
    what: string,
    answer: { status: number; reason: string; expected?: string; body?: unknown; cause?: unknown }
  ) {
    super('BRIDGE_REQUEST', answer.status === 0 ? `${what} failed.` : `${what} was refused by the node.`, {
      expected: answer.expected,
      got: answer.status === 0 ? answer.reason : `HTTP ${answer.status}: ${answer.reason}`,
      cause: answer.cause
    })
    this.outcome = !what.startsWith('GET ') && NO_ANSWER.includes(answer.status) ? 'unknown' : 'none'
    this.status = answer.status
    this.reason = answer.reason
    this.body = answer.body
  }
}

/** Message of the node, or event, that ended a submission. */
export type SubmitErrorTag =
  | 'TxInvalid'
  | 'CommandFailed'
  | 'RejectedInputBecauseUnsynced'
  | 'RejectedInputBecauseBroadcastStalled'
  | 'InvalidInput'
  | 'Timeout'
  | 'Aborted'
  | 'Disconnected'
  | 'NotConnected'

/**
 * A transaction was not confirmed. With `outcome: 'none'` it was refused or not sent: correct it and send a new one.
 * With `'unknown'` it may still be confirmed: do not send it again before its outcome is known.
 */
export class SubmitError extends LayerSdkError<'BRIDGE_SUBMIT'> {
  override readonly name = 'SubmitError'
  /** Transaction id: hex, 64 characters. */
  readonly txId: string
  /** The node's own words where it gave any. */
  readonly reason: string
  /** Cause of the failure: a message of the node, or `Timeout`, `Aborted`, `Disconnected`, `NotConnected`. */
  readonly tag: SubmitErrorTag
  /**
   * `'none'`: refused or not sent. `'unknown'`: it may still be confirmed, which the event `onLateConfirmation`
   * reports; do not spend its inputs before its outcome is known.
   */
  override readonly outcome: 'none' | 'unknown'
  constructor(txId: string, tag: SubmitErrorTag, reason: string, details: readonly string[] = [], cause?: unknown) {
    const unknown = tag === 'Timeout' || tag === 'Aborted' || tag === 'Disconnected'
    super(
      'BRIDGE_SUBMIT',
      unknown ? 'It is not known whether the transaction will be confirmed.' : 'The transaction was not accepted.',
      {
        got: `${tag}: ${reason}`,
        details: [`Transaction ${txId}`, ...details],
        cause
      }
    )
    this.txId = txId
    this.tag = tag
    this.reason = reason
    this.outcome = unknown ? 'unknown' : 'none'
  }
}

/** The node refused a command, such as `Close`. Compare `headState` with `allowedStates`. */
export class CommandRefusedError extends LayerSdkError<'BRIDGE_COMMAND_REFUSED'> {
  override readonly name = 'CommandRefusedError'
  /** The action had no effect: it was not sent, or the node refused it. */
  override readonly outcome = 'none'
  /** The node's name of the command, e.g. `Close`. */
  readonly command: string
  /** Tag of the node's message that refused the command, e.g. `CommandFailed`. */
  readonly tag: string
  /** State of the head at that moment, when known. */
  readonly headState: string | undefined
  /** States in which the command is allowed. */
  readonly allowedStates: readonly string[]
  /** The node's own words where it gave any. */
  readonly reason: string
  constructor(
    command: string,
    details: { tag: string; headState?: string | undefined; allowedStates: readonly string[]; reason: string }
  ) {
    const { allowedStates, headState } = details
    super('BRIDGE_COMMAND_REFUSED', `The node refused ${command}.`, {
      // In a state that allows it something else was wrong.
      expected:
        allowedStates.length === 0 || allowedStates.includes(headState ?? '')
          ? undefined
          : `the head to be ${allowedStates.join(' or ')}`,
      got: headState,
      details: [`${details.tag}: ${details.reason}`]
    })
    this.command = command
    this.tag = details.tag
    this.headState = details.headState
    this.allowedStates = details.allowedStates
    this.reason = details.reason
  }
}
