import { GatewayConnector, LayerBridge } from 'layer-sdk/bridge'
import type { Transaction } from 'layer-sdk/bridge'
import { createGateway, redisLog } from 'layer-sdk/gateway'
import type { Gateway, GatewayLog } from 'layer-sdk/gateway'
import { startHead } from '../support/openHead'
import type { Head } from '../support/openHead'
import { describeWithRedis, RedisServer } from './log/RedisServer'
import { join, ready, until } from './support'
import type { RawClient } from './support'

const PREFIX = 'failures'
const LIMIT_MS = 60_000

/** Two cores and two edges in this process, each with its own connections to Redis, and clients of every mode. */
describeWithRedis('clients of edges whose Redis fails', () => {
  let redis: RedisServer
  let servers: RedisServer[]
  let head: Head
  let logs: GatewayLog[]
  let edges: Gateway[]
  let gateways: Gateway[]
  let watched: { bridge: LayerBridge; address: string; numbers: number[] }[]
  let raw: RawClient
  /** How often the node has judged a transaction. */
  let judged: Map<string, number>

  beforeEach(async () => {
    redis = await new RedisServer().start()
    servers = [redis]
    head = await startHead()
    ;[logs, gateways, watched, judged] = [[], [], [], new Map()]
    const count = (txId: string): void => void judged.set(txId, (judged.get(txId) ?? 0) + 1)
    head.bridge.events.on('TxValid', ({ transactionId }) => count(transactionId))
    head.bridge.events.on('TxInvalid', ({ transaction }) => count(transaction.txId))
    for (const role of ['core', 'core', 'edge', 'edge'] as const) {
      const log = redisLog({ url: redis.url, prefix: PREFIX })
      logs.push(log)
      gateways.push(
        await createGateway({
          port: 0,
          limits: { commandsPerSecond: 1_000, commandBurst: 1_000 },
          role,
          log,
          heads: [{ path: '/', upstream: head.node.url }]
        })
      )
    }
    edges = gateways.slice(2)
    for (const edge of edges) await ready(edge)
    const [payer, payee] = head.wallets.map((wallet) => wallet.getAddressBech32()) as [string, string]
    await watch(edges[0]!, payer, { mode: 'delta' })
    await watch(edges[1]!, payer, { mode: 'address', addresses: [payer] })
    await watch(edges[1]!, payee, { mode: 'address', addresses: [payee] })
    await watch(edges[0]!, payer, { mode: 'full' })
    await watch(edges[0]!, payer, {})
    raw = await join(`${edges[1]!.url}/hydra`, { mode: 'delta' })
    await raw.tagged('GatewaySnapshot')
  }, LIMIT_MS)
  afterEach(async () => {
    raw?.socket.disconnect()
    for (const { bridge } of watched) await bridge.disconnect()
    for (const gateway of gateways) await gateway.stop()
    for (const log of logs) await log.close()
    await head.stop()
    for (const server of servers) await server.stop()
  }, LIMIT_MS)

  async function watch(edge: Gateway, address: string, options: object): Promise<void> {
    const bridge = new LayerBridge({
      connector: new GatewayConnector(edge.url, options),
      autoReconnect: true,
      reconnectInterval: 50
    })
    const numbers: number[] = []
    bridge.events.on('SnapshotConfirmed', ({ snapshot }) => void numbers.push(snapshot.number))
    watched.push({ bridge, address, numbers })
    await bridge.connect()
  }
  const payment = (lovelace: bigint): Promise<Transaction> =>
    head.payment(head.wallets[1]!.getAddressBech32(), lovelace)
  /** Pays at the node itself. */
  const pay = async (lovelace: bigint): Promise<void> => void (await head.bridge.submitTxSync(await payment(lovelace)))
  const post = async (edge: Gateway, { type, cborHex, txId }: Transaction): Promise<number> => {
    const body = JSON.stringify({ type, description: '', cborHex, txId })
    return (
      await fetch(`${edge.url}/hydra/submit-tx`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body
      })
    ).status
  }
  const outputsOf = (bridge: LayerBridge, address: string): string =>
    (bridge.getAddressUTxOs(address) ?? [])
      .map(({ input }) => `${input.txHash}#${input.index}`)
      .sort()
      .join()
  const snapshots = (): any[] => raw.events.map(({ data }) => data).filter(({ tag }) => tag === 'SnapshotConfirmed')

  /**
   * A payment at the node, and one through each edge, reach every client; nobody has anything but what the node has.
   */
  async function expectExact(): Promise<void> {
    await Promise.all(
      edges.map((edge) =>
        until('the edge is ready', async () => (await fetch(`${edge.url}/health/ready`)).status === 200, LIMIT_MS)
      )
    )
    await pay(1_010_000n)
    for (const edge of edges) {
      const tx = await payment(1_020_000n)
      // 503 says that nothing was sent: it may be sent again.
      let status = 503
      await until('a verdict', async () => (status = await post(edge, tx)) !== 503, LIMIT_MS)
      expect(status).toBe(200)
      await until('the node’s client has it too', () => head.bridge.isUnspent(`${tx.txId}#0`) === true)
    }
    const exact = (): boolean =>
      watched.every(({ bridge, address }) => outputsOf(bridge, address) === outputsOf(head.bridge, address))
    await until('every client has what the head has', exact, LIMIT_MS)
    await until(
      'the newest snapshot',
      () => snapshots().at(-1)?.snapshot.number === head.bridge.lastSnapshotNumber,
      LIMIT_MS
    )
    expect([...judged].filter(([, times]) => times > 1)).toEqual([])
  }
  /** What a client of deltas can follow: each begins where the one before ended, or a whole snapshot comes between. */
  function expectChain(): void {
    let at = -1
    for (const { data } of raw.events) {
      if (data.tag === 'GatewaySnapshot') at = data.number
      if (data.tag !== 'SnapshotConfirmed' || data.delta.number <= at) continue
      expect(data.delta.from).toBeLessThanOrEqual(at)
      at = data.delta.number
    }
  }

  it('lose, double and get wrong nothing when Redis is emptied under them, and begin anew', async () => {
    const early = await payment(2_000_000n)
    expect(await post(edges[0]!, early)).toBe(200)
    await until('the other edge has it', () =>
      snapshots().some(({ snapshot }) => snapshot.confirmed.some(({ txId }: Transaction) => txId === early.txId))
    )
    const paying = (async () => {
      for (let i = 0n; i < 20n; i++) await pay(1_100_000n + i)
    })()
    await redis.command('FLUSHALL')
    await paying
    await expectExact()
    expect(raw.events.filter(({ data }) => data.tag === 'GatewaySnapshot').slice(1)).toContainEqual({
      status: 'success',
      data: expect.objectContaining({ reason: 'resync' })
    })
    expectChain()
    expect(raw.socket.connected).toBe(true)
    for (const { numbers } of watched) expect(numbers).toEqual([...new Set(numbers)].sort((a, b) => a - b))
    // The log does not know it any more; the edges do, and the node never sees it again.
    for (const edge of edges) expect(await post(edge, early)).toBe(200)
    expect(judged.get(early.txId)).toBe(1)
  }, 120_000)

  it.each([
    ['empty', 'none'],
    ['behind', 'copied']
  ] as const)(
    'keep their sockets while Redis is gone, and have the head’s state once another one serves that starts %s',
    async (_, records) => {
      const early = await payment(2_000_000n)
      expect(await post(edges[0]!, early)).toBe(200)
      const next = redis.successor(records)
      servers.push(next)
      // What the copy does not have.
      const lost = await payment(2_100_000n)
      expect(await post(edges[1]!, lost)).toBe(200)
      await pay(1_200_000n)
      const number = head.bridge.lastSnapshotNumber
      await until('it has come', () => snapshots().at(-1)?.snapshot.number === number)
      await redis.kill()
      await Promise.all(
        edges.map((edge) =>
          until('it is not ready', async () => (await fetch(`${edge.url}/health/ready`)).status === 503)
        )
      )
      expect(await post(edges[0]!, await payment(2_200_000n))).toBe(503)
      await pay(1_300_000n)
      expect([raw.socket.connected, ...watched.map(({ bridge }) => bridge.connected())]).toEqual([
        true,
        true,
        true,
        true,
        true,
        true
      ])
      await next.start()
      // The copy says that a core holds the lease: it has to run out first.
      await expectExact()
      expect(raw.events.filter(({ data }) => data.tag === 'GatewaySnapshot').length).toBeGreaterThan(1)
      expectChain()
      expect(raw.socket.connected).toBe(true)
      for (const tx of [early, lost]) {
        for (const edge of edges) expect(await post(edge, tx)).toBe(200)
        expect(judged.get(tx.txId)).toBe(1)
      }
    },
    120_000
  )
})
