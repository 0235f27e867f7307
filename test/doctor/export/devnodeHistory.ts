import type { HeadClient } from '../../../src/client'
import { createHeadClient } from '../../../src/client'
import type { RunningDevNode, StartDevNodeOptions } from '../../../src/devnode'
import { startDevNode } from '../../../src/devnode'
import { AppWallet } from '../../../src/wallet'
import { DEFAULT_TIMINGS } from '../devnodeSupport'

/** A local head with a client that pays. */
export interface LocalHead {
  readonly node: RunningDevNode
  readonly client: HeadClient
  readonly connector: string
  readonly headId: string
  stop(): Promise<void>
}

/** Starts an open head with money of the first account. */
export async function newProfileNode(options: StartDevNodeOptions = {}): Promise<LocalHead> {
  const probe = await startDevNode({ port: 0, ...options })
  const { address } = probe.accounts[0]!
  await probe.stop()
  const node = await startDevNode({
    port: 0,
    open: true,
    timings: DEFAULT_TIMINGS,
    inHead: Array.from({ length: 4 }, () => ({ address, lovelace: 50_000_000n })),
    ...options
  })
  const wallet = new AppWallet({ networkId: 0, key: { type: 'mnemonic', words: node.phrase.split(' ') } })
  const client = createHeadClient({ url: node.url, wallet })
  await client.connect()
  const headId = client.status().headId!
  return {
    node,
    client,
    connector: node.url,
    headId,
    async stop() {
      await client.disconnect()
      await node.stop()
    }
  }
}

/** Pays to the second account until each payment is confirmed. */
export async function pay({ client, node }: LocalHead, count: number): Promise<void> {
  for (let i = 0; i < count; i++) await client.pay({ to: node.accounts[1]!.address, amount: 1_000_000n })
}
