import { parseAddress } from '../../codec/address.js'
import type { Receipt } from '../../client/index.js'
import { parseCursor } from '../../client/inner.js'
import type { Terminal } from '../terminal.js'
import { CommandFailure, parseCommand, UsageError } from '../usage.js'
import { NODE_OPTIONS, timeoutOf, withHead } from './headConnection.js'
import { inPlainJson } from './plainJson.js'
import { amountsInAda } from './tx.js'

const OPTIONS = { ...NODE_OPTIONS, after: { type: 'string' } } as const
/** Default time limit for reading the whole history, ms. */
const HISTORY_MS = 60_000

/** `layer-sdk receipts`: lists the payments and deposits that an address received in the head, after a cursor. */
export async function listReceipts(args: readonly string[], terminal: Terminal): Promise<void> {
  const { values, positionals } = parseCommand(args, OPTIONS)
  const [address, ...more] = positionals
  if (address === undefined || more.length > 0) throw new UsageError('receipts needs one ADDRESS.')
  parseAddress(address)
  if (values.after !== undefined && values.after !== 'now') parseCursor(values.after)
  await withHead(values, timeoutOf(values), async (client) => {
    const limitMs = timeoutOf(values, HISTORY_MS)
    const signal = AbortSignal.timeout(limitMs)
    const found = client.receipts({ address, after: values.after ?? null, follow: false, signal })
    for await (const receipt of found) terminal.out(values.json === true ? inPlainJson(receipt) : lineOf(receipt))
    // A list that is cut off is no list: an empty one would say that nothing came.
    if (signal.aborted)
      throw new CommandFailure(
        `The history was not read to its end within ${limitMs} ms: there may be more receipts. Pass a longer --timeout.`
      )
  })
}

function lineOf({ snapshotNumber, kind, amount, from, note, txId, cursor }: Receipt): string {
  const sender = kind === 'deposit' ? 'a deposit' : (from?.join(', ') ?? 'not known')
  const text = note === null ? '' : `  "${note.replaceAll('\n', ' ')}"`
  return `${snapshotNumber}  ${amountsInAda(amount)}  from ${sender}${text}  ${txId}\n  ${cursor}`
}
