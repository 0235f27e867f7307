import type { Socket } from 'node:net'
import { LayerBridge } from 'layer-sdk/bridge'
import type { WebSocket } from 'ws'
import { ScriptedNode, snapshotConfirmed } from '../support/scriptedNode'
import { ADDRESS, flood, INITIAL, largeSnapshots, OUTPUTS, withPeer } from './support/load'
import { faultRow, until } from './support/matrix'

const MB = 1_000_000

describe('load', () => {
  faultRow(
    {
      row: 33,
      fault: 'snapshots of 100,000 outputs (30 MB), one after the other, 1 % of the outputs new each time',
      repeats: 1,
      timeout: 90_000,
      expected:
        'the loop stands still for no more than its share of JSON.parse; at most 700 bytes an output stay in memory, the text among them'
    },
    async ({ injected, wire }) => {
      const count = 5
      await largeSnapshots(count, ({ node, texts, lovelace, result }) => {
        injected(count)
        expect(result).toMatchObject({ outputs: OUTPUTS, number: count })
        expect(result.lovelace).toBe(String(lovelace))
        expect(result.grown).toBeLessThan(700 * OUTPUTS)
        expect(texts.join('').length).toBeGreaterThan(count * 25 * MB)
        wire('snapshots of 100,000 outputs sent and not applied', count - result.number, 0)
        wire('WebSocket connections', node.queries.length, 1)
      })
    }
  )

  faultRow(
    {
      row: 34,
      fault: 'a message of 200 MB; one without an end in fragments of 64 kB, and of one byte',
      repeats: 3,
      timeout: 120_000,
      expected: 'refused while it arrives, a typed error, no reconnect; memory stays within the cap'
    },
    async ({ index, injected, wire }) => {
      const cap = index % 3 === 0 ? undefined : 32 * MB
      const options = {
        autoReconnect: true,
        reconnectInterval: 10,
        ...(cap === undefined ? {} : { maxMessageBytes: cap })
      }
      await withPeer('oversize', { options }, async (node, peer) => {
        await peer.hear('ready')
        const [socket] = node.sockets as unknown as [WebSocket]
        const closed = new Promise<number>((resolve) => socket.once('close', resolve))
        const sent =
          index % 3 === 0 ? sendFrame(socket, 200 * MB) : sendFragments(socket, index % 3 === 1 ? 65_536 : 1, 200 * MB)
        injected()
        const result = await peer.hear<{ grown: number; errors: { code: string; limit?: number }[]; state: string }>(
          'result'
        )
        const code = await closed
        expect(result.state).toBe('failed')
        // Too many parts are refused before they add up to anything.
        expect(result.errors).toEqual([
          index % 3 === 2 ? { code: 'BRIDGE_CONNECT' } : { code: 'BRIDGE_MESSAGE_TOO_LARGE', limit: cap ?? 134_217_728 }
        ])
        // The close frame is sent, but a reset may overtake it: the rest of the message is not waited for.
        expect([index % 3 === 2 ? 1008 : 1009, 1006]).toContain(code)
        expect(result.grown).toBeLessThan(cap === undefined ? 40 * MB : cap + 60 * MB)
        expect(await sent).toBeLessThan(200 * MB)
        wire('WebSocket connections', node.queries.length, 1)
      })
    }
  )

  faultRow(
    {
      row: 35,
      fault: '10,000 messages a second while 1,000 transactions are pending',
      repeats: 1,
      timeout: 90_000,
      expected:
        'none is missed, no queue builds up, every transaction is confirmed; the loop lags by 10 ms at p99 on an idle machine'
    },
    async ({ injected, wire }) => {
      const pending = 1_000
      await flood(2, pending, ({ node, total, result }) => {
        injected(total)
        expect(result.confirmed).toBe(pending)
        expect(result.slow).toBe(0)
        expect(result.grown.heap).toBeLessThan(32 * MB)
        // What the process holds besides depends on when the machine lets it collect.
        expect(result.grown.rss).toBeLessThan(128 * MB)
        // And Greetings, and the last two.
        wire('messages sent and not delivered', total + 3 - result.heard, 0)
        wire('NewTx', node.inputs.length, pending)
        wire(
          'NewTx of one transaction beyond the first',
          node.inputs.length - new Set(node.inputs.map(({ transaction }) => transaction.txId)).size,
          0
        )
      })
    }
  )

  faultRow(
    {
      row: 36,
      fault: 'a handler that blocks for 30 to 100 ms at each message, and one that awaits as long',
      repeats: 4,
      expected:
        'the socket goes on being read; a bounded queue, the oldest messages dropped and onSlowConsumer emitted once; the newest snapshot is served'
    },
    async ({ index, random, injected, wire }) => {
      const node = await new ScriptedNode().start()
      node.routes['GET /snapshot'] = INITIAL
      const bridge = new LayerBridge({ url: node.url })
      const blocks = index % 2 === 0
      // Fewer than the queue holds where nothing is to be dropped: on a loaded machine some may wait there for a
      // moment.
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
          while (blocks && performance.now() < end) {
            /* the loop stands still */
          }
          if (!blocks) await new Promise((resolve) => setTimeout(resolve, slowMs))
        })
        injected()
        for (let seq = 0; seq < total; seq++)
          node.send({ tag: 'NetworkConnected', seq, timestamp: '2026-01-01T00:00:00Z' })
        node.send(
          snapshotConfirmed(7, {
            seq: total,
            utxo: { [`${'a'.repeat(64)}#0`]: { address: ADDRESS, value: { lovelace: 5 } } }
          })
        )
        // Delivering all of them would take minutes.
        await until('the newest snapshot is served', () => bridge.lastSnapshotNumber === 7, 40_000)
        expect(bridge.getAddressBalance(ADDRESS)).toEqual(new Map([['lovelace', 5n]]))
        if (blocks) {
          await until('onSlowConsumer was emitted', () => slow.length > 0, 40_000)
          expect(slow).toEqual([{ queued: expect.any(Number), dropped: expect.any(Number) }])
          expect(slow[0]!.queued).toBeLessThanOrEqual(4_097)
          expect(heard).toBeLessThan(total)
        } else {
          // Whoever awaits holds up nobody.
          await until('all have been delivered', () => heard === total, 40_000)
          expect(slow).toEqual([])
          await new Promise((resolve) => setTimeout(resolve, slowMs + 5))
        }
        // The socket was drained: nothing waits at the node's side.
        const [socket] = node.sockets as unknown as [WebSocket]
        wire("bytes left in the node's buffer", socket.bufferedAmount, 0)
        wire('WebSocket connections', node.queries.length, 1)
      } finally {
        await bridge.disconnect()
        const before = heard
        await new Promise((resolve) => setTimeout(resolve, 5))
        // What waited was dropped with the connection.
        expect(heard).toBe(before)
        await node.stop()
      }
    }
  )
})

/**
 * One frame that announces so many bytes, sent for as long as the other side takes it; resolves with the bytes that
 * went out.
 */
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
    const go = (): void => {
      raw.off('drain', go)
      raw.off('close', go)
      resolve()
    }
    raw.on('drain', go)
    raw.on('close', go)
  })
}
