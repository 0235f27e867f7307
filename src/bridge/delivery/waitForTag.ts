import { BridgeDisconnectedError } from '../../errors/bridge.js'
import { InvalidArgumentError } from '../../errors/input.js'
import type { HeadState } from '../head/reducer.js'
import { waitForMessage } from './MessageDispatcher.js'
import type { MessageDispatcher } from './MessageDispatcher.js'
import type { LayerHeadTag, LayerPayload, PayloadOf } from '../protocol/messages.js'
import { decommitRefusal, commandRefusal } from '../submissions/commandRefusal.js'
import type { CommandRefusal } from '../submissions/commandRefusal.js'
import type { LayerInput } from '../protocol/types.js'
import { getOwn } from '../protocol/wireRecord.js'

/** How {@link LayerBridge.waitFor} is bounded. */
export interface WaitOptions {
  /** Ends the wait, which then rejects with the signal's reason. */
  signal?: AbortSignal
  /**
   * How long to wait, ms. Without it a wait has no limit of its own: what it waits for may be days away, as the end of a contestation period is.
   * @default none
   */
  timeout?: number
  /**
   * Rejects with {@link CommandRefusedError} when the node refuses a command that brings the message about, e.g. `Close` for `HeadIsClosed`.
   * The node sends a refusal to every client, so another client's refused command ends the wait as well.
   * @default false
   */
  orRefused?: boolean
}

type Command = LayerInput['tag']

const CLOSE: readonly Command[] = ['Close', 'SafeClose']
const DECOMMIT: readonly Command[] = ['Decommit']
const NEW_TX: readonly Command[] = ['NewTx']
/** The commands that cause a message. */
const CAUSES: Readonly<Partial<Record<LayerHeadTag, readonly Command[]>>> = {
  HeadIsInitializing: ['Init'],
  HeadIsOpen: ['Init'],
  HeadIsAborted: ['Abort'],
  HeadIsClosed: CLOSE,
  ReadyToFanout: CLOSE,
  HeadIsContested: ['Contest'],
  HeadPartiallyFannedOut: ['PartialFanout'],
  HeadIsFinalized: ['Fanout', 'PartialFanout'],
  TxValid: NEW_TX,
  SnapshotConfirmed: ['NewTx', 'Decommit'],
  DecommitRequested: DECOMMIT,
  DecommitApproved: DECOMMIT,
  DecommitFinalized: DECOMMIT,
  CommitRecovered: ['Recover'],
  SnapshotSideLoaded: ['SideLoadSnapshot'],
  GetUTxOResponse: ['GetUTxO']
}

/** The next message with a tag, from the moment of the call. */
export function waitForTag<Tag extends LayerHeadTag>(
  dispatcher: MessageDispatcher,
  tag: Tag,
  options: WaitOptions,
  head: () => HeadState
): Promise<PayloadOf<Tag>> {
  const what = `Waiting for ${tag}`
  const causes = options.orRefused === true ? (getOwn(CAUSES, tag) as readonly Command[] | undefined) : []
  if (causes === undefined) {
    return Promise.reject(new InvalidArgumentError('orRefused', 'a tag that a command brings about, e.g. HeadIsClosed', tag))
  }
  return waitForMessage(dispatcher, { what, signal: options.signal, timeoutMs: options.timeout, ended: () => new BridgeDisconnectedError(what) }, (payload) => {
    if (payload.tag === tag) return payload as PayloadOf<Tag>
    const refused = causes.length === 0 ? null : refusalIn(payload, head())
    // What the node could not read is our own command: only its sender gets InvalidInput.
    if (refused !== null && (refused.input === null || causes.includes(refused.input.tag))) throw refused.error
    return undefined
  })
}

function refusalIn(payload: LayerPayload, head: HeadState): CommandRefusal | null {
  return payload.tag === 'DecommitInvalid' ? decommitRefusal(payload, head) : commandRefusal(payload, head)
}
