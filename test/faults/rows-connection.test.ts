import dns from 'node:dns'
import { createServer as createHttpServer } from 'node:http'
import type { AddressInfo, Server, Socket } from 'node:net'
import { createServer } from 'node:net'
import { inspect } from 'node:util'
import { LayerBridge } from 'layer-sdk/bridge'
import type { DirectBridgeOptions } from 'layer-sdk/bridge'
import { startDevNode } from 'layer-sdk/devnode'
import { decodePayload } from '../../src/bridge/protocol/decode'
import { expectNoHang } from '../support/timing'
import { INTERVAL_MS, nextEvent, outcomeOf, pause, withHead } from './support/faultyHead'
import { FaultProxy } from './support/FaultProxy'
import { faultRow, until } from './support/matrix'
import { WireTap } from './support/WireTap'

const KEY = 'hub-key-7f3a9c'

const portOf = (server: Server): number => (server.address() as AddressInfo).port

/** Listens on a free port of loopback, and ends with every socket of its own. */
async function listening<T>(server: Server, run: (port: number, sockets: Set<Socket>) => Promise<T>): Promise<T> {
  const sockets = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.on('error', () => undefined)
    socket.on('close', () => sockets.delete(socket))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  try {
    return await run(portOf(server), sockets)
  } finally {
    for (const socket of sockets) socket.destroy()
    await new Promise((resolve) => server.close(resolve))
  }
}

/** A port that nobody listens on. */
function freePort(): Promise<number> {
  return listening(createServer(), async (port) => port)
}

/** A bridge with the events of its connection written down. */
function logged(options: DirectBridgeOptions): { bridge: LayerBridge; log: string[]; errors: Error[] } {
  const bridge = new LayerBridge({ reconnectInterval: INTERVAL_MS, ...options })
  const log: string[] = []
  const errors: Error[] = []
  bridge.events.on('onConnected', () => log.push('connected'))
  bridge.events.on('onDisconnected', () => log.push('disconnected'))
  bridge.events.on('onReconnecting', ({ attempt }) => log.push(`attempt ${attempt}`))
  bridge.events.on('onConnectError', (error) => {
    log.push('error')
    errors.push(error)
  })
  return { bridge, log, errors }
}

