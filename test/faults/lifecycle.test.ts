import { createServer } from 'node:net'
import type { AddressInfo, Socket } from 'node:net'
import { LayerBridge } from 'layer-sdk/bridge'
import { startDevNode } from 'layer-sdk/devnode'
import { hashOf, sampleTx } from '../support/sampleTx'
import { expectNoHang, HANG_FACTOR } from '../support/timing'
import { ClientPeer } from './support/clientPeer'
import { INTERVAL_MS, nextEvent, outcomeOf, pause, withHead } from './support/faultyHead'
import { faultRow, until } from './support/matrix'

/** disconnect() takes at most a second. */
const DISCONNECT_MS = 1_000
const EXIT_MS = 100

/** A port that takes connections and says nothing. */
async function withMuteServer(run: (port: number, accepted: () => number) => Promise<void>): Promise<void> {
  const sockets = new Set<Socket>()
  let count = 0
  const server = createServer((socket) => {
    count++
    sockets.add(socket)
    socket.on('error', () => undefined)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  try {
    await run((server.address() as AddressInfo).port, () => count)
  } finally {
    for (const socket of sockets) socket.destroy()
    await new Promise((resolve) => server.close(resolve))
  }
}

/** Disconnects, without hanging. */
async function disconnects(bridge: LayerBridge): Promise<void> {
  const started = performance.now()
  expect(await bridge.disconnect()).toBe(true)
  expectNoHang(DISCONNECT_MS, started)
}

describe('the life of a bridge', () => {
  faultRow(
    {
      row: 39,
      fault:
        'disconnect() while connecting, while waiting for the next attempt, and with submissions, waits and requests pending',
      repeats: 8,
      expected:
        'done within a second; connect() rejects as aborted, what was pending as Disconnected with outcome unknown; no connection follows'
    },
    async ({ index, random, injected, wire }) => {
      if (index % 4 === 0) {
        return withMuteServer(async (port, accepted) => {
          const bridge = new LayerBridge({ url: `ws://127.0.0.1:${port}`, autoReconnect: true, reconnectInterval: 10 })
          const connecting = outcomeOf(bridge.connect())
          if (index % 8 === 0) await until('the attempt is under way', () => accepted() === 1)
          injected()
          await disconnects(bridge)
          expect(await connecting).toMatchObject({ code: 'BRIDGE_CONNECT_ABORTED' })
          expect(bridge.state).toBe('disconnected')
          await pause(60)
          wire('attempts after disconnect() while connecting', Math.max(0, accepted() - 1), 0)
        })
      }
      await withHead({}, async ({ node, proxy, bridge, tap, counts, payment }) => {
        const sockets = tap.sockets
        if (index % 4 === 1) {
          await proxy.stopListening()
          await nextEvent(bridge, 'onReconnecting')
          await pause(random() * INTERVAL_MS)
          const attempts = tap.sockets
          injected()
          await disconnects(bridge)
          await pause(INTERVAL_MS * 4)
          wire('attempts after disconnect() while waiting', tap.sockets - attempts, 0)
          return
        }
        node.faults.holdSnapshots = true
        node.faults.muteHttp = true
        const calls: unknown[] = []
        const txs = [payment(), payment(2_000_000n)]
        bridge.submitTx(txs[0]!, (error, result) => calls.push([error?.tag, error?.outcome, result]))
        const submissions = [outcomeOf(bridge.submitTxSync(txs[0]!)), outcomeOf(bridge.submitTxSync(txs[1]!))]
        const others = [
          outcomeOf(bridge.waitFor('HeadIsClosed')),
          outcomeOf(bridge.headInfo()),
          outcomeOf(bridge.submitL2Tx(sampleTx(3)))
        ]
        await until('the node has both', () => counts().newTx === 2)
        await pause(random() * 10)
        injected()
        if (index % 4 === 3) proxy.stall()
        await disconnects(bridge)
        for (const error of await Promise.all(submissions))
          expect(error).toMatchObject({ code: 'BRIDGE_SUBMIT', tag: 'Disconnected', outcome: 'unknown' })
        for (const error of await Promise.all(others)) expect(error).toMatchObject({ outcome: 'unknown' })
        expect(calls).toEqual([['Disconnected', 'unknown', null]])
        node.faults.holdSnapshots = node.faults.muteHttp = false
        await pause(60)
        expect(calls).toHaveLength(1)
        expect(bridge.state).toBe('disconnected')
        wire('NewTx at the node', counts().newTx, 2)
        wire('sockets after disconnect()', tap.sockets - sockets, 0)
      })
    }
  )

  faultRow(
    {
      row: 40,
      fault: 'connect() many times at once, while connected, after disconnect(), during a wait and an attempt',
      repeats: 6,
      expected: 'one connection at a time and one answer for all; afterwards autoReconnect works as before'
    },
    async ({ index, random, injected, wire }) => {
      await withHead({ plain: index % 2 === 1 }, async ({ proxy, bridge, tap, log, counts, payment }) => {
        const sockets = tap.sockets
        expect(await Promise.all([bridge.connect(), bridge.connect()])).toEqual([true, true])
        injected(2)
        wire('sockets of connect() while connected', tap.sockets - sockets, 0)
        await bridge.disconnect()
        const calls = Array.from({ length: 50 }, () => bridge.connect())
        await pause(random() * 3)
        calls.push(bridge.connect())
        injected(calls.length)
        expect(new Set(await Promise.all(calls))).toEqual(new Set([true]))
        wire('sockets of 51 connect() after disconnect()', tap.sockets - sockets, 1)
        const back = nextEvent(bridge, 'onConnected')
        const lost = nextEvent(bridge, 'onReconnecting')
        proxy.reset()
        await lost
        await pause(random() * INTERVAL_MS * 1.5)
        expect(await Promise.all([bridge.connect(), bridge.connect(), back])).toEqual([true, true, undefined])
        injected(3)
        await pause(INTERVAL_MS * 3)
        wire('sockets of connect() while reconnecting', tap.sockets - sockets - 1, 1)
        expect(await bridge.submitTxSync(payment())).toMatchObject({ isConfirmed: true })
        expect(log).toEqual(['disconnected', 'connected', 'disconnected', 'attempt 1', 'connected'])
        wire('WebSocket connections at the node', counts().connections, 2)
      })
    }
  )

  faultRow(
    {
      row: 41,
      fault: 'commands and submissions before, during and after a connection, and while it is being closed',
      repeats: 6,
      expected: 'NotConnected at once, nothing sent or kept for later; the callback of newTx is not called'
    },
    async ({ index, random, injected, wire }) => {
      await withHead(
        { bridge: { autoReconnect: index % 2 === 0, reconnectInterval: 50 } },
        async ({ node, proxy, bridge, tap, counts, payment }) => {
          const tx = payment()
          const called: string[] = []
          const refused = async (): Promise<void> => {
            injected()
            const { commands } = bridge
            const attempts = [
              () => commands.init(),
              () => commands.close(),
              () => commands.fanout(),
              () => commands.safeClose(),
              () => commands.recover(hashOf(1)),
              () =>
                commands.newTx(tx.cborHex, '', () => {
                  called.push('newTx')
                }),
              () => commands.partialFanout({})
            ]
            for (const attempt of attempts)
              expect(attempt).toThrow(expect.objectContaining({ code: 'BRIDGE_NOT_CONNECTED' }))
            bridge.submitTx(tx, (error) => {
              called.push(String(error?.tag))
            })
            expect(await outcomeOf(bridge.submitTxSync(tx))).toMatchObject({ tag: 'NotConnected', outcome: 'none' })
            expect(await outcomeOf(commands.decommit(tx))).toMatchObject({ code: 'BRIDGE_NOT_CONNECTED' })
          }
          const before = tap.sent.length
          if (index % 2 === 0) {
            // Reconnecting: waiting, and with an attempt under way.
            proxy.toxics.mute = true
            proxy.reset()
            await until('it is lost', () => !bridge.connected())
            await refused()
            await until('an attempt is under way', () => tap.sockets > 1)
            await pause(random() * 5)
            await refused()
            proxy.heal()
          }
          const closing = bridge.disconnect()
          await refused()
          await closing
          await refused()
          const connecting = bridge.connect()
          await refused()
          await connecting
          const fresh = new LayerBridge({ url: node.url })
          expect(() => fresh.commands.close()).toThrow(expect.objectContaining({ code: 'BRIDGE_NOT_CONNECTED' }))
          await pause(20)
          expect(new Set(called)).toEqual(new Set(['NotConnected']))
          wire('inputs sent without a connection, or later', tap.sent.length - before, 0)
          wire('NewTx at the node', counts().newTx, 0)
          expect(await bridge.submitTxSync(tx)).toMatchObject({ isConfirmed: true })
          wire('NewTx at the node once connected', counts().newTx, 1)
        }
      )
    }
  )

  faultRow(
    {
      row: 42,
      fault:
        'the clock jumps by an hour to both sides; the process is stopped and wakes up, with its connection alive or dead',
      repeats: 3,
      expected:
        'no deadline moves; after waking the node is asked before the connection is given up; the clock of slots is right at the next Greetings'
    },
    async ({ index, random, injected, wire }) => {
      if (index % 3 === 0) return clockJumps(random, injected, wire)
      const dead = index % 3 === 2
      // Half of it is the limit of the probe after waking: a busy machine answers within a second.
      const LIVENESS_MS = 2_000
      await withHead({}, async ({ node, proxy, witness, payment }) => {
        const peer = await ClientPeer.start('sleeper', {
          options: { url: proxy.url, autoReconnect: true, reconnectInterval: 50, livenessTimeout: LIVENESS_MS },
          until: witness.snapshotNumber + 1
        })
        try {
          await peer.hear('ready')
          const own = proxy.counters.connections
          peer.process.kill('SIGSTOP')
          injected()
          await pause(LIVENESS_MS * (1.5 + random() / 2))
          const asked = node.counters.requests['GET /snapshot/last-seen'] ?? 0
          const connections = node.counters.connections
          if (dead) proxy.stall()
          witness.send({ tag: 'NewTx', transaction: payment() })
          await witness.said('SnapshotConfirmed')
          await until('it is confirmed', () => witness.all('SnapshotConfirmed').length > 1)
          peer.process.kill('SIGCONT')
          const { log } = await peer.hear<{ log: string[] }>('result', 15_000)
          if (dead) {
            await peer.hear('connected 2')
            expect(proxy.counters.connections).toBeGreaterThan(own)
            wire('connections after waking on a dead one', node.counters.connections - connections, 1)
          } else {
            expect(log).toEqual(['connected'])
            wire('connections after waking on a living one', node.counters.connections - connections, 0)
          }
          // No pong came from the dead one; it was given up only after the node had been asked.
          if (dead) expect((node.counters.requests['GET /snapshot/last-seen'] ?? 0) - asked).toBeGreaterThan(0)
        } finally {
          await peer.stop()
        }
      })
    }
  )

  faultRow(
    {
      row: 43,
      fault: 'a process ends with 1,000 transactions pending, and one that has finished while the node is gone',
      repeats: 4,
      expected: 'gone 100 ms after disconnect(); the timers of the bridge keep no finished program alive'
    },
    async ({ index, injected, wire }) => {
      const node = await startDevNode({ port: 0, rpcPort: null })
      const finished = index % 2 === 1
      node.faults.swallowTransactions = 1_000
      const transactions = finished
        ? []
        : Array.from({ length: 1_000 }, (_, salt) => sampleTx(salt, [hashOf(1 + (salt % 200))]))
      const peer = await ClientPeer.start(finished ? 'finished' : 'ends', {
        transactions,
        options: { url: node.url, autoReconnect: true, reconnectInterval: 60_000 }
      })
      try {
        await peer.hear('ready')
        if (finished) {
          expect(await peer.hear('result')).toEqual({ state: 'connected' })
          const started = performance.now()
          await node.goOffline()
          injected()
          expect(await peer.ended()).toEqual({ code: 0, signal: null })
          // The next attempt would come in a minute.
          expectNoHang(EXIT_MS, started)
        } else {
          await until('the node has them', () => node.counters.inputs['NewTx'] === transactions.length)
          const connections = node.counters.connections
          peer.process.send({ end: true })
          injected()
          expect(await peer.hear('result')).toMatchObject({ count: 1_000, outcomes: ['Disconnected unknown'] })
          expect(await peer.ended()).toEqual({ code: 0, signal: null })
          expect(Number(/ended after ([\d.]+)/.exec(peer.errors)?.[1])).toBeLessThan(EXIT_MS * HANG_FACTOR)
          wire('NewTx', node.counters.inputs['NewTx'] ?? 0, 1_000)
          wire('connections after disconnect()', node.counters.connections - connections, 0)
        }
        wire('WebSocket connections', node.counters.connections, 1)
      } finally {
        await peer.stop()
        await node.stop()
      }
    }
  )
})

/** The system's clock jumps while submissions, waits and the liveness watch are running. */
async function clockJumps(
  random: () => number,
  injected: () => void,
  wire: (what: string, actual: number, expected: number) => void
): Promise<void> {
  const real = Date.now
  await withHead({ bridge: { livenessTimeout: 5_000 } }, async ({ node, bridge, log, witness, counts, payment }) => {
    try {
      for (const hours of [1, -1]) {
        node.faults.holdSnapshots = true
        const verdict = bridge.submitTxSync(payment(), { timeout: 8_000 })
        const closed = outcomeOf(bridge.waitFor('HeadIsClosed', { timeout: 300 }))
        await pause(random() * 20)
        const shift = hours * 3_600_000
        Date.now = () => real() + shift
        injected()
        const started = performance.now()
        expect(await closed).toMatchObject({ code: 'BRIDGE_TIMEOUT' })
        // Neither at once nor an hour later.
        expect(expectNoHang(300, started)).toBeGreaterThan(200)
        node.faults.holdSnapshots = false
        expect(await verdict).toMatchObject({ isConfirmed: true })
        Date.now = real
      }
      expect(log).toEqual([])
      await until('all is quiet', () => bridge.lastSnapshotNumber === witness.snapshotNumber)
      const right = bridge.slotZeroTimestamp
      expect(right).not.toBeNull()
      wire('NewTx at the node', counts().newTx, 2)
      wire('WebSocket connections since', counts().connections, 0)
      // A Greetings that arrives while the clock is wrong, and the next one.
      Date.now = () => real() + 3_600_000
      const wrong = nextEvent(bridge, 'onConnected')
      node.dropConnections()
      await wrong
      Date.now = real
      const back = nextEvent(bridge, 'onConnected')
      node.dropConnections()
      await back
      expect(Math.abs((bridge.slotZeroTimestamp ?? 0) - right!)).toBeLessThan(2_000)
    } finally {
      Date.now = real
    }
  })
}
