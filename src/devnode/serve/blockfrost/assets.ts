import type { BaseApiRequest } from '../../chain/BaseApi.js'
import type { BaseChain } from '../../chain/BaseChain.js'
import type { JsonValue } from '../../json/jsonText.js'
import { IndexerFailure, notFound, pageOf } from './reply.js'

/** Policy id and asset name as hex. @throws {@link IndexerFailure} */
export function assertAssetPath(asset: string): void {
  if (!/^[0-9a-fA-F]{56}([0-9a-fA-F]{2}){0,32}$/.test(asset))
    throw new IndexerFailure(400, 'Invalid or malformed asset format.')
}

/** GET /assets/{asset}/addresses: who holds how many. */
export function assetAddresses(asset: string, request: BaseApiRequest, chain: BaseChain): JsonValue {
  assertAssetPath(asset)
  const holders = new Map<string, bigint>()
  for (const { value, output } of chain.unspent()) {
    const quantity = value.get(asset)
    if (quantity !== undefined) holders.set(output.address, (holders.get(output.address) ?? 0n) + quantity)
  }
  if (holders.size === 0) throw notFound()
  return pageOf([...holders], request).map(([address, quantity]) => ({ address, quantity: String(quantity) }))
}
