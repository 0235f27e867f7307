import { MAX_ENDPOINTS } from '../codec/endpointHint.js'
import { Metadatum } from '../codec/metadatum.js'
import type { OptionNames } from '../codec/options.js'
import { readOptions } from '../codec/options.js'
import { byType } from '../errors/base.js'
import { InvalidArgumentError } from '../errors/input.js'
import { createSemaphore } from '../net/abort.js'
import type { Hex, UTxO } from '../types/utxo.js'
import { readDepositDatum } from './depositDatum.js'
import { readEndpointHint } from './endpointHint.js'
import { isPublicEndpoint } from './fetchAnswer.js'
import type { DepositLookup } from './fetchDeposits.js'
import type { WalletAddresses } from './walletAddresses.js'
import { readWalletAddresses } from './walletAddresses.js'

/** Arguments of {@link discoverHeads}. */
export interface DiscoverHeadsOptions extends Omit<DepositLookup, 'depositTxIds' | 'dustLimit'> {
  /** Addresses of the wallet: bech32. The transactions that made their unspent outputs are searched for hints. */
  readonly addresses: readonly string[]
  /** Metadata label of the hints: none is registered yet, so deployments have to agree on one. */
  readonly label: number | bigint
  /** Deposits that the wallet itself has signed: hex, 64 characters each. */
  readonly ownTxIds?: readonly Hex[] | undefined
  /** Maximum number of transactions whose metadata are read. @default 200 */
  readonly maxTransactions?: number | undefined
}

/** A head that a deposit of the wallet points to. */
export interface DiscoveredHead {
  /** Hex, 56 characters. */
  readonly headId: Hex
  /** Base addresses of its nodes, on public https hosts alone; at most four. */
  readonly endpoints: readonly string[]
  /** Deposit whose metadata named it: hex, 64 characters. */
  readonly depositTxId: Hex
  /** `own-deposit`: the wallet has signed that deposit (`ownTxIds`); else `hint`, which any stranger can write. */
  readonly headIdFrom: 'own-deposit' | 'hint'
}

/** Heads that were found. */
export interface DiscoveredHeads {
  /** Each head once. */
  readonly heads: readonly DiscoveredHead[]
  /** False: there are more transactions than `maxTransactions`, and the others were not read. */
  readonly complete: boolean
}

const OPTIONS: OptionNames<DiscoverHeadsOptions> = {
  provider: true,
  addresses: true,
  label: true,
  depositAddress: true,
  ownTxIds: true,
  maxTransactions: true,
  signal: true
}

const DEFAULT_MAX_TRANSACTIONS = 200
/** Label under which the node's metadata names the kind of a transaction. */
const NODE_LABEL = 55_555n

/**
 * Finds heads for a wallet that knows only its addresses, by the endpoint hints in the metadata of deposits: of the
 * transactions that made its unspent outputs, of the deposits to its addresses at `depositAddress`, and of `ownTxIds`.
 * A hint may be false, so verify it: pass its id and endpoints to `recogniseHead`, with its `headIdFrom`.
 *
 * @throws {@link InvalidArgumentError} {@link InvalidAddressError} on wrong options, and the errors of the chain
 * source.
 * @example
 * ```ts no-run
 * import { KupoProvider } from 'layer-sdk/providers'
 * import { discoverHeads } from 'layer-sdk/recognition'
 * const provider = new KupoProvider({ baseUrl: 'http://localhost:1442', network: 'preprod' })
 * const { heads } = await discoverHeads({ provider, addresses: ['addr_test1...'], label: 5678 })
 * console.log(heads.map(({ headId, endpoints }) => [headId, endpoints]))
 * ```
 */
