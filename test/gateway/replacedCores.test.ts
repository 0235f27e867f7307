import { SignJWT } from 'jose'
import type { Transaction } from 'layer-sdk/bridge'
import { createGateway, memoryLog, redisLog } from 'layer-sdk/gateway'
import type { Gateway, GatewayLog, GatewayOptions } from 'layer-sdk/gateway'
import { headStreams } from '../../src/gateway/records'
import { FaultProxy } from '../faults/support/FaultProxy'
import { startHead } from '../support/openHead'
import type { Head } from '../support/openHead'
import { describeWithRedis, RedisServer } from './log/RedisServer'
import { join, ready, until } from './support'
import type { RawClient } from './support'

const SECRET = 'SECRET-of-thirty-two-bytes-or-more!'
const STREAMS = headStreams('/')
/** Payments of one run. */
const TIMES = 8
/** Far more than an answer takes, and more than a command that nobody answers is waited for. */
const LIMIT_MS = 60_000

/** Logs of processes that share one, and the end of what they share. */
interface SharedLog {
  open(): GatewayLog
  stop(): Promise<void>
}

async function inMemory(): Promise<SharedLog> {
  const log = memoryLog()
  return { open: () => log, stop: () => log.close() }
}

async function inRedis(): Promise<SharedLog> {
  const redis = await new RedisServer().start()
  const logs: GatewayLog[] = []
  return {
    open() {
      logs.push(redisLog({ url: redis.url, prefix: 'replaced' }))
      return logs.at(-1)!
    },
    async stop() {
      for (const log of logs) await log.close()
      await redis.stop()
    }
  }
}

describe('commands that come while a core is replaced, over a log in memory', () => define(inMemory))
describeWithRedis('commands that come while a core is replaced, over Redis', () => define(inRedis))

