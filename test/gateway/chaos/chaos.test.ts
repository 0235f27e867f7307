import { GatewayConnector, LayerBridge } from 'layer-sdk/bridge'
import type { GatewayConnectorOptions } from 'layer-sdk/bridge'
import { TxBuilder } from 'layer-sdk/tx'
import type { UTxO } from '../../../src/types/utxo'
import { FaultProxy } from '../../faults/support/FaultProxy'
import { startHead } from '../../support/openHead'
import type { Head } from '../../support/openHead'
import { randomSource } from '../../support/random'
import { describeWithRedis, RedisServer } from '../log/RedisServer'
import { ready, until } from '../support'
import { GatewayProcess } from './GatewayProcess'
import { Payer } from './Payer'

/** `.ci/run` takes two minutes, and 500 clients. */
const SECONDS = Number(process.env['LAYER_SDK_CHAOS_SECONDS'] ?? 6)
const CLIENTS = SECONDS >= 120 ? 500 : 60
const LANES = 8
const LANE_LOVELACE = 200_000_000n
const FAULT_EVERY_MS = 4_000
const REST_MS = 120_000

interface Watched {
  readonly bridge: LayerBridge
  readonly mode: NonNullable<GatewayConnectorOptions['mode']>
  /** Numbers of the snapshots that came, and how often one came again. */
  readonly seen: Set<number>
  repeated: number
}

