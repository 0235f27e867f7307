import type { LayerBridge } from '../bridge/inner.js'
import type { UTxO } from '../types/utxo.js'

/**
 * Confirmed outputs of an address that can be spent: those of a pending deposit cannot. Null before they are known.
 *
 * @throws {@link InvalidAddressError}
 */
export function unspentAt(bridge: LayerBridge, address: string): UTxO[] | null {
  const utxos = bridge.getAddressUTxOs(address)
  return utxos?.filter(({ input }) => !bridge.isArriving(`${input.txHash}#${input.index}`)) ?? null
}
