import { randomBytes } from 'node:crypto'
import { WebsocketConnector } from '../../bridge/index.js'
import type { LocalTwin, TwinRequest } from '../../conformance/inner.js'
import { startDevNode } from '../../devnode/index.js'
import type { DevNodeProfile } from '../../devnode/index.js'
import { IndexerProvider } from '../../providers/index.js'
import { ChainCliWallet } from '../../wallet/inner.js'
import { CommandFailure } from '../usage.js'

/** Times of the local head, ms: short, and different enough that its steps happen in a fixed order. */
const TIMINGS = { blockMs: 400, depositDelayMs: 3_000, depositPeriodMs: 600_000, contestationPeriodMs: 1_000 }
const FUNDS = 200_000_000n

/** Profile of the local head that imitates each version of the node. */
const PROFILE_OF: readonly (readonly [RegExp, DevNodeProfile])[] = [
  [/^0\.22\./, '0.22'],
  [/^1\.3\./, '1.3'],
  [/^2\.[01]\./, '2.0'],
  [/^2\.2\./, '2.2'],
  [/^2\.3\./, '2.3'],
  [/^2\.4\./, '2.4'],
  [/^2\.5\.0-devnode/, 'master']
]

/** Starts a local head that imitates the node's version. @throws CommandFailure when no profile imitates it */
export async function startTwin({ nodeVersion, parties, isOpen }: TwinRequest): Promise<LocalTwin> {
  const profile = PROFILE_OF.find(([version]) => version.test(nodeVersion ?? ''))?.[1]
  if (profile === undefined) {
    const versions = '0.22, 1.3, 2.0, 2.1, 2.2, 2.3 and 2.4'
    throw new CommandFailure(`There is no local head of version ${nodeVersion ?? 'unknown'}; there are ${versions}.`)
  }
  const skey = `5820${randomBytes(32).toString('hex')}`
  const address = new ChainCliWallet({ networkId: 0, skey }).getAddressBech32()
  const node = await startDevNode({
    profile,
    parties,
    port: 0,
    rpcPort: 0,
    accumulator: 'real',
    timings: TIMINGS,
    genesis: [{ address, lovelace: FUNDS }],
    open: isOpen
  })
  if (isOpen) await node.fundHead(address, FUNDS)
  const { fetcher, submitter } = new IndexerProvider({
    network: 'preprod',
    apiKey: 'none',
    baseUrl: node.indexerUrl!
  })
  const second = node.parties[1]?.url
  return {
    connector: new WebsocketConnector({ websocketUrl: node.url }),
    second: second == null ? null : new WebsocketConnector({ websocketUrl: second }),
    wallet: new ChainCliWallet({ networkId: 0, skey, fetcher, submitter }),
    waitUntil: async (timeMs) => node.advanceTime(Math.max(timeMs - (await node.status()).timeMs, 0)),
    stop: () => node.stop()
  }
}
