import { createServer, connect } from 'node:net'
import type { AddressInfo, Server, Socket } from 'node:net'
import { createGateway, memoryLog } from 'layer-sdk/gateway'
import type { Gateway, GatewayLog } from 'layer-sdk/gateway'
import { headStreams } from '../../src/gateway/records'
import { startHead } from '../support/openHead'
import type { Head } from '../support/openHead'
import { join, ready, until } from './support'
import type { RawClient } from './support'

/** A way to the node that can be cut, and counts what is sent to it. */
class Relay {
  readonly sockets = new Set<Socket>()
  text = ''
  cut = false
  server!: Server

  async start(target: number): Promise<this> {
    this.server = createServer((socket) => {
      if (this.cut) return void socket.destroy()
      const other = connect(target, '127.0.0.1')
      for (const each of [socket, other]) {
        this.sockets.add(each)
        each
          .on('error', () => undefined)
          .on('close', () => {
            socket.destroy()
            other.destroy()
          })
      }
      socket.pipe(other)
      other.pipe(socket)
    })
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve))
    return this
  }

  get url(): string {
    return `ws://127.0.0.1:${(this.server.address() as AddressInfo).port}`
  }

  end(): void {
    this.cut = true
    for (const socket of this.sockets) socket.destroy()
  }
}

describe('cores and edges that share a log', () => {
  let head: Head
  let log: GatewayLog
  let relays: Relay[]
  let gateways: Gateway[]
  let clients: RawClient[]
  beforeEach(async () => {
    head = await startHead()
    log = memoryLog()
    relays = []
    gateways = []
    clients = []
  })
  afterEach(async () => {
    for (const client of clients) client.socket.disconnect()
    for (const gateway of gateways) await gateway.stop()
    for (const relay of relays) {
      relay.end()
      relay.server.close()
    }
    await head.stop()
  })

  const start = async (role: 'core' | 'edge' | 'both'): Promise<{ gateway: Gateway; relay: Relay }> => {
    const relay = await new Relay().start(Number(new URL(head.node.url).port))
    const gateway = await createGateway({
      port: 0,
      role,
      log,
      heads: [{ path: '/', upstream: relay.url }],
      limits: { verdictTimeout: 5_000 }
    })
    relays.push(relay)
    gateways.push(gateway)
    return { gateway, relay }
  }
  const open = async (gateway: Gateway, auth: Record<string, unknown>): Promise<RawClient> => {
    const client = await join(`${gateway.url}/hydra`, auth)
    clients.push(client)
    return client
  }
  const pay = async (lovelace: bigint): Promise<void> => {
    await head.bridge.submitTxSync(await head.payment(head.wallets[1]!.getAddressBech32(), lovelace))
  }

  it.each([
    ['is asking for the lease', 'lease'],
    ['is taking the log over', 'read']
  ] as const)('stop while a core %s', async (_, part) => {
    let begun = (): void => undefined
    const beginning = new Promise<void>((resolve) => (begun = resolve))
    let goOn = (): void => undefined
    const held = new Promise<void>((resolve) => (goOn = resolve))
    const slow: GatewayLog = {
      ...log,
      [part]: async (...args: never[]) => {
        begun()
        await held
        return (log[part] as (...args: never[]) => unknown)(...args)
      }
    }
    const gateway = await createGateway({
      port: 0,
      role: 'core',
      log: slow,
      readyTimeout: 0,
      heads: [{ path: '/', upstream: head.node.url }]
    })
    await beginning
    const stopped = gateway.stop()
    goOn()
    await stopped
    // It was given up: another one has it at once.
    expect(await log.lease(headStreams('/').lease, 1_000)).not.toBeNull()
  })

  it('serves through two edges what one core follows, and sends a transaction of both once', async () => {
    await start('core')
    const { gateway: one } = await start('edge')
    const { gateway: two } = await start('edge')
    await Promise.all([ready(one), ready(two)])
    const seen: string[] = []
    head.node.open('history=no', { send: (text) => void seen.push(String(text)), close() {} })
    const watchers = [await open(one, {}), await open(two, { mode: 'delta' })]
    const transaction = await head.payment(head.wallets[1]!.getAddressBech32(), 2_000_000n)
    const answers = await Promise.all(
      [one, two, one, two].map(async (gateway) => {
        const { type, cborHex } = transaction
        const headers = { 'Content-Type': 'application/json' }
        const response = await fetch(`${gateway.url}/hydra/submit-tx`, {
          method: 'POST',
          headers,
          body: JSON.stringify({ type, description: '', cborHex })
        })
        return [
          response.status,
          ((await response.json()) as any).data.snapshot.confirmed.map(({ txId }: { txId: string }) => txId)
        ]
      })
    )
    expect(answers).toEqual(Array(4).fill([200, [transaction.txId]]))
    for (const watcher of watchers)
      expect((await watcher.tagged('SnapshotConfirmed')).snapshot.confirmed).toHaveLength(1)
    // A second copy would be refused by the node.
    expect(seen.filter((text) => text.includes('"TxInvalid"'))).toEqual([])
  })

  it('goes on with the next core when one ends, no number lost and none twice', async () => {
    const { gateway: first } = await start('core')
    const { gateway: edge } = await start('edge')
    await ready(edge)
    const client = await open(edge, { mode: 'delta' })
    const { number } = await client.tagged('GatewaySnapshot')
    await start('core')
    await pay(1_000_000n)
    await first.stop()
    // While there is no core: the next one catches up with one record.
    await pay(1_100_000n)
    await pay(1_200_000n)
    await ready(edge)
    await pay(1_300_000n)
    const last = head.bridge.lastSnapshotNumber
    await until('the last snapshot', () => client.events.some(({ data }) => data.delta?.number === last))
    const steps = client.events
      .filter(({ data }) => data.tag === 'SnapshotConfirmed')
      .map(({ data }) => [data.delta.from, data.delta.number])
    expect(steps[0]![0]).toBe(number)
    steps.slice(1).forEach(([from], index) => expect(from).toBe(steps[index]![1]))
    expect(steps.at(-1)![1]).toBe(last)
    expect(client.events.filter(({ data }) => data.tag === 'GatewaySnapshot')).toHaveLength(1)
  })

  it('says so while the node cannot be reached, refuses submissions, answers reads with their age, and catches up', async () => {
    const { gateway, relay } = await start('both')
    await ready(gateway)
    const client = await open(gateway, { mode: 'delta' })
    await client.tagged('GatewaySnapshot')
    relay.end()
    expect(await client.tagged('GatewayUpstream')).toEqual({ tag: 'GatewayUpstream', connected: false })
    const { type, cborHex } = await head.payment(head.wallets[1]!.getAddressBech32(), 2_000_000n)
    const headers = { 'Content-Type': 'application/json' }
    const refused = await fetch(`${gateway.url}/hydra/submit-tx`, {
      method: 'POST',
      headers,
      body: JSON.stringify({ type, cborHex })
    })
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '1'])
    const read = await fetch(`${gateway.url}/hydra/snapshot/utxo`)
    expect([read.status, Number(read.headers.get('age')) >= 1]).toEqual([200, true])
    await pay(1_500_000n)
    relay.cut = false
    expect(await client.tagged('GatewayUpstream', 1)).toEqual({ tag: 'GatewayUpstream', connected: true })
    expect((await client.tagged('SnapshotConfirmed')).delta.number).toBe(head.bridge.lastSnapshotNumber)
  })

  it('begins anew for everybody when the head ends and another one opens', async () => {
    const { gateway } = await start('both')
    await ready(gateway)
    const [extended, plain] = [await open(gateway, { mode: 'delta' }), await open(gateway, {})]
    const { headId } = await extended.tagged('GatewaySnapshot')
    const isReady = head.bridge.waitFor('ReadyToFanout', { timeout: 20_000 })
    head.bridge.commands.close()
    await isReady
    head.bridge.commands.fanout()
    await extended.tagged('HeadIsFinalized')
    await plain.tagged('HeadIsFinalized')
    await until('there is no head', async () => (await fetch(`${gateway.url}/hydra/snapshot/utxo`)).status === 404)
    await head.bridge.commands.initSync()
    const second = await extended.tagged('GatewaySnapshot', 1)
    expect(second).toMatchObject({ reason: 'otherHead', number: 0, utxo: {} })
    expect(second.headId).not.toBe(headId)
    await plain.tagged('Greetings', 1)
    const late = await open(gateway, { mode: 'delta', since: { headId, number: 1 } })
    expect(await late.tagged('GatewaySnapshot')).toMatchObject({ reason: 'otherHead' })
  })
})

