import { sha512 } from '@noble/hashes/sha2.js'

const BLOCK_BYTES = 128
const DIGEST_BYTES = 64

/**
 * HMAC-SHA512 (RFC 2104) under one key: the key is hashed once, so that each message costs half. Both key derivations need many
 * messages under one key.
 */
export class HmacSha512 {
  readonly #inner: ReturnType<typeof sha512.create>
  readonly #outer: ReturnType<typeof sha512.create>
  readonly #work: ReturnType<typeof sha512.create> = sha512.create()

  constructor(key: Uint8Array) {
    const pad = new Uint8Array(BLOCK_BYTES)
    pad.set(key.length > BLOCK_BYTES ? sha512(key) : key)
    this.#inner = sha512.create().update(pad.map((byte) => byte ^ 0x36))
    this.#outer = sha512.create().update(pad.map((byte) => byte ^ 0x5c))
    pad.fill(0)
  }

  /** Writes the 64 bytes for a message into `out`, which may be the message itself. */
  digestInto(message: Uint8Array, out: Uint8Array): Uint8Array {
    this.#inner._cloneInto(this.#work).update(message).digestInto(out)
    this.#outer._cloneInto(this.#work).update(out).digestInto(out)
    return out
  }

  digest(message: Uint8Array): Uint8Array {
    return this.digestInto(message, new Uint8Array(DIGEST_BYTES))
  }

  /** Clears the state that the key left. */
  dispose(): void {
    for (const state of [this.#inner, this.#outer, this.#work]) state.destroy()
  }
}

/** PBKDF2 with HMAC-SHA512 (RFC 8018, 5.2). */
export function pbkdf2Sha512(password: Uint8Array, salt: Uint8Array, rounds: number, length: number): Uint8Array {
  const mac = new HmacSha512(password)
  const key = new Uint8Array(length)
  const first = new Uint8Array(salt.length + 4)
  first.set(salt)
  const u = new Uint8Array(DIGEST_BYTES)
  for (let block = 1, at = 0; at < length; block++, at += DIGEST_BYTES) {
    const part = key.subarray(at, at + DIGEST_BYTES)
    new DataView(first.buffer).setUint32(salt.length, block)
    part.set(mac.digestInto(first, u).subarray(0, part.length))
    for (let round = 1; round < rounds; round++) {
      mac.digestInto(u, u)
      for (let i = 0; i < part.length; i++) part[i]! ^= u[i]!
    }
  }
  mac.dispose()
  first.fill(0)
  u.fill(0)
  return key
}
