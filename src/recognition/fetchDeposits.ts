import type { Fetcher } from '../types/provider.js'
import type { Hex, UTxO } from '../types/utxo.js'

/** Sources in which the deposits of a wallet are searched. */
export interface DepositLookup {
  /** The chain source: a provider of `layer-sdk/providers`, or an object with its `fetcher`. */
  readonly provider: { readonly fetcher: Fetcher }
  /** Address of the deposit script, whose outputs are searched for the wallet's deposits. */
  readonly depositAddress?: string | undefined
  /** Transactions of deposits to look at: hex, 64 characters each. */
  readonly depositTxIds?: readonly Hex[] | undefined
  /**
   * Deposits without tokens and with less lovelace than this are not listed one by one but added up, unless
   * `depositTxIds` names them.
   * @default 2_000_000n
   */
  readonly dustLimit?: bigint | undefined
  /** Aborts the call, which then rejects with the reason of the signal. */
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
