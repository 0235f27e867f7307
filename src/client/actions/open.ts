import { assertDepositDraft } from '../../bridge/inner.js'
import type { OptionNames } from '../../codec/options.js'
import { readOptions } from '../../codec/options.js'
import { BridgeRequestError } from '../../errors/operation.js'
import { InvalidArgumentError } from '../../errors/input.js'
import type { ClientContext } from '../ClientContext.js'
import { contextParts } from '../ClientContext.js'
import type { HeadContext } from '../HeadContext.js'
import type { Deadline } from '../deadline.js'
import { withDeadline } from '../deadline.js'
import { DEFAULT_HEAD_TIMEOUT_MS } from '../limits.js'
import { progressOf } from '../progress.js'
import type { HeadStep, WithProgress } from '../types.js'

/** Arguments of {@link open}. */
export interface OpenArgs extends WithProgress<'open', HeadStep> {
  /** How many times Init is sent while there is no head. @default 3 */
  retries?: number | undefined
}

const ARGS: OptionNames<OpenArgs> = { retries: true, onProgress: true, timeout: true, signal: true }

/** A head that is open. */
export interface OpenResult {
  /** Id of the head: hex, 56 characters. */
  headId: string
  /** Hydra verification keys of its parties: hex, 64 characters. */
  parties: string[]
}

/**
 * Opens a head and waits until it is open; resolves at once when it is. It waits for a node that is behind the base
 * ledger. On nodes before 2.0 it also makes the empty commit of this node's party; the head opens when every party has
 * committed.
 *
 * @throws {@link CommandRefusedError}, {@link BridgeTimeoutError}, {@link ClientTimeoutError} (300 s),
 * {@link NotConnectedError}
 * @example
 * ```ts no-run
 * const { headId, parties } = await head.open()
 * ```
 */
export async function open(head: HeadContext, args: OpenArgs = {}): Promise<OpenResult> {
  const context = contextParts(head)
  const { retries = 3, onProgress, timeout = DEFAULT_HEAD_TIMEOUT_MS } = readOptions(args ?? {}, ARGS, 'args')
  if (!Number.isInteger(retries) || retries < 1)
    throw new InvalidArgumentError('retries', 'a whole number from 1', retries)
  const { report, end } = progressOf(context, 'open', onProgress)
  return withDeadline('open', args, DEFAULT_HEAD_TIMEOUT_MS, async (deadline) => {
    const { bridge } = context
    await context.connection.connected('open', deadline)
    // A node that was just started refuses Init until it has seen a block, or never acts on it.
    while (bridge.synced === false) {
      await deadline.race(context.changes.next(), 'the node to be in sync')
      await context.connection.connected('open', deadline)
    }
    const timeoutMs = Number.isFinite(timeout) ? timeout : DEFAULT_HEAD_TIMEOUT_MS
    if (bridge.headStatus !== 'Open') report('submitted')
    const first = await deadline.race(
      bridge.commands.initSync(retries, Math.max(1, Math.floor(timeoutMs / retries)), { signal: deadline.signal() }),
      'the head to open'
    )
    if (first.tag === 'HeadIsInitializing') {
      report('initializing')
      await commitNothing(context, first.headId, deadline)
    }
    report('open')
    const headId = bridge.getSnapshot().headId ?? first.headId
    return { headId, parties: await deadline.race(context.ledger.loadParties(), "the head's parties") }
  }).finally(end)
}

// Heads of nodes before 2.0 open once every party has committed, be it without outputs.
async function commitNothing(context: ClientContext, headId: string, deadline: Deadline): Promise<void> {
  const { bridge } = context
  try {
    // The draft spends the node's own money alone, and the node has signed it.
    const draft = await deadline.race(bridge.commit({}), 'the draft of the empty commit')
    assertDepositDraft(draft, { commit: {}, headId, ownAddresses: context.account.addresses ?? [] })
    await deadline.race(
      bridge.submitCardanoTransaction({ cborHex: draft.cborHex, description: draft.description ?? '' }),
      'the base ledger'
    )
  } catch (error) {
    // This party has committed already: then the others are waited for.
    if (!(error instanceof BridgeRequestError) || error.status < 400) throw error
    if (bridge.headStatus !== 'Open' && bridge.headStatus !== 'Initializing') throw error
  }
  // By the state: the message may come while the connection is lost.
  while (bridge.headStatus !== 'Open') await deadline.race(context.changes.next(), 'the other parties to commit')
}
