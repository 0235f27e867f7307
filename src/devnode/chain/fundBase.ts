import type { Amount, UTxO } from '../../types/utxo.js'
import type { Chain } from './Chain.js'
import { fundedOutput } from './funds.js'

/**
 * Puts outputs on the base ledger at an address.
 *
 * @throws {@link InvalidAddressError} @throws {@link InvalidArgumentError}
 */
export function fundBase(
  address: string,
  outputs: readonly (bigint | readonly Amount[])[],
  { base, options }: Pick<Chain, 'base' | 'options'>
): UTxO[] {
  const { entries } = base.produce(outputs.map((each) => fundedOutput(address, each, options.networkId)))
  return entries.map(({ input, output }) => ({ input, output }))
}
