import { addressToString, parseAddress, rewardAddress } from '../../../codec/address.js'
import type { BaseApiRequest } from '../../chain/BaseApi.js'
import type { BaseChain } from '../../chain/BaseChain.js'
import type { BaseTransaction } from '../../chain/baseHistory.js'
import type { JsonValue } from '../../json/jsonText.js'
import type { AddressFilter } from './outputs.js'
import { addressFilter, sumOf, blockfrostUtxo, wasUsed } from './outputs.js'
import { assertAssetPath } from './assets.js'
import { IndexerFailure, notFound, pageOf } from './reply.js'
import { blockTime } from './blocks.js'

function usedAddress(text: string, chain: BaseChain): AddressFilter {
  const filter = addressFilter(text, chain)
  if (!wasUsed(filter, chain)) throw notFound()
  return filter
}

/** GET /addresses/{address}/utxos, and `/{asset}`: `lovelace` stands for the outputs without assets. */
export function addressUtxos(
  address: string,
  asset: string | undefined,
  request: BaseApiRequest,
  chain: BaseChain
): JsonValue {
  if (asset !== undefined && asset !== 'lovelace') assertAssetPath(asset)
  const filter = usedAddress(address, chain)
  if (asset !== undefined && asset !== 'lovelace' && !wasMinted(asset, chain)) throw notFound()
  const holds = ({ value }: { readonly value: ReadonlyMap<string, bigint> }): boolean =>
    asset === undefined || (asset === 'lovelace' ? value.size <= 1 : value.has(asset))
  const found = chain.unspent((entry) => filter.matches(entry) && holds(entry))
  return pageOf(found, request).map((entry) => blockfrostUtxo(entry, chain))
}

function wasMinted(asset: string, chain: BaseChain): boolean {
  for (const { value } of chain.outputs()) if (value.has(asset)) return true
  return false
}

/** GET /addresses/{address} */
export function answerAddressInfo(address: string, chain: BaseChain): JsonValue {
  const filter = usedAddress(address, chain)
  const sum = sumOf(chain.unspent((entry) => filter.matches(entry)))
  return {
    address,
    amount: [...sum].map(([unit, quantity]) => ({ unit, quantity: String(quantity) })),
    stake_address: filter.stake === undefined ? null : addressToString(rewardAddress(chain.networkId, filter.stake)),
    type: filter.byron ? 'byron' : 'shelley',
    script: filter.script
  }
}

/** GET /addresses/{address}/transactions */
export function addressTransactions(address: string, request: BaseApiRequest, chain: BaseChain): JsonValue {
  const filter = usedAddress(address, chain)
  const concerns = ({ spent, outputs }: BaseTransaction): boolean =>
    [...spent, ...outputs].some((entry) => filter.matches(entry))
  const found = [...chain.history.transactions()].filter(concerns)
  return pageOf(found, request).map(({ txId, index, slot }) => {
    return { tx_hash: txId, tx_index: index, block_height: slot, block_time: blockTime(slot, chain) }
  })
}

/**
 * GET /accounts/{stake_address}: the base ledger registers no stake, so an account holds the outputs at its addresses,
 * and no rewards.
 */
export function accountInfo(text: string, chain: BaseChain): JsonValue {
  const stake = stakeOf(text, chain)
  const belongs = ({ output }: { readonly output: { readonly address: string } }): boolean =>
    parseAddress(output.address).stake?.hash === stake
  let isKnown = false
  for (const entry of chain.outputs()) if ((isKnown = belongs(entry))) break
  if (!isKnown) throw notFound()
  return {
    stake_address: text,
    active: false,
    registered: false,
    active_epoch: null,
    controlled_amount: String(sumOf(chain.unspent(belongs)).get('lovelace')),
    rewards_sum: '0',
    withdrawals_sum: '0',
    reserves_sum: '0',
    treasury_sum: '0',
    withdrawable_amount: '0',
    pool_id: null,
    drep_id: null
  }
}

function stakeOf(text: string, { networkId }: BaseChain): string {
  const invalid = new IndexerFailure(400, 'Invalid or malformed stake address format.')
  try {
    const address = parseAddress(text)
    if (address.type !== 'reward' || address.networkId !== networkId) throw invalid
    return address.stake!.hash
  } catch {
    throw invalid
  }
}
