import { transactionHash } from '../codec/transaction.js'
import { readVkeyWitnesses } from '../codec/witnessSet.js'
import { bytesToHex } from '../codec/hex.js'
import { blake2b224 } from '../hash/blake2b.js'
import type { ReadTx } from './readTx.js'

type Ed25519 = (typeof import('@noble/curves/ed25519.js'))['ed25519']

/**
 * Hex of the beginning of an output's Plutus data, up to the key hash, if the payment credential is a key. For a script
 * its last constructor is `d87a9f`.
 */
const KEY_OUTPUT = 'd8799fd8799fd8799f581c'
const HASH_CHARACTERS = 56

/** Returns the hash of the key that must sign to spend an output: hex; null when a script decides. */
export function ownerOf(data: Uint8Array): string | null {
  const start = bytesToHex(data.subarray(0, (KEY_OUTPUT.length + HASH_CHARACTERS) / 2))
  return start.startsWith(KEY_OUTPUT) ? start.slice(KEY_OUTPUT.length) : null
}

/**
 * Returns true when the owners of the inputs of a transaction have signed it; false where an output that it spends is
 * not known. Scripts are not run.
 */
export async function isAuthorized(tx: ReadTx, outputAt: (key: string) => Uint8Array | undefined): Promise<boolean> {
  const owners = new Set<string>()
  for (const key of tx.spent) {
    const data = outputAt(key)
    if (data === undefined) return false
    const owner = ownerOf(data)
    if (owner !== null) owners.add(owner)
  }
  if (owners.size === 0) return true
  const { ed25519 } = await import('./ed25519.js')
  for (const owner of signersOf(tx, owners, ed25519)) owners.delete(owner)
  return owners.size === 0
}

function* signersOf(tx: ReadTx, owners: ReadonlySet<string>, ed25519: Ed25519): Generator<string> {
  const message = transactionHash(tx.spans)
  for (const { vkey, signature } of readVkeyWitnesses(tx.spans)) {
    const hash = bytesToHex(blake2b224(vkey))
    if (owners.has(hash) && ed25519.verify(signature, message, vkey, { zip215: false })) yield hash
  }
}
