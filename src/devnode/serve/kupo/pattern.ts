import { addressFromBytes, addressToString, parseAddress } from '../../../codec/address.js'
import { decodeBech32 } from '../../../codec/bech32.js'
import { bytesToHex, hexToBytes } from '../../../codec/hex.js'
import { blake2b224 } from '../../../hash/blake2b.js'
import type { LedgerEntry } from '../../rules/utxoSet.js'
import { entryRefOf } from '../../rules/utxoSet.js'

/** True when an output matches. */
export type Pattern = (entry: LedgerEntry) => boolean

/**
 * Parses a pattern of Kupo (Data/Pattern.hs), or returns `null` when the text is not one. Metadata tags cannot be
 * queried by, as in Kupo.
 */
export function readPattern(text: string): Pattern | null {
  try {
    return text === '*'
      ? () => true
      : (readAddress(text) ?? readCredentials(text) ?? readReference(text) ?? readAsset(text))
  } catch {
    return null
  }
}

function readAddress(text: string): Pattern | null {
  if (text.includes('/') || text.includes('@') || text.includes('.')) return null
  if (/^([0-9a-f]{2})+$/i.test(text)) return exactly(addressToString(addressFromBytes(hexToBytes(text)).bytes))
  const { type, stake } = parseAddress(text)
  return type === 'reward' ? (entry) => stakeHash(entry) === stake!.hash : exactly(text)
}

const exactly =
  (address: string): Pattern =>
  ({ output }) =>
    output.address === address

function stakeHash({ output }: LedgerEntry): string | undefined {
  return parseAddress(output.address).stake?.hash
}

function readCredentials(text: string): Pattern | null {
  const [payment, stake, ...more] = text.split('/')
  if (stake === undefined) return null
  if (more.length > 0) throw new Error('a credential and another')
  const hashes = [payment!, stake].map((part) => (part === '*' ? null : credentialHash(part)))
  return (entry) => {
    // Addresses without credentials are Byron's, which only the one wildcard matches.
    if (entry.payment === null) return false
    return (
      (hashes[0] === null || entry.payment.hash === hashes[0]) && (hashes[1] === null || stakeHash(entry) === hashes[1])
    )
  }
}

const KEY_PREFIXES = ['vk', 'addr_vk', 'stake_vk']
const HASH_PREFIXES = ['vkh', 'addr_vkh', 'stake_vkh', 'script']
const KEY_BYTES = 32
const HASH_BYTES = 28

/** Returns the hash of a key or a script; a key is hashed first. */
function credentialHash(text: string): string {
  const { prefix, bytes } = /^[0-9a-f]+$/i.test(text) ? { prefix: null, bytes: hexToBytes(text) } : decodeBech32(text)
  if (bytes.length === KEY_BYTES && (prefix === null || KEY_PREFIXES.includes(prefix)))
    return bytesToHex(blake2b224(bytes))
  if (bytes.length === HASH_BYTES && (prefix === null || HASH_PREFIXES.includes(prefix))) return bytesToHex(bytes)
  throw new Error('no credential')
}

function readReference(text: string): Pattern | null {
  const [index, id, ...more] = text.split('@')
  if (id === undefined) return null
  if (!isHexPattern(id, 64) || more.length > 0) throw new Error('no transaction id')
  const txHash = id.toLowerCase()
  if (index === '*') return ({ input }) => input.txHash === txHash
  if (!/^\d{1,5}$/.test(index!)) throw new Error('no index')
  const ref = entryRefOf({ txHash, index: Number(index) })
  return (entry) => entry.ref === ref
}

function readAsset(text: string): Pattern | null {
  const [policy, name, ...more] = text.split('.')
  if (name === undefined || more.length > 0 || !isHexPattern(policy!, 56)) return null
  if (name === '*') return holdsPolicy(policy!)
  return /^([0-9a-f]{2}){0,32}$/i.test(name) ? holdsAsset(policy!, name) : null
}

export function holdsPolicy(policy: string): Pattern {
  const wanted = policy.toLowerCase()
  return ({ value }) => [...value.keys()].some((unit) => unit.startsWith(wanted))
}

export function holdsAsset(policy: string, name: string): Pattern {
  const unit = `${policy}${name}`.toLowerCase()
  return ({ value }) => value.has(unit)
}

export const isHexPattern = (text: string, characters: number): boolean =>
  text.length === characters && /^[0-9a-f]+$/i.test(text)
