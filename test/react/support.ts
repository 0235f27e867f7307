import { createElement, StrictMode } from 'react'
import type { ReactNode } from 'react'
import { createHeadClient } from 'layer-sdk/client'
import type { HeadClient, HeadClientOptions } from 'layer-sdk/client'
import { LayerBridge } from 'layer-sdk/bridge'
import { DevNode } from 'layer-sdk/devnode'
import type { DevNodeOptions } from 'layer-sdk/devnode'
import { HeadProvider } from 'layer-sdk/react'
import type { HeadProviderProps } from 'layer-sdk/react'
import { ChainCliWallet } from 'layer-sdk/wallet'

export const ADA = 1_000_000n

/** A node in this process with an open head; the first wallet's money is in it. */
export interface PageHead {
  readonly node: DevNode
  readonly wallets: readonly ChainCliWallet[]
  /** A client of the wallet with this index, not connected. */
  client(index?: number, options?: Partial<HeadClientOptions>): HeadClient
  stop(): Promise<void>
}

/** Opens a head over the loopback connector and deposits 100 ada of each of the first two wallets. */
export async function startPageHead({ timings, ...options }: DevNodeOptions = {}): Promise<PageHead> {
  const quick = { blockMs: 1, depositDelayMs: 1, snapshotIntervalMs: 1, invalidRetryMs: 5 }
  const node = new DevNode({ ...options, timings: { ...quick, ...timings } })
  const bridge = new LayerBridge({ connector: node.connector() })
  const wallets = node.keys.map(({ skey }) => new ChainCliWallet({ networkId: 0, skey }))
  const clients: HeadClient[] = []
  await bridge.connect()
  await bridge.commands.initSync()
  for (const wallet of wallets.slice(0, 2)) {
    const opener = createHeadClient({ bridge, wallet })
    await opener.deposit({
      utxos: node.baseUtxos(wallet.getAddressBech32()),
      amount: 100n * ADA,
      changeAddress: wallet.getAddressBech32()
    })
  }
  await bridge.disconnect()
  return {
    node,
    wallets,
    client(index = 0, options = {}) {
      const client = createHeadClient({
        connector: node.connector(),
        wallet: wallets[index],
        ...options
      } as HeadClientOptions)
      clients.push(client)
      return client
    },
    async stop() {
      for (const client of clients) await client.disconnect()
      await node.stop()
    }
  }
}

/** The wrapper of a component under test: StrictMode and a provider. */
export const within =
  (client: HeadClient, props: Partial<HeadProviderProps> = {}) =>
  ({ children }: { children: ReactNode }) =>
    createElement(StrictMode, null, createElement(HeadProvider, { client, ...props }, children))
