import { GatewayConnector, LayerBridge } from 'layer-sdk/bridge'
import type { GatewayConnectorOptions } from 'layer-sdk/bridge'
import { createGateway, memoryLog } from 'layer-sdk/gateway'
import type { Gateway, GatewayLog, GatewayOptions } from 'layer-sdk/gateway'
import { recordsAfter } from '../../src/gateway/core/readLog'
import { headStreams } from '../../src/gateway/records'
import {
  confirmedSnapshot,
  greetings,
  HEAD_ID,
  output,
  ScriptedNode,
  send,
  snapshotConfirmed
} from '../support/scriptedNode'
import { addressOf } from '../support/signedSnapshot'
import { join, until } from './support'

const ALICE = addressOf(`60${'a1'.repeat(28)}`)
const DEPOSIT = 'd0'.repeat(32)
const HELD = `${'0a'.repeat(32)}#0`
const COMING = `${'0c'.repeat(32)}#1`
const TIME = '2026-01-01T00:00:00Z'
const MODES: [string, GatewayConnectorOptions][] = [
  ['delta', { mode: 'delta' }],
  ['full', { mode: 'full' }],
  ['address', { mode: 'address', addresses: [ALICE] }]
]

/** Snapshots 5 and later: 3 ada in the head, 9 ada of a deposit that the snapshot takes up. */
const fields = { utxo: { [HELD]: output(ALICE, 3_000_000) }, utxoToCommit: { [COMING]: output(ALICE, 9_000_000) } }
function withDeposit(message: Record<string, unknown>): Record<string, unknown> {
  return { ...message, snapshot: { ...(message['snapshot'] as object), depositTxId: DEPOSIT } }
}

describe('a deposit that a snapshot takes up, behind a gateway', () => {
  let node: ScriptedNode
  let log: GatewayLog
  let pending: string[]
  const bridges: LayerBridge[] = []
  const gateways: Gateway[] = []
  beforeEach(async () => {
    node = await new ScriptedNode().start()
    log = memoryLog()
    pending = [DEPOSIT]
    node.onConnection = (socket) => send(socket, greetings({ hydraNodeVersion: '2.4.1' }))
    node.routes['GET /commits'] = () => ({ body: pending })
    node.routes['GET /snapshot'] = { body: withDeposit(confirmedSnapshot(5, fields)) }
  })
  afterEach(async () => {
    for (const bridge of bridges.splice(0)) await bridge.disconnect()
    for (const gateway of gateways.splice(0)) await gateway.stop()
    await node.stop()
    await log.close()
  })

  const start = async (options: Partial<GatewayOptions> = {}): Promise<Gateway> => {
    const gateway = await createGateway({ port: 0, log, heads: [{ path: '/', upstream: node.url }], ...options })
    gateways.push(gateway)
    return gateway
  }
  const connect = async (bridge: LayerBridge): Promise<LayerBridge> => {
    bridges.push(bridge)
    await bridge.connect()
    await until('the bridge knows the outputs', () => bridge.getSnapshot().ready && bridge.lastSnapshotNumber >= 0)
    return bridge
  }
  const behind = ({ url }: Gateway, options: GatewayConnectorOptions): Promise<LayerBridge> =>
    connect(new LayerBridge({ connector: new GatewayConnector(url, options) }))
  const arriving = (bridge: LayerBridge): bigint => bridge.getAddressArriving(ALICE)!.get('lovelace') ?? 0n

  it.each(MODES)(
    'is arriving for a bridge of mode %s that comes after it, until it is final, and is not for one that comes later',
    async (_, options) => {
      const gateway = await start()
      const bridge = await behind(gateway, options)
      expect([arriving(bridge), bridge.isArriving(COMING), bridge.isArriving(HELD)]).toEqual([9_000_000n, true, false])
      node.send({ tag: 'CommitFinalized', headId: HEAD_ID, seq: 7, timestamp: TIME, depositTxId: DEPOSIT })
      await until('it is final', () => arriving(bridge) === 0n)
      expect(arriving(await behind(gateway, options))).toBe(0n)
    }
  )

  it('names no outputs of others to a client of mode address', async () => {
    const gateway = await start()
    const other = addressOf(`60${'b2'.repeat(28)}`)
    const client = await join(`${gateway.url}/hydra`, { mode: 'address', addresses: [other] })
    expect(await client.tagged('GatewaySnapshot')).toMatchObject({ utxo: {}, utxoToCommit: {}, depositTxId: DEPOSIT })
    client.socket.disconnect()
  })

  it('is not arriving where the base ledger has none that is pending, nor after the next core has found that out', async () => {
    const first = await start()
    expect(arriving(await behind(first, { mode: 'delta' }))).toBe(9_000_000n)
    pending = []
    const bridge = await behind(await start({ log: memoryLog() }), { mode: 'delta' })
    expect([arriving(bridge), bridge.getAddressBalance(ALICE)!.get('lovelace')]).toEqual([0n, 12_000_000n])
    node.cut()
    await until(
      'the first gateway is back',
      async () => (await (await fetch(`${first.url}/health/ready`)).text()) === 'ready'
    )
    await until('its clients know', async () => arriving(await behind(first, { mode: 'delta' })) === 0n)
  })

  it.each(MODES)('has the same id for a bridge of mode %s as for one at the node', async (_, options) => {
    const direct = await connect(new LayerBridge({ url: node.url }))
    const bridge = await behind(await start(), options)
    const ids = [direct, bridge].map((each) => {
      const seen: unknown[] = []
      each.events.on('onMessage', (payload) => {
        if (payload.tag === 'SnapshotConfirmed') seen.push(payload.snapshot.depositTxId)
      })
      return seen
    })
    node.send(withDeposit({ ...snapshotConfirmed(6, fields), timestamp: TIME }))
    const next = { ...fields, utxo: { ...fields.utxo, ...fields.utxoToCommit }, utxoToCommit: null }
    const last = snapshotConfirmed(7, { ...next, utxo: { ...next.utxo, [`${'0e'.repeat(32)}#0`]: output(ALICE, 1) } })
    node.send({ ...last, snapshot: { ...(last['snapshot'] as object), depositTxId: null, version: 1 } })
    const expected = options.mode === 'address' ? [null] : [DEPOSIT, null]
    await until('both have the last one', () => bridge.lastSnapshotNumber === 7 && direct.lastSnapshotNumber === 7)
    expect(ids[0]).toEqual([DEPOSIT, null])
    expect(ids[1]).toEqual(expected)
  })

  it('is in the records of the log, and in the one that catches up over several snapshots', async () => {
    node.routes['GET /snapshot'] = { body: confirmedSnapshot(3, { utxo: fields.utxo }) }
    const edge = await start({ role: 'edge', readyTimeout: 0 })
    const first = await start({ role: 'core' })
    const bridge = await behind(edge, { mode: 'delta' })
    const seen: unknown[] = []
    bridge.events.on('onMessage', (payload) => {
      if (payload.tag === 'SnapshotConfirmed') seen.push([payload.snapshot.number, payload.snapshot.depositTxId])
    })
    gateways.splice(gateways.indexOf(first), 1)
    await first.stop()
    node.routes['GET /snapshot'] = { body: withDeposit(confirmedSnapshot(8, fields)) }
    await start({ role: 'core' })
    await until('the edge has caught up', () => bridge.lastSnapshotNumber === 8)
    expect(seen).toEqual([[8, DEPOSIT]])
    expect(arriving(bridge)).toBe(9_000_000n)
    const records: { kind: string; depositTxId?: unknown; arriving?: unknown }[] = []
    for await (const { record } of recordsAfter(log, headStreams('/').out, null))
      records.push(JSON.parse(record) as never)
    expect(records.filter(({ kind }) => kind === 'snapshot')).toMatchObject([
      { from: 3, number: 8, depositTxId: DEPOSIT, arriving: [COMING] }
    ])
  })
})

