import { isLoopback } from '../../net/loopback.js'
import { described } from '../../errors/base.js'
import { BridgeOptionsError, InsecureUrlError } from '../../errors/bridge.js'

/** Options of a connection that go into the query of its URL. */
export interface ConnectionQuery {
  /** True: the node's stored messages are sent before new ones. @default false */
  readonly history?: boolean | undefined
  /** True: snapshots come without their outputs. @default false */
  readonly noSnapshotUtxo?: boolean | undefined
  /** Only snapshots whose transactions pay to this address (bech32). */
  readonly address?: string | undefined
}

const API_KEY = 'x-api-key'

/**
 * Checks the URL of a node or hub and returns it with the scheme of a WebSocket. Errors never contain the URL, because
 * it may hold a key. `onPlain` is called with the host when a URL without a key would cross a network unencrypted.
 * @throws {@link BridgeOptionsError}, {@link InsecureUrlError}
 */
export function checkNodeUrl(text: unknown, allowInsecure: boolean, onPlain?: (host: string) => void): string {
  let url: URL | undefined
  try {
    url = new URL(text as string)
  } catch {
    /* reported below, without the text */
  }
  if (url === undefined || typeof text !== 'string' || !/^(ws|http)s?:$/.test(url.protocol)) {
    throw new BridgeOptionsError(
      'url',
      'a URL beginning with ws:// or wss://, e.g. ws://127.0.0.1:4001',
      typeof text !== 'string'
        ? text
        : url === undefined
          ? described('a text that is not a URL')
          : described(`a URL of ${url.protocol}//`)
    )
  }
  if (!allowInsecure && isPlainRemote(url)) {
    if (url.username + url.password !== '' || [...url.searchParams.keys()].some(isKey)) assertEncrypted(url)
    onPlain?.(url.host)
  }
  return text.replace(/^http/i, 'ws')
}

/**
 * Checks that a key is sent encrypted. @throws {@link InsecureUrlError} when a key for this URL would cross a network
 * in clear text
 */
export function assertEncrypted(url: URL): void {
  if (isPlainRemote(url)) throw new InsecureUrlError(originOf(url.href))
}

/** Returns the part of a URL that errors may show: no path, no query, no credentials. */
export function originOf(text: string): string {
  const { protocol, host } = new URL(text)
  return `${protocol}//${host}`
}

/** True when traffic to this URL crosses a network unencrypted. */
export function isPlainRemote(url: URL): boolean {
  return /^(ws|http):$/.test(url.protocol) && !isLoopback(url.hostname)
}

/**
 * Returns the WebSocket URL with the options merged into its query. An option that is given overrides one in the URL;
 * the rest stays as it was written. `history` is always present, because nodes up to 0.20 replay by default.
 */
export function socketUrl(text: string, query: ConnectionQuery): string {
  const { base, parts } = splitUrl(text)
  const { history, noSnapshotUtxo, address } = query
  const ours: string[] = []
  const written = (name: string): boolean => parts.some((part) => nameOf(part) === name)
  if (history !== undefined || !written('history')) ours.push(`history=${history === true ? 'yes' : 'no'}`)
  if (noSnapshotUtxo === true) ours.push('snapshot-utxo=no')
  if (address !== undefined) ours.push(`address=${encodeURIComponent(address)}`)
  const replaced = new Set(ours.map(nameOf))
  return `${base}?${[...parts.filter((part) => !replaced.has(nameOf(part))), ...ours].join('&')}`
}

/** True when a WebSocket URL, after {@link socketUrl}, has the node replay its stored messages. */
export function asksForHistory(url: string): boolean {
  // Anything but "yes" is "no" to the node.
  return splitUrl(url).parts.some(
    (part) => nameOf(part) === 'history' && decode(part.slice(part.indexOf('=') + 1)) === 'yes'
  )
}

/** Returns the text before the query, and the query's parts as they were written. */
export function splitUrl(text: string): { base: string; parts: string[] } {
  const [whole = ''] = text.split('#')
  const at = whole.indexOf('?')
  return at < 0
    ? { base: whole, parts: [] }
    : {
        base: whole.slice(0, at),
        parts: whole
          .slice(at + 1)
          .split('&')
          .filter((part) => part !== '')
      }
}

/** Returns the name in one part (`name=value`) of a query. */
export function nameOf(part: string): string {
  return decode(part.split('=', 1)[0] as string)
}

/** Decodes the escapes in a part of a query; a broken escape is left as it is. */
export function decode(text: string): string {
  try {
    return decodeURIComponent(text.replace(/\+/g, ' '))
  } catch {
    return text
  }
}

/** Returns true when a parameter of this name is a hub's key. */
export function isKey(name: string): boolean {
  return name.toLowerCase() === API_KEY
}
