import type { Connector } from '../../src/bridge'
import { WebsocketConnector } from '../../src/bridge'
import { startTwin } from '../../src/cli/conformance/startTwin'
import type { ConformanceRun } from '../../src/conformance/inner'
import { runConformance } from '../../src/conformance/inner'
import type { RunningDevNode, StartDevNodeOptions } from '../../src/devnode'
import { startDevNode } from '../../src/devnode'
import { IndexerProvider } from '../../src/providers'
import { ChainCliWallet } from '../../src/wallet'

export const SKEY = `5820${'3c'.repeat(32)}`
export const OWN = new ChainCliWallet({ networkId: 0, skey: SKEY }).getAddressBech32()

/** Starts a head to be compared, with 200 test ada for the key. */
export function startHead(options: StartDevNodeOptions = {}): Promise<RunningDevNode> {
  return startDevNode({
    port: 0,
    rpcPort: 0,
    accumulator: 'real',
    seed: 'conformance',
    genesis: [{ address: OWN, lovelace: 200_000_000n }],
    ...options,
    timings: {
      blockMs: 400,
      depositDelayMs: 3_000,
      depositPeriodMs: 600_000,
      contestationPeriodMs: 1_000,
      ...options.timings
    }
  })
}

export function walletOf(node: RunningDevNode): ChainCliWallet {
  const { fetcher, submitter } = new IndexerProvider({ network: 'preprod', apiKey: 'none', baseUrl: node.indexerUrl! })
  return new ChainCliWallet({ networkId: 0, skey: SKEY, fetcher, submitter })
}

/** Compares a head with a local one of its version. */
export function compare(
  node: RunningDevNode,
  change = (connector: Connector): Connector => connector,
  more: Partial<Parameters<typeof runConformance>[0]> = {}
): Promise<ConformanceRun> {
  const connect = (websocketUrl: string): Connector => change(new WebsocketConnector({ websocketUrl }))
  const second = node.parties[1]?.url
  return runConformance({
    connector: connect(node.url),
    second: second == null ? null : connect(second),
    wallet: walletOf(node),
    stepLimitMs: 30_000,
    isTestnet: true,
    startTwin,
    waitUntil: async (timeMs) => node.advanceTime(Math.max(timeMs - Date.now(), 0)),
    ...more
  })
}
