import type { Fetcher } from '../types/provider.js'
import type { Hex, UTxO } from '../types/utxo.js'

/** Places where the deposits of a wallet are looked for. */
export interface DepositLookup {
  /** The chain source: a provider of `layer-sdk/providers`, or an object with its `fetcher`. */
  readonly provider: { readonly fetcher: Fetcher }
  /** Address of the deposit script: its outputs are looked through for the wallet's deposits. */
  readonly depositAddress?: string | undefined
  /** Transactions of deposits to look at: hex, 64 characters each. */
  readonly depositTxIds?: readonly Hex[] | undefined
  /**
   * Deposits of less lovelace and no token are folded into one sum, unless `depositTxIds` names them: lovelace.
   * @default 2_000_000n
   */
  readonly dustLimit?: bigint | undefined
  /** Ends the call, which rejects with its reason. */
  readonly signal?: AbortSignal | undefined
}

/** Returns the unspent outputs that may be deposits, each once. */
export async function fetchDeposits({
  provider,
  depositAddress,
  depositTxIds = [],
  signal
}: DepositLookup): Promise<UTxO[]> {
  const { fetcher } = provider
  const request = signal === undefined ? {} : { signal }
  const lists = await Promise.all([
    depositAddress === undefined ? [] : fetcher.fetchAddressUTxOs(depositAddress, undefined, request),
    depositTxIds.length === 0
      ? []
      : fetcher.fetchUTxOs(
          depositTxIds.map((txHash) => ({ txHash, index: 0 })),
          request
        )
  ])
  return [...new Map(lists.flat().map((utxo) => [`${utxo.input.txHash}#${utxo.input.index}`, utxo])).values()]
}