describe('connection faults', () => {
  faultRow(
    {
      row: 1,
      fault: 'TCP reset in mid session',
      repeats: 8,
      expected:
        'one onDisconnected, a jittered wait, onConnected, the cache reconciled; a transaction on its way is confirmed once'
    },
    async ({ index, random, injected, wire }) => {
      await withHead(
        { plain: index % 2 === 1 },
        async ({ node, proxy, bridge, tap, witness, log, delays, counts, payment }) => {
          const tx = payment()
          const verdict = bridge.submitTxSync(tx)
          await until('the node has the transaction', () => counts().newTx === 1)
          await pause(random() * 10)
          const back = nextEvent(bridge, 'onConnected')
          proxy.reset()
          injected()
          await back
          expect(await verdict).toMatchObject({ txId: tx.txId, isConfirmed: true })
          await until('the cache is of the newest snapshot', () => bridge.lastSnapshotNumber === witness.snapshotNumber)
          expect(bridge.snapshotUtxoArray().map(({ input }) => input.txHash)).toContain(tx.txId)
          expect(log).toEqual(['disconnected', 'attempt 1', 'connected'])
          expect(delays[0]).toBeGreaterThanOrEqual(Math.floor(INTERVAL_MS * 0.75))
          expect(delays[0]).toBeLessThanOrEqual(Math.ceil(INTERVAL_MS * 1.25))
          wire('NewTx sent', tap.inputs('NewTx'), 1)
          wire('NewTx at the node', counts().newTx, 1)
          wire('WebSocket connections after the reset', counts().connections, 1)
          expect(node.counters.requests['POST /transaction']).toBeUndefined()
        }
      )
    }
  )

  faultRow(
    {
      row: 2,
      fault: 'reset in mid frame, and slices of 1 to 3 bytes',
      repeats: 6,
      expected: 'slices make whole messages again; of a message that was cut nothing is delivered'
    },
    async ({ index, random, injected, wire }) => {
      await withHead({ plain: index % 2 === 1 }, async ({ proxy, bridge, tap, witness, invalid, counts, payment }) => {
        const delivered: { seq?: number; timestamp: string }[] = []
        bridge.events.on('onMessage', (payload) => delivered.push(payload))
        proxy.toxics.sliceBytes = 1 + Math.floor(random() * 3)
        injected()
        const sliced = payment()
        expect(await bridge.submitTxSync(sliced)).toMatchObject({ isConfirmed: true })
        proxy.heal()
        const back = nextEvent(bridge, 'onConnected')
        void nextEvent(bridge, 'onDisconnected').then(() => proxy.heal())
        proxy.cutAfter(1 + Math.floor(random() * 1_000))
        injected()
        const cut = payment()
        const verdict = bridge.submitTxSync(cut)
        await back
        expect(await verdict).toMatchObject({ txId: cut.txId, isConfirmed: true })
        expect(invalid).toEqual([])
        for (const payload of delivered) {
          if (payload.seq === undefined) continue
          const said = witness.texts[witness.messages.findIndex(({ seq }) => seq === payload.seq)] as string
          expect(payload).toEqual(decodePayload(said, Date.parse(payload.timestamp)))
        }
        // Whole messages only, and every one of them once.
        wire('messages delivered beyond those received whole', delivered.length - tap.received.length + 1, 0)
        wire('NewTx at the node', counts().newTx, 2)
        wire('WebSocket connections after the cut', counts().connections, 1)
      })
    }
  )

  faultRow(
    {
      row: 3,
      fault: 'half-open connection without a close',
      repeats: 6,
      expected:
        'found within livenessTimeout (45 s by default), connected() false at once, reconnected; nothing is sent twice'
    },
    async ({ index, random, injected, wire }) => {
      const livenessTimeout = 240
      // A browser's socket cannot ping, so what tells there is the probe.
      const plain = index % 3 === 2
      await withHead({ plain, bridge: { livenessTimeout } }, async ({ proxy, bridge, tap, log, counts, payment }) => {
        await pause(random() * 30)
        if (plain || index % 3 === 1) proxy.toxics.blackhole = true
        else proxy.stall()
        injected()
        const started = performance.now()
        const verdict = outcomeOf(bridge.submitTxSync(payment(), { timeout: livenessTimeout * 3 }))
        const back = nextEvent(bridge, 'onConnected')
        await nextEvent(bridge, 'onDisconnected')
        expectNoHang(livenessTimeout, started)
        expect(bridge.connected()).toBe(false)
        proxy.heal()
        await back
        expect(bridge.connected()).toBe(true)
        // It was lost in the hole, so nobody will ever confirm it.
        expect(await verdict).toMatchObject({ tag: 'Timeout', outcome: 'unknown' })
        expect(log.filter((line) => line === 'disconnected')).toHaveLength(1)
        wire('NewTx sent', tap.inputs('NewTx'), 1)
        wire('NewTx at the node', counts().newTx, 0)
        expect(counts().connections).toBeGreaterThanOrEqual(1)
      })
    }
  )

  faultRow(
    {
      row: 4,
      fault: 'a server that takes the TCP connection and says nothing',
      repeats: 6,
      expected:
        'connect() rejects with BRIDGE_CONNECT_TIMEOUT at connectTimeout (10 s by default), the socket is ended; autoReconnect goes on'
    },
    async ({ index, random, injected, wire }) => {
      let accepted = 0
      const server = createServer((socket) => {
        accepted++
        socket.resume()
      })
      await listening(server, async (port, sockets) => {
        const autoReconnect = index % 2 === 1
        const connectTimeout = 40 + Math.floor(random() * 40)
        const tap = new WireTap(index % 3 === 2)
        const { bridge, log, errors } = logged({
          url: `ws://127.0.0.1:${port}`,
          connectTimeout,
          autoReconnect,
          webSocketImpl: tap.WebSocket,
          reconnectInterval: 5,
          reconnectJitter: 0
        })
        injected()
        const started = performance.now()
        const error = await outcomeOf(bridge.connect())
        const tookMs = expectNoHang(1_000, started)
        expect(error).toMatchObject({ code: 'BRIDGE_CONNECT_TIMEOUT', timeoutMs: connectTimeout })
        expect(errors[0]).toBe(error)
        expect(tookMs).toBeGreaterThanOrEqual(connectTimeout - 2)
        if (autoReconnect) await until('a second attempt', () => accepted === 2)
        await bridge.disconnect()
        await until('the sockets have been ended', () => sockets.size === 0)
        expect(log.slice(0, 1)).toEqual(['error'])
        wire('TCP connections', accepted, autoReconnect ? 2 : 1)
        wire('sockets left open', sockets.size, 0)
      })
    }
  )

  faultRow(
    {
      row: 5,
      fault: 'connection refused, or the name does not resolve',
      repeats: 6,
      expected:
        'connect() rejects with BRIDGE_CONNECT within 1 s; with autoReconnect the loop goes on until the server is there'
    },
    async ({ index, random, injected, wire }) => {
      const port = await freePort()
      const failures = 1 + Math.floor(random() * 4)
      const unresolved = index % 2 === 1
      const lookup = unresolved ? failLookups(failures) : null
      // A browser's socket gives no reason.
      const plain = index % 3 === 2
      const tap = new WireTap(plain)
      const { bridge, log, errors } = logged({
        url: `ws://${unresolved ? 'head.invalid' : '127.0.0.1'}:${port}`,
        autoReconnect: true,
        webSocketImpl: tap.WebSocket
      })
      const node = unresolved ? await startDevNode({ port, rpcPort: null }) : null
      let late: Awaited<ReturnType<typeof startDevNode>> | null = null
      try {
        injected(failures)
        const started = performance.now()
        const error = await outcomeOf(bridge.connect())
        expect(error).toMatchObject({ code: 'BRIDGE_CONNECT' })
        expectNoHang(1_000, started)
        if (!plain) expect(error.message).toContain(unresolved ? 'ENOTFOUND' : 'ECONNREFUSED')
        const connected = nextEvent(bridge, 'onConnected')
        await until('the loop goes on', () => unresolved || errors.length >= failures)
        if (!unresolved) late = await startDevNode({ port, rpcPort: null })
        await connected
        expect(log.filter((line) => line.startsWith('attempt'))).toEqual(
          errors.map((_, attempt) => `attempt ${attempt + 1}`)
        )
        wire('WebSocket connections', (node ?? late)?.counters.connections ?? 0, 1)
        wire('sockets besides the failed attempts', tap.sockets - errors.length, 1)
      } finally {
        await bridge.disconnect()
        await (node ?? late)?.stop()
        lookup?.mockRestore()
      }
    }
  )

  faultRow(
    {
      row: 6,
      fault: 'the server is down for some intervals, then back; or down for good',
      repeats: 6,
      expected:
        'connected again within one wait of its return, attempts counted from 1; after maxReconnectAttempts attempts no further one'
    },
    async ({ index, random, injected, wire }) => {
      await withHead({ plain: index % 2 === 1 }, async ({ node, proxy, bridge, tap, witness, log, counts }) => {
        await node.goOffline()
        injected()
        await pause(INTERVAL_MS * random() * 4)
        const back = nextEvent(bridge, 'onConnected')
        await node.goOnline()
        const started = performance.now()
        await back
        expectNoHang(500, started)
        const attempts = log.filter((line) => line.startsWith('attempt'))
        expect(attempts).toEqual(attempts.map((_, at) => `attempt ${at + 1}`))
        expect(log).toHaveLength(2 * attempts.length + 1)
        await until('the cache is of the newest snapshot', () => bridge.lastSnapshotNumber === witness.snapshotNumber)
        wire('WebSocket connections after the return', counts().connections, 1)
        wire('attempts besides those that were announced', tap.sockets - attempts.length, 1)

        const maxReconnectAttempts = 1 + Math.floor(random() * 4)
        const limited = logged({
          url: proxy.url,
          autoReconnect: true,
          maxReconnectAttempts,
          webSocketImpl: tap.WebSocket,
          reconnectInterval: 5
        })
        await limited.bridge.connect()
        await until('it is seeded', () => limited.bridge.lastSnapshotNumber === witness.snapshotNumber)
        await bridge.disconnect()
        const before = proxy.counters.connections
        proxy.toxics.refuse = true
        proxy.reset()
        injected()
        await until('it has given up', () => limited.bridge.state === 'failed')
        expect(limited.errors.at(-1)).toMatchObject({ code: 'BRIDGE_RECONNECT_EXHAUSTED' })
        await pause(20)
        wire('attempts beyond maxReconnectAttempts', proxy.counters.connections - before - maxReconnectAttempts, 0)
        proxy.heal()
        expect(await limited.bridge.connect()).toBe(true)
        await limited.bridge.disconnect()
      })
    }
  )

  faultRow(
    {
      row: 7,
      fault: 'HTTP 401, 403, 404, 426 or 200 instead of an upgrade; a server that speaks no HTTP',
      repeats: 5,
      expected:
        '401 and 403 are fatal, the others are tried again maxReconnectAttempts times; the key of the URL is in no error'
    },
    async ({ random, injected, wire }) => {
      const answers = ['401', '403', '404', '426', '200', 'SSH-2.0-OpenSSH_9.6\r\n'].sort(() => random() - 0.5)
      let requests = 0
      for (const answer of answers) {
        const { server, seen } = refusing(answer)
        await listening(server, async (port) => {
          const { bridge, log, errors } = logged({
            url: `ws://127.0.0.1:${port}/hub?X-Api-Key=${KEY}`,
            autoReconnect: true,
            maxReconnectAttempts: 2,
            reconnectInterval: 2
          })
          injected()
          const first = await outcomeOf(bridge.connect())
          await until('it has given up', () => bridge.state === 'failed')
          const fatal = answer === '401' || answer === '403'
          expect(first).toMatchObject({
            code: 'BRIDGE_CONNECT',
            fatal,
            ...(/^\d+$/.test(answer) ? { httpStatus: Number(answer) } : {})
          })
          expect(log).toEqual(fatal ? ['error'] : ['error', 'attempt 1', 'error', 'attempt 2', 'error'])
          for (const error of [first, ...errors]) expect(shown(error)).not.toContain(KEY)
          await pause(10)
          expect({ answer, attempts: seen() }).toEqual({ answer, attempts: fatal ? 1 : 3 })
          requests += seen()
          await bridge.disconnect()
        })
      }
      wire('attempts', requests, 2 * 1 + 4 * 3)
    }
  )

  faultRow(
    {
      row: 8,
      fault: 'close codes 1000, 1001, 1006, 1011, 1012, 1013 and 1002, 1003, 1007, 1008, 1009, 1010, 4401, 4403',
      repeats: 5,
      expected:
        'the first six are followed by a reconnect, the others are fatal: one onConnectError, no further attempt'
    },
    async ({ index, random, injected, wire }) => {
      const retried = [1000, 1001, 1006, 1011, 1012, 1013]
      const final = [1002, 1003, 1007, 1008, 1009, 1010, 4401, 4403]
      const node = await startDevNode({ port: 0, rpcPort: null })
      const proxy = await FaultProxy.start(node.port)
      try {
        for (const code of [...retried, ...final].sort(() => random() - 0.5)) {
          const tap = new WireTap(index % 2 === 1)
          const { bridge, log, errors } = logged({
            url: proxy.url,
            autoReconnect: true,
            reconnectInterval: 2,
            webSocketImpl: tap.WebSocket
          })
          await bridge.connect()
          const again = retried.includes(code)
          const done = again
            ? nextEvent(bridge, 'onReconnecting').then(() => nextEvent(bridge, 'onConnected'))
            : until('it has given up', () => bridge.state === 'failed')
          node.dropConnections(code === 1006 ? undefined : code)
          injected()
          await done
          if (!again) await pause(5)
          expect({ code, log }).toEqual({
            code,
            log: again
              ? ['connected', 'disconnected', 'attempt 1', 'connected']
              : ['connected', 'disconnected', 'error']
          })
          if (!again) expect(errors).toMatchObject([{ code: 'BRIDGE_CONNECT', closeCode: code, fatal: true }])
          expect({ code, sockets: tap.sockets }).toEqual({ code, sockets: again ? 2 : 1 })
          await bridge.disconnect()
        }
        wire('WebSocket connections', node.counters.connections, 2 * retried.length + final.length)
      } finally {
        await proxy.stop()
        await node.stop()
      }
    }
  )
})

