/** The part of Node's own `crypto` that is used where it is there. */
export interface NativeCrypto {
  pbkdf2Sync(password: Uint8Array, salt: Uint8Array, rounds: number, length: number, digest: string): Uint8Array
  hash?(algorithm: string, data: Uint8Array, encoding: 'buffer'): Uint8Array
  createPublicKey(key: { key: Uint8Array; format: 'der'; type: 'spki' }): object
  verify(algorithm: null, message: Uint8Array, key: object, signature: Uint8Array): boolean
}

/** Node, Bun, Deno and workerd hand out their native module without an import that bundlers would see; elsewhere there is none. */
export function nativeCrypto(): NativeCrypto | undefined {
  const host = (globalThis as { process?: { getBuiltinModule?: (id: string) => unknown } }).process
  return host?.getBuiltinModule?.('node:crypto') as NativeCrypto | undefined
}