describeWithRedis('a gateway of two cores and two edges', () => {
  const random = randomSource('chaos')
  const redis = new RedisServer()
  const watched: Watched[] = []
  let head: Head
  let proxy: FaultProxy
  let cores: GatewayProcess[]
  let edges: GatewayProcess[]
  let addresses: string[]
  let running = true

  beforeAll(async () => {
    await redis.start()
    head = await startHead({ node: { timings: { snapshotIntervalMs: 200 } } })
    proxy = await FaultProxy.start(head.node.port)
    addresses = head.wallets.slice(0, 2).map((wallet) => wallet.getAddressBech32())
    const upstream = head.node.url.replace(`:${head.node.port}`, `:${proxy.port}`)
    cores = await Promise.all([0, 1].map(() => new GatewayProcess('core', redis.url, upstream).start()))
    edges = await Promise.all([0, 1].map(() => new GatewayProcess('edge', redis.url, upstream).start()))
    for (const { url } of edges) await ready({ url } as never)
  }, 120_000)
  afterAll(async () => {
    running = false
    for (const { bridge } of watched) await bridge.disconnect()
    for (const each of [...(edges ?? []), ...(cores ?? [])]) await each.kill()
    await proxy?.stop()
    await head?.stop()
    await redis.stop()
  }, 120_000)

  async function watch(index: number): Promise<Watched> {
    const mode = index % 5 === 0 ? 'delta' : 'address'
    const options: GatewayConnectorOptions = mode === 'delta' ? { mode } : { mode, addresses: [addresses[index % 2]!] }
    const connector = new GatewayConnector(edges[index % 2]!.url, options)
    const bridge = new LayerBridge({ connector, autoReconnect: true, reconnectInterval: 300, connectTimeout: 20_000 })
    const each: Watched = { bridge, mode, seen: new Set(), repeated: 0 }
    bridge.events.on('SnapshotConfirmed', ({ snapshot }) => {
      if (each.seen.has(snapshot.number)) each.repeated++
      each.seen.add(snapshot.number)
    })
    await bridge.connect().catch(() => undefined)
    return each
  }

  /** Lanes for the payers: outputs of the first wallet. */
  async function openLanes(): Promise<UTxO[]> {
    const wallet = head.wallets[0]!
    const builder = new TxBuilder().spend(head.bridge.getAddressUTxOs(addresses[0]!)!).changeTo(addresses[0]!)
    for (let lane = 0; lane < LANES; lane++) builder.pay(addresses[0]!, LANE_LOVELACE)
    const built = builder.build()
    await head.bridge.submitTxSync({ cborHex: await wallet.signTx(built.cborHex), txId: built.txId })
    return built.outputs.slice(0, LANES).map((output, index) => ({ input: { txHash: built.txId, index }, output }))
  }

  const restart = async (killed: GatewayProcess): Promise<void> => {
    await killed.kill()
    await new Promise((resolve) => setTimeout(resolve, random.below(500)))
    await killed.start()
  }
  const faults: (() => Promise<void>)[] = [
    () => restart(edges[random.below(2)]!),
    () => restart(cores[random.below(2)]!),
    async () => {
      await redis.kill()
      await new Promise((resolve) => setTimeout(resolve, random.below(1_500)))
      await redis.start()
    },
    async () => void proxy.reset()
  ]

  it(
    `loses, doubles and misjudges nothing while edges, cores, Redis and the connection to the node are killed (${SECONDS} s)`,
    async () => {
      const arrived = new Map<string, number>()
      const confirmed = new Set<string>()
      const count = (txId: string): void => void arrived.set(txId, (arrived.get(txId) ?? 0) + 1)
      head.bridge.events.on('TxValid', ({ transactionId }) => count(transactionId))
      head.bridge.events.on('TxInvalid', ({ transaction }) => count(transaction.txId))
      head.bridge.events.on('SnapshotConfirmed', ({ snapshot }) =>
        snapshot.confirmed.forEach(({ txId }) => confirmed.add(txId))
      )
      const lanes = await openLanes()
      for (let index = 0; index < CLIENTS; index += 20)
        watched.push(...(await Promise.all(Array.from({ length: 20 }, (_, n) => watch(index + n)))))
      const payers = lanes.map(
        (first, lane) =>
          new Payer({
            bridge: watched[lane * 5]!.bridge,
            direct: head.bridge,
            wallet: head.wallets[0]!,
            to: addresses[1]!,
            first,
            slot: 1e9 + lane * 1e6
          })
      )
      const runs = payers.map((payer) => payer.run(() => running))

      const ends = Date.now() + SECONDS * 1_000
      for (let turn = 0; Date.now() < ends; turn++) {
        await new Promise((resolve) => setTimeout(resolve, FAULT_EVERY_MS))
        // Each once, then at random.
        await faults[turn < faults.length ? turn : random.below(faults.length)]!()
      }
      running = false
      await Promise.all(runs)

      const exact = ({ bridge, mode }: Watched): boolean => {
        if (!bridge.connected() || bridge.lastSnapshotNumber < 0) return false
        if (mode === 'delta' && bridge.lastSnapshotNumber !== head.bridge.lastSnapshotNumber) return false
        const known =
          mode === 'delta'
            ? addresses
            : addresses.filter((address) => bridge.connected() && isFollowed(bridge, address))
        return known.every((address) => textOf(bridge, address) === textOf(head.bridge, address))
      }
      await until('every client has what the head has', () => watched.every(exact), REST_MS).catch(() => undefined)
      expect(
        watched
          .filter((each) => !exact(each))
          .map(({ bridge, mode }) => [mode, bridge.state, bridge.lastSnapshotNumber])
      ).toEqual([])
      expect(watched.filter(({ repeated }) => repeated > 0).length).toBe(0)

      const outcomes = payers.flatMap((payer) => [...payer.outcomes])
      console.log(
        JSON.stringify([
          CLIENTS,
          outcomes.reduce((all, [, o]) => ({ ...all, [o]: ((all as any)[o] ?? 0) + 1 }), {}),
          head.bridge.lastSnapshotNumber,
          confirmed.size
        ])
      )
      const wrong = outcomes.filter(([txId, outcome]) =>
        outcome === 'confirmed' ? !confirmed.has(txId) : outcome === 'rejected' && confirmed.has(txId)
      )
      expect(wrong).toEqual([])
      expect([...arrived].filter(([, times]) => times > 1)).toEqual([])
      expect(outcomes.filter(([, outcome]) => outcome === 'confirmed').length).toBeGreaterThan(LANES)
      for (const each of [...edges, ...cores]) expect([each.running, each.errors]).toEqual([true, ''])
    },
    (SECONDS + 240) * 1_000
  )
})

function isFollowed(bridge: LayerBridge, address: string): boolean {
  try {
    bridge.getAddressBalance(address)
    return true
  } catch {
    return false
  }
}

function textOf(bridge: LayerBridge, address: string): string {
  return JSON.stringify(
    (bridge.getAddressUTxOs(address) ?? []).map(({ input }) => `${input.txHash}#${input.index}`).sort()
  )
}
