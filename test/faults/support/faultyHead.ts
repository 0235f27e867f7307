import { isLayerError } from 'layer-sdk'
import { LayerBridge } from 'layer-sdk/bridge'
import type { DirectBridgeOptions, LayerPayload, TxProgress } from 'layer-sdk/bridge'
import { startDevNode } from 'layer-sdk/devnode'
import type { FundedKey, RunningDevNode, StartDevNodeOptions } from 'layer-sdk/devnode'
import type { UTxO } from '../../../src/types/utxo'
import { submitDeposit } from '../../devnode/harness'
import type { Envelope } from '../../devnode/transactions'
import { pay } from '../../devnode/transactions'
import { FaultProxy } from './FaultProxy'
import { until } from './matrix'
import { WireTap } from './WireTap'
import { Witness } from './Witness'

/** Mean wait before a reconnect in these tests, ms. */
export const INTERVAL_MS = 20

/** An open head, and a bridge that reaches it through a proxy and has settled. */
export interface FaultyHead {
  readonly node: RunningDevNode
  readonly proxy: FaultProxy
  readonly bridge: LayerBridge
  readonly tap: WireTap
  readonly witness: Witness
  readonly alice: FundedKey
  readonly bob: FundedKey
  /** Lifecycle events of the bridge; `disconnected` only when nothing was claimed to be known any more. */
  readonly log: string[]
  /** Waits that were announced before reconnects, ms. */
  readonly delays: number[]
  /** Errors of `onProtocolError`. */
  readonly invalid: Error[]
  readonly late: string[]
  /** Everything that `onMessage` and `onTxProgress` told, from the first connect on. */
  readonly messages: LayerPayload[]
  readonly progress: TxProgress[]
  /** WebSocket connections, requests and inputs at the node since the bridge has settled. */
  counts(): { connections: number; newTx: number; getSnapshot: number; posts: number }
  /** A signed payment of alice's from what she has after every valid transaction. */
  payment(lovelace?: bigint, from?: UTxO): Envelope
}

/** What a row wants of its head. */
export interface FaultyHeadOptions {
  /** With a WebSocket that can no more than a browser's. */
  plain?: boolean
  node?: StartDevNodeOptions
  bridge?: Partial<DirectBridgeOptions>
  /** Deposits that alice makes. @default 1 */
  deposits?: number
}

const TIMINGS = { blockMs: 1, depositDelayMs: 1, snapshotIntervalMs: 4, invalidRetryMs: 5, contestationPeriodMs: 20 }

/** Runs a test on an open head; stops everything afterwards, whatever happened. */
export async function withHead(options: FaultyHeadOptions, run: (head: FaultyHead) => Promise<void>): Promise<void> {
  const node = await startDevNode({
    port: 0,
    rpcPort: null,
    ...options.node,
    timings: { ...TIMINGS, ...options.node?.timings }
  })
  const proxy = await FaultProxy.start(() => node.port)
  const witness = new Witness(node)
  const tap = new WireTap(options.plain ?? false)
  const bridge = new LayerBridge({
    url: proxy.url,
    autoReconnect: true,
    reconnectInterval: INTERVAL_MS,
    webSocketImpl: tap.WebSocket,
    ...options.bridge
  })
  try {
    await openHead(node, witness, options.deposits ?? 1)
    const start = observe({ node, proxy, bridge, tap, witness })
    await bridge.connect()
    await until('the bridge has settled', () => bridge.lastSnapshotNumber === witness.snapshotNumber)
    await run(start())
  } finally {
    await bridge.disconnect()
    await proxy.stop()
    await node.stop()
  }
}

async function openHead(node: RunningDevNode, witness: Witness, deposits: number): Promise<void> {
  witness.send({ tag: 'Init' })
  await witness.said('HeadIsOpen')
  await depositFor(node, witness, node.keys[0] as FundedKey, deposits)
}

