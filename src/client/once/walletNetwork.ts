import { parseAddress } from '../../codec/address.js'
import { NETWORK_ID } from '../../constants.js'
import type { JournalEntry } from '../../types/journal.js'
import type { ClientContext } from '../ClientContext.js'

/** Returns the network of the wallet's addresses, or without a wallet that of the outputs in the head. */
export function walletNetwork({ account, bridge }: ClientContext): JournalEntry['network'] {
  const address = account.addresses?.[0] ?? bridge.snapshotUtxoArray()[0]?.output.address
  if (address === undefined) return 'testnet'
  return parseAddress(address).networkId === NETWORK_ID.MAINNET ? 'mainnet' : 'testnet'
}
