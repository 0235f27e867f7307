import { createServer } from 'node:http'
import type { Server as HttpServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { inspect } from 'node:util'
import { GatewayConnector, LayerBridge } from 'layer-sdk/bridge'
import { Server } from 'socket.io'
import type { Socket } from 'socket.io'
import { hashOf, sampleTx } from '../support/sampleTx'
import { greetings, snapshotConfirmed } from '../support/scriptedNode'
import { nextEvent, outcomeOf, pause } from './support/faultyHead'
import { FaultProxy } from './support/FaultProxy'
import { faultRow, until } from './support/matrix'

const TOKEN = 'eyJhbGciOi-91bf'
const INTERVAL_MS = 20

/** A gateway on socket.io, behind a proxy. */
class Gateway {
  readonly #http: HttpServer = createServer((_request, response) => response.writeHead(404).end())
  readonly io = new Server(this.#http)
  readonly sockets = new Set<Socket>()
  /** What each client has emitted, in order. */
  readonly emitted: { command?: string; data?: any }[] = []
  /** Sockets that reached the namespace, and attempts that did not. */
  connections = 0
  refused = 0
  /** Why the namespace refuses; null takes. */
  refuse: string | null = null
  /** Whether acknowledgements are given. */
  acks = true
  snapshot = 0
  proxy!: FaultProxy

  async start(): Promise<this> {
    const namespace = this.io.of('/base/hydra')
    namespace.use((_socket, next) => {
      if (this.refuse === null) return next()
      this.refused++
      next(new Error(`${this.refuse} ${TOKEN}`))
    })
    namespace.on('connection', (socket) => {
      this.connections++
      this.sockets.add(socket)
      socket.on('disconnect', () => this.sockets.delete(socket))
      socket.on('hydra', (event: { command?: string; data?: any }, ack?: () => void) => {
        this.emitted.push(event)
        if (this.acks) ack?.()
      })
      socket.emit('hydra', {
        status: 'success',
        data: greetings({
          snapshotUtxo: {
            [`${hashOf(1)}#0`]: {
              address: 'addr_test1vqzqgpqyqszqgpqyqszqgpqyqszqgpqyqszqgpqyqszqgpqpqg3v3',
              value: { lovelace: 1 }
            }
          }
        })
      })
    })
    await new Promise<void>((resolve) => this.#http.listen(0, '127.0.0.1', resolve))
    this.proxy = await FaultProxy.start((this.#http.address() as AddressInfo).port)
    return this
  }

  /** Says that a snapshot holds this transaction. */
  confirm(tx: { txId: string; cborHex: string }): void {
    const data = snapshotConfirmed(++this.snapshot, {
      confirmed: [tx],
      utxo: {
        [`${tx.txId}#0`]: {
          address: 'addr_test1vqzqgpqyqszqgpqyqszqgpqyqszqgpqyqszqgpqyqszqgpqpqg3v3',
          value: { lovelace: 2_000_000 }
        }
      }
    })
    for (const socket of this.sockets) socket.emit('hydra', { status: 'success', data })
  }

  get url(): string {
    return `http://127.0.0.1:${this.proxy.port}/base`
  }

  async stop(): Promise<void> {
    await this.proxy.stop()
    await this.io.close()
    this.#http.closeAllConnections()
  }
}

describe('gateway faults', () => {
  faultRow(
    {
      row: 44,
      fault:
        'socket.io: a namespace error, refused credentials, transport closed by reset or by the server, a silent server, no acknowledgements, malformed packets in session',
      repeats: 12,
      expected:
        'the same as over a WebSocket: typed errors, our own reconnect policy, nothing kept while down and nothing sent twice, no token in an error'
    },
    async ({ index, random, injected, wire }) => {
      const gateway = await new Gateway().start()
      const log: string[] = []
      const errors: Error[] = []
      // Each case over both, for six is even.
      const transports = (index + Math.floor(index / 6)) % 2 === 0 ? ['websocket'] : ['polling', 'websocket']
      const connector = new GatewayConnector(gateway.url, { socketIoOptions: { auth: { token: TOKEN }, transports } })
      const bridge = new LayerBridge({ connector, autoReconnect: true, reconnectInterval: INTERVAL_MS })
      bridge.events.on('onConnected', () => log.push('connected'))
      bridge.events.on('onDisconnected', () => log.push('disconnected'))
      bridge.events.on('onConnectError', (error) => errors.push(error))
      const newTx = (): number => gateway.emitted.filter(({ data }) => data?.tag === 'NewTx').length
      try {
        switch (index % 6) {
          case 0: {
            // The gateway's own word on the credentials ends it; no attempt follows.
            gateway.refuse = 'authentication failed for'
            injected()
            expect(await outcomeOf(bridge.connect())).toMatchObject({ code: 'BRIDGE_CONNECT', fatal: true })
            expect(bridge.state).toBe('failed')
            await pause(INTERVAL_MS * 4)
            wire('attempts with refused credentials', gateway.refused, 1)
            expect(inspect(errors, { depth: 9, showHidden: true })).not.toContain(TOKEN)
            break
          }
          case 1: {
            // Another error of the namespace passes.
            gateway.refuse = 'node not ready'
            injected()
            expect(await outcomeOf(bridge.connect())).toMatchObject({ code: 'BRIDGE_CONNECT', fatal: false })
            await until('it is tried again', () => gateway.refused > 1)
            gateway.refuse = null
            await until('it is connected', () => bridge.connected())
            expect(inspect(errors, { depth: 9, showHidden: true })).not.toContain(TOKEN)
            wire('connections once the namespace takes them', gateway.connections, 1)
            break
          }
          case 2:
          case 3: {
            // The transport ends with a transaction on its way; while it is down nothing is kept.
            await bridge.connect()
            const tx = sampleTx(1)
            const verdict = outcomeOf(bridge.submitTxSync(tx, { timeout: 5_000 }))
            await until('the gateway has it', () => newTx() === 1)
            await pause(random() * 5)
            const lost = nextEvent(bridge, 'onDisconnected')
            const back = nextEvent(bridge, 'onConnected')
            injected()
            if (index % 6 === 2) gateway.proxy.reset()
            // Closing a poll leaves a timer of 30 s in the server, which would be taken for one of ours.
            else for (const socket of gateway.sockets) socket.disconnect(transports.length === 1 && random() < 0.5)
            await lost
            expect(
              bridge.getAddressBalance('addr_test1vqzqgpqyqszqgpqyqszqgpqyqszqgpqyqszqgpqyqszqgpqpqg3v3')
            ).toBeNull()
            expect(() => bridge.commands.close()).toThrow(expect.objectContaining({ code: 'BRIDGE_NOT_CONNECTED' }))
            expect(await outcomeOf(bridge.submitTxSync(sampleTx(2)))).toMatchObject({ tag: 'NotConnected' })
            await back
            gateway.confirm(tx)
            const settled = await verdict
            // Without a route to the head's state and without a history, nothing may be claimed before the snapshot
            // comes.
            expect(settled.isConfirmed === true || settled.outcome === 'unknown').toBe(true)
            await pause(INTERVAL_MS * 2)
            expect(log).toEqual(['connected', 'disconnected', 'connected'])
            wire('NewTx emitted', newTx(), 1)
            wire('commands emitted after the reconnect', gateway.emitted.length - 1, 0)
            wire('connections to the namespace', gateway.connections, 2)
            break
          }
          case 4: {
            // Packets that socket.io's client would end the process with. They are skipped; one of engine.io ends the
            // connection.
            const invalid: Error[] = []
            bridge.events.on('onProtocolError', (error) => invalid.push(error))
            await bridge.connect()
            await pause(random() * 5)
            const [socket] = gateway.sockets
            const packets = [
              '2/base/hydra,[]',
              '4/base/hydra,null',
              '4/base/hydra,5',
              '2/base/hydra,[null]',
              '0/base/hydra,7'
            ]
            for (const packet of packets) (socket!.conn as unknown as { write(packet: string): void }).write(packet)
            injected(packets.length)
            await until('they are reported', () => invalid.length === packets.length)
            expect(bridge.connected()).toBe(true)
            const tx = sampleTx(1)
            const verdict = outcomeOf(bridge.submitTxSync(tx, { timeout: 5_000 }))
            await until('the gateway has it', () => newTx() === 1)
            const back = nextEvent(bridge, 'onConnected')
            ;(socket!.conn as unknown as { sendPacket(type: string, data: string): void }).sendPacket('open', 'null')
            injected()
            await back
            gateway.confirm(tx)
            const settled = await verdict
            expect(settled.isConfirmed === true || settled.outcome === 'unknown').toBe(true)
            expect(log).toEqual(['connected', 'disconnected', 'connected'])
            expect(inspect(invalid, { depth: 9, showHidden: true })).not.toContain(TOKEN)
            wire('NewTx emitted around malformed packets', newTx(), 1)
            wire('malformed packets reported', invalid.length, packets.length + 1)
            break
          }
          default: {
            // A gateway that never acknowledges: nothing waits for it, nothing is repeated.
            gateway.acks = false
            await bridge.connect()
            injected()
            const tx = sampleTx(1)
            const verdict = bridge.submitTxSync(tx)
            bridge.commands.close()
            await until('the gateway has both', () => gateway.emitted.length === 2)
            await pause(random() * 100)
            gateway.confirm(tx)
            expect(await verdict).toMatchObject({ isConfirmed: true })
            // And one that says nothing at all: connect() has its own deadline.
            const mute = new LayerBridge({
              connector: new GatewayConnector(gateway.url, { socketIoOptions: { transports } }),
              connectTimeout: 150
            })
            const { open } = gateway.proxy
            gateway.proxy.toxics.mute = true
            injected()
            expect(await outcomeOf(mute.connect())).toMatchObject({ code: 'BRIDGE_CONNECT_TIMEOUT' })
            await mute.disconnect()
            // Node's fetch may hold a spare connection for 4 s after a poll was aborted.
            await until('its sockets are gone', () => gateway.proxy.open <= open, 20_000)
            wire('NewTx emitted without an acknowledgement', newTx(), 1)
            wire('connections to the namespace, none lost', gateway.connections, 1)
          }
        }
      } finally {
        await bridge.disconnect()
        await gateway.stop()
      }
    }
  )
})
