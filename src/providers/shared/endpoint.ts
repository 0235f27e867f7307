import { InvalidArgumentError } from '../../errors/input.js'
import { isLoopback } from '../../net/loopback.js'
import { createRedactor } from '../../net/redact.js'

/** A URL of requests, and the part of it that errors may show. */
export interface Endpoint {
  /** URL without credentials, query and final slash. */
  url: string
  /** Query of the URL with its question mark, or empty. */
  query: string
  /**
   * Name of the endpoint for messages: origin and path, without anything that looks like a token and without a path
   * that the package did not choose.
   */
  label: string
  /**
   * Authorization header with the URL's credentials, which are removed from the URL because `fetch` rejects one with a
   * password.
   */
  headers: Record<string, string>
  /** Removes every secret of this endpoint from a text. */
  redact: (text: string) => string
}

/** Checks the URL of an option. `secrets` are the keys that the provider sends with each request. */
export function resolveEndpoint(
  option: string,
  value: unknown,
  allowed: string,
  secrets: readonly string[],
  allowInsecure: boolean
): Endpoint {
  // The URL itself is never repeated: it may hold a key.
  const fail = (expected: string, got: string): never => {
    throw new InvalidArgumentError(option, expected, got)
  }
  let url: URL
  try {
    url = new URL(value as string)
  } catch {
    return fail('a whole URL', typeof value)
  }
  if (!allowed.split(' ').includes(url.protocol)) fail(`a URL of ${allowed}`, url.protocol)
  const { username, password, hostname } = url
  const plain = [username, password].map(unescapeBytes)
  const basic = username || password ? btoa(plain.join(':')) : ''
  // As a server may repeat them: with or without the scheme of an Authorization header, decoded or as they stand in the
  // URL.
  const forms = [...secrets.flatMap((each) => [each, each.replace(/^\S+\s+/, '')]), username, password, ...plain, basic]
  const values = [
    ...url.searchParams.values(),
    ...url.search
      .slice(1)
      .split('&')
      .map((pair) => pair.slice(pair.indexOf('=') + 1))
  ]
  // Shorter texts are no secrets, and removing them would garble every message.
  const hidden = [...forms, ...values].filter((text) => text.length > 5)
  if ((basic || hidden.length > 0) && /^(http|ws):/.test(url.protocol) && !allowInsecure && !isLoopback(hostname)) {
    fail('https: or wss: for a key (or allowInsecure: true)', url.protocol)
  }
  const tokens = `${hostname}${url.pathname}`.match(TOKEN) ?? []
  const path = /^\/(api\/v\d)?\/?$/.test(url.pathname) ? url.pathname : '/…'
  return {
    url: `${url.protocol}//${url.host}${url.pathname}`.replace(/\/$/, ''),
    query: url.search,
    label: `${url.protocol}//${url.host.replace(TOKEN, '…')}${path}`.replace(/\/$/, ''),
    headers: basic ? { authorization: `Basic ${basic}` } : {},
    redact: createRedactor([...hidden, ...tokens])
  }
}

// Hosted services put keys into the host's first label or a path segment: text that no one would choose as a name.
const TOKEN = /[\w-]{20,}/g

// RFC 7617 wants the UTF-8 bytes, which a URL escapes; btoa reads one byte from each character.
function unescapeBytes(text: string): string {
  return text.replace(/%([\da-f]{2})/gi, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)))
}
