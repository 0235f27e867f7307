import { assertHex, fail, isPlainRecord, ownMember } from '../accumulator/inner.js'
import { hexToBytes } from '../codec/hex.js'

type Ed25519 = (typeof import('@noble/curves/ed25519.js'))['ed25519']

/**
 * Maximum number of parties, far more than a head can have: its transactions on the base ledger have room for about
 * ten.
 */
const MAX_PARTIES = 256

/** Reads the head keys of the parties, in their order. Rejects a key that occurs twice. */
export function readParties(parties: unknown): Uint8Array[] {
  if (!Array.isArray(parties) || parties.length === 0 || parties.length > MAX_PARTIES)
    return fail('parties', 'The parties', `an array of 1 to ${MAX_PARTIES} vkeys`, parties)
  const seen = new Set<string>()
  return Array.from(parties as unknown[], (party, i) => {
    const what = `The vkey of party ${i}`
    const vkey = assertHex('parties', what, isPlainRecord(party) ? ownMember(party, 'vkey') : party, 32)
    if (seen.has(vkey)) fail('parties', what, 'a key of its own', 'the key of another party')
    seen.add(vkey)
    return hexToBytes(vkey)
  })
}

/** Reads the signatures, one for each party: an array of hex, or the node's `{ multiSignature }`. */
export function readSignatures(signatures: unknown, count: number): Uint8Array[] {
  const list = isPlainRecord(signatures) ? ownMember(signatures, 'multiSignature') : signatures
  if (!Array.isArray(list) || list.length !== count)
    return fail('signature', 'The signatures', `an array of ${count}, one for each party`, list)
  return Array.from(list as unknown[], (signature, i) =>
    hexToBytes(assertHex('signature', `Signature ${i}`, signature, 64))
  )
}

/** Checks the signatures of all parties over a message. */
export type SignatureCheck = (message: Uint8Array, signatures: readonly Uint8Array[]) => void

/**
 * Creates a check that each signature is valid under the key at the same position. The check throws a
 * {@link VerificationError}: with reason `party-order` when the first wrong signature is a different party's, else
 * `signature`.
 *
 * @throws {@link VerificationError} with reason `parties` on a weak key, for which others than its owner could make
 * signatures.
 */
export async function createSignatureCheck(parties: readonly Uint8Array[]): Promise<SignatureCheck> {
  const { ed25519 } = await import('./ed25519.js')
  parties.forEach((party, i) => {
    if (!isPrimeOrder(ed25519, party))
      fail('parties', `The vkey of party ${i}`, 'the canonical encoding of a point of prime order', 'other bytes')
  })
  return (message, signatures) => {
    const wrong = parties.findIndex((party, i) => !verifies(ed25519, signatures[i]!, message, party))
    if (wrong < 0) return
    const other = parties.findIndex((party) => verifies(ed25519, signatures[wrong]!, message, party))
    if (other >= 0) fail('party-order', 'The order of the parties', `party ${other} in place ${wrong}`, 'another')
    fail('signature', `Signature ${wrong}`, `a signature of party ${wrong} over this snapshot`, 'another')
  }
}

/**
 * Verifies a signature (RFC 8032) as strictly as the node's libsodium: S below L, canonical encodings, no point of
 * small order. noble's check leaves out components of small order on both sides of its equation; R of prime order,
 * beside a key that is, makes it the equation without cofactor.
 */
function verifies(ed25519: Ed25519, signature: Uint8Array, message: Uint8Array, party: Uint8Array): boolean {
  return (
    ed25519.verify(signature, message, party, { zip215: false }) && isPrimeOrder(ed25519, signature.subarray(0, 32))
  )
}

function isPrimeOrder({ Point }: Ed25519, bytes: Uint8Array): boolean {
  try {
    const point = Point.fromBytes(bytes, false)
    return !point.is0() && point.isTorsionFree()
  } catch {
    return false
  }
}
