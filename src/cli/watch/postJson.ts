import { isLoopback } from '../../net/loopback.js'
import { UsageError } from '../usage.js'

/** Limit of a request, ms. */
const REQUEST_MS = 10_000

/**
 * Checks the URL of a webhook: https, or http on the local machine.
 *
 * @throws UsageError, which does not repeat the path of the URL, since that may be secret
 */
export function assertWebhookUrl(text: string): void {
  if (!URL.canParse(text)) throw new UsageError('--webhook needs a URL, e.g. https://alerts.example/hook.')
  const { protocol, hostname, username, password } = new URL(text)
  if (username !== '' || password !== '') throw new UsageError('--webhook takes no user or password in the URL.')
  if (protocol === 'https:' || (protocol === 'http:' && isLoopback(hostname))) return
  throw new UsageError(`--webhook needs https:// for other machines than this one, not ${protocol}//${hostname}.`)
}

/** Posts JSON and resolves with the HTTP status. Redirects are not followed: they would send it to another server. */
export async function postJson(url: string, body: string, headers: Record<string, string>): Promise<number> {
  const response = await fetch(url, {
    method: 'POST',
    body,
    headers,
    redirect: 'manual',
    signal: AbortSignal.timeout(REQUEST_MS)
  })
  await response.body?.cancel()
  return response.type === 'opaqueredirect' ? 302 : response.status
}
