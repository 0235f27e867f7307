/** Facts of the local head in the page that it serves. None of them is secret. */
export interface LocalNode {
  /** Port of the node's API on the page's own host. */
  readonly port: number
  /** Version that the node poses as. */
  readonly profile: string
  /** 0 on test networks. */
  readonly networkId: number
  /** True when its accounts are those of the public development phrase. */
  readonly publicPhrase: boolean
  /** Path of the control API; null when it is off. */
  readonly controlPath: string | null
  readonly accounts: readonly { readonly index: number; readonly address: string }[]
  readonly keys: readonly { readonly name: string; readonly address: string }[]
}

/** The public development phrase: its keys are public. */
export const LOCAL_PHRASE: string = `${'test '.repeat(23)}sauce`

/** Reads the facts that the server of a local head wrote into the page; null on another page. */
export function readLocalHead(page: Document): LocalNode | null {
  const text = page.getElementById('local-head')?.textContent ?? ''
  try {
    const value = JSON.parse(text) as LocalNode | null
    return typeof value?.port === 'number' && Array.isArray(value.accounts) ? value : null
  } catch {
    return null
  }
}

/** WebSocket URL of the local head, on the host that the page came from. */
export function localNodeUrl({ port }: LocalNode, { hostname }: Pick<Location, 'hostname'>): string {
  return `ws://${hostname}:${port}`
}
