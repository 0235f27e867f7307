/** Address of a node in the network of the nodes of a head. */
export interface PeerAddress {
  readonly host: string
  readonly port: number
}

/** Splits `host:port` at the last colon, as the node does; null where the node refuses it. */
export function parsePeer(text: unknown): PeerAddress | null {
  if (typeof text !== 'string' || text.length > 300) return null
  const [, host, digits] = /^([\s\S]*):(\d{1,5})$/.exec(text) ?? []
  if (host === undefined || Number(digits) > 65_535) return null
  return { host, port: Number(digits) }
}

/**
 * Returns true for an address that other nodes can reach: a host without spaces, commas and slashes, and a port from 1
 * on.
 */
export function isPeer(text: unknown): text is string {
  const peer = parsePeer(text)
  return peer !== null && peer.port > 0 && peer.host.length <= 253 && /^[^\s,=/"'\\]+$/.test(peer.host)
}

const WILDCARDS = ['0.0.0.0', '::', '[::]', '*']
const LOOPBACKS = ['127.0.0.1', 'localhost', '::1', '[::1]']

/** Returns true for a host that stands for all interfaces of a machine. */
export const isWildcard = (host: string): boolean => WILDCARDS.includes(host)

/** Returns true for a loopback host, which only the machine itself reaches. */
export const isLoopbackHost = (host: string): boolean => LOOPBACKS.includes(host) || /^127(\.\d{1,3}){3}$/.test(host)

/**
 * Returns true when an entry of the configured peers is the node itself, by the rule of the node (Config.hs,
 * isSelfAddress): the entry is the advertised address if there is one, or else has the same port and a host that may be
 * this one.
 */
export function isSelf(listen: PeerAddress, advertise: PeerAddress | null, peer: PeerAddress): boolean {
  if (advertise !== null) return advertise.port === peer.port && advertise.host === peer.host
  if (listen.port !== peer.port) return false
  const [any, own] = [
    ['0.0.0.0', '::', '*'],
    ['127.0.0.1', 'localhost', '::1']
  ]
  return (
    listen.host === peer.host || ((any.includes(listen.host) || own.includes(listen.host)) && own.includes(peer.host))
  )
}
