import { MessageTooLargeError } from '../../errors/bridge.js'
import { BridgeRequestError } from '../../errors/operation.js'
import { RuntimeUnsupportedError } from '../../errors/input.js'
import { readCappedText } from '../../net/cappedBody.js'
import { retryAfterMs } from '../../net/retryAfter.js'
import type { ConnectorReply, ConnectorRequest } from './Connector.js'

/** Options of a connector's HTTP requests. */
export interface FetchSettings {
  readonly fetch?: typeof fetch | undefined
  readonly maxMessageBytes: number
}

/**
 * Sends one HTTP request and returns the answer. Follows no redirect, because a key would be sent along, and stops
 * reading a body that grows beyond the limit.
 */
export async function fetchText(
  url: string,
  request: ConnectorRequest,
  headers: Record<string, string>,
  settings: FetchSettings
): Promise<ConnectorReply> {
  const run = settings.fetch ?? (globalThis.fetch as typeof fetch | undefined)
  if (run === undefined) throw new RuntimeUnsupportedError('fetch', 'the option fetch')
  if (typeof TextDecoder !== 'function')
    throw new RuntimeUnsupportedError('TextDecoder', 'a global TextDecoder, such as that of node:util')
  const what = `${request.method} ${request.path}`
  let response: Response
  try {
    response = await run(url, {
      method: request.method,
      headers,
      redirect: 'manual',
      signal: request.signal,
      ...(request.body === undefined ? {} : { body: request.body })
    })
    return {
      status: response.status,
      text: await readCapped(response, what, settings.maxMessageBytes),
      retryAfter: retryAfterSeconds(response.headers)
    }
  } catch (error) {
    if (request.signal.aborted || error instanceof MessageTooLargeError) throw error
    // The runtime's own error may repeat the URL with its key, so only the short code of its cause is kept.
    const code = (error as { cause?: { code?: unknown } } | undefined)?.cause?.code
    const { origin } = new URL(url)
    throw new BridgeRequestError(
      what,
      typeof code === 'string'
        ? { status: 0, reason: code, expected: `an answer of ${origin}` }
        : {
            status: 0,
            reason: 'no answer from the network',
            // Browsers do not say why: a server that is down and one that refuses the page look the same.
            expected: `an answer of ${origin}; to a page in a browser the server must allow the page's origin (CORS)`
          }
    )
  }
}

/**
 * Returns the header Retry-After in seconds; a date is converted by comparing it with the Date header of the same
 * response.
 */
function retryAfterSeconds(headers: Headers): string | null {
  const ms = retryAfterMs(headers.get('retry-after'), headers.get('date'))
  return ms === undefined ? null : String(Math.ceil(ms / 1000))
}

/**
 * Returns the text of a response. @throws {@link MessageTooLargeError} as soon as more than `limitBytes` have come,
 * uncompressed
 */
export async function readCapped(response: Response, what: string, limitBytes: number): Promise<string> {
  return readCappedText(response, limitBytes, () => new MessageTooLargeError(`The answer to ${what}`, limitBytes))
}
