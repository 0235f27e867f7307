import { isIP } from 'node:net'
import { isLoopback } from '../../net/loopback.js'

/**
 * Returns true for a Host header that names a loopback host, an IP address, or one of `names`. A web page whose domain
 * was made to resolve to the gateway (DNS rebinding) sends its own domain, so it is refused.
 */
export function isKnownHost(header: string | undefined, names: readonly string[] = []): boolean {
  const match = /^([\w.-]+|\[[\da-f:.]+\])(:\d{1,5})?$/i.exec(header ?? '')
  if (match === null) return false
  const name = match[1]!.toLowerCase()
  return isLoopback(name) || isIP(name.replace(/^\[|\]$/g, '')) !== 0 || names.includes(name)
}
