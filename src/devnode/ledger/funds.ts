import { parseAddress } from '../../codec/address.js'
import { LOVELACE, valueFromAmounts, valueToAmounts } from '../../codec/value.js'
import { InvalidArgumentError } from '../../errors/input.js'
import type { Amount, TxOutput } from '../../types/utxo.js'
import type { GenesisUTxO } from '../options.js'

/** The largest quantity that the ledger takes. */
const MAX_QUANTITY = 2n ** 63n - 1n

/**
 * An output to fund somebody with.
 *
 * @throws {@link InvalidAddressError} @throws {@link InvalidArgumentError} when the address is of another network or the funds are no amount.
 */
export function fundedOutput(address: string, funds: unknown, networkId: 0 | 1): TxOutput {
  assertNetwork(address, networkId)
  const amount = amountsOf(funds)
  const wrong = amount.find(({ quantity }) => BigInt(quantity) > MAX_QUANTITY)
  if (wrong !== undefined) throw new InvalidArgumentError('quantity', 'at most 2^63-1', wrong.quantity)
  return { address, amount }
}

/** Outputs that the base ledger starts with. @throws as {@link fundedOutput} */
export function genesisOutput(entry: GenesisUTxO, networkId: 0 | 1): TxOutput {
  if (typeof entry !== 'object' || entry === null) throw new InvalidArgumentError('genesis', 'entries { address, lovelace } or { address, amount }', entry)
  return fundedOutput(entry.address, entry.amount ?? entry.lovelace, networkId)
}

function amountsOf(funds: unknown): Amount[] {
  if (Array.isArray(funds) && funds.length > 0 && funds.every((entry) => typeof entry === 'object' && entry !== null)) {
    return valueToAmounts(valueFromAmounts(funds as Amount[]))
  }
  const whole = typeof funds === 'bigint' || Number.isSafeInteger(funds)
  if (!whole || (funds as bigint | number) <= 0) throw new InvalidArgumentError('lovelace', 'a whole number of lovelace above 0, or amounts', funds)
  return [{ unit: LOVELACE, quantity: String(funds) }]
}

/** Byron addresses of every network are taken: there is one kind of them only. */
function assertNetwork(text: string, networkId: 0 | 1): void {
  const address = parseAddress(text)
  if (address.type === 'byron' || address.networkId === networkId) return
  throw new InvalidArgumentError('address', `an address of network ${networkId}`, text)
}
