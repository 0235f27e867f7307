import { parseAddress } from '../../codec/address.js'
import { getOwn, isRecord } from '../../bridge/inner.js'

/** Form in which a client receives the head's snapshots; `plain`: the client knows only the messages of a node. */
export type ClientMode = 'plain' | 'full' | 'delta' | 'address'

/** Request of a client to join. */
export interface JoinRequest {
  readonly token: string | undefined
  readonly mode: ClientMode
  /** Addresses that a client of mode `address` follows; else empty. */
  readonly addresses: ReadonlySet<string>
  /** Tags of the messages that the client wants besides those that every client receives; null: all. */
  readonly tags: ReadonlySet<string> | null
  /** Snapshot that the client already has; null: none. */
  readonly since: { readonly headId: string; readonly number: number } | null
}

const FIELDS: readonly string[] = ['token', 'mode', 'addresses', 'tags', 'since']
const MODES: readonly unknown[] = ['full', 'delta', 'address']
const MAX_TAGS = 64
const MAX_HEAD_ID_CHARACTERS = 256

/** Reads `auth` of CONNECT; null: a bad request. */
export function readJoinRequest(auth: unknown, maxAddresses: number): JoinRequest | null {
  const authFields = auth ?? {}
  if (!isRecord(authFields)) return null
  const token = getOwn(authFields, 'token') ?? undefined
  if (token !== undefined && typeof token !== 'string') return null
  const extended = Object.keys(authFields).some((name) => name !== 'token' && FIELDS.includes(name))
  if (!extended) return { token, mode: 'plain', addresses: new Set(), tags: null, since: null }
  const { mode, addresses, tags, since } = Object.fromEntries(
    FIELDS.map((name) => [name, getOwn(authFields, name) ?? undefined])
  )
  if (mode !== undefined && !MODES.includes(mode)) return null
  // The two belong together: one without the other is a mistake.
  if ((mode === 'address') !== (addresses !== undefined)) return null
  const addressSet = addresses === undefined ? new Set<string>() : readAddresses(addresses, maxAddresses)
  const tagSet = tags === undefined ? null : readTags(tags)
  const position = since === undefined ? null : readSince(since)
  if (addressSet === null || tagSet === 'wrong' || position === 'wrong') return null
  return {
    token,
    mode: (mode as ClientMode | undefined) ?? 'delta',
    addresses: addressSet,
    tags: tagSet,
    since: position
  }
}

/** Reads a list of at least one address, all of one network; null for any other value. */
export function readAddresses(value: unknown, maxAddresses: number): ReadonlySet<string> | null {
  if (!Array.isArray(value) || value.length === 0 || value.length > maxAddresses) return null
  const networks = new Set<number>()
  for (const address of value as unknown[]) {
    const network = typeof address === 'string' && address.length <= 256 ? networkOfAddresses(address) : null
    if (network === null) return null
    networks.add(network)
  }
  return networks.size === 1 ? new Set(value as string[]) : null
}

/** Returns the network of a payment address; null for any other text. */
export function networkOfAddresses(address: string): number | null {
  try {
    const { type, networkId } = parseAddress(address)
    return type === 'reward' ? null : networkId
  } catch {
    return null
  }
}

function readTags(value: unknown): ReadonlySet<string> | 'wrong' {
  const isList =
    Array.isArray(value) &&
    value.length <= MAX_TAGS &&
    value.every((tag) => typeof tag === 'string' && tag.length <= 64)
  return isList ? new Set(value as string[]) : 'wrong'
}

function readSince(value: unknown): { headId: string; number: number } | 'wrong' {
  if (!isRecord(value)) return 'wrong'
  const headId = getOwn(value, 'headId')
  const number = getOwn(value, 'number')
  const isPosition =
    typeof headId === 'string' &&
    headId.length <= MAX_HEAD_ID_CHARACTERS &&
    Number.isSafeInteger(number) &&
    (number as number) >= 0
  return isPosition ? { headId, number: number as number } : 'wrong'
}
