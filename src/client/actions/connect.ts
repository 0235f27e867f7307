import { BridgeConnectError, ConnectAbortedError } from '../../errors/bridge.js'
import type { LayerBridge } from '../../bridge/inner.js'
import type { OptionNames } from '../../codec/options.js'
import { readOptions } from '../../codec/options.js'
import { InvalidArgumentError } from '../../errors/input.js'
import { contextParts } from '../ClientContext.js'
import type { HeadContext } from '../HeadContext.js'
import type { ActionOptions } from '../deadline.js'
import { withDeadline } from '../deadline.js'
import { DEFAULT_CONNECT_TIMEOUT_MS } from '../limits.js'

/** Longest wait for balances once connected, ms: a node that does not report its state must not hold up `connect`. */
const SEED_WAIT_MS = 5_000

/** Options of {@link connect}. */
export interface ConnectOptions extends ActionOptions {
  /** False: rejects with the first failure, and the client stops trying. @default true */
  wait?: boolean | undefined
}

const OPTIONS: OptionNames<ConnectOptions> = { wait: true, timeout: true, signal: true }

/**
 * Connects, and learns the wallet's addresses and the head's outputs. A client that reconnects by itself goes on trying
 * after a failure: the first failure is reported (the client's option `onConnectError`, a warning by default), and the
 * promise resolves once the node is reached. With the option `journal` it resumes payments that an earlier process left
 * open: the outputs that they spend are reserved when the promise resolves, and `onSettled` reports how they end.
 *
 * @throws {@link JournalMismatchError}, {@link JournalLockedError}, {@link JournalBrokenError},
 * {@link JournalVersionError}, {@link JournalAccessError} for a journal that cannot be used: the client is disconnected
 * @throws {@link BridgeConnectError}, {@link BridgeNotANodeError} and the other errors of the bridge's `connect`, when
 * no further attempt follows; {@link ClientTimeoutError} after `timeout` (30 s): the client goes on trying in the
 * background; {@link InvalidArgumentError} on an unknown option
 * @example
 * ```ts no-run
 * await head.connect({ timeout: 10_000 })
 * console.log(head.status().headStatus) // e.g. Open
 * ```
 */
export async function connect(head: HeadContext, options: ConnectOptions = {}): Promise<void> {
  const context = contextParts(head)
  const checked = readOptions(options ?? {}, OPTIONS)
  const { wait = true } = checked
  if (typeof wait !== 'boolean') throw new InvalidArgumentError('wait', 'true or false', wait)
  return withDeadline('connect', checked, DEFAULT_CONNECT_TIMEOUT_MS, async (deadline) => {
    const { bridge, account } = context
    const journal = account.records.options.journal === null ? null : await loadResuming()
    if (journal !== null) context.connection.resumeFirst(() => journal.resumeJournal(context))
    try {
      await deadline.race(bridge.connect(), 'the node')
    } catch (error) {
      if (deadline.isOver) throw error
      if (!wait) {
        await bridge.disconnect()
        throw error
      }
      if (isTrying(bridge) && !(error instanceof ConnectAbortedError)) context.callbacks.connectFailed(error as Error)
      while (!bridge.connected()) {
        if (!isTrying(bridge)) throw error
        await deadline.race(context.changes.next(), nodeThatFailed(error))
      }
    }
    context.connection.endWith(deadline, () => new ConnectAbortedError())
    if (account.wallet !== null) await deadline.race(account.load(account.wallet), "the wallet's addresses")
    const until = Date.now() + SEED_WAIT_MS
    for (let leftMs = SEED_WAIT_MS; leftMs > 0; leftMs = until - Date.now()) {
      const { ready, headId, state } = bridge.getSnapshot()
      if (ready || headId === null || state !== 'connected') break
      await deadline.race(context.changes.next(leftMs), "the head's state")
    }
    if (journal === null) return
    try {
      await journal.loadJournal(context, deadline)
      if (context.connection.isOpen) await deadline.race(context.connection.resumed(), 'the payments of the journal')
      else context.connection.resumeOnceOpen(context.callbacks)
    } catch (error) {
      // A client that cannot keep what it pays does not stay connected.
      if (!deadline.isOver) await disconnect(context)
      throw error
    }
  })
}

const isTrying = (bridge: LayerBridge): boolean => ['reconnecting', 'connecting'].includes(bridge.getSnapshot().state)

/** Loads, on demand, the code that resumes a journal: a program without a journal never loads it. */
async function loadResuming(): Promise<Pick<typeof import('../once/resume.js'), 'loadJournal' | 'resumeJournal'>> {
  const { loadJournal, resumeJournal } = await import('../once/resume.js')
  return { loadJournal, resumeJournal }
}

/** Names the node that a first attempt did not reach, and why: a wrong port shows in the error of the timeout. */
function nodeThatFailed(error: unknown): string {
  if (!(error instanceof BridgeConnectError) || error.origin === undefined) return 'the node'
  return `the node at ${error.origin}${error.got === undefined ? '' : ` (the first attempt: ${error.got})`}`
}

/**
 * Disconnects, and rejects all waiting actions. Transactions in flight stay reserved, and are followed again after the
 * next {@link connect}. It never rejects with a context of {@link createHeadClient}.
 *
 * @throws {@link InvalidArgumentError} on an object that is not a context
 * @example
 * ```ts no-run
 * await head.disconnect()
 * ```
 */
export async function disconnect(head: HeadContext): Promise<void> {
  const context = contextParts(head)
  await context.bridge.disconnect()
  context.ledger.partyWatch.stop()
  await context.account.records.close()
}
