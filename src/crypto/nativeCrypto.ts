/** The part of Node's own `crypto` that is used where it is there. */
interface NativeCrypto {
  pbkdf2Sync(password: Uint8Array, salt: Uint8Array, rounds: number, length: number, digest: string): Uint8Array
  createHash?(algorithm: string): { update(data: Uint8Array): unknown; digest(): Uint8Array }
  hash?(algorithm: string, data: Uint8Array, encoding: 'buffer'): Uint8Array
  createPrivateKey(key: { key: Uint8Array; format: 'der'; type: 'pkcs8' }): object
  createPublicKey(key: object): { export(options: { format: 'der'; type: 'spki' }): Uint8Array }
  sign(algorithm: null, message: Uint8Array, key: object): Uint8Array
  verify(algorithm: null, message: Uint8Array, key: object, signature: Uint8Array): boolean
}

/**
 * Returns the result of `use` with the runtime's own crypto; undefined where there is none, or only half of one. Node,
 * Bun, Deno and workerd hand it out without an import that bundlers would see.
 */
export function withNodeCrypto<T>(use: (crypto: NativeCrypto) => T): T | undefined {
  const host = (globalThis as { process?: { getBuiltinModule?: (id: string) => unknown } }).process
  try {
    const crypto = host?.getBuiltinModule?.('node:crypto') as NativeCrypto | undefined
    return crypto && use(crypto)
  } catch {
    return undefined
  }
}