function define(shareLog: () => Promise<SharedLog>): void {
  let shared: SharedLog
  let head: Head
  let proxy: FaultProxy
  let edge: Gateway
  let core: Gateway
  /** Outside of the gateway: looks into the log. */
  let log: GatewayLog
  let token: string
  /** How often the node has judged a transaction. */
  let judged: Map<string, number>
  const clients: RawClient[] = []

  beforeEach(async () => {
    shared = await shareLog()
    head = await startHead()
    proxy = await FaultProxy.start(head.node.port)
    judged = new Map()
    const count = (txId: string): void => void judged.set(txId, (judged.get(txId) ?? 0) + 1)
    head.bridge.events.on('TxValid', ({ transactionId }) => count(transactionId))
    head.bridge.events.on('TxInvalid', ({ transaction }) => count(transaction.txId))
    log = shared.open()
    token = await new SignJWT({ scope: 'read submit admin' })
      .setProtectedHeader({ alg: 'HS256' })
      .setExpirationTime('1h')
      .sign(new TextEncoder().encode(SECRET))
    core = await startCore()
    edge = await start({ role: 'edge', auth: { secret: SECRET, algorithms: ['HS256'] } })
    await ready(edge)
  }, LIMIT_MS)
  afterEach(async () => {
    for (const client of clients.splice(0)) client.socket.disconnect()
    await edge.stop()
    await core.stop()
    await proxy.stop()
    await head.stop()
    await shared.stop()
  }, LIMIT_MS)

  const start = (options: Partial<GatewayOptions>): Promise<Gateway> =>
    createGateway({
      port: 0,
      log: shared.open(),
      heads: [{ path: '/', upstream: proxy.url }],
      limits: { commandsPerSecond: 1_000, commandBurst: 1_000 },
      readyTimeout: 0,
      ...options
    })
  const startCore = (): Promise<Gateway> => start({ role: 'core' })
  const post = async (path: string, body: object): Promise<number> => {
    const headers = { 'Content-Type': 'application/json', Authorization: `Bearer ${token}` }
    return (await fetch(`${edge.url}/hydra/${path}`, { method: 'POST', headers, body: JSON.stringify(body) })).status
  }
  const pay = ({ type, cborHex, txId }: Transaction): Promise<number> =>
    post('submit-tx', { type, description: '', cborHex, txId })
  /** Refused while the edge finds out about the core, it is sent again. */
  const payUntilPaid = (tx: Transaction): Promise<void> => until('it is paid', async () => (await pay(tx)) === 200)
  const open = async (): Promise<RawClient> => {
    const client = await join(`${edge.url}/hydra`, { token, mode: 'delta' })
    clients.push(client)
    return client
  }
  const newestOf = async (stream: string): Promise<string | null> => (await log.read(stream, null, 1)).newest
  /**
   * Runs an action once there is no core, which the edge does not know yet, and resolves when its command is in the
   * log.
   */
  async function withoutCore<T>(action: () => Promise<T>): Promise<{ readonly answer: Promise<T> }> {
    const before = await newestOf(STREAMS.in)
    await core.stop()
    const answer = action()
    await until('the command is in the log', async () => (await newestOf(STREAMS.in)) !== before)
    return { answer }
  }
  async function replaceCore(): Promise<void> {
    await core.stop()
    core = await startCore()
  }
  const nodeLeaves = (): void => {
    proxy.toxics.refuse = true
    proxy.reset()
  }
  const nodeReturns = async (): Promise<void> => {
    proxy.toxics.refuse = false
    await ready(edge)
  }

  it(
    `are paid once or refused and never paid, ${TIMES} of ${TIMES}`,
    async () => {
      const statuses: [string, number][] = []
      for (let n = 0; n < TIMES; n++) {
        const tx = await head.payment(head.wallets[1]!.getAddressBech32(), 1_000_000n + BigInt(n))
        const { answer } = await withoutCore(() => pay(tx))
        // The first of two successors has the node in half of them; the second always.
        if (n % 2 === 0) nodeLeaves()
        core = await startCore()
        statuses.push([tx.txId, await answer])
        await replaceCore()
        await nodeReturns()
        // Whatever was still to come has come before this.
        const last = await head.payment(head.wallets[1]!.getAddressBech32(), 2_000_000n + BigInt(n))
        await payUntilPaid(last)
        await until('the direct bridge has it', () => head.bridge.isUnspent(`${last.txId}#0`) === true)
      }
      expect(statuses.filter(([txId]) => judged.has(txId))).toEqual([])
      expect(statuses.map(([, status]) => status)).toEqual(Array(TIMES).fill(503))
      expect([...judged.values()].every((times) => times === 1)).toBe(true)
      // Refused: what was not sent can be sent.
      const again = await head.payment(head.wallets[1]!.getAddressBech32(), 3_000_000n)
      const { answer } = await withoutCore(() => pay(again))
      core = await startCore()
      expect(await answer).toBe(503)
      await ready(edge)
      await payUntilPaid(again)
      expect(judged.get(again.txId)).toBe(1)
    },
    LIMIT_MS * 2
  )

  it(
    'close no head once their sender was told that nothing was sent, whatever core comes next',
    async () => {
      const client = await open()
      const close = (): Promise<unknown> => client.ask({ command: 'send_command', data: { tag: 'Close' } })
      const refused = { accepted: false, reason: expect.stringContaining('no message was sent') }
      for (let n = 0; n < 2; n++) {
        const { answer } = await withoutCore(close)
        if (n === 0) nodeLeaves()
        core = await startCore()
        expect(await answer).toEqual(refused)
        await replaceCore()
        await nodeReturns()
        await payUntilPaid(await head.payment(head.wallets[1]!.getAddressBech32(), 1_000_000n + BigInt(n)))
      }
      expect(client.events.filter(({ data }) => data.tag === 'InvalidInput')).toHaveLength(2)
      expect(head.bridge.headStatus).toBe('Open')
      // Sent to a core that has the node, it is accepted, and closes the head.
      expect(await close()).toEqual({ accepted: true })
      await client.tagged('HeadIsClosed')
    },
    LIMIT_MS
  )

  it.each([
    ['with records of commands that were sent', true],
    ['without any', false]
  ])(
    'are answered where they are requests over HTTP into a log %s',
    async (_, withSent) => {
      if (withSent) await payUntilPaid(await head.payment(head.wallets[1]!.getAddressBech32(), 1_000_000n))
      const utxo = {}
      const { answer } = await withoutCore(() => post('commit', { type: 'simple', data: { utxo } }))
      const begun = Date.now()
      core = await startCore()
      expect(await answer).toBe(503)
      expect(Date.now() - begun).toBeLessThan(25_000)
    },
    LIMIT_MS
  )
}
