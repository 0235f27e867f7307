import { hmac } from '@noble/hashes/hmac.js'
import { sha512 } from '@noble/hashes/sha2.js'

/**
 * HMAC-SHA512 (RFC 2104) for many messages under one key: noble hashes the key once, and each message starts from a
 * copy.
 */
export class HmacSha512 {
  readonly #keyed: ReturnType<typeof hmac.create>

  constructor(key: Uint8Array) {
    this.#keyed = hmac.create(sha512, key)
  }

  /** Returns the HMAC of a message, 64 bytes. */
  digest(message: Uint8Array): Uint8Array {
    return this.#keyed.clone().update(message).digest()
  }

  /** Clears the state that was computed from the key. */
  dispose(): void {
    this.#keyed.destroy()
  }
}
