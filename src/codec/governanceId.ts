import { describeValue } from '../errors/base.js'
import { InvalidArgumentError, InvalidBech32Error } from '../errors/input.js'
import { assertCredential, type Credential, hashBytes } from './address.js'
import { decodeBech32, encodeBech32 } from './bech32.js'
import { concatBytes } from './bytes.js'
import { bytesToHex, hexToBytes } from './hex.js'

/** Role of a governance id: a representative, or a committee member's hot or cold credential. */
export type GovernanceRole = 'cc_hot' | 'cc_cold' | 'drep'

/** The parts of a governance id. */
export interface GovernanceId extends Credential {
  /** Role of the id. */
  readonly role: GovernanceRole
  /** CIP that defines the form of the text. */
  readonly format: 'CIP-105' | 'CIP-129'
}

// CIP-129: the high nibble of the header byte.
const ROLES: readonly GovernanceRole[] = ['cc_hot', 'cc_cold', 'drep']
/** Low nibble of the header byte (CIP-129): kind of the credential. */
const KEY = 2
const SCRIPT = 3
const HASH_BYTES = 28

/**
 * Encodes a credential as a governance id. CIP-129 (default): `drep1`, `cc_hot1`, `cc_cold1` with a header byte.
 * CIP-105: `drep_vkh1`, `drep_script1` and so on.
 *
 * @throws {@link InvalidArgumentError} @throws {@link InvalidHexError}
 * @example
 * ```ts
 * import { encodeGovernanceId } from 'layer-sdk/utils'
 * const hash = '8e6c79d3eb92d058e3170c2f26428e2b8de39ff4fd38470fca2dc1d9'
 * console.log(encodeGovernanceId('drep', { kind: 'key', hash })) // drep1...
 * ```
 */
export function encodeGovernanceId(
  role: GovernanceRole,
  credential: Credential,
  format: GovernanceId['format'] = 'CIP-129'
): string {
  const number = ROLES.indexOf(role)
  if (number < 0) throw new InvalidArgumentError('role', ROLES.join(', '), role)
  const checkedCredential = assertCredential(credential)
  const script = checkedCredential.kind === 'script'
  const hash = hashBytes(checkedCredential)
  if (format === 'CIP-105') return encodeBech32(`${role}_${script ? 'script' : 'vkh'}`, hash)
  if (format !== 'CIP-129') throw new InvalidArgumentError('format', 'CIP-105 or CIP-129', format)
  return encodeBech32(role, concatBytes(Uint8Array.of((number << 4) | (script ? SCRIPT : KEY)), hash))
}

/**
 * Parses a governance id, in the form of CIP-129, of CIP-105, or of its deprecated prefix `drep1`, `cc_hot1` or
 * `cc_cold1` with a bare key hash.
 *
 * @throws {@link InvalidBech32Error}
 * @example
 * ```ts
 * import { decodeGovernanceId, encodeGovernanceId } from 'layer-sdk/utils'
 * const id = encodeGovernanceId('cc_hot', { kind: 'script', hash: '8e6c79d3eb92d058e3170c2f26428e2b8de39ff4fd38470fca2dc1d9' })
 * console.log(decodeGovernanceId(id).role) // cc_hot
 * ```
 */
export function decodeGovernanceId(text: string): GovernanceId {
  const { prefix, bytes } = decodeBech32(text, 'governance id')
  const [, name, form] = /^(cc_hot|cc_cold|drep)(_vkh|_script)?$/.exec(prefix) ?? []
  const role = name as GovernanceRole
  const hasHeader = form === undefined && bytes.length === HASH_BYTES + 1
  const kind = hasHeader ? bytes[0]! - (ROLES.indexOf(role) << 4) : form === '_script' ? SCRIPT : KEY
  if (name === undefined || (kind !== KEY && kind !== SCRIPT) || !(hasHeader || bytes.length === HASH_BYTES)) {
    throw invalid('drep1, cc_hot1 or cc_cold1, with a header of the same role and a hash of 28 bytes', prefix)
  }
  const hash = bytesToHex(bytes.slice(-HASH_BYTES))
  return { role, kind: kind === SCRIPT ? 'script' : 'key', hash, format: hasHeader ? 'CIP-129' : 'CIP-105' }
}

/**
 * Encodes the id `gov_action1...` of a governance action from the transaction id and index of its proposal.
 *
 * @throws {@link InvalidHexError}, {@link InvalidArgumentError} on another id or index.
 * @example
 * ```ts
 * import { encodeGovernanceActionId } from 'layer-sdk/utils'
 * console.log(encodeGovernanceActionId('00'.repeat(32), 17)) // gov_action1...
 * ```
 * @see CIP-129
 */
export function encodeGovernanceActionId(txHash: string, index: number): string {
  if (!Number.isInteger(index) || index < 0 || index > 0xffff) {
    throw new InvalidArgumentError('index', 'a whole number from 0 to 65535', index)
  }
  const tail = index.toString(16).padStart(index < 256 ? 2 : 4, '0')
  return encodeBech32('gov_action', concatBytes(hexToBytes(txHash, 'txHash', 32), hexToBytes(tail)))
}

/**
 * Decodes a governance action id to its transaction id (`txHash`: hex, 64 characters) and `index`.
 *
 * @throws {@link InvalidBech32Error}
 * @example
 * ```ts
 * import { decodeGovernanceActionId, encodeGovernanceActionId } from 'layer-sdk/utils'
 * console.log(decodeGovernanceActionId(encodeGovernanceActionId('00'.repeat(32), 17)).index) // 17
 * ```
 */
export function decodeGovernanceActionId(text: string): { txHash: string; index: number } {
  const { prefix, bytes } = decodeBech32(text, 'governance action id')
  if (prefix !== 'gov_action' || bytes.length < 33 || bytes.length > 34) {
    throw invalid('gov_action1, of 32 bytes and an index', prefix)
  }
  const hex = bytesToHex(bytes)
  return { txHash: hex.slice(0, 64), index: parseInt(hex.slice(64), 16) }
}

function invalid(expected: string, got: string): InvalidBech32Error {
  return new InvalidBech32Error('governance id', { expected, got: describeValue(got) })
}
