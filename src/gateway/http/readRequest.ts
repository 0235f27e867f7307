import type { IncomingMessage } from 'node:http'
import { namespacesOf } from '../protocol/headPath.js'

/** Target of a request. */
export interface RequestTarget {
  /** Path as it was sent. */
  readonly path: string
  readonly query: URLSearchParams
}

/** Returns path and query as they were sent, or the status of a refusal that needs no further check. */
export function readTarget(url: string): RequestTarget | 400 | 404 {
  const at = url.indexOf('?')
  const path = at < 0 ? url : url.slice(0, at)
  const query = new URLSearchParams(at < 0 ? '' : url.slice(at + 1))
  // Paths are matched as they were sent: a path with two readings names no route.
  if (!path.startsWith('/') || /\/\/|\.\.|%|\\|[^\x21-\x7e]/.test(path)) return 404
  // Queries end up in logs of proxies.
  if (query.has('token') || query.has('auth')) return 400
  return { path, query }
}

/** Returns the route of a head that a path names, e.g. `snapshot/utxo`; null when it is of another head. */
export function routeOf(path: string, headPath: string): string | null {
  for (const namespace of namespacesOf(headPath))
    if (path.startsWith(`${namespace}/`)) return path.slice(namespace.length + 1)
  return null
}

/** Reads the body of a request; resolves with the status of the refusal if it is too large or cannot be read. */
export function readBody(request: IncomingMessage, limitBytes: number): Promise<string | 400 | 413> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = []
    let size = 0
    request.on('data', (chunk: Buffer) => {
      size += chunk.length
      if (size > limitBytes) {
        request.removeAllListeners('data')
        // The rest is not waited for: the answer closes the connection.
        request.pause()
        resolve(413)
      } else chunks.push(chunk)
    })
    request.on('end', () => resolve(decode(Buffer.concat(chunks))))
    request.on('error', () => resolve(400))
    request.on('close', () => resolve(400))
  })
}

function decode(bytes: Uint8Array): string | 400 {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return 400
  }
}

/** Returns the bearer token of a request; undefined without one, null where the header has another scheme. */
export function bearerOf({ headers }: IncomingMessage): string | undefined | null {
  const { authorization } = headers
  if (authorization === undefined) return undefined
  return /^Bearer +([\w.~+/=-]+)$/i.exec(authorization)?.[1] ?? null
}
