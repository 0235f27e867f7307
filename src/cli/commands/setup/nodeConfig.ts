/** Longest answer of GET /config that is read, characters. */
const MAX_CONFIG = 1024 * 1024

/** Answer to a node's GET /config (from 2.3 on): its `text`, or in `unread` the reason why there is none. */
export type NodeConfig = { readonly text: string } | { readonly unread: string }

/** Reads GET /config of the node at `url`; never rejects. */
export async function readNodeConfig(url: string, timeoutMs: number): Promise<NodeConfig> {
  const target = new URL(url.replace(/^ws/i, 'http'))
  target.pathname = `${target.pathname.replace(/\/$/, '')}/config`
  try {
    const answer = await fetch(target, { signal: AbortSignal.timeout(timeoutMs), redirect: 'error' })
    if (!answer.ok) return { unread: `HTTP ${answer.status}` }
    const text = await answer.text()
    return text.length > MAX_CONFIG ? { unread: `more than ${MAX_CONFIG} characters` } : { text }
  } catch {
    return { unread: 'no answer' }
  }
}
