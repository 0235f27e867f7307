import type { PayloadOf } from '../../bridge/protocol/messages.js'
import { COMMANDS } from '../../bridge/protocol/commandTable.js'
import type { CommandRow } from '../../bridge/protocol/commandTable.js'
import type { OptionNames } from '../../codec/options.js'
import { readOptions } from '../../codec/options.js'
import { HeadStateError } from '../../errors/client.js'
import { CommandRefusedError, UnsupportedByNodeError } from '../../errors/operation.js'
import { versionProfile } from '../../bridge/protocol/versions.js'
import type { ClientContext } from '../ClientContext.js'
import type { Deadline } from '../deadline.js'
import { withDeadline } from '../deadline.js'
import { deferred } from '../deferred.js'
import { DEFAULT_HEAD_TIMEOUT_MS } from '../limits.js'
import { progressOf } from '../progress.js'
import { watchGaps } from '../watchGaps.js'
import type { HeadStep, WithProgress } from '../types.js'

/** States from which a head can be paid out. */
const TO_FAN_OUT: readonly string[] = ['Open', 'Closed', 'FanoutPossible', 'FanningOut']

/** What the actions of a head's life take. */
export type HeadLifeArgs<Action extends string = string> = WithProgress<Action, HeadStep>

const ARGS: OptionNames<HeadLifeArgs> = { onProgress: true, timeout: true, signal: true }

/**
 * Closes the head and resolves with the node's HeadIsClosed.
 *
 * @throws {@link CommandRefusedError} with the node's reason and the states that allow it; {@link ClientTimeoutError}
 * @example
 * ```ts no-run
 * const { contestationDeadline } = await head.close()
 * console.log(contestationDeadline) // ISO 8601: from then on the head can be fanned out
 * ```
 */
export function close(context: ClientContext, args: HeadLifeArgs<'close'> = {}): Promise<PayloadOf<'HeadIsClosed'>> {
  return command(context, args, {
    action: 'close',
    tag: 'HeadIsClosed',
    step: 'closed',
    send: () => context.bridge.commands.close()
  })
}

/**
 * Contests the closing of the head. Nodes contest by themselves, and no known version accepts the command: it rejects
 * at once, and nothing is sent.
 *
 * @throws {@link CommandRefusedError}, {@link NotConnectedError}, {@link ClientTimeoutError}
 * @example
 * ```ts no-run
 * const { snapshotNumber } = await head.contest()
 * ```
 */
export function contest(
  context: ClientContext,
  args: HeadLifeArgs<'contest'> = {}
): Promise<PayloadOf<'HeadIsContested'>> {
  const { bridge } = context
  const send = (): void => {
    const { states, refusal } = COMMANDS.Contest as CommandRow
    if (states !== 'any' && states.length === 0)
      throw new CommandRefusedError('Contest', {
        tag: 'CommandFailed',
        headState: bridge.headStatus ?? undefined,
        allowedStates: [],
        reason: refusal ?? ''
      })
    bridge.commands.contest()
  }
  return command(context, args, { action: 'contest', tag: 'HeadIsContested', step: 'contested', send })
}

/**
 * Gives up a head that is still initializing; what was committed goes back. Only nodes before 2.0 have this state.
 *
 * @throws {@link UnsupportedByNodeError} on nodes from 2.0 on; {@link CommandRefusedError}, {@link ClientTimeoutError}
 * @example
 * ```ts no-run
 * if (head.status().headStatus === 'Initializing') await head.abort()
 * ```
 */
export async function abort(
  context: ClientContext,
  args: HeadLifeArgs<'abort'> = {}
): Promise<PayloadOf<'HeadIsAborted'>> {
  const send = (): void => {
    // Known once the connection stands. A node that does not name its version answers for itself.
    const { version, opensDirectly } = versionProfile(context.bridge.getSnapshot().layerNodeVersion)
    if (version !== null && opensDirectly)
      throw new UnsupportedByNodeError('abort', {
        expected: 'a node before 2.0, whose heads initialize first',
        got: version.join('.')
      })
    context.bridge.commands.abort()
  }
  return command(context, args, { action: 'abort', tag: 'HeadIsAborted', step: 'aborted', send })
}

/**
 * Pays a closed head's outputs out to the base ledger: waits for the end of the contestation period, fans out, and
 * resolves with the node's HeadIsFinalized. Without `timeout` there is no limit: contestation periods last for hours.
 *
 * @throws {@link CommandRefusedError} with the node's reason and the states that allow it; {@link ClientTimeoutError}
 * @example
 * ```ts no-run
 * await head.fanout({ onProgress: ({ state }) => console.log(state) }) // readyToFanout, submitted, finalized
 * ```
 */
export async function fanout(
  context: ClientContext,
  args: HeadLifeArgs<'fanout'> = {}
): Promise<PayloadOf<'HeadIsFinalized'>> {
  const options = readOptions<HeadLifeArgs<'fanout'>>(args ?? {}, ARGS, 'args')
  const { report, end } = progressOf(context, 'fanout', options.onProgress)
  return withDeadline('fanout', options, Infinity, async (deadline) => {
    await context.connected('fanout', deadline)
    return fanOut(context, deadline, report)
  }).finally(end)
}

