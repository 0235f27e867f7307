import { LayerSdkError } from './base.js'

/** The connector in use has no way to do this, e.g. a gateway without that route. */
export class UnsupportedByConnectorError extends LayerSdkError<'BRIDGE_UNSUPPORTED_BY_CONNECTOR'> {
  override readonly name = 'UnsupportedByConnectorError'
  constructor(what: string, instead = 'a direct connection to the node') {
    super('BRIDGE_UNSUPPORTED_BY_CONNECTOR', `${what} is not available over this connector.`, { expected: instead })
  }
}

/** The node's version does not have this yet, or no longer. */
export class UnsupportedByNodeError extends LayerSdkError<'BRIDGE_UNSUPPORTED_BY_NODE'> {
  override readonly name = 'UnsupportedByNodeError'
  constructor(what: string, details: { expected: string; got?: string | undefined }) {
    super('BRIDGE_UNSUPPORTED_BY_NODE', `${what} is not available on this node.`, details)
  }
}

/** No answer, or a proxy's report of none: the node may be working on the request. */
const NO_ANSWER: readonly number[] = [0, 408, 502, 504]

/** An HTTP request to the node failed, or was answered with a refusal. */
export class BridgeRequestError extends LayerSdkError<'BRIDGE_REQUEST'> {
  override readonly name = 'BridgeRequestError'
  /** `unknown` where no answer came to a request that changes something: the node may have carried it out. */
  override readonly outcome: 'none' | 'unknown'
  /** HTTP status, or 0 when no answer came. */
  readonly status: number
  /** The node's own words, when there were any. */
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

/** Stage at which a submission failed. */
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

/** A transaction was not confirmed: refused (`outcome: 'none'`), or its outcome is not known yet (`'unknown'`). */
export class SubmitError extends LayerSdkError<'BRIDGE_SUBMIT'> {
  override readonly name = 'SubmitError'
  /** Transaction id: hex, 64 characters. */
  readonly txId: string
  /** The node's own words where it gave any. */
  readonly reason: string
  /** Cause of the end: a message of the node, or `Timeout`, `Aborted`, `Disconnected`, `NotConnected`. */
  readonly tag: SubmitErrorTag
  /**
   * `'unknown'`: it may still be confirmed (event `onLateConfirmation`); do not build on its inputs before asking
   * again.
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

/** The node refused a command. */
export class CommandRefusedError extends LayerSdkError<'BRIDGE_COMMAND_REFUSED'> {
  override readonly name = 'CommandRefusedError'
  /** The action had no effect: it was not sent, or the node refused it. */
  override readonly outcome = 'none'
  /** The node's name of the command, e.g. `Close`. */
  readonly command: string
  /** The message that refused it, e.g. `CommandFailed`. */
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
