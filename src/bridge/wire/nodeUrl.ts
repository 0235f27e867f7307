import { BridgeOptionsError, InsecureUrlError } from '../../errors/bridge.js'

/** What the node can be asked for when connecting. */
export interface NodeQuery {
  readonly history?: boolean | undefined
  readonly noSnapshotUtxo?: boolean | undefined
  readonly address?: string | undefined
}

/** Where HTTP requests go, and what must go with them. */
export interface HttpTarget {
  /** Scheme, host and path, without a trailing slash. */
  readonly base: string
  /** The rest of the query, empty or beginning with `?`. */
  readonly query: string
  readonly headers: Record<string, string>
}

const API_KEY = 'x-api-key'
const SCHEMES: Readonly<Record<string, string>> = { 'ws:': 'http:', 'wss:': 'https:', 'http:': 'http:', 'https:': 'https:' }

/**
 * Parses a node or hub URL, without ever repeating it in an error: it may hold a key.
 * @throws {@link BridgeOptionsError}, {@link InsecureUrlError}
 */
export function parseNodeUrl(text: unknown, allowInsecure: boolean): URL {
  let url: URL | undefined
  try { url = new URL(text as string) } catch { /* told below, without the text */ }
  if (url === undefined || typeof text !== 'string' || SCHEMES[url.protocol] === undefined) {
    throw new BridgeOptionsError('url', 'a URL beginning with ws:// or wss://', typeof text === 'string' ? undefined : text)
  }
  const secret = url.password !== '' || queryParts(url).some((part) => nameOf(part) === API_KEY)
  if (secret && !allowInsecure) assertEncrypted(url)
  return url
}

/** @throws {@link InsecureUrlError} when a key for this URL would cross a network in clear text */
export function assertEncrypted(url: URL): void {
  if (isPlainRemote(url)) throw new InsecureUrlError(`${url.protocol}//${url.host}`)
}

/** Whether traffic to this URL crosses a network unencrypted. */
export function isPlainRemote(url: URL): boolean {
  return SCHEMES[url.protocol] === 'http:' && !/^(localhost|.*\.localhost|127(\.\d+){3}|\[::1\])$/.test(url.hostname)
}

/** The URL to open: every parameter of the caller kept as written, ours added or replaced. */
export function webSocketUrl(url: URL, query: NodeQuery): string {
  const ours: string[] = []
  const replaced = new Set<string>()
  const put = (name: string, value: string): void => {
    replaced.add(name)
    ours.push(`${name}=${encodeURIComponent(value)}`)
  }
  // Always said: nodes up to 0.20 send the history unless told not to.
  if (query.history !== undefined || !has(url, 'history')) put('history', query.history === true ? 'yes' : 'no')
  if (query.noSnapshotUtxo === true) put('snapshot-utxo', 'no')
  if (query.address !== undefined) put('address', query.address)
  const kept = queryParts(url).filter((part) => !replaced.has(nameOf(part)))
  const target = new URL(url)
  target.protocol = SCHEMES[url.protocol] === 'https:' ? 'wss:' : 'ws:'
  target.search = `?${[...kept, ...ours].join('&')}`
  target.hash = ''
  return target.href
}

/** The HTTP side of the same host and path. In browsers no header of our own may be sent, so the key stays in the query. */
export function httpTarget(url: URL, inBrowser: boolean): HttpTarget {
  const headers: Record<string, string> = {}
  const query = queryParts(url).filter((part) => {
    const name = nameOf(part)
    if (name === API_KEY && !inBrowser) headers['X-Api-Key'] = valueOf(part)
    else return name !== 'history' && name !== 'snapshot-utxo' && name !== 'address'
    return false
  })
  // fetch refuses URLs with credentials.
  if (url.username !== '' || url.password !== '') headers['Authorization'] = basic(url)
  return {
    base: `${SCHEMES[url.protocol]}//${url.host}${url.pathname.replace(/\/$/, '')}`,
    query: query.length > 0 ? `?${query.join('&')}` : '',
    headers
  }
}

function basic(url: URL): string {
  const bytes = new TextEncoder().encode(`${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`)
  return `Basic ${btoa(String.fromCharCode(...bytes))}`
}

function queryParts(url: URL): string[] {
  return url.search.slice(1).split('&').filter((part) => part !== '')
}

function has(url: URL, name: string): boolean {
  return queryParts(url).some((part) => nameOf(part) === name)
}

function nameOf(part: string): string {
  return decode(part.split('=', 1)[0] ?? '').toLowerCase()
}

function valueOf(part: string): string {
  const at = part.indexOf('=')
  return at < 0 ? '' : decode(part.slice(at + 1))
}

function decode(text: string): string {
  try { return decodeURIComponent(text.replace(/\+/g, ' ')) } catch { return text }
}
