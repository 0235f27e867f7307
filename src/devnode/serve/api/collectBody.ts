import type { IncomingMessage } from 'node:http'

/** Resolves with the whole body; `'too large'` above `maxBytes`; null when the client has gone away. */
export function collectBody(request: IncomingMessage, maxBytes: number): Promise<Uint8Array | 'too large' | null> {
  return new Promise((resolve) => {
    const chunks: Uint8Array[] = []
    let size = 0
    request.on('data', (chunk: Uint8Array) => {
      size += chunk.length
      if (size > maxBytes) {
        request.pause()
        resolve('too large')
      } else chunks.push(chunk)
    })
    request.on('end', () => resolve(Buffer.concat(chunks)))
    request.on('error', () => resolve(null))
    request.on('close', () => resolve(null))
  })
}
