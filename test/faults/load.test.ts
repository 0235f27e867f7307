import type { Socket } from 'node:net'
import { LayerBridge } from 'layer-sdk/bridge'
import type { WebSocket } from 'ws'
import { ada, buildTx, envelopeOf } from '../devnode/transactions'
import { HEAD_ID, ScriptedNode, snapshotConfirmed } from '../support/scriptedNode'
import { shortestRun } from '../support/timing'
import { ClientPeer } from './support/clientPeer'
import { faultRow, until } from './support/matrix'

const MB = 1_000_000
/** Times in tests are twenty times the figure: what is measured here is that nothing is far off. */
const SLACK = 20
const ADDRESS = 'addr_test1vzpwq95z3xyum8vqndgdd9mdnmafh3djcxnc6jemlgdmswcve6tkw'
const OUTPUTS = 100_000
const INITIAL = { body: { tag: 'InitialSnapshot', headId: HEAD_ID } }
const POLICY = 'ab'.repeat(28)

/** A node that says what it is told to, and a bridge of a process of its own. */
async function withPeer(mode: string, facts: { options?: object; [fact: string]: unknown }, run: (node: ScriptedNode, peer: ClientPeer) => Promise<void>): Promise<void> {
  const node = await new ScriptedNode().start()
  node.routes['GET /snapshot'] = INITIAL
  const peer = await ClientPeer.start(mode, { ...facts, options: { url: node.url, ...facts.options } })
  try {
    await run(node, peer)
  } finally {
    await peer.stop()
    await node.stop()
  }
}

/** An output as the node writes it, about 300 bytes; a tenth of them belong to one address and carry an asset. */
function outputText(index: number): string {
  const address = index % 10 === 0 ? ADDRESS : `addr_test1vz${index.toString(36).padStart(46, 'q')}`
  const assets = index % 10 === 0 ? `,"${POLICY}":{"cd":${index}}` : ''
  return `"${index.toString(16).padStart(64, '0')}#${index % 3}":{"address":"${address}","datum":null,"datumhash":null,"inlineDatum":null,"inlineDatumRaw":null,"referenceScript":null,"value":{"lovelace":${1_000_000 + index}${assets}}}`
}

