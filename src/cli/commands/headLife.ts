import type { HeadClient } from '../../client/index.js'
import { checkHead } from '../../doctor/inner.js'
import type { Terminal } from '../terminal.js'
import { CommandFailure, parseOptions, UsageError } from '../usage.js'
import type { NodeValues } from './headConnection.js'
import { NODE_OPTIONS, timeoutOf, withHead } from './headConnection.js'

const FLAG = { type: 'boolean' } as const
const CLOSE_OPTIONS = { ...NODE_OPTIONS, yes: FLAG, force: FLAG } as const
const FANOUT_OPTIONS = { ...NODE_OPTIONS, yes: FLAG } as const

/**
 * Longest wait for a snapshot that is being signed, ms. Short, since a party that does not sign is a reason to close.
 */
const SIGNING_MS = 2_000
/** Finding that does not prevent a close, because closing the head is its remedy. */
const CURED_BY_CLOSE = 'node-vulnerable'

/** Default time limit of an action on the base ledger, ms. */
export const BASE_LEDGER_TIMEOUT_MS = 300_000

/** `layer-sdk open`: opens a head, and waits until it is open. */
export async function openCommand(args: readonly string[], terminal: Terminal): Promise<void> {
  const values = parseOptions(args, NODE_OPTIONS)
  const timeout = timeoutOf(values, BASE_LEDGER_TIMEOUT_MS)
  const opened = await withHead(values, timeout, (client) =>
    client.open({ timeout, onProgress: ({ state }) => terminal.error(`open: ${state}`) })
  )
  print(values, terminal, { headId: opened.headId, parties: opened.parties }, opened.headId)
}

/** `layer-sdk close`: closes the head; its contestation period begins. */
export async function closeCommand(args: readonly string[], terminal: Terminal): Promise<void> {
  const values = parseOptions(args, CLOSE_OPTIONS)
  const timeout = timeoutOf(values, BASE_LEDGER_TIMEOUT_MS)
  await assertSure(values, terminal, 'Close the head? Payments in it end.')
  const closed = await withHead(values, timeout, async (client) => {
    if (values.force !== true) {
      await refuseOpenDeposits(client)
      await refuseBlocked(client, terminal)
    }
    return client.closeHead({ timeout, onProgress: ({ state }) => terminal.error(`close: ${state}`) })
  })
  const { headId, snapshotNumber, contestationDeadline } = closed
  const until = contestationDeadline === null ? 'unknown' : new Date(contestationDeadline).toISOString()
  print(values, terminal, { headId, snapshotNumber, contestationDeadline }, until)
}

/** `layer-sdk fanout`: waits for the end of the contestation period, and pays the outputs out. */
export async function fanoutCommand(args: readonly string[], terminal: Terminal): Promise<void> {
  const values = parseOptions(args, FANOUT_OPTIONS)
  const timeout = timeoutOf(values, BASE_LEDGER_TIMEOUT_MS)
  await assertSure(values, terminal, 'Pay the outputs of the head out to the base ledger?')
  const { headId } = await withHead(values, timeout, (client) =>
    client.fanoutHead({ timeout, onProgress: ({ state }) => terminal.error(`fanout: ${state}`) })
  )
  print(values, terminal, { headId }, headId)
}

/**
 * Refuses a close when the doctor has a blocking finding, which could not be corrected in a closed head.
 *
 * @throws CommandFailure with the codes of the findings
 */
async function refuseBlocked(client: HeadClient, terminal: Terminal): Promise<void> {
  const { findings } = await checkHead({ head: client, before: 'close', patience: SIGNING_MS })
  const blocks = findings.filter(({ severity, code }) => severity === 'block' && code !== CURED_BY_CLOSE)
  for (const { code, what, remedy } of blocks) terminal.error(`${code}: ${what} ${remedy}`)
  if (blocks.length > 0)
    throw new CommandFailure(
      `The head was not closed: ${blocks.map(({ code }) => code).join(', ')}. Mend it first, or close with --force.`
    )
}

/**
 * Refuses a close while deposits are pending: a close leaves them at their script address until they are recovered.
 *
 * @throws CommandFailure
 */
async function refuseOpenDeposits({ bridge }: HeadClient): Promise<void> {
  const pending = await bridge.pendingDeposits()
  if (pending.length > 0)
    throw new CommandFailure(
      `${pending.length} deposit${pending.length === 1 ? ' is' : 's are'} not in the head yet (${pending[0]!}): a close leaves it at its script until layer-sdk recover. Wait for it, or close with --force.`
    )
}

/**
 * Asks the user to confirm an action that cannot be undone, unless `--yes` is set.
 *
 * @throws UsageError without `--yes` and a terminal; CommandFailure when the user declines
 */
export async function assertSure(
  { yes }: { readonly yes?: boolean | undefined },
  terminal: Terminal,
  question: string
): Promise<void> {
  if (yes === true) return
  if (terminal.confirm === undefined) throw new UsageError('--yes is missing: without a terminal there is no question.')
  if (!(await terminal.confirm(question))) throw new CommandFailure('No command was sent.')
}

/** Prints the result of a command: `result` as one JSON object with `--json`, else the text `plain`. */
export function print({ json }: NodeValues, terminal: Terminal, result: object, plain: string): void {
  terminal.out(json === true ? JSON.stringify(result) : plain)
}
