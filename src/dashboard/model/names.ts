import type { LocalNode } from './local.js'

/**
 * Returns the names of known addresses: `alice`, `account 0`, and `you` for the open wallet. They are given by the page
 * alone, never by text of the node, and stand beside an address, never in its place.
 */
export function namesOf(local: LocalNode | null, wallet: string | null): ReadonlyMap<string, string> {
  const names = new Map<string, string>()
  for (const { index, address } of local?.accounts ?? []) names.set(address, `account ${index}`)
  for (const { name, address } of local?.keys ?? []) names.set(address, name)
  if (wallet !== null) {
    const walletName = names.get(wallet)
    names.set(wallet, walletName === undefined ? 'you' : `you (${walletName})`)
  }
  return names
}
