import { createHash } from 'node:crypto'

/** Repeatable random bytes: the same test fails the same way twice. */
export function randomSource(seed: string): {
  bytes(length: number): Uint8Array
  below(n: number): number
  pick<T>(items: readonly T[]): T
} {
  let counter = 0
  let pool = Buffer.alloc(0)
  const bytes = (length: number): Uint8Array => {
    while (pool.length < length)
      pool = Buffer.concat([pool, createHash('sha512').update(`${seed}/${counter++}`).digest()])
    const out = Uint8Array.from(pool.subarray(0, length))
    pool = pool.subarray(length)
    return out
  }
  const below = (n: number): number => Number(Buffer.from(bytes(6)).readUIntBE(0, 6) % n)
  return { bytes, below, pick: (items) => items[below(items.length)]! }
}
