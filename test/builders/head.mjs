// A local node with an open head, from the built package, and clients of it.
import { createHeadClient } from '../../dist/client.js'
import { startDevNode } from '../../dist/devnode.js'
import { RpcProvider } from '../../dist/providers.js'
import { scalusEvaluator } from '../../dist/scalus.js'
import { ChainCliWallet } from '../../dist/wallet.js'

export const ADA = 1_000_000n
/** CIP-1852 test phrase. */
export const WORDS = 'test walk nut penalty hip pave soap entry language right filter choice'.split(' ')

/**
 * Opens a head; snapshots are slow, so that what is built one after the other chains on what no snapshot has confirmed.
 */
export async function openHead({ snapshotIntervalMs = 1500 } = {}) {
  const node = await startDevNode({
    port: 0,
    scriptEvaluator: scalusEvaluator(),
    evaluatorTimeoutMs: 60_000,
    timings: { blockMs: 5, depositDelayMs: 5, snapshotIntervalMs, invalidRetryMs: 10 }
  })
  const { fetcher, submitter } = new RpcProvider({ apiEndpoint: node.rpcUrl, network: 'preprod' })
  const [alice, bob] = node.keys.map(({ skey }) => new ChainCliWallet({ networkId: 0, skey, fetcher, submitter }))
  const funder = createHeadClient({ url: node.url, wallet: alice })
  await funder.connect()
  await funder.open()
  await funder.deposit({ amount: 500n * ADA })
  // Adapters need no wallet: this client only watches and sends.
  const client = createHeadClient({ url: node.url, evaluator: scalusEvaluator() })
  await client.connect()
  return {
    node,
    client,
    funder,
    /** The wallet whose money is in the head, and its address. */
    wallet: alice,
    alice: alice.getAddressBech32(),
    bob: bob.getAddressBech32(),
    fund: (to) => funder.pay({ to, amount: 100n * ADA }),
    async stop() {
      await client.disconnect()
      await funder.disconnect()
      await node.stop()
    }
  }
}
