import { isLoopback } from '../../net/loopback.js'
import { BridgeOptionsError, InsecureUrlError } from '../../errors/bridge.js'

/** Messages and replies that a connection is to deliver. */
export interface ConnectionQuery {
  /** Past messages before the present ones. @default false */
  readonly history?: boolean | undefined
  /** No outputs in snapshots. @default false */
  readonly noSnapshotUtxo?: boolean | undefined
  /** Only snapshots whose transactions pay to this address (bech32). */
  readonly address?: string | undefined
}

const API_KEY = 'x-api-key'

/**
 * Checks a node or hub URL and gives it the scheme of a WebSocket; never repeats it in an error, for it may hold a key.
 * `onPlain` gets the host of one without a key that crosses a network in clear text.
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
      typeof text !== 'string' ? text : url === undefined ? 'a text that is not a URL' : `a URL of ${url.protocol}`
    )
  }
  if (!allowInsecure && isPlainRemote(url)) {
    if (url.username + url.password !== '' || [...url.searchParams.keys()].some(isKey)) assertEncrypted(url)
    onPlain?.(url.host)
  }
  return text.replace(/^http/i, 'ws')
}

/** @throws {@link InsecureUrlError} when a key for this URL would cross a network in clear text */
export function assertEncrypted(url: URL): void {
  if (isPlainRemote(url)) throw new InsecureUrlError(originOf(url.href))
}

/** Part of a URL that errors may show: no path, no query, no credentials. */
export function originOf(text: string): string {
  const { protocol, host } = new URL(text)
  return `${protocol}//${host}`
}

/** True when traffic to this URL crosses a network unencrypted. */
export function isPlainRemote(url: URL): boolean {
  return /^(ws|http):$/.test(url.protocol) && !isLoopback(url.hostname)
}

/**
 * The WebSocket URL with our parameters merged into its query; an option that is given wins over one in the URL,
 * everything else stays as it was written. `history` is always present: nodes up to 0.20 replay by default.
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

/** Name of a part of a query. */
export function nameOf(part: string): string {
  return decode(part.split('=', 1)[0] as string)
}

/** Text of a part of a query; a broken escape is left as it is. */
export function decode(text: string): string {
  try {
    return decodeURIComponent(text.replace(/\+/g, ' '))
  } catch {
    return text
  }
}

/** True when a parameter is a hub's key. */
export function isKey(name: string): boolean {
  return name.toLowerCase() === API_KEY
}
