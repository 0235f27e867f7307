import type {
  Connector,
  ConnectorChannel,
  ConnectorListener,
  ConnectorOpenOptions,
  ConnectorReply,
  ConnectorRequest
} from 'layer-sdk/bridge'

/** One attempt that a bridge made, in the hands of a test. */
export class FakeChannel {
  readonly sent: string[] = []
  pings = 0
  closed: 'graceful' | 'killed' | null = null
  constructor(
    readonly listener: ConnectorListener,
    readonly options: ConnectorOpenOptions
  ) {}

  open(facts?: { replay: boolean }): this {
    this.listener.onOpen(facts)
    return this
  }

  greet(fields: Record<string, unknown> = {}): this {
    this.open()
    return this.say({ tag: 'Greetings', me: { vkey: 'ab' }, headStatus: 'Idle', hydraNodeVersion: '2.3.0', ...fields })
  }

  say(message: unknown): this {
    this.listener.onMessage(JSON.stringify(message))
    return this
  }

  fail(error: Error = new Error('broken')): void {
    this.listener.onClose(error)
  }
}

/** A connector without sockets: every attempt waits for the test, so that fake timers rule all. */
export class FakeConnector implements Connector {
  capabilities = { history: true, allRoutes: true, partial: false }
  readonly channels: FakeChannel[] = []
  readonly requests: ConnectorRequest[] = []
  canPing = false
  onRequest: (request: ConnectorRequest) => Promise<ConnectorReply> = async () => ({ status: 404, text: '""' })

  get last(): FakeChannel {
    return this.channels.at(-1) as FakeChannel
  }

  open(listener: ConnectorListener, options: ConnectorOpenOptions): ConnectorChannel {
    const channel = new FakeChannel(listener, options)
    this.channels.push(channel)
    return {
      send: (text) => {
        channel.sent.push(text)
      },
      ping: () => {
        channel.pings += 1
        return this.canPing
      },
      close: async (graceful) => {
        channel.closed = graceful ? 'graceful' : 'killed'
      }
    }
  }

  request(request: ConnectorRequest): Promise<ConnectorReply> {
    this.requests.push(request)
    return this.onRequest(request)
  }
}
