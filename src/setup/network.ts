/** A network: its name, or the magic number of another test network. */
export type HeadNetwork = 'mainnet' | 'preprod' | 'preview' | number

/** Magic numbers of the networks with a name (book.world.dev.cardano.org/environments.html). */
export const MAGIC_BY_NAME = { mainnet: 764824073, preprod: 1, preview: 2 } as const

/** Largest magic of a network: 32 bits. */
const MAX_MAGIC = 0xffff_ffff

/** Returns the network that a name or a magic number stands for; null for any other value. */
export function parseNetwork(value: unknown): HeadNetwork | null {
  if (typeof value === 'string' && Object.hasOwn(MAGIC_BY_NAME, value)) return value as keyof typeof MAGIC_BY_NAME
  if (typeof value !== 'number' || !Number.isInteger(value) || value < 0 || value > MAX_MAGIC) return null
  const named = Object.entries(MAGIC_BY_NAME).find(([, magic]) => magic === value)
  return named === undefined ? value : (named[0] as keyof typeof MAGIC_BY_NAME)
}

/** Returns the magic number of a network. */
export function magicOf(network: HeadNetwork): number {
  return typeof network === 'number' ? network : MAGIC_BY_NAME[network]
}