/** The first lookups of the name find nothing, the later ones this machine. */
function failLookups(failures: number): jest.SpyInstance {
  const { lookup } = dns
  let left = failures
  return jest.spyOn(dns, 'lookup').mockImplementation(((
    hostname: string,
    options: { all?: boolean },
    callback: (...args: unknown[]) => void
  ) => {
    if (hostname !== 'head.invalid') return lookup(hostname, options as never, callback as never)
    const missing = Object.assign(new Error(`getaddrinfo ENOTFOUND ${hostname}`), { code: 'ENOTFOUND', hostname })
    setImmediate(() => {
      if (left-- > 0) callback(missing)
      else if (options.all === true) callback(null, [{ address: '127.0.0.1', family: 4 }])
      else callback(null, '127.0.0.1', 4)
    })
  }) as unknown as typeof dns.lookup)
}

/** A server that opens no WebSocket, and how often it was asked. */
function refusing(answer: string): { server: Server; seen: () => number } {
  let seen = 0
  if (/^\d+$/.test(answer)) {
    const server = createHttpServer((_request, response) => {
      seen++
      // As a careless proxy would: the address, key and all, in its answer.
      response.writeHead(Number(answer), { Connection: 'close', Location: `/?X-Api-Key=${KEY}` })
      response.end(`no WebSocket for ${KEY}`)
    })
    return { server, seen: () => seen }
  }
  return {
    server: createServer((socket) => {
      seen++
      socket.end(answer)
    }),
    seen: () => seen
  }
}

/** Everything that is to be seen of an error. */
function shown(error: Error): string {
  return [
    error.message,
    error.stack,
    String(error),
    JSON.stringify(error),
    inspect(error, { depth: Infinity, showHidden: true })
  ].join('\n')
}
