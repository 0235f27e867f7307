import type { HeadClient } from '../../client/index.js'
import { checkHead } from '../../doctor/inner.js'
import type { Terminal } from '../terminal.js'
import { CommandFailure, parseOptions, UsageError } from '../usage.js'
import type { NodeValues } from './headConnection.js'
import { NODE_OPTIONS, timeoutOf, withHead } from './headConnection.js'

const FLAG = { type: 'boolean' } as const
const CLOSE_OPTIONS = { ...NODE_OPTIONS, yes: FLAG, force: FLAG } as const
const FANOUT_OPTIONS = { ...NODE_OPTIONS, yes: FLAG } as const

/** Wait for a snapshot that is being signed: a silent party is a reason to close, ms. */
const SIGNING_MS = 2_000
/** To leave such a node the head has to be closed. */
const CURED_BY_CLOSE = 'node-vulnerable'

/** Limit of a step on the base ledger, ms. */
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

/** Findings that stand in the way of the exit: after the close nothing in the head can be mended. */
async function refuseBlocked(client: HeadClient, terminal: Terminal): Promise<void> {
  const { findings } = await checkHead({ head: client, before: 'close', patience: SIGNING_MS })
  const blocks = findings.filter(({ severity, code }) => severity === 'block' && code !== CURED_BY_CLOSE)
  for (const { code, what, remedy } of blocks) terminal.error(`${code}: ${what} ${remedy}`)
  if (blocks.length > 0)
    throw new CommandFailure(
      `The head was not closed: ${blocks.map(({ code }) => code).join(', ')}. Mend it first, or close with --force.`
    )
}

/** A deposit that the head does not hold stays at its script over a close, until it is recovered. */
async function refuseOpenDeposits({ bridge }: HeadClient): Promise<void> {
  const pending = await bridge.pendingDeposits()
  if (pending.length > 0)
    throw new CommandFailure(
      `${pending.length} deposit${pending.length === 1 ? ' is' : 's are'} not in the head yet (${pending[0]!}): a close leaves it at its script until layer-sdk recover. Wait for it, or close with --force.`
    )
}

/** Asks before money moves for good; needs `--yes` where no person can answer. */
export async function assertSure(
  { yes }: { readonly yes?: boolean | undefined },
  terminal: Terminal,
  question: string
): Promise<void> {
  if (yes === true) return
  if (terminal.confirm === undefined) throw new UsageError('--yes is missing: without a terminal there is no question.')
  if (!(await terminal.confirm(question))) throw new CommandFailure('No command was sent.')
}

/** Prints the result alone: one JSON object with `--json`. */
export function print({ json }: NodeValues, terminal: Terminal, result: object, plain: string): void {
  terminal.out(json === true ? JSON.stringify(result) : plain)
}
