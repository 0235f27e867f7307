import { InvalidAddressError, InvalidArgumentError } from '../../errors/input.js'
import type { NetworkName } from '../../constants.js'
import type { TxInput } from '../../types/utxo.js'

const NETWORKS: readonly NetworkName[] = ['mainnet', 'preprod', 'preview']

export function assertNetwork(network: unknown): NetworkName {
  if (!NETWORKS.includes(network as NetworkName))
    throw new InvalidArgumentError('network', "'mainnet', 'preprod' or 'preview'", network)
  return network as NetworkName
}

/**
 * Checks an address. One of a different network is rejected: it has no outputs here, which would look like an empty
 * wallet.
 */
export function assertAddress(address: unknown, network: NetworkName): string {
  const fail = (expected: string, got: string): never => {
    throw new InvalidAddressError('address cannot be queried on this network.', { expected, got })
  }
  if (typeof address !== 'string' || !/^[\da-zA-Z_]{20,}$/.test(address))
    return fail('a bech32 or base58 address', typeof address)
  const prefix = /^(addr|stake)(_test)?1/.exec(address)
  if (prefix && !prefix[2] !== (network === 'mainnet'))
    fail(`an address of ${network}`, `one that begins with ${prefix[0]}`)
  return address
}

/**
 * Checks a unit: policy id and asset name in lower-case hex. The dot that cardano-cli writes between them is accepted.
 */
export function assertAsset(asset: unknown): string {
  const unit = typeof asset === 'string' ? asset.replace('.', '').toLowerCase() : ''
  if (unit !== 'lovelace' && !/^[\da-f]{56}([\da-f]{2}){0,32}$/.test(unit)) {
    throw new InvalidArgumentError('asset', 'policy id and asset name in hex, 56 to 120 characters', asset)
  }
  return unit
}

/** Checks output references and returns the distinct ones by key, in their order. */
export function assertRefs(refs: readonly TxInput[]): Map<string, TxInput> {
  const distinct = new Map<string, TxInput>()
  if (!Array.isArray(refs)) throw new InvalidArgumentError('refs', 'an array of { txHash, index }', refs)
  for (const each of refs as readonly TxInput[]) {
    const { txHash, index } = each ?? {}
    if (typeof txHash !== 'string' || !/^[\da-f]{64}$/i.test(txHash) || !Number.isSafeInteger(index) || index < 0) {
      throw new InvalidArgumentError('refs', 'transaction ids of 64 hex characters, each with an output index', each)
    }
    const ref = { txHash: txHash.toLowerCase(), index }
    distinct.set(`${ref.txHash}#${index}`, ref)
  }
  return distinct
}