describe('a node that is newer than the signatures that the package knows', () => {
  it.each([
    ['9.9.9', true],
    ['2.4.1-099f5dd', false]
  ])('%s is named as unknown-rule, never as forged: %s', async (version, isUnknown) => {
    const node = await new ScriptedNode().start()
    node.onConnection = (socket) => send(socket, greetings({ hydraNodeVersion: version }))
    node.routes['GET /snapshot'] = { body: withDeposit(confirmedSnapshot(5, fields)) }
    const lines: string[] = []
    const gateway = await createGateway({
      port: 0,
      proofs: true,
      metrics: { port: 0 },
      heads: [{ path: '/', upstream: node.url }],
      logger: { info: (line) => lines.push(line), warn: (line) => lines.push(line) }
    })
    const named = lines.filter((line) => line.includes('unknown-rule'))
    expect(named).toEqual(
      isUnknown ? [expect.stringMatching(/^head \/: the node is 9\.9\.9, .* is 2\.4 \(unknown-rule\): .*update/)] : []
    )
    const metrics = await (await fetch(gateway.metricsUrl!)).text()
    expect(metrics).toContain(`layer_gateway_unknown_rule{head="/"} ${isUnknown ? 1 : 0}`)
    const answer = await fetch(`${gateway.url}/hydra/proof?ref=${encodeURIComponent(HELD)}`)
    const { data } = (await answer.json()) as { data: { tag: string; reason: string } }
    if (isUnknown) {
      expect([answer.status, data.tag]).toEqual([503, 'UnknownRule'])
      expect(data.reason).toMatch(/9\.9\.9.*2\.4 \(unknown-rule\)/)
    } else expect(data.tag).not.toBe('UnknownRule')
    const client = await join(`${gateway.url}/hydra`, { mode: 'delta' })
    expect(await client.tagged('Greetings')).toMatchObject({ hydraNodeVersion: version })
    client.socket.disconnect()
    // The head is served all the same.
    expect((await fetch(`${gateway.url}/health/ready`)).status).toBe(200)
    expect(lines.join('\n')).not.toMatch(/forge|signature is/i)
    await gateway.stop()
    await node.stop()
  })
})