describe('load', () => {
  faultRow({
    row: 33, fault: 'snapshots of 100,000 outputs (30 MB), one after the other, 1 % of the outputs new each time', repeats: 1, timeout: 90_000,
    expected: 'the loop stands still for no more than its share of JSON.parse; at most 600 bytes an output stay in memory'
  }, async ({ injected, wire }) => {
    const count = 5
    const outputs = Array.from({ length: OUTPUTS }, (_, index) => outputText(index))
    await withPeer('snapshots', { until: count, address: ADDRESS }, async (node, peer) => {
      await peer.hear('ready')
      let bytes = 0
      let parseMs = 0
      for (let number = 1; number <= count; number++) {
        for (let index = 0; number > 1 && index < OUTPUTS / 100; index++) outputs[index * 100] = outputText(OUTPUTS * number + index * 10)
        const text = JSON.stringify(snapshotConfirmed(number)).replace('"utxo":{}', `"utxo":{${outputs.join(',')}}`)
        if (number === 1) parseMs = shortestRun(() => JSON.parse(text), 1)
        bytes += text.length
        node.send(text)
        injected()
      }
      const result = await peer.hear<{ grown: number; outputs: number; balanceUs: number; stallMs: number; lovelace: string; number: number }>('result', 60_000)
      expect(result).toMatchObject({ outputs: OUTPUTS, number: count })
      const held = outputs.filter((text) => text.includes(`"${ADDRESS}"`)).reduce((sum, text) => sum + BigInt(/"lovelace":(\d+)/.exec(text)![1]!), 0n)
      expect(result.lovelace).toBe(String(held))
      expect(result.grown).toBeLessThan(600 * OUTPUTS)
      expect(result.stallMs).toBeLessThan(2.4 * parseMs * SLACK)
      expect(result.balanceUs).toBeLessThan(SLACK)
      expect(bytes).toBeGreaterThan(count * 25 * MB)
      wire('snapshots of 100,000 outputs sent and not applied', count - result.number, 0)
      wire('WebSocket connections', node.queries.length, 1)
    })
  })

  faultRow({
    row: 34, fault: 'a message of 200 MB; one without an end in fragments of 64 kB, and of one byte', repeats: 3, timeout: 120_000,
    expected: 'refused while it arrives, a typed error, no reconnect; memory stays within the cap'
  }, async ({ index, injected, wire }) => {
    const cap = index % 3 === 0 ? undefined : 32 * MB
    const options = { autoReconnect: true, reconnectInterval: 10, ...(cap === undefined ? {} : { maxMessageBytes: cap }) }
    await withPeer('oversize', { options }, async (node, peer) => {
      await peer.hear('ready')
      const [socket] = node.sockets as unknown as [WebSocket]
      const closed = new Promise<number>((resolve) => socket.once('close', resolve))
      const sent = index % 3 === 0 ? sendFrame(socket, 200 * MB) : sendFragments(socket, index % 3 === 1 ? 65_536 : 1, 200 * MB)
      injected()
      const result = await peer.hear<{ grown: number; errors: { code: string; limit?: number }[]; state: string }>('result')
      const code = await closed
      expect(result.state).toBe('failed')
      // Too many parts are refused before they add up to anything.
      expect(result.errors).toEqual([index % 3 === 2 ? { code: 'BRIDGE_CONNECT' } : { code: 'BRIDGE_MESSAGE_TOO_LARGE', limit: cap ?? 134_217_728 }])
      // The close frame is sent, but a reset may overtake it: the rest of the message is not waited for.
      expect([index % 3 === 2 ? 1008 : 1009, 1006]).toContain(code)
      expect(result.grown).toBeLessThan(cap === undefined ? 40 * MB : cap + 60 * MB)
      expect(await sent).toBeLessThan(200 * MB)
      wire('WebSocket connections', node.queries.length, 1)
    })
  })

  faultRow({
    row: 35, fault: '10,000 messages a second while 1,000 transactions are pending', repeats: 1, timeout: 90_000,
    expected: 'none is missed, no queue builds up, every transaction is confirmed; the loop lags by 10 ms at p99 on an idle machine'
  }, async ({ injected, wire }) => {
    const seconds = 2
    const transactions = Array.from({ length: 1_000 }, (_, index) => envelopeOf(buildTx({ inputs: [{ txHash: (index + 1).toString(16).padStart(64, '0'), index: 0 }], outputs: [ada(ADDRESS, 2_000_000n)] })))
    await withPeer('flood', { transactions }, async (node, peer) => {
      await peer.hear('ready')
      await node.until(() => node.inputs.length === transactions.length)
      const total = seconds * 10_000
      let number = 0
      for (let sent = 0, started = performance.now(); sent < total;) {
        const due = Math.min(total, Math.floor((performance.now() - started) * 10))
        for (; sent < due; sent++) node.send(floodMessage(sent, () => ++number))
        await new Promise((resolve) => setTimeout(resolve, 1))
      }
      injected(total)
      node.send(snapshotConfirmed(number + 1, { confirmed: transactions, seq: total + 1 }), { tag: 'HeadIsContested', headId: HEAD_ID, snapshotNumber: 1, contestationDeadline: '2026-01-01T00:00:00Z' })
      const result = await peer.hear<{ heard: number; slow: number; lag: { p99: number; max: number }; confirmed: number; grown: number }>('result')
      expect(result.confirmed).toBe(transactions.length)
      expect(result.slow).toBe(0)
      expect(result.lag.p99).toBeLessThan(10 * SLACK)
      expect(result.lag.max).toBeLessThan(50 * SLACK)
      expect(result.grown).toBeLessThan(64 * MB)
      // And Greetings, and the last two.
      wire('messages sent and not delivered', total + 3 - result.heard, 0)
      wire('NewTx', node.inputs.length, transactions.length)
      wire('NewTx of one transaction beyond the first', node.inputs.length - new Set(node.inputs.map(({ transaction }) => transaction.txId)).size, 0)
    })
  })

  faultRow({
    row: 36, fault: 'a handler that blocks for 30 to 100 ms at each message, and one that awaits as long', repeats: 4,
    expected: 'the socket goes on being read; a bounded queue, the oldest messages dropped and onSlowConsumer told once; the newest snapshot is served'
  }, async ({ index, random, injected, wire }) => {
    const node = await new ScriptedNode().start()
    node.routes['GET /snapshot'] = INITIAL
    const bridge = new LayerBridge({ url: node.url })
    const blocks = index % 2 === 0
    // Fewer than the queue holds where nothing is to be dropped: on a loaded machine some may wait there for a moment.
    const total = blocks ? 6_000 : 4_000
    const slowMs = 30 + random() * 70
    const slow: { queued: number; dropped: number }[] = []
    let heard = 0
    try {
      await bridge.connect()
      await until('the cache is seeded', () => bridge.lastSnapshotNumber === 0)
      bridge.events.on('onSlowConsumer', (facts) => slow.push(facts))
      bridge.events.on('NetworkConnected', async () => {
        heard++
        const end = performance.now() + slowMs
        while (blocks && performance.now() < end) { /* the loop stands still */ }
        if (!blocks) await new Promise((resolve) => setTimeout(resolve, slowMs))
      })
      injected()
      for (let seq = 0; seq < total; seq++) node.send({ tag: 'NetworkConnected', seq, timestamp: '2026-01-01T00:00:00Z' })
      node.send(snapshotConfirmed(7, { seq: total, utxo: { [`${'a'.repeat(64)}#0`]: { address: ADDRESS, value: { lovelace: 5 } } } }))
      const started = performance.now()
      await until('the newest snapshot is served', () => bridge.lastSnapshotNumber === 7, 20_000)
      // Delivering all of them would take minutes.
      expect(performance.now() - started).toBeLessThan(20_000)
      expect(bridge.getAddressBalance(ADDRESS)).toEqual(new Map([['lovelace', 5n]]))
      if (blocks) {
        await until('it was told', () => slow.length > 0, 20_000)
        expect(slow).toEqual([{ queued: expect.any(Number), dropped: expect.any(Number) }])
        expect(slow[0]!.queued).toBeLessThanOrEqual(4_097)
        expect(heard).toBeLessThan(total)
      } else {
        // Whoever awaits holds up nobody.
        await until('all have been delivered', () => heard === total)
        expect(slow).toEqual([])
        await new Promise((resolve) => setTimeout(resolve, slowMs + 5))
      }
      // The socket was drained: nothing waits at the node's side.
      const [socket] = node.sockets as unknown as [WebSocket]
      wire('bytes left in the node\'s buffer', socket.bufferedAmount, 0)
      wire('WebSocket connections', node.queries.length, 1)
    } finally {
      await bridge.disconnect()
      const before = heard
      await new Promise((resolve) => setTimeout(resolve, 5))
      // What waited was dropped with the connection.
      expect(heard).toBe(before)
      await node.stop()
    }
  })
})

