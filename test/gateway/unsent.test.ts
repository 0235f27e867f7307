import { GatewayConnector, LayerBridge } from 'layer-sdk/bridge'
import type { GatewayConnectorOptions, Transaction } from 'layer-sdk/bridge'
import { createGateway, memoryLog } from 'layer-sdk/gateway'
import type { Gateway, GatewayLog, GatewayOptions } from 'layer-sdk/gateway'
import { headStreams } from '../../src/gateway/records'
import { FaultProxy } from '../faults/support/FaultProxy'
import { startHead } from '../support/openHead'
import type { Head } from '../support/openHead'
import { join, ready, until } from './support'

/** Far more than it takes: a bridge that learns of no refusal fails with the outcome 'unknown'. */
const TIMEOUT_MS = 20_000

describe('a payment that a gateway does not send to the node', () => {
  let head: Head
  let proxy: FaultProxy
  let log: GatewayLog
  const gateways: Gateway[] = []
  const bridges: LayerBridge[] = []
  beforeEach(async () => {
    head = await startHead()
    proxy = await FaultProxy.start(head.node.port)
    log = memoryLog()
  })
  afterEach(async () => {
    for (const bridge of bridges.splice(0)) await bridge.disconnect()
    for (const gateway of gateways.splice(0)) await gateway.stop()
    await proxy.stop()
    await head.stop()
  })

  const start = async (options: Partial<GatewayOptions> = {}): Promise<Gateway> => {
    const upstream = head.node.url.replace(`:${head.node.port}`, `:${proxy.port}`)
    const limits = { commandsPerSecond: 1_000, commandBurst: 1_000 }
    const gateway = await createGateway({ port: 0, log, heads: [{ path: '/', upstream }], limits, ...options })
    gateways.push(gateway)
    return gateway
  }
  const bridgeTo = async (gateway: Gateway, options: GatewayConnectorOptions = {}): Promise<LayerBridge> => {
    const bridge = new LayerBridge({ connector: new GatewayConnector(gateway.url, options) })
    bridges.push(bridge)
    await bridge.connect()
    return bridge
  }
  const payment = (lovelace = 1_000_000n): Promise<Transaction> =>
    head.payment(head.wallets[1]!.getAddressBech32(), lovelace)
  const outcomeOf = (bridge: LayerBridge, tx: Transaction): Promise<unknown> =>
    bridge.submitTxSync(tx, { timeout: TIMEOUT_MS }).then(
      () => 'confirmed',
      ({ tag, outcome, reason }) => ({ tag, outcome, reason })
    )
  const loseNode = async (gateway: Gateway): Promise<void> => {
    proxy.toxics.refuse = true
    proxy.reset()
    const statusOf = async (): Promise<number> =>
      (await fetch(`${gateway.url}/hydra/submit-tx`, submitting(await payment(9_000_000n)))).status
    await until('the gateway says that it has no node', async () => (await statusOf()) === 503)
  }
  const submitting = (tx: Transaction): RequestInit => ({
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(tx)
  })

  it.each([
    ['plain', {}],
    ['delta', { mode: 'delta' }],
    ['full', { mode: 'full' }],
    ['address', { mode: 'address' }]
  ] as const)('is rejected at once while the node is gone, with a bridge of mode %s', async (mode, options) => {
    const gateway = await start()
    await ready(gateway)
    const bridge = await bridgeTo(
      gateway,
      mode === 'address' ? { mode, addresses: [head.wallets[0]!.getAddressBech32()] } : options
    )
    await loseNode(gateway)
    const tx = await payment()
    expect(await outcomeOf(bridge, tx)).toEqual({
      tag: 'InvalidInput',
      outcome: 'none',
      reason: expect.stringContaining('no message was sent')
    })
    // The same one can be sent once the node is back.
    proxy.toxics.refuse = false
    const isBack = async (): Promise<boolean> =>
      (await fetch(`${gateway.url}/hydra/snapshot/last-seen`)).headers.get('age') === null
    await until('the node is back', isBack, 60_000)
    expect(await outcomeOf(bridge, tx)).toBe('confirmed')
  })

  it('is rejected at once beyond the rate of commands', async () => {
    const gateway = await start({ limits: { commandsPerSecond: 1, commandBurst: 1 } })
    await ready(gateway)
    const bridge = await bridgeTo(gateway, { mode: 'delta' })
    const payments = await Promise.all(Array.from({ length: 10 }, (_, n) => payment(1_000_000n + BigInt(n))))
    const [first, ...others] = await Promise.all(payments.map((tx) => outcomeOf(bridge, tx)))
    expect(first).toBe('confirmed')
    expect(others.at(-1)).toEqual({ tag: 'InvalidInput', outcome: 'none', reason: 'too many commands' })
    expect(others.filter((each) => (each as { outcome?: string }).outcome !== 'none')).toEqual([])
  })

  it('is rejected by the next core where it came while there was none', async () => {
    const first = await start({ role: 'core' })
    const edge = await start({ role: 'edge' })
    await ready(edge)
    const bridge = await bridgeTo(edge, { mode: 'delta' })
    expect(await outcomeOf(bridge, await payment(2_000_000n))).toBe('confirmed')
    await until('the direct bridge has it too', () => head.bridge.lastSnapshotNumber >= bridge.lastSnapshotNumber)
    const { in: commands } = headStreams('/')
    const { newest } = await log.read(commands, null, 1)
    gateways.splice(gateways.indexOf(first), 1)
    await first.stop()
    const tx = await payment()
    const outcome = outcomeOf(bridge, tx)
    await until('the command is in the log', async () => (await log.read(commands, null, 1)).newest !== newest)
    proxy.toxics.refuse = true
    await start({ role: 'core', readyTimeout: 0 })
    expect(await outcome).toEqual({
      tag: 'InvalidInput',
      outcome: 'none',
      reason: `${tx.txId}: the node is not connected`
    })
  })

  it('is named only when no copy of it can have been sent', async () => {
    const gateway = await start()
    await ready(gateway)
    head.node.faults.holdSnapshots = true
    const client = await join(`${gateway.url}/hydra`, { mode: 'delta' })
    const [sent, unsent] = [await payment(1_000_000n), await payment(1_100_000n)]
    const send = async (transaction: object, tag = 'NewTx'): Promise<unknown> => {
      const before = client.events.length
      await client.ask({ command: 'send_command', data: { tag, transaction } })
      return client.events.slice(before).find(({ data }) => data.tag === 'InvalidInput')?.data
    }
    expect(await send(sent)).toBeUndefined()
    await client.tagged('TxValid')
    await loseNode(gateway)
    expect(await send(sent)).toEqual({ tag: 'InvalidInput', reason: expect.any(String), input: '' })
    expect(await send(unsent)).toEqual({
      tag: 'InvalidInput',
      reason: expect.any(String),
      input: '',
      txId: unsent.txId
    })
    for (const txId of ['x'.repeat(64), 7, '', { a: 1 }, `${unsent.txId}"`]) {
      expect(await send({ ...unsent, txId })).toEqual({ tag: 'InvalidInput', reason: expect.any(String), input: '' })
    }
    expect(await send(unsent, 'Close')).toEqual({ tag: 'InvalidInput', reason: 'forbidden', input: '' })
    client.socket.disconnect()
  })

  it('is not named by an edge whose clients may have sent it through another one', async () => {
    await start({ role: 'core' })
    let isGone = false
    const gone = (): void => {
      if (isGone) throw new Error('the log is gone')
    }
    const cut = new AbortController()
    const failing: GatewayLog = {
      ...log,
      read: async (...args) => (gone(), log.read(...args)),
      tail: async (stream, after, onRecord, signal) => (
        gone(),
        log.tail(stream, after, onRecord, AbortSignal.any([signal, cut.signal]))
      )
    }
    const [first, second, third] = [
      await start({ role: 'edge' }),
      await start({ role: 'edge' }),
      await start({ role: 'edge', log: failing })
    ]
    for (const edge of [first, second, third]) await ready(edge)
    head.node.faults.holdSnapshots = true
    const waiting = await join(`${third.url}/hydra`, { mode: 'delta' })
    isGone = true
    cut.abort()
    await until('the edge has lost the log', async () => (await fetch(`${third.url}/health/ready`)).status === 503)
    const tx = await payment()
    const client = await join(`${first.url}/hydra`, { mode: 'delta' })
    await client.ask({ command: 'send_command', data: { tag: 'NewTx', transaction: tx } })
    await client.tagged('TxValid')
    const refusedBy = async (edge: Gateway): Promise<unknown> => {
      const other = await join(`${edge.url}/hydra`, { mode: 'delta' })
      await other.ask({ command: 'send_command', data: { tag: 'NewTx', transaction: tx } })
      const refusal = await other.tagged('InvalidInput')
      other.socket.disconnect()
      return refusal
    }
    // The node knows it; this edge does not see the log, and says nothing of it.
    await waiting.ask({ command: 'send_command', data: { tag: 'NewTx', transaction: tx } })
    expect(await waiting.tagged('InvalidInput')).toEqual({ tag: 'InvalidInput', reason: expect.any(String), input: '' })
    await loseNode(second)
    expect(await refusedBy(second)).toEqual({ tag: 'InvalidInput', reason: expect.any(String), input: '' })
    for (const { socket } of [client, waiting]) socket.disconnect()
  })
})
