import { GatewayConnector, LayerBridge } from 'layer-sdk/bridge'
import type { GatewayConnectorOptions } from 'layer-sdk/bridge'
import { createGateway } from 'layer-sdk/gateway'
import type { Gateway, GatewayOptions } from 'layer-sdk/gateway'
import { io } from 'socket.io-client'
import type { Socket } from 'socket.io-client'
import type { Head } from '../support/openHead'
import { startHead } from '../support/openHead'

/** A head with money in it, and a gateway in front of its node. */
export interface Served {
  readonly head: Head
  readonly gateway: Gateway
  /** Address of the wallet that owns the outputs in the head. */
  readonly address: string
  bridge(options?: GatewayConnectorOptions, path?: string): Promise<LayerBridge>
  stop(): Promise<void>
}

/** Starts both on free ports and waits until the gateway is ready. */
export async function serve(options: Partial<GatewayOptions> = {}): Promise<Served> {
  const head = await startHead()
  const gateway = await createGateway({ port: 0, heads: [{ path: '/', upstream: head.node.url }], ...options })
  await ready(gateway)
  const bridges: LayerBridge[] = []
  return {
    head,
    gateway,
    address: head.wallets[0]!.getAddressBech32(),
    async bridge(connector = {}, path = '') {
      const bridge = new LayerBridge({ connector: new GatewayConnector(gateway.url + path, connector) })
      bridges.push(bridge)
      await bridge.connect()
      return bridge
    },
    async stop() {
      for (const bridge of bridges) await bridge.disconnect()
      await gateway.stop()
      await head.stop()
    }
  }
}

export async function ready(gateway: Gateway): Promise<void> {
  await until('the gateway is ready', async () => (await fetch(`${gateway.url}/health/ready`)).status === 200)
}

export async function until(what: string, check: () => boolean | Promise<boolean>, limitMs = 20_000): Promise<void> {
  const ends = Date.now() + limitMs
  while (!(await check())) {
    if (Date.now() > ends) throw new Error(`not in time: ${what}`)
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}

/** A client of socket.io as others write theirs, with what it got. */
export interface RawClient {
  readonly socket: Socket
  readonly events: { status: string; data: any }[]
  send(event: unknown): void
  ask(event: unknown): Promise<any>
  /** The first event of a tag, there or to come. */
  tagged(tag: string, skip?: number): Promise<any>
}

/** Joins; rejects with what the join is refused with. */
export function join(url: string, auth: Record<string, unknown> = {}, options: object = {}): Promise<RawClient> {
  const socket = io(url, { transports: ['websocket'], reconnection: false, forceNew: true, auth, ...options })
  const events: { status: string; data: any }[] = []
  socket.on('hydra', (event) => events.push(event as never))
  const client: RawClient = {
    socket,
    events,
    send: (event) => void socket.emit('hydra', event),
    ask: (event) => new Promise((resolve) => socket.emit('hydra', event, resolve)),
    async tagged(tag, skip = 0) {
      const found = (): any => events.filter(({ data }) => data.tag === tag)[skip]
      await until(`a message ${tag}`, () => found() !== undefined)
      return found().data
    }
  }
  return new Promise((resolve, reject) => {
    socket.on('connect', () => resolve(client))
    // A session may end before its join is answered.
    socket.on('disconnect', (reason) => reject(new Error(`the session has ended: ${reason}`)))
    socket.on('connect_error', (error) => {
      socket.disconnect()
      reject(error)
    })
  })
}