export async function discoverHeads(options: DiscoverHeadsOptions): Promise<DiscoveredHeads> {
  const settings = readOptions(options, OPTIONS)
  const { provider, ownTxIds = [], signal, maxTransactions = DEFAULT_MAX_TRANSACTIONS } = settings
  const wallet = readWalletAddresses(settings.addresses)
  const label = readLabel(settings.label)
  const fetchTxMetadata = provider?.fetcher?.fetchTxMetadata?.bind(provider.fetcher)
  if (fetchTxMetadata === undefined)
    throw new InvalidArgumentError('provider', 'an object with a fetcher that has fetchTxMetadata', byType(provider))
  if (!Array.isArray(ownTxIds) || !ownTxIds.every((id) => typeof id === 'string' && /^[0-9a-f]{64}$/.test(id)))
    throw new InvalidArgumentError('ownTxIds', 'transaction ids of 64 lower-case hex characters', ownTxIds)
  const ids = [...new Set([...ownTxIds, ...(await candidates(settings, wallet))])]
  const limit = createSemaphore()
  const request = signal === undefined ? {} : { signal }
  const found = await Promise.all(
    ids.slice(0, maxTransactions).map((depositTxId) =>
      limit(async (): Promise<DiscoveredHead | null> => {
        const metadata = await fetchTxMetadata(depositTxId, request)
        const hint = metadata === null || !isDeposit(metadata) ? null : readEndpointHint(metadata.get(label) ?? '')
        const endpoints = hint?.endpoints.filter(isPublicEndpoint) ?? []
        if (hint === null || endpoints.length === 0) return null
        const headIdFrom = ownTxIds.includes(depositTxId) ? 'own-deposit' : 'hint'
        return { headId: hint.headId, endpoints, depositTxId, headIdFrom }
      })
    )
  )
  return { heads: merged(found), complete: ids.length <= maxTransactions }
}

function readLabel(label: unknown): bigint {
  const isLabel = typeof label === 'bigint' || Number.isSafeInteger(label)
  if (!isLabel || BigInt(label as number) < 0n || BigInt(label as number) >= 2n ** 64n)
    throw new InvalidArgumentError('label', 'a metadata label, 0 to 2^64-1', label)
  return BigInt(label as number)
}

/** Returns the transactions that may be deposits of the wallet. */
async function candidates(
  { provider, addresses, depositAddress, signal }: DiscoverHeadsOptions,
  wallet: WalletAddresses
): Promise<Hex[]> {
  const request = signal === undefined ? {} : { signal }
  const limit = createSemaphore()
  const read = (address: string): Promise<UTxO[]> =>
    limit(() => provider.fetcher.fetchAddressUTxOs(address, undefined, request))
  const [own, deposits] = await Promise.all([
    Promise.all([...new Set(addresses)].map(read)),
    depositAddress === undefined ? [] : read(depositAddress)
  ])
  const paysWallet = ({ output }: UTxO): boolean =>
    readDepositDatum(output)?.deposited.some((each) => wallet.find(each.output.address) !== undefined) === true
  return [...deposits.filter(paysWallet), ...own.flat()].map(({ input }) => input.txHash)
}

/**
 * Returns true for metadata with the label of the node's deposits. This is only a filter: anybody can write that label.
 */
function isDeposit(metadata: ReadonlyMap<bigint, string>): boolean {
  try {
    const name = Metadatum.fromCbor(metadata.get(NODE_LABEL) ?? '').toObject()
    return typeof name === 'string' && /^Hydra\w*\/DepositTx$/.test(name)
  } catch {
    return false
  }
}

/** Returns each head once, with the endpoints of all its hints; those of the wallet's own deposits come first. */
function merged(found: readonly (DiscoveredHead | null)[]): DiscoveredHead[] {
  const heads = new Map<Hex, DiscoveredHead>()
  const all = found.filter((each) => each !== null)
  const isOwn = ({ headIdFrom }: DiscoveredHead): boolean => headIdFrom === 'own-deposit'
  for (const each of [...all.filter(isOwn), ...all.filter((other) => !isOwn(other))]) {
    const existing = heads.get(each.headId)
    if (existing === undefined) heads.set(each.headId, each)
    // A stranger's hint adds no endpoint to a head of the wallet's own deposits.
    else if (existing.headIdFrom === each.headIdFrom) {
      const endpoints = [...new Set([...existing.endpoints, ...each.endpoints])].slice(0, MAX_ENDPOINTS)
      heads.set(each.headId, { ...existing, endpoints })
    }
  }
  return [...heads.values()]
}
