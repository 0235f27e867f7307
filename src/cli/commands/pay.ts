import { parseAddress } from '../../codec/address.js'
import { fileJournal } from '../../journal/inner.js'
import { formatAda } from '../../utils/inner.js'
import { parseAmount } from '../amount.js'
import type { Terminal } from '../terminal.js'
import { parseOptions, UsageError } from '../usage.js'
import { keyFileOf, NODE_OPTIONS, payingClient, readKeyFile, timeoutOf, withHead } from './headConnection.js'

const TEXT = { type: 'string' } as const
const OPTIONS = { ...NODE_OPTIONS, from: TEXT, to: TEXT, amount: TEXT, id: TEXT, journal: TEXT } as const

/**
 * `layer-sdk pay`: pays in the head, and waits until a confirmed snapshot contains the payment. With `--id` and
 * `--journal` the command is idempotent: run again, even after a kill, it does not pay twice.
 */
export async function pay(args: readonly string[], terminal: Terminal): Promise<void> {
  const values = parseOptions(args, OPTIONS)
  const { from, to, amount } = values
  const keyFile = keyFileOf(from, 'from')
  if (to === undefined) throw new UsageError('--to is missing: the address of the receiver.')
  if (amount === undefined) throw new UsageError('--amount is missing: ada, e.g. 2.5.')
  const lovelace = parseAmount(amount)
  const { id, journal: path } = values
  if ((id === undefined) !== (path === undefined))
    throw new UsageError('--id and --journal belong together: the journal is the file that remembers the id.')
  const networkId = parseAddress(to).networkId === 1 ? 1 : 0
  const timeoutMs = timeoutOf(values, 30_000)
  const key = readKeyFile(keyFile, networkId)
  const journal = path === undefined ? undefined : fileJournal(path)
  try {
    const startedMs = performance.now()
    const { txId, snapshotNumber, fee } = await withHead(values, timeoutMs, async (client) => {
      const payer = await payingClient(client, key, { journal })
      return payer.pay({ to, amount: lovelace, timeout: timeoutMs, ...(id === undefined ? {} : { id }) })
    })
    const ms = Math.round(performance.now() - startedMs)
    const paid = {
      ...(id === undefined ? {} : { id }),
      txId,
      snapshotNumber,
      to,
      lovelace: String(lovelace),
      fee: String(fee),
      ms
    }
    if (values.json === true) terminal.out(JSON.stringify(paid))
    else
      terminal.out(`Paid ${formatAda(lovelace)} ada, confirmed in snapshot ${snapshotNumber}, after ${ms} ms.\n${txId}`)
  } finally {
    await journal?.close()
    key.dispose()
  }
}