/** Brings outputs of 1,000 ada of a key into the head, one deposit after the other. */
export async function depositFor(node: RunningDevNode, witness: Witness, owner: FundedKey, count = 1): Promise<void> {
  for (let left = count; left > 0; left--) {
    const before = witness.all('CommitFinalized').length
    await submitDeposit(node, owner, node.baseUtxos(owner.address)[0] as UTxO)
    await until('the deposit is in the head', () => witness.all('CommitFinalized').length > before)
  }
}

function observe(parts: Pick<FaultyHead, 'node' | 'proxy' | 'bridge' | 'tap' | 'witness'>): () => FaultyHead {
  const { bridge, node } = parts
  const [alice, bob] = node.keys
  const log: string[] = []
  const delays: number[] = []
  const invalid: Error[] = []
  const late: string[] = []
  const messages: LayerPayload[] = []
  const progress: TxProgress[] = []
  bridge.events.on('onMessage', (payload) => messages.push(payload))
  bridge.events.on('onTxProgress', (fact) => progress.push(fact))
  bridge.events.on('onConnected', () => log.push('connected'))
  bridge.events.on('onDisconnected', () => {
    const cold =
      !bridge.connected() && bridge.getAddressBalance(alice.address) === null && bridge.lastSnapshotNumber === -1
    log.push(cold ? 'disconnected' : 'disconnected, but not cold')
  })
  bridge.events.on('onReconnecting', ({ attempt, delayMs }) => {
    log.push(`attempt ${attempt}`)
    delays.push(delayMs)
  })
  bridge.events.on('onConnectError', (error) => log.push(`error ${String((error as { code?: string }).code)}`))
  bridge.events.on('onProtocolError', (error) => invalid.push(error))
  bridge.events.on('onLateConfirmation', ({ txId }) => late.push(txId))
  return () => {
    log.length = 0
    const read = (): ReturnType<FaultyHead['counts']> => ({
      connections: node.counters.connections,
      newTx: node.counters.inputs['NewTx'] ?? 0,
      getSnapshot: node.counters.requests['GET /snapshot'] ?? 0,
      posts: node.counters.requests['POST /transaction'] ?? 0
    })
    const base = read()
    return {
      ...parts,
      alice,
      bob,
      log,
      delays,
      invalid,
      late,
      messages,
      progress,
      counts() {
        const now = read()
        return {
          connections: now.connections - base.connections,
          newTx: now.newTx - base.newTx,
          getSnapshot: now.getSnapshot - base.getSnapshot,
          posts: now.posts - base.posts
        }
      },
      payment: (lovelace = 1_000_000n, from = node.headUtxos(alice.address)[0] as UTxO) =>
        pay(from, alice, bob.address, lovelace)
    }
  }
}

/** Keys of the outputs that the bridge knows, in order; null while it knows none. */
export function known({ bridge }: Pick<FaultyHead, 'bridge'>): string[] | null {
  try {
    return bridge
      .snapshotUtxoArray()
      .map(({ input }) => `${input.txHash}#${input.index}`)
      .sort()
  } catch (error) {
    if (!isLayerError(error, 'BRIDGE_CACHE_COLD')) throw error
    return null
  }
}

/** Keys of the outputs in the node's newest snapshot, in order. */
export async function truth({ node }: Pick<FaultyHead, 'node'>): Promise<string[]> {
  const { body } = await node.request({ method: 'GET', path: '/snapshot/utxo', body: '' })
  return Object.keys(JSON.parse(body) as object).sort()
}

/** Lets a random time pass before a fault, ms: the fault's moment is what varies between repetitions. */
export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}

/** The outcome of a promise: its value, or the error it was rejected with. */
export function outcomeOf(promise: Promise<unknown>): Promise<any> {
  return promise.catch((error: unknown) => error)
}

/** Resolves at the next event of this name; fails after the limit. */
export function nextEvent(
  bridge: LayerBridge,
  name: 'onConnected' | 'onDisconnected' | 'onReconnecting' | 'onLateConfirmation',
  limitMs = 10_000
): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      off()
      reject(new Error(`no ${name} within ${limitMs} ms`))
    }, limitMs)
    const off = bridge.events.on(name, () => {
      off()
      clearTimeout(timer)
      resolve()
    })
  })
}
