import type { LayerBridge } from '../bridge/inner.js'
import type { UTxO } from '../types/utxo.js'

/**
 * Returns the confirmed outputs of an address that can be spent, so without those of a pending deposit; null before
 * they are known.
 *
 * @throws {@link InvalidAddressError}
 */
export function unspentAt(bridge: LayerBridge, address: string): UTxO[] | null {
  const utxos = bridge.getAddressUTxOs(address)
  return utxos?.filter(({ input }) => !bridge.isArriving(`${input.txHash}#${input.index}`)) ?? null
}