/**
 * {@link close}, then {@link fanout}; continues where the head stands. Without `timeout` there is no limit.
 *
 * @throws {@link HeadStateError} when there is no head to close or to fan out; {@link CommandRefusedError},
 * {@link ClientTimeoutError}
 * @example
 * ```ts no-run
 * await head.closeAndFanout()
 * console.log(head.status().headStatus) // Idle
 * ```
 */
export async function closeAndFanout(
  context: ClientContext,
  args: HeadLifeArgs<'closeAndFanout'> = {}
): Promise<PayloadOf<'HeadIsFinalized'>> {
  const options = readOptions<HeadLifeArgs<'closeAndFanout'>>(args ?? {}, ARGS, 'args')
  const { report, end } = progressOf(context, 'closeAndFanout', options.onProgress)
  return withDeadline('closeAndFanout', options, Infinity, async (deadline) => {
    await context.connected('closeAndFanout', deadline)
    const { headStatus } = context.bridge
    if (headStatus !== null && !TO_FAN_OUT.includes(headStatus))
      throw new HeadStateError('closeAndFanout', headStatus, TO_FAN_OUT)
    if (context.bridge.headStatus === 'Open') {
      await answerTo(context, 'HeadIsClosed', deadline, () => {
        context.bridge.commands.close()
        report('submitted')
      })
      report('closed')
    }
    return fanOut(context, deadline, report)
  }).finally(end)
}

async function fanOut(
  context: ClientContext,
  deadline: Deadline,
  report: (step: HeadStep) => void
): Promise<PayloadOf<'HeadIsFinalized'>> {
  const { bridge } = context
  const over = new AbortController()
  // From here on: another party may fan out first.
  const finalized = nextMessage(context, 'HeadIsFinalized', over.signal)
  const stop = bridge.observe({
    onMessage: ({ tag }) => {
      if (tag === 'HeadPartiallyFannedOut') report('partiallyFannedOut')
    }
  })
  try {
    const wasClosed = bridge.headStatus === 'Closed'
    // Fanning out before the end of the contestation period would only fail.
    while (bridge.headStatus === 'Closed')
      await deadline.race(context.nextChange(), 'the end of the contestation period')
    if (wasClosed) report('readyToFanout')
    const isUnderWay = bridge.headStatus === 'FanningOut' || (wasClosed && bridge.headStatus === 'Idle')
    const payload = isUnderWay
      ? await deadline.race(finalized, 'the fanout')
      : await answerTo(context, 'HeadIsFinalized', deadline, () => {
          bridge.commands.fanout()
          report('submitted')
        }).catch((error: unknown) => {
          // Another party's came first: from 2.4 on the head is fanning out by then, and takes no other.
          if (!(error instanceof CommandRefusedError) || error.headState !== 'FanningOut') throw error
          return deadline.race(finalized, 'the fanout')
        })
    report('finalized')
    return payload
  } finally {
    stop()
    over.abort()
  }
}

async function command<Tag extends OnceTag | 'HeadIsContested', Action extends string>(
  context: ClientContext,
  args: HeadLifeArgs<Action>,
  { action, tag, step, send }: { action: Action; tag: Tag; step: HeadStep; send: () => void }
): Promise<PayloadOf<Tag>> {
  const options = readOptions<HeadLifeArgs<Action>>(args ?? {}, ARGS, 'args')
  const { report, end } = progressOf<Action, HeadStep>(context, action, options.onProgress)
  return withDeadline(action, options, DEFAULT_HEAD_TIMEOUT_MS, async (deadline) => {
    await context.connected(action, deadline)
    const payload = await answerTo(context, tag, deadline, () => {
      send()
      report('submitted')
    })
    report(step)
    return payload
  }).finally(end)
}

/** Messages that come once in the life of a head: one that was missed can be found in the history. */
type OnceTag = 'HeadIsClosed' | 'HeadIsFinalized' | 'HeadIsAborted'

/** Sends a command and waits for the message that it brings about; rejects when the node refuses it. */
async function answerTo<Tag extends OnceTag | 'HeadIsContested'>(
  context: ClientContext,
  tag: Tag,
  deadline: Deadline,
  send: () => void
): Promise<PayloadOf<Tag>> {
  const over = new AbortController()
  const answer = context.bridge.waitFor(tag, { orRefused: true, signal: over.signal })
  const missed =
    tag === 'HeadIsContested' ? answer : (nextMessage(context, tag as OnceTag, over.signal) as Promise<PayloadOf<Tag>>)
  try {
    send()
    return await deadline.race(Promise.race([answer, missed]), `the node's ${tag}`)
  } finally {
    over.abort()
  }
}

/** The next message with this tag; one that came while the connection was lost is read from the history. */
function nextMessage<Tag extends OnceTag>(
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