/** One frame that announces so many bytes, sent for as long as the other side takes it; resolves with the bytes that went out. */
async function sendFrame(socket: WebSocket, bytes: number): Promise<number> {
  const raw = (socket as unknown as { _socket: Socket })._socket
  const header = Buffer.alloc(10)
  header[0] = 0x81
  header[1] = 127
  header.writeBigUInt64BE(BigInt(bytes), 2)
  raw.write(header)
  const chunk = Buffer.alloc(MB, 0x20)
  let sent = 0
  while (sent < bytes && raw.writable && !raw.destroyed) {
    if (!raw.write(chunk)) await drained(raw)
    sent += chunk.length
  }
  return sent
}

/** One message in fragments, without an end. */
async function sendFragments(socket: WebSocket, size: number, most: number): Promise<number> {
  const raw = (socket as unknown as { _socket: Socket })._socket
  const fragment = Buffer.alloc(size, 0x20)
  let sent = 0
  while (sent < most && socket.readyState === 1 && !raw.destroyed) {
    for (let count = 0; count < 1_000 && raw.writableLength < MB; count++) {
      socket.send(fragment, { fin: false, binary: false })
      sent += size
    }
    if (raw.writableNeedDrain) await drained(raw)
    else await new Promise((resolve) => setImmediate(resolve))
  }
  return sent
}

function drained(raw: Socket): Promise<void> {
  return new Promise((resolve) => {
    const go = (): void => { raw.off('drain', go); raw.off('close', go); resolve() }
    raw.on('drain', go)
    raw.on('close', go)
  })
}

/** What a busy head says: mostly about transactions of others. */
function floodMessage(seq: number, next: () => number): object {
  const timestamp = '2026-01-01T00:00:00.123456789Z'
  if (seq % 10 === 0) return snapshotConfirmed(next(), { seq, utxo: { [`${'a'.repeat(64)}#0`]: { address: ADDRESS, value: { lovelace: seq + 1 } } } })
  const txId = (seq + 10_000).toString(16).padStart(64, 'f')
  return { tag: 'TxValid', headId: HEAD_ID, seq, timestamp, transactionId: txId, transaction: { type: 'Tx ConwayEra', description: '', cborHex: '84a0a0f5f6', txId } }
}

