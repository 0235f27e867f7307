import type { IncomingMessage } from 'node:http'
import { isIPv6 } from 'node:net'

/** Characters of an address as a proxy may write it, zone and port included. */
const MAX_CHARACTERS = 80

/**
 * Returns the IP address by which limits count a request. Of an IPv6 address it is the /64 network, since one client
 * may use all addresses of it.
 */
export function addressOfClient({ socket, headers }: IncomingMessage, trustProxy: boolean): string {
  const forwarded = trustProxy ? headers['x-forwarded-for'] : undefined
  // The last one was written by the proxy itself; those before it are the client's own words.
  const last = (Array.isArray(forwarded) ? forwarded.join(',') : forwarded)?.split(',').at(-1)?.trim()
  return limitedAddress(last === undefined || last === '' ? (socket.remoteAddress ?? '') : last)
}

/** Returns `ip ` and the IPv4 address, or the /64 network of the IPv6 address; ports and brackets are dropped. */
export function limitedAddress(text: string): string {
  const bare = text
    .slice(0, MAX_CHARACTERS)
    .replace(/^\[([^\]]*)\](:\d+)?$/, '$1')
    .replace(/^(\d+(?:\.\d+){3}):\d+$/, '$1')
    .replace(/%.*$/, '')
    .toLowerCase()
  if (!isIPv6(bare)) return `ip ${bare}`
  const mapped = /^(?:0{0,4}:){1,5}:?ffff:(\d+(?:\.\d+){3})$/.exec(bare)
  return mapped === null ? `ip ${networkOf(bare)}::/64` : `ip ${mapped[1]!}`
}

/** Returns the first four groups of an IPv6 address, without leading zeros. */
function networkOf(address: string): string {
  const [head = '', tail] = address.split('::')
  const groups = head === '' ? [] : head.split(':')
  if (tail !== undefined) {
    const after = tail === '' ? [] : tail.split(':')
    // An address of IPv4 at the end stands for two groups.
    const count = groups.length + after.length + (tail.includes('.') ? 1 : 0)
    groups.push(...Array<string>(Math.max(0, 8 - count)).fill('0'), ...after)
  }
  return groups
    .slice(0, 4)
    .map((group) => group.replace(/^0+(?=.)/, ''))
    .join(':')
}
