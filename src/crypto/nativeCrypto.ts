/** The part of Node's own `crypto` that this package uses where the runtime has it. */
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
 * Calls `use` with the runtime's own crypto and returns its result; undefined when the runtime has no such crypto or
 * `use` throws because it is incomplete. Node, Bun, Deno and workerd provide it without an import that bundlers would
 * see.
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