it('serves nothing rather than wrong balances when a snapshot of the log does not follow the state', async () => {
  const log = memoryLog()
  const { out, base } = headStreams('/')
  const position = { headId: 'aa'.repeat(28), number: 3, version: 0 }
  const greetings = { tag: 'Greetings', headStatus: 'Open' }
  const { id } = await log.append(
    out,
    JSON.stringify({ kind: 'reset', reason: 'start', position, utxo: {}, greetings })
  )
  await log.append(base, JSON.stringify({ kind: 'base', after: id, position, utxo: {}, greetings, connected: true }))
  const gateway = await createGateway({ port: 0, heads: [{ path: '/' }], log, role: 'edge' })
  const status = async (): Promise<number> => (await fetch(`${gateway.url}/health/ready`)).status
  const snapshot = (from: number, number: number): Promise<unknown> =>
    log.append(
      out,
      JSON.stringify({
        kind: 'snapshot',
        ...position,
        from,
        number,
        message: null,
        spent: {},
        made: {},
        count: 0,
        txs: []
      })
    )
  const seen = async (): Promise<unknown> =>
    ((await (await fetch(`${gateway.url}/hydra/snapshot/last-seen`)).json()) as { data: { lastSeen: number } }).data
      .lastSeen
  try {
    await ready(gateway)
    await snapshot(3, 4)
    await until('the snapshot is seen', async () => (await seen()) === 4)
    await snapshot(5, 6)
    await until('the edge stops serving', async () => (await status()) === 503)
    expect(await seen()).not.toBe(6)
  } finally {
    await gateway.stop()
  }
})

it('stops although somebody holds a connection without a request, and another a WebSocket that answers no close', async () => {
  const gateway = await createGateway({
    port: 0,
    heads: [{ path: '/' }],
    log: memoryLog(),
    role: 'edge',
    readyTimeout: 0
  })
  const { port } = new URL(gateway.url)
  const idle = connect(Number(port), '127.0.0.1')
  const mute = connect(Number(port), '127.0.0.1')
  for (const socket of [idle, mute]) socket.on('error', () => undefined)
  const upgrade = [
    'GET /socket.io/?EIO=4&transport=websocket HTTP/1.1',
    'Host: x',
    'Connection: Upgrade',
    'Upgrade: websocket'
  ]
  mute.write(
    `${[...upgrade, 'Sec-WebSocket-Version: 13', `Sec-WebSocket-Key: ${btoa('x'.repeat(16))}`].join('\r\n')}\r\n\r\n`
  )
  await new Promise((resolve) => mute.once('data', resolve))
  const ended = Promise.all([idle, mute].map((socket) => new Promise((resolve) => socket.once('close', resolve))))
  await gateway.stop()
  await ended
})
