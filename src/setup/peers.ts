/** An address of the nodes' network. */
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

/** True for an address that other nodes can reach: a host without spaces, commas and slashes, and a port from 1 on. */
export function isPeer(text: unknown): text is string {
  const peer = parsePeer(text)
  return peer !== null && peer.port > 0 && peer.host.length <= 253 && /^[^\s,=/"'\\]+$/.test(peer.host)
}

const WILDCARDS = ['0.0.0.0', '::', '[::]', '*']
const LOOPBACKS = ['127.0.0.1', 'localhost', '::1', '[::1]']

/** True for an address that stands for every interface of a machine. */
export const isWildcard = (host: string): boolean => WILDCARDS.includes(host)

/** True for a machine's address of its own. */
export const isLoopbackHost = (host: string): boolean => LOOPBACKS.includes(host) || /^127(\.\d{1,3}){3}$/.test(host)

/**
 * True where an entry of the configuration's peers is the node itself, by the node's rule (Config.hs, isSelfAddress):
 * the advertised address when there is one, else the same port and a host that may be this one.
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
