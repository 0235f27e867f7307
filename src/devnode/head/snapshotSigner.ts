import { CborWriter } from '../../codec/cbor/writer.js'
import { concatBytes } from '../../codec/bytes.js'
import { bytesToHex, hexToBytes } from '../../codec/hex.js'
import { signWithSeed } from '../../crypto/ed25519.js'
import { blake2b256 } from '../../hash/blake2b.js'
import type { SignedSnapshot, Snapshot } from './types.js'
import type { DevKey } from '../keys.js'

/** Signs snapshots with the Hydra keys of all parties. */
export class SnapshotSigner {
  readonly #keys: readonly DevKey[]
  #accumulator: Uint8Array = new Uint8Array(32)

  constructor(keys: readonly DevKey[]) {
    this.#keys = keys
  }

  /** Verification keys, hex, the node's own first. */
  get parties(): readonly string[] {
    return this.#keys.map(({ publicKey }) => bytesToHex(publicKey))
  }

  sign(content: Omit<Snapshot, 'accumulator'>): SignedSnapshot {
    // A hash over all confirmed transactions so far stands for the UTxO, so that signing costs the same in a large head.
    this.#accumulator = blake2b256(concatBytes(this.#accumulator, ...content.confirmed.map(({ txId }) => hexToBytes(txId))))
    const snapshot = { ...content, accumulator: bytesToHex(this.#accumulator) }
    const message = snapshotMessage(snapshot)
    return { snapshot, signatures: this.#keys.map(({ seed, publicKey }) => bytesToHex(signWithSeed(message, seed, publicKey))) }
  }
}

/** What the parties sign: CBOR [head id, version, number, accumulator]. */
export function snapshotMessage(snapshot: Pick<Snapshot, 'headId' | 'version' | 'number' | 'accumulator'>): Uint8Array {
  const { headId, version, number, accumulator } = snapshot
  return new CborWriter().array(4).bytes(hexToBytes(headId)).uint(version).uint(number).bytes(hexToBytes(accumulator)).toBytes()
}
