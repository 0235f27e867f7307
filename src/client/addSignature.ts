import { parseAddress } from '../codec/address.js'
import { signersOf } from '../tx/inner.js'
import type { ClientContext } from './ClientContext.js'
import type { OwnTx } from './ownTx.js'

/**
 * True when a signed transaction lacks a signature that this wallet can add: of a key that has to sign, or that a native
 * script without enough signatures names. Inputs that the head does not know count for nothing.
 */
export function lacksOwnSignature({ account }: ClientContext, { cborHex, pending }: OwnTx): boolean {
  const credentials = (account.addresses ?? []).flatMap((address) => {
    const { payment, stake } = parseAddress(address)
    return [payment, stake]
  })
  const keys = new Set(credentials.flatMap((each) => (each?.kind === 'key' ? [each.hash] : [])))
  if (keys.size === 0) return false
  const known = pending.inputs.filter(({ output }) => output.address !== '')
  const { signers, scripts } = signersOf(cborHex, known)
  const open = new Set(scripts.flatMap(({ satisfied, keyHashes }) => (satisfied ? [] : keyHashes)))
  return signers.some(({ keyHash, signed, needed }) => !signed && keys.has(keyHash) && (needed || open.has(keyHash)))
}
