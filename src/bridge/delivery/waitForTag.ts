import { BridgeDisconnectedError } from '../../errors/bridge.js'
import { InvalidArgumentError } from '../../errors/input.js'
import { waitForMessage } from './MessageDispatcher.js'
import type { MessageDispatcher } from './MessageDispatcher.js'
import type { LayerHeadTag, LayerPayload, PayloadOf } from '../protocol/messages.js'
import { decommitRefusal, commandRefusal } from '../protocol/commandRefusal.js'
import type { CommandRefusal, HeadStatusSource } from '../protocol/commandRefusal.js'
import type { CommandRow } from '../protocol/commandTable.js'
import { COMMANDS } from '../protocol/commandTable.js'

/** Limits of {@link LayerBridge.waitFor}. */
export interface WaitOptions {
  /** Ends the wait, which then rejects with the signal's reason. */
  signal?: AbortSignal
  /**
   * Time limit, ms. Without it a wait has no limit of its own: the message may be days away, as the end of
   * a contestation period is.
   * @default none
   */
  timeout?: number
  /**
   * Rejects with {@link CommandRefusedError} when the node refuses a command that causes the message, e.g. `Close` for
   * `HeadIsClosed`. The node sends a refusal to every client, so another client's refused command ends the wait as
   * well.
   * @default false
   */
  orRefused?: boolean
}

/** Returns the tags of the commands that cause a message. */
function causesOf(tag: string): string[] {
  return Object.entries<CommandRow>(COMMANDS).flatMap(([command, { brings }]) =>
    (brings as readonly string[]).includes(tag) ? [command] : []
  )
}

/** Resolves with the next message of a tag that arrives after the call. */
export function waitForTag<Tag extends LayerHeadTag>(
  dispatcher: MessageDispatcher,
  tag: Tag,
  options: WaitOptions,
  head: () => HeadStatusSource
): Promise<PayloadOf<Tag>> {
  const next = nextWithTag(dispatcher, tag, options, head)
  // A caller that awaits it gets the rejection; one that does not causes no unhandled rejection.
  next.catch(() => undefined)
  return next
}

function nextWithTag<Tag extends LayerHeadTag>(
  dispatcher: MessageDispatcher,
  tag: Tag,
  options: WaitOptions,
  head: () => HeadStatusSource
): Promise<PayloadOf<Tag>> {
  const what = `Waiting for ${tag}`
  const causes = options.orRefused === true ? causesOf(tag) : []
  if (options.orRefused === true && causes.length === 0) {
    return Promise.reject(
      new InvalidArgumentError('orRefused', 'a tag that a command brings about, e.g. HeadIsClosed', tag)
    )
  }
  return waitForMessage(
    dispatcher,
    { what, signal: options.signal, timeoutMs: options.timeout, ended: () => new BridgeDisconnectedError(what) },
    (payload) => {
      if (payload.tag === tag) return payload as PayloadOf<Tag>
      const refused = causes.length === 0 ? null : refusalIn(payload, head())
      // An unreadable input was sent by this bridge: only the sender gets InvalidInput.
      if (refused !== null && (refused.input === null || causes.includes(refused.input.tag))) throw refused.error
      return undefined
    }
  )
}

function refusalIn(payload: LayerPayload, head: HeadStatusSource): CommandRefusal | null {
  return payload.tag === 'DecommitInvalid' ? decommitRefusal(payload, head) : commandRefusal(payload, head)
}
