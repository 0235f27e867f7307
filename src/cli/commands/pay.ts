import { parseAddress } from '../../codec/address.js'
import { formatAda } from '../../utils/inner.js'
import { parseAmount } from '../amount.js'
import type { Terminal } from '../terminal.js'
import { parseOptions, UsageError } from '../usage.js'
import { keyFileOf, NODE_OPTIONS, payingClient, readKeyFile, timeoutOf, withHead } from './headConnection.js'

const TEXT = { type: 'string' } as const
const OPTIONS = { ...NODE_OPTIONS, from: TEXT, to: TEXT, amount: TEXT } as const

/** `layer-sdk pay`: pays in the head, and waits until a snapshot holds the payment. */
export async function pay(args: readonly string[], terminal: Terminal): Promise<void> {
  const values = parseOptions(args, OPTIONS)
  const { from, to, amount } = values
  const keyFile = keyFileOf(from, 'from')
  if (to === undefined) throw new UsageError('--to is missing: the address of the receiver.')
  if (amount === undefined) throw new UsageError('--amount is missing: ada, e.g. 2.5.')
  const lovelace = parseAmount(amount)
  const networkId = parseAddress(to).networkId === 1 ? 1 : 0
  const timeoutMs = timeoutOf(values, 30_000)
  const key = readKeyFile(keyFile, networkId)
  try {
    const startedMs = performance.now()
    const { txId, snapshotNumber, fee } = await withHead(values, timeoutMs, async (client) => {
      const payer = await payingClient(client, key)
      return payer.pay({ to, amount: lovelace, timeout: timeoutMs })
    })
    const ms = Math.round(performance.now() - startedMs)
    const paid = { txId, snapshotNumber, to, lovelace: String(lovelace), fee: String(fee), ms }
    if (values.json === true) terminal.out(JSON.stringify(paid))
    else
      terminal.out(`Paid ${formatAda(lovelace)} ada, confirmed in snapshot ${snapshotNumber}, after ${ms} ms.\n${txId}`)
  } finally {
    key.dispose()
  }
}
