import type { DevAccount } from '../../settings/accounts.js'
import { DEV_PHRASE } from '../../settings/accounts.js'
import type { FundedKey } from '../../settings/keys.js'
import { isFunded } from '../../settings/keys.js'
import { DASHBOARD_FILE } from './dashboardFile.js'
import type { DevNodeReply } from './DevNodeReply.js'

/** Placeholder in the page for the description of a local head. */
const PLACE = '<script id="local-head" type="application/json">null</script>'

/** Description of the node that serves the page, without secrets. */
interface LocalHead {
  readonly port: number
  readonly profile: string
  readonly networkId: number
  readonly publicPhrase: boolean
  readonly controlPath: string | null
  readonly accounts: readonly { readonly index: number; readonly address: string }[]
  readonly keys: readonly { readonly name: string; readonly address: string }[]
}

/** The node that a page is made for. */
export interface DashboardNode {
  /** Port of the node's API. */
  readonly port: number
  readonly profile: string
  readonly networkId: number
  readonly phrase: string
  readonly accounts: readonly DevAccount[]
  readonly keys: readonly FundedKey[]
  /** URL of the control API; null when it is off. */
  readonly controlUrl: string | null
}

/** Returns the page for a node, or the reason why there is none. */
export async function dashboardReply(
  node: DashboardNode,
  method: string,
  file: string | null = DASHBOARD_FILE
): Promise<DevNodeReply> {
  if (method !== 'GET' && method !== 'HEAD')
    return {
      status: 405,
      body: 'The dashboard is a page: GET it.\n',
      contentType: 'text/plain',
      headers: { Allow: 'GET, HEAD' }
    }
  const page = file === null ? null : await readPage(file)
  if (page === null)
    return {
      status: 404,
      body: 'This copy of the package holds no dashboard: dist/dashboard.html is missing.\n',
      contentType: 'text/plain'
    }
  // Escaped as JSON allows: no text of a node can end the element.
  const local = JSON.stringify(localHead(node)).replace(/</g, '\\u003c')
  return {
    status: 200,
    body: page.replace(PLACE, () => PLACE.replace('null', () => local)),
    contentType: 'text/html; charset=utf-8',
    headers: HEADERS
  }
}

/** Headers of the page. Its policy is in the page itself; only directives that a page cannot set are here. */
const HEADERS: Readonly<Record<string, string>> = {
  'Content-Security-Policy': "frame-ancestors 'none'",
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Cache-Control': 'no-cache'
}

function localHead({ port, profile, networkId, phrase, controlUrl, accounts, keys }: DashboardNode): LocalHead {
  return {
    port,
    profile,
    networkId,
    publicPhrase: phrase === DEV_PHRASE,
    controlPath: controlUrl === null ? null : new URL(controlUrl).pathname,
    accounts: accounts.filter(isFunded).map(({ index, address }) => ({ index, address })),
    keys: keys.filter(isFunded).map(({ name, address }) => ({ name, address }))
  }
}

/**
 * Reads the page; `node:fs` is not imported, because bundlers for browsers follow lazy imports and know no such module.
 */
async function readPage(file: string): Promise<string | null> {
  const { process } = globalThis as { process?: Partial<NodeJS.Process> }
  const fs = process?.getBuiltinModule?.('node:fs')
  if (fs === undefined) return null
  try {
    return await fs.promises.readFile(new URL(file), 'utf8')
  } catch {
    return null
  }
}
