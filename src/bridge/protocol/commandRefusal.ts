import { CommandRefusedError } from '../../errors/operation.js'
import { commandRow } from './commandTable.js'
import type { LayerPayload, PayloadOf } from './messages.js'
import type { LayerHeadStatus, LayerInput } from './types.js'
import { isRecord, getOwn, textIn } from './wireRecord.js'
import { toHeadInfo } from './headState.js'
import { parseEchoedInput } from './clientInput.js'

/** Status of the head, which the error of a refused command names. */
export interface HeadStatusSource {
  /** Null while it is not known. */
  readonly headStatus: LayerHeadStatus | null
}

/** An input that the node refused, and the error for it. */
export interface CommandRefusal {
  /** Null when the node quoted a text that is not an input. */
  readonly input: LayerInput | null
  readonly error: CommandRefusedError
}

/** Returns the refusal that a message reports; null when it reports none. */
export function commandRefusal(payload: LayerPayload, head: HeadStatusSource): CommandRefusal | null {
  switch (payload.tag) {
    case 'CommandFailed': {
      const state = stateOf(payload.state) ?? head.headStatus ?? undefined
      const reason = commandRow(payload.clientInput.tag)?.refusal ?? `the head is ${state ?? 'in another state'}`
      return toRefusal(payload.clientInput, payload.tag, state, reason)
    }
    case 'RejectedInputBecauseUnsynced':
      return toRefusal(payload.clientInput, payload.tag, head.headStatus ?? undefined, unsyncedReason(payload.drift))
    case 'RejectedInputBecauseBroadcastStalled':
      return toRefusal(
        payload.clientInput,
        payload.tag,
        head.headStatus ?? undefined,
        stalledReason(payload.pendingBroadcasts)
      )
    case 'SideLoadSnapshotRejected':
      return toRefusal(
        payload.clientInput,
        payload.tag,
        head.headStatus ?? undefined,
        textIn(payload.requirementFailure, 'tag') ?? 'no reason given'
      )
    case 'InvalidInput':
      return toRefusal(parseEchoedInput(payload.input), payload.tag, head.headStatus ?? undefined, payload.reason)
    default:
      return null
  }
}

/**
 * Returns the refusal of a decommit by the head; a reason that this version of the package does not know is named by
 * its tag.
 */
export function decommitRefusal(
  { tag, decommitTx, decommitInvalidReason: why }: PayloadOf<'DecommitInvalid'>,
  head: HeadStatusSource
): CommandRefusal {
  const other = textIn(why, 'otherDecommitTxId')
  const words = isRecord(why) ? textIn(getOwn(why, 'validationError'), 'reason') : undefined
  const reason = words ?? (other === undefined ? (textIn(why, 'tag') ?? 'no reason given') : `${other} is in flight`)
  const error = new CommandRefusedError('Decommit', {
    tag,
    headState: head.headStatus ?? undefined,
    allowedStates: [],
    reason
  })
  return { input: { tag: 'Decommit', decommitTx }, error }
}

// A proxy may leave the drift out.
function unsyncedReason(drift: unknown): string {
  return typeof drift === 'number' || typeof drift === 'bigint'
    ? `the node is ${drift} s behind the chain`
    : 'the node has not caught up with the chain'
}

function stalledReason(pending: unknown): string {
  const waiting = typeof pending === 'number' || typeof pending === 'bigint' ? ` (${pending} messages wait)` : ''
  return `the node does not reach its peers${waiting}: it can be sent again later`
}

function toRefusal(
  input: LayerInput | null,
  tag: string,
  headState: string | undefined,
  reason: string
): CommandRefusal {
  const command = input?.tag ?? 'an input'
  const states = commandRow(command)?.states ?? 'any'
  return {
    input,
    error: new CommandRefusedError(command, { tag, headState, allowedStates: states === 'any' ? [] : states, reason })
  }
}

// CommandFailed quotes the whole state, in the form of GET /head.
function stateOf(state: unknown): string | undefined {
  try {
    return isRecord(state) ? toHeadInfo(state).headStatus : undefined
  } catch {
    return undefined
  }
}
