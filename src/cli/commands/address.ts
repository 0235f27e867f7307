import type { Terminal } from '../terminal.js'
import { parseOptions, wholeNumberOption } from '../usage.js'
import { keyFileOf, readKeyFile } from './headConnection.js'
import { print } from './headLife.js'

const OPTIONS = { key: { type: 'string' }, 'network-id': { type: 'string' }, json: { type: 'boolean' } } as const

/** `layer-sdk address`: prints the address of a signing key. */
export async function addressCommand(args: readonly string[], terminal: Terminal): Promise<void> {
  const values = parseOptions(args, OPTIONS)
  const networkId = wholeNumberOption('network-id', values['network-id'], 1) === 1 ? 1 : 0
  const key = readKeyFile(keyFileOf(values.key), networkId)
  const address = key.getAddressBech32()
  key.dispose()
  print(values, terminal, { address, networkId }, address)
}
