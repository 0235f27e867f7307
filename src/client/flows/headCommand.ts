import type { LayerHeadStatus, PayloadOf } from '../../bridge/inner.js'
import type { OptionNames } from '../../codec/options.js'
import { readOptions } from '../../codec/options.js'
import { sleep } from '../../net/timers.js'
import type { ClientContext } from '../ClientContext.js'
import type { Deadline } from '../deadline.js'
import { withDeadline } from '../deadline.js'
import { deferred } from '../deferred.js'
import { DEFAULT_HEAD_TIMEOUT_MS, RESEND_AFTER_MS } from '../limits.js'
import { progressOf } from '../progress.js'
import type { HeadLifeArgs, HeadStep } from '../types.js'
import { watchGaps } from './watchGaps.js'

/** Names of the arguments of the actions that close, contest, fan out or abort a head. */
export const HEAD_LIFE_ARGS: OptionNames<HeadLifeArgs> = { onProgress: true, timeout: true, signal: true }

/** A command to the node, and the message that reports its effect. */
interface HeadCommand<Tag extends OnceTag | 'HeadIsContested'> {
  readonly tag: Tag
  /** Sends the command; called again while it has had no effect, if `resendIn` is given. */
  readonly send: () => void
  /** Called once it was sent for the first time. */
  readonly onSent?: () => void
  /**
   * State in which the head stays while the command has no effect, e.g. because its transaction was lost: the command
   * is then sent again. @default it is sent once
   */
  readonly resendIn?: LayerHeadStatus
}

/** Runs an action that is one command: sends it and resolves with the message that reports its effect. */
export async function runCommand<Tag extends OnceTag | 'HeadIsContested', Action extends string>(
  context: ClientContext,
  args: HeadLifeArgs<Action>,
  {
    action,
    step,
    check,
    ...command
  }: HeadCommand<Tag> & { action: Action; step: HeadStep; check?: (deadline: Deadline) => Promise<void> }
): Promise<PayloadOf<Tag>> {
  const options = readOptions<HeadLifeArgs<Action>>(args ?? {}, HEAD_LIFE_ARGS, 'args')
  const { report, end } = progressOf<Action, HeadStep>(context, action, options.onProgress)
  return withDeadline(action, options, DEFAULT_HEAD_TIMEOUT_MS, async (deadline) => {
    await context.connection.connected(action, deadline)
    await check?.(deadline)
    const payload = await answerTo(context, deadline, { ...command, onSent: () => report('submitted') })
    report(step)
    return payload
  }).finally(end)
}

/** Messages that come once in the life of a head: one that was missed can be found in the history. */
type OnceTag = 'HeadIsClosed' | 'HeadIsFinalized' | 'HeadIsAborted'

/** Sends a command and waits for the message that reports its effect; rejects when the node refuses it. */
export async function answerTo<Tag extends OnceTag | 'HeadIsContested'>(
  context: ClientContext,
  deadline: Deadline,
  { tag, send, onSent, resendIn }: HeadCommand<Tag>
): Promise<PayloadOf<Tag>> {
  const over = new AbortController()
  const answer = context.bridge.waitFor(tag, { orRefused: true, signal: over.signal })
  const missed =
    tag === 'HeadIsContested' ? answer : (nextMessage(context, tag as OnceTag, over.signal) as Promise<PayloadOf<Tag>>)
  try {
    send()
    onSent?.()
    if (resendIn !== undefined) void resend(context, { send, resendIn }, over.signal).catch(() => undefined)
    return await deadline.race(Promise.race([answer, missed]), `the node's ${tag}`)
  } finally {
    over.abort()
  }
}

/** Sends a command again at intervals, until `signal` aborts, whenever the head is still in the state `resendIn`. */
async function resend(
  { bridge }: ClientContext,
  { send, resendIn }: { readonly send: () => void; readonly resendIn: LayerHeadStatus },
  signal: AbortSignal
): Promise<never> {
  for (;;) {
    await sleep(RESEND_AFTER_MS, signal)
    if (bridge.connected() && bridge.headStatus === resendIn) send()
  }
}

/**
 * Resolves with the next message that has this tag; one that came while the connection was lost is read from the
 * history.
 */
export function nextMessage<Tag extends OnceTag>(
  context: ClientContext,
  tag: Tag,
  signal: AbortSignal
): Promise<PayloadOf<Tag>> {
  const { bridge } = context
  const { headId } = bridge.getSnapshot()
  const missed = deferred<PayloadOf<Tag>>()
  const stop = watchGaps(context, async () => {
    if (headId === null) return
    const found = (await bridge.messagesAbout([headId])).find((message) => message.tag === tag)
    if (found !== undefined) missed.resolve(found as PayloadOf<Tag>)
  })
  signal.addEventListener('abort', stop, { once: true })
  const next = Promise.race([bridge.waitFor(tag, { signal }), missed.promise])
  next.catch(() => undefined)
  return next
}
