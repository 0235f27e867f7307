import { bytesToHex } from '../../codec/hex.js'
import { SeedKey, signWithSeed } from '../../crypto/inner.js'
import type { DevKey } from '../settings/keys.js'
import type { SigningRule } from '../settings/profiles.js'
import { signableBytes } from './signableBytes.js'
import type { SignedLocalSnapshot, LocalSnapshot, SnapshotHashes } from './types.js'

/** Signs snapshots with the Hydra keys of all parties. */
export class SnapshotSigner {
  readonly #keys: readonly SeedKey[]
  readonly #rule: SigningRule

  constructor(keys: readonly DevKey[], rule: SigningRule) {
    this.#keys = keys.map(({ seed }) => new SeedKey(seed))
    this.#rule = rule
  }

  /** Verification keys, hex, the node's own first. */
  get parties(): readonly string[] {
    return this.#keys.map(({ publicKey }) => bytesToHex(publicKey))
  }

  sign(
    content: Omit<LocalSnapshot, 'accumulator' | 'appliedAccumulator'>,
    hashes: SnapshotHashes
  ): SignedLocalSnapshot {
    const message = signableBytes(content, this.#rule, hashes)
    const { accumulator, applied } = hashes
    return {
      snapshot: { ...content, accumulator, ...(applied === undefined ? {} : { appliedAccumulator: applied }) },
      signatures: this.#keys.map((key) => bytesToHex(key.sign(message))),
      hashes
    }
  }

  /** Returns the same snapshot in the form of the source after the newest release: signed over both accumulators. */
  signInUnknownForm({ snapshot, hashes }: SignedLocalSnapshot): SignedLocalSnapshot {
    const shown = { ...hashes, applied: hashes.applied ?? hashes.accumulator }
    const message = signableBytes(snapshot, 'next', shown)
    return {
      snapshot: { ...snapshot, appliedAccumulator: shown.applied },
      signatures: this.#keys.map((key) => bytesToHex(key.sign(message))),
      hashes: shown
    }
  }

  /** Returns the same snapshot with its last signature made by a key that none of the parties has. */
  signAsStranger(signed: SignedLocalSnapshot, { seed, publicKey }: DevKey): SignedLocalSnapshot {
    const message = signableBytes(signed.snapshot, this.#rule, signed.hashes)
    return {
      ...signed,
      signatures: [...signed.signatures.slice(0, -1), bytesToHex(signWithSeed(message, seed, publicKey))]
    }
  }
}
