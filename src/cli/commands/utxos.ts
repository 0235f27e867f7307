import { parseAddress } from '../../codec/address.js'
import { LOVELACE, valueFromAmounts } from '../../codec/value.js'
import { formatAda } from '../../utils/inner.js'
import type { Terminal } from '../terminal.js'
import { CommandFailure, parseCommand, UsageError } from '../usage.js'
import { NODE_OPTIONS, timeoutOf, withHead } from './headConnection.js'
import { print } from './headLife.js'

/** `layer-sdk utxos`: lists the outputs of the head, or of an address in it. */
export async function utxosCommand(args: readonly string[], terminal: Terminal): Promise<void> {
  const { values, positionals } = parseCommand(args, NODE_OPTIONS)
  const [address, ...more] = positionals
  if (more.length > 0) throw new UsageError('utxos needs one ADDRESS, or none for all.')
  if (address !== undefined) parseAddress(address)
  const utxos = await withHead(values, timeoutOf(values), async (client) => {
    const { headStatus, ready, headId } = client.status()
    const found =
      address === undefined
        ? ready && headId !== null
          ? client.bridge.snapshotUtxoArray()
          : null
        : client.getUtxos({ address, view: 'confirmed' })
    if (found == null) throw new CommandFailure(`The outputs are not known: the head is ${headStatus ?? 'unknown'}.`)
    return found.map(({ input, output }) => ({
      ref: `${input.txHash}#${input.index}`,
      address: output.address,
      amount: output.amount
    }))
  })
  const lines = utxos.map(({ ref, address: owner, amount }) => {
    const value = valueFromAmounts(amount)
    const tokens = value.size - (value.has(LOVELACE) ? 1 : 0)
    return `${ref}  ${formatAda(value.get(LOVELACE) ?? 0n)} ada${tokens > 0 ? ` and ${tokens} tokens` : ''}  ${owner}`
  })
  print(values, terminal, { utxos }, lines.length === 0 ? 'No outputs.' : lines.join('\n'))
}
