import { parseAddress } from '../../codec/address.js'
import type { Receipt } from '../../client/index.js'
import { parseCursor } from '../../client/inner.js'
import type { Terminal } from '../terminal.js'
import { parseCommand, UsageError } from '../usage.js'
import { NODE_OPTIONS, timeoutOf, withHead } from './headConnection.js'
import { inPlainJson } from './plainJson.js'
import { amountsInAda } from './tx.js'

const OPTIONS = { ...NODE_OPTIONS, after: { type: 'string' } } as const
/** The command ends when nothing more comes for this time, ms. */
const QUIET_MS = 1_000

/** `layer-sdk receipts`: lists what came to an address in the head, since a cursor. */
export async function listReceipts(args: readonly string[], terminal: Terminal): Promise<void> {
  const { values, positionals } = parseCommand(args, OPTIONS)
  const [address, ...more] = positionals
  if (address === undefined || more.length > 0) throw new UsageError('receipts needs one ADDRESS.')
  parseAddress(address)
  if (values.after !== undefined && values.after !== 'now') parseCursor(values.after)
  await withHead(values, timeoutOf(values), async (client) => {
    const over = new AbortController()
    const end = (): void => over.abort()
    let timer = setTimeout(end, QUIET_MS)
    for await (const receipt of client.receipts({ address, after: values.after ?? null, signal: over.signal })) {
      terminal.out(values.json === true ? inPlainJson(receipt) : lineOf(receipt))
      clearTimeout(timer)
      timer = setTimeout(end, QUIET_MS)
    }
    clearTimeout(timer)
  })
}

function lineOf({ snapshotNumber, kind, amount, from, note, txId, cursor }: Receipt): string {
  const sender = kind === 'deposit' ? 'a deposit' : (from?.join(', ') ?? 'not known')
  const text = note === null ? '' : `  "${note.replaceAll('\n', ' ')}"`
  return `${snapshotNumber}  ${amountsInAda(amount)}  from ${sender}${text}  ${txId}\n  ${cursor}`
}
