import { parseAddress } from '../../codec/address.js'
import { formatAda } from '../../utils/inner.js'
import type { Terminal } from '../terminal.js'
import { CommandFailure, parseCommand, UsageError } from '../usage.js'
import { NODE_OPTIONS, timeoutOf, withHead } from './headConnection.js'

/** `layer-sdk balance`: reads the balance of an address in the latest snapshot. */
export async function balance(args: readonly string[], terminal: Terminal): Promise<void> {
  const { values, positionals } = parseCommand(args, NODE_OPTIONS)
  const [address, ...more] = positionals
  if (address === undefined || more.length > 0) throw new UsageError('balance needs one ADDRESS.')
  parseAddress(address)
  const found = await withHead(values, timeoutOf(values), async (client) => {
    const balances = client.getBalance({ address })
    if (balances === null)
      throw new CommandFailure(
        `The balance is not known: the head is ${client.status().headStatus ?? 'in an unknown state'}.`
      )
    const { lovelace, assets } = balances.confirmed
    const outputs = client.getUtxos({ address, view: 'confirmed' })?.length ?? 0
    const quantities = Object.fromEntries(Object.entries(assets).map(([unit, quantity]) => [unit, String(quantity)]))
    return {
      address,
      lovelace: String(lovelace),
      assets: quantities,
      outputs,
      snapshotNumber: client.status().snapshotNumber
    }
  })
  if (values.json === true) return terminal.out(JSON.stringify(found))
  const tokens = Object.entries(found.assets).map(([unit, quantity]) => `\n${quantity} ${unit}`)
  terminal.out(`${formatAda(BigInt(found.lovelace))} ada${tokens.join('')}`)
}
