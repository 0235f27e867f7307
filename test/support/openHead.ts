import { LayerBridge, utxoToJson } from 'layer-sdk/bridge'
import type { InitLayerBridgeOptions, Transaction } from 'layer-sdk/bridge'
import { startDevNode } from 'layer-sdk/devnode'
import type { RunningDevNode, StartDevNodeOptions } from 'layer-sdk/devnode'
import { buildPayment } from 'layer-sdk/tx'
import { ChainCliWallet } from 'layer-sdk/wallet'

/** A local node with a bridge connected to it. */
export interface Head {
  node: RunningDevNode
  bridge: LayerBridge
  wallets: ChainCliWallet[]
  /** A signed payment from the first wallet's outputs in the head. */
  payment(to: string, lovelace: bigint): Promise<Transaction>
  stop(): Promise<void>
}

/** Starts a local node and connects; `open` also opens the head, `deposit` puts the first wallet's ada into it. */
export async function startHead({
  deposit = true,
  open = true,
  node: nodeOptions = {},
  bridge: bridgeOptions = {}
}: {
  deposit?: boolean
  open?: boolean
  node?: StartDevNodeOptions
  bridge?: Partial<InitLayerBridgeOptions>
} = {}): Promise<Head> {
  const node = await startDevNode({
    port: 0,
    rpcPort: null,
    ...nodeOptions,
    timings: {
      blockMs: 5,
      depositDelayMs: 5,
      snapshotIntervalMs: 5,
      invalidRetryMs: 10,
      contestationPeriodMs: 50,
      ...nodeOptions.timings
    }
  })
  const bridge = new LayerBridge({ url: node.url, ...bridgeOptions } as InitLayerBridgeOptions)
  const wallets = node.keys.map(({ skey, vkey }) => new ChainCliWallet({ networkId: 0, skey, vkey }))
  const [wallet] = wallets as [ChainCliWallet]
  await bridge.connect()
  if (open) await bridge.commands.initSync()
  if (open && deposit) await depositAll(node, bridge, wallet)
  return {
    node,
    bridge,
    wallets,
    async payment(to, lovelace) {
      const address = wallet.getAddressBech32()
      const { cborHex, txId } = buildPayment({
        utxos: bridge.snapshotUtxoArray().filter(({ output }) => output.address === address),
        to,
        amount: lovelace,
        changeAddress: address
      })
      return { type: 'Witnessed Tx ConwayEra', description: '', cborHex: await wallet.signTx(cborHex), txId }
    },
    async stop() {
      await bridge.disconnect()
      await node.stop()
    }
  }
}

/** Deposits what a wallet holds on the base ledger, two outputs of it, into the head. */
export async function depositAll(node: RunningDevNode, bridge: LayerBridge, wallet: ChainCliWallet): Promise<string> {
  const utxos = node.baseUtxos(wallet.getAddressBech32()).slice(0, 2)
  const draft = await bridge.commit(utxoToJson(utxos))
  const finalized = bridge.waitFor('CommitFinalized', { timeout: 10_000 })
  await bridge.submitCardanoTransaction({ cborHex: await wallet.signTx(draft.cborHex), description: '' })
  return (await finalized).depositTxId
}
