import { isIP } from 'node:net'
import { isLoopback } from '../../net/loopback.js'

/**
 * True for a Host header of this machine, of an address, or of a name that the operator gave. A page that made its own
 * name resolve to the gateway (DNS rebinding) sends that name.
 */
export function isKnownHost(header: string | undefined, names: readonly string[] = []): boolean {
  const match = /^([\w.-]+|\[[\da-f:.]+\])(:\d{1,5})?$/i.exec(header ?? '')
  if (match === null) return false
  const name = match[1]!.toLowerCase()
  return isLoopback(name) || isIP(name.replace(/^\[|\]$/g, '')) !== 0 || names.includes(name)
}
