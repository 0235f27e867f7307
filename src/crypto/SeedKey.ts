import { expandSeed, publicKeyFromExtended, signExtended } from './ed25519.js'
import { importSeed, type NativeKey } from './nativeEd25519.js'

/**
 * Signing key of a 32-byte seed (RFC 8032), for many signatures. It signs with the runtime's own Ed25519 where there is
 * one, else with noble's; the signatures are the same.
 */
export class SeedKey {
  /** 32 bytes. */
  readonly publicKey: Uint8Array
  /** kL | kR, for runtimes without Ed25519 of their own. */
  readonly #extended: Uint8Array
  #native: NativeKey | undefined

  constructor(seed: Uint8Array) {
    this.#extended = expandSeed(seed)
    this.#native = importSeed(seed)
    this.publicKey = this.#native?.publicKey ?? publicKeyFromExtended(this.#extended)
  }

  /** Returns the signature, 64 bytes. Must not be called after {@link dispose}. */
  sign(message: Uint8Array): Uint8Array {
    return this.#native?.sign(message) ?? signExtended(message, this.#extended, this.publicKey)
  }

  /** Clears the secret, and drops the runtime's copy. */
  dispose(): void {
    this.#extended.fill(0)
    this.#native = undefined
  }
}
