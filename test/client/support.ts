import { createHeadClient } from '../../src/client/index.js'
import type { HeadClient, HeadClientOptions } from '../../src/client/index.js'
import { startDevNode } from '../../src/devnode/index.js'
import type { RunningDevNode, StartDevNodeOptions } from '../../src/devnode/index.js'
import { RpcProvider } from '../../src/providers/index.js'
import { ChainCliWallet } from '../../src/wallet/index.js'

export const ADA = 1_000_000n

/** A local node, and clients that are stopped with it. */
export interface ClientHead {
  readonly node: RunningDevNode
  readonly wallets: readonly ChainCliWallet[]
  /** A connected client of the wallet with this index. */
  client(index?: number, options?: Partial<HeadClientOptions>): Promise<HeadClient>
  stop(): Promise<void>
}

/** Quick timings: what is tested is order and outcome, not waiting. */
export const QUICK = {
  blockMs: 5,
  depositDelayMs: 5,
  snapshotIntervalMs: 5,
  invalidRetryMs: 10,
  contestationPeriodMs: 50
}

/** Starts a local node, opens its head and deposits `deposit` lovelace of the first wallet into it. */
export async function startClientHead({
  node: options = {},
  open = true,
  deposit = 1_000n * ADA
}: { node?: StartDevNodeOptions; open?: boolean; deposit?: bigint } = {}): Promise<ClientHead> {
  const node = await startDevNode({ port: 0, ...options, timings: { ...QUICK, ...options.timings } })
  const provider = new RpcProvider({ apiEndpoint: node.rpcUrl!, network: 'preprod' })
  const wallets = node.keys.map(
    ({ skey }) => new ChainCliWallet({ networkId: 0, skey, fetcher: provider.fetcher, submitter: provider.submitter })
  )
  const clients: HeadClient[] = []
  const head: ClientHead = {
    node,
    wallets,
    async client(index = 0, given = {}) {
      const client = createHeadClient({ url: node.url, wallet: wallets[index], ...given } as HeadClientOptions)
      clients.push(client)
      await client.connect()
      return client
    },
    async stop() {
      for (const client of clients) await client.disconnect()
      await node.stop()
    }
  }
  if (open) {
    const first = await head.client()
    await first.open()
    if (deposit > 0n) await first.deposit({ amount: deposit })
  }
  return head
}
