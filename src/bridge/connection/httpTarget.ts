import { utf8ToBytes } from '../../codec/utf8.js'
import { decode, isKey, nameOf, splitUrl } from './nodeUrl.js'

/** Target of an HTTP request, and the headers that it needs. */
export interface HttpTarget {
  readonly url: string
  readonly headers: Record<string, string>
}

const OURS: ReadonlySet<string> = /* @__PURE__ */ new Set(['history', 'snapshot-utxo', 'address'])

/**
 * Returns the HTTP URL that belongs to a WebSocket URL: same host and path, without the query parameters of this
 * package. A hub's key and a password are sent as headers; in browsers, where no such header may be sent, the key stays
 * in the query.
 */
export function httpTarget(text: string, path: string, inBrowser: boolean): HttpTarget {
  const headers: Record<string, string> = {}
  const { base, parts } = splitUrl(text)
  const url = new URL(base.replace(/^ws/i, 'http').replace(/\/+$/, '') + path)
  if (url.username !== '' || url.password !== '') {
    const bytes = utf8ToBytes([url.username, url.password].map(decodePart).join(':'))
    headers['Authorization'] = `Basic ${btoa(String.fromCharCode(...bytes))}`
    // fetch refuses URLs with credentials.
    url.username = url.password = ''
  }
  const kept = parts.filter((part) => {
    const name = nameOf(part)
    if (!isKey(name) || inBrowser) return !OURS.has(name)
    headers['X-Api-Key'] = decode(part.slice(part.indexOf('=') + 1))
    return false
  })
  return { url: url.href + (kept.length > 0 ? `?${kept.join('&')}` : ''), headers }
}

// Outside the query a plus stands for itself, not for a space.
const decodePart = (text: string): string => decode(text.replace(/\+/g, '%2B'))
