import { LayerBridge } from 'layer-sdk/bridge'
import type { ConnectorBridgeOptions } from 'layer-sdk/bridge'
import { randomFrom, until } from '../../faults/support/matrix'
import { FakeConnector } from '../../support/fakeConnector'
import { snapshotConfirmed } from '../../support/scriptedNode'

const fatalError = (): Error => Object.assign(new Error('no'), { fatal: true })

describe('the reconnect policy', () => {
  let connector: FakeConnector
  let log: string[]
  beforeEach(() => {
    jest.useFakeTimers()
    connector = new FakeConnector()
    log = []
  })
  afterEach(() => {
    jest.useRealTimers()
  })

  function create(options: Partial<ConnectorBridgeOptions> = {}): LayerBridge {
    const bridge = new LayerBridge({
      connector,
      autoReconnect: true,
      reconnectInterval: 1_000,
      reconnectJitter: 0,
      ...options
    })
    bridge.events.on('onConnected', () => log.push('connected'))
    bridge.events.on('onDisconnected', () => log.push('disconnected'))
    bridge.events.on('onConnectError', (error) =>
      log.push(`error ${(error as { code?: string }).code ?? error.message}`)
    )
    bridge.events.on('onReconnecting', ({ attempt, delayMs }) => log.push(`attempt ${attempt} in ${delayMs}`))
    return bridge
  }

  async function connected(options: Partial<ConnectorBridgeOptions> = {}): Promise<LayerBridge> {
    const bridge = create(options)
    const done = bridge.connect()
    connector.last.greet()
    await done
    return bridge
  }

  it('makes one attempt for parallel connect() calls and answers them all', async () => {
    const bridge = create()
    const calls = [bridge.connect(), bridge.connect(), bridge.connect()]
    expect(bridge.state).toBe('connecting')
    connector.last.greet()
    expect(await Promise.all(calls)).toEqual([true, true, true])
    expect(await bridge.connect()).toBe(true)
    expect(connector.channels).toHaveLength(1)
  })

  it('reconnects after the interval, without history, and tells every step once', async () => {
    const bridge = await connected()
    connector.last.fail()
    expect(bridge.state).toBe('reconnecting')
    expect(bridge.connected()).toBe(false)
    jest.advanceTimersByTime(999)
    expect(connector.channels).toHaveLength(1)
    jest.advanceTimersByTime(1)
    expect(connector.last.options).toEqual({ history: false })
    connector.last.greet()
    expect(bridge.state).toBe('connected')
    expect(log).toEqual(['connected', 'disconnected', 'attempt 1 in 1000', 'connected'])
  })

  it('requests the history until a connection has been made, and again after disconnect()', async () => {
    const bridge = create()
    const call = bridge.connect()
    connector.last.fail()
    await expect(call).rejects.toThrow('broken')
    jest.advanceTimersByTime(1_000)
    connector.last.open().fail()
    jest.advanceTimersByTime(1_000)
    connector.last.greet().fail()
    jest.advanceTimersByTime(1_000)
    await bridge.disconnect()
    void bridge.connect().catch(() => undefined)
    expect(connector.channels.map(({ options }) => options)).toEqual([{}, {}, {}, { history: false }, {}])
    await bridge.disconnect()
  })

  it('holds at most one channel, and none where it says so, whatever happens in whatever order', async () => {
    for (let seed = 0; seed < 200; seed++) {
      const random = randomFrom(seed)
      connector = new FakeConnector()
      const { channels } = connector
      const over = new Set<object>()
      const opened = new Set<object>()
      const live = (): number => channels.filter((channel) => channel.closed === null && !over.has(channel)).length
      let asked = 0
      let announced = 0
      let quiet = false
      const bridge = create({
        maxReconnectAttempts: seed % 3,
        connectTimeout: 700,
        autoReconnect: seed % 5 > 0,
        reconnectJitter: 0.25
      })
      const connect = (): void => {
        asked++
        bridge.connect().catch(() => undefined)
      }
      const disconnect = (): void => {
        void bridge.disconnect()
      }
      const fail = (fatal: boolean): void => {
        const { last } = connector
        over.add(last)
        last.fail(fatal ? fatalError() : undefined)
      }
      const open = (): void => {
        const { last } = connector
        if (!opened.has(last)) last.open()
        opened.add(last)
      }
      const greet = (): void => {
        open()
        connector.last.say({ tag: 'Greetings', me: { vkey: 'ab' }, headStatus: 'Idle' })
      }
      const steps = [
        connect,
        connect,
        disconnect,
        () => fail(false),
        () => fail(false),
        () => fail(true),
        open,
        greet,
        greet,
        () => jest.advanceTimersByTime(random() * 2_000),
        () => jest.advanceTimersByTime(6_000)
      ]
      const act = (): void => {
        const step = steps[Math.floor(random() * steps.length)]!
        if (channels.length > 0 || step === connect) step()
      }
      bridge.events.on('onReconnecting', () => {
        announced++
      })
      for (const name of ['onConnected', 'onDisconnected', 'onConnectError', 'onReconnecting'] as const) {
        bridge.events.on(name, () => {
          if (!quiet && random() < 0.2) [connect, disconnect][Math.floor(random() * 2)]!()
        })
      }
      for (let step = 0; step < 60; step++) {
        act()
        if (random() < 0.5) await Promise.resolve()
        expect(channels.length).toBeLessThanOrEqual(asked + announced)
        const { state } = bridge
        expect({ seed, step, state, live: live() }).toEqual({
          seed,
          step,
          state,
          live: state === 'reconnecting' ? Math.min(live(), 1) : Number(/^connect/.test(state))
        })
      }
      quiet = true
      await bridge.disconnect()
      await jest.advanceTimersByTimeAsync(0)
      expect([live(), jest.getTimerCount()]).toEqual([0, 0])
    }
  }, 120_000)

  it('spreads the wait by the jitter to both sides', async () => {
    const random = jest.spyOn(Math, 'random')
    for (const [value, delay] of [
      [0, 750],
      [0.5, 1_000],
      [1, 1_250]
    ] as const) {
      random.mockReturnValue(value)
      const bridge = await connected({ reconnectJitter: 0.25 })
      connector.last.fail()
      expect(log.at(-1)).toBe(`attempt 1 in ${delay}`)
      await bridge.disconnect()
    }
    random.mockRestore()
  })

  it('makes exactly maxReconnectAttempts attempts, then fails with the last cause', async () => {
    const bridge = await connected({ maxReconnectAttempts: 3 })
    connector.last.fail()
    for (let attempt = 1; attempt <= 3; attempt++) {
      jest.advanceTimersByTime(1_000)
      connector.last.fail(new Error(`down ${attempt}`))
    }
    jest.advanceTimersByTime(60_000)
    expect(connector.channels).toHaveLength(4)
    expect(bridge.state).toBe('failed')
    expect(log).toEqual([
      'connected',
      'disconnected',
      'attempt 1 in 1000',
      'error down 1',
      'attempt 2 in 1000',
      'error down 2',
      'attempt 3 in 1000',
      'error BRIDGE_RECONNECT_EXHAUSTED'
    ])
  })

  it('counts attempts on when a connection did not last, and anew when it did', async () => {
    await connected({ maxReconnectAttempts: 2 })
    connector.last.fail()
    jest.advanceTimersByTime(1_000)
    connector.last.greet()
    jest.advanceTimersByTime(1_000)
    connector.last.fail()
    expect(log.at(-1)).toBe('attempt 2 in 1000')
    jest.advanceTimersByTime(1_000)
    connector.last.greet()
    jest.advanceTimersByTime(5_000)
    connector.last.fail()
    expect(log.at(-1)).toBe('attempt 1 in 1000')
  })

  it('rejects the first connect() with the error of onConnectError and goes on behind it', async () => {
    const bridge = create()
    const call = bridge.connect()
    connector.last.fail(new Error('refused'))
    await expect(call).rejects.toThrow('refused')
    expect(bridge.state).toBe('reconnecting')
    jest.advanceTimersByTime(1_000)
    connector.last.greet()
    expect(log).toEqual(['error refused', 'attempt 1 in 1000', 'connected'])
  })

  it('does not try again without autoReconnect', async () => {
    const bridge = await connected({ autoReconnect: false })
    connector.last.fail()
    jest.advanceTimersByTime(60_000)
    expect(bridge.state).toBe('disconnected')
    expect(connector.channels).toHaveLength(1)
    const again = bridge.connect()
    connector.last.greet()
    expect(await again).toBe(true)
  })

  it('stops for good on a fatal cause and says so once', async () => {
    const bridge = await connected()
    connector.last.fail(fatalError())
    jest.advanceTimersByTime(60_000)
    expect(bridge.state).toBe('failed')
    expect(log).toEqual(['connected', 'disconnected', 'error no'])
    expect(connector.channels).toHaveLength(1)
  })

  it('ends an attempt at connectTimeout and kills its socket', async () => {
    const bridge = create({ autoReconnect: false, connectTimeout: 2_000 })
    const call = bridge.connect()
    jest.advanceTimersByTime(2_000)
    await expect(call).rejects.toMatchObject({ code: 'BRIDGE_CONNECT_TIMEOUT', timeoutMs: 2_000 })
    expect(connector.last.closed).toBe('killed')
  })

  it('ignores what a replaced socket still says', async () => {
    const bridge = await connected()
    const old = connector.last
    old.fail()
    jest.advanceTimersByTime(1_000)
    connector.last.greet({ headStatus: 'Open' })
    old.fail()
    old.say({ tag: 'Greetings', me: { vkey: 'ab' }, headStatus: 'Closed' })
    expect(bridge.state).toBe('connected')
    expect(bridge.headStatus).toBe('Open')
  })

  it('ends a connect() under way with a typed error on disconnect(), and never connects later', async () => {
    const bridge = create()
    const call = bridge.connect()
    const outcome = expect(call).rejects.toMatchObject({ code: 'BRIDGE_CONNECT_ABORTED' })
    expect(await bridge.disconnect()).toBe(true)
    await outcome
    connector.last.greet()
    jest.advanceTimersByTime(60_000)
    expect(bridge.state).toBe('disconnected')
    expect(connector.channels).toHaveLength(1)
    expect(log).toEqual([])
  })

  it('ends a wait for the next attempt on disconnect(), and connects anew afterwards', async () => {
    const bridge = await connected()
    connector.last.fail()
    await bridge.disconnect()
    jest.advanceTimersByTime(60_000)
    expect(connector.channels).toHaveLength(1)
    const again = bridge.connect()
    connector.last.greet()
    expect(await again).toBe(true)
    connector.last.fail()
    expect(bridge.state).toBe('reconnecting')
  })

  it('connects at once when connect() is called while it waits', async () => {
    const bridge = await connected()
    connector.last.fail()
    const call = bridge.connect()
    expect(connector.channels).toHaveLength(2)
    connector.last.greet()
    expect(await call).toBe(true)
    jest.advanceTimersByTime(4_000)
    expect(connector.channels).toHaveLength(2)
  })

  it('survives handlers that disconnect and connect from inside events', async () => {
    const bridge = await connected()
    const off = bridge.events.on('onDisconnected', () => {
      void bridge.disconnect()
    })
    connector.last.fail()
    expect(bridge.state).toBe('disconnected')
    expect(log).toEqual(['connected', 'disconnected'])
    off()
    bridge.events.on('onDisconnected', () => {
      void bridge.connect()
    })
    const call = bridge.connect()
    connector.last.greet()
    await call
    await bridge.disconnect()
    expect(bridge.state).toBe('connecting')
    connector.last.greet()
    expect(bridge.state).toBe('connected')
  })

  it('takes a connector that throws as a failed attempt', async () => {
    const bridge = create({ autoReconnect: false })
    connector.open = () => {
      throw new Error('bad connector')
    }
    await expect(bridge.connect()).rejects.toThrow('bad connector')
    expect(bridge.state).toBe('failed')
  })

  it('takes a channel that failed while it was being opened as a failed attempt, and ends it', async () => {
    const bridge = create()
    const { open } = connector
    connector.open = function (listener, options) {
      const channel = open.call(this, listener, options)
      listener.onClose(new Error('at once'))
      return channel
    }
    await expect(bridge.connect()).rejects.toThrow('at once')
    expect(connector.last.closed).toBe('killed')
    connector.open = open
    const call = bridge.connect()
    connector.last.greet()
    expect(await call).toBe(true)
    expect(connector.channels).toHaveLength(2)
  })

  it('does not mind a channel that cannot be closed', async () => {
    const open = connector.open.bind(connector)
    connector.open = (listener, options) => ({
      ...open(listener, options),
      close: async () => {
        throw new Error('it is stuck')
      }
    })
    const bridge = await connected()
    connector.last.fail()
    jest.advanceTimersByTime(1_000)
    connector.last.greet()
    expect(await bridge.disconnect()).toBe(true)
  })

  it('leaves no timer behind after disconnect()', async () => {
    const bridge = await connected()
    for (let cycle = 0; cycle < 50; cycle++) {
      connector.last.fail()
      jest.advanceTimersByTime(1_000)
      connector.last.greet()
    }
    await bridge.disconnect()
    expect(jest.getTimerCount()).toBe(0)
  })
})

it('requests the state on a new connection at once, though a request of the old one is still open', async () => {
  const connector = new FakeConnector()
  connector.onRequest = () => new Promise(() => undefined)
  const bridge = new LayerBridge({ connector, autoReconnect: true, reconnectInterval: 1 })
  for (let connection = 1; connection <= 3; connection++) {
    const asked = until('the state is asked for', () => connector.requests.length === connection, 2_000)
    if (connection === 1) {
      const connecting = bridge.connect()
      connector.last.greet({ headStatus: 'Open', hydraHeadId: 'ab', snapshotUtxo: {} })
      await connecting
    } else {
      await until('it tries again', () => connector.channels.length === connection)
      connector.last.greet({ headStatus: 'Open', hydraHeadId: 'ab', snapshotUtxo: {} })
    }
    await asked
    expect(connector.requests.map(({ path }) => path)).toEqual(Array(connection).fill('/snapshot'))
    connector.last.fail()
  }
  expect(connector.requests.map(({ signal }) => signal.aborted)).toEqual([true, true, true])
  await bridge.disconnect()
})

describe('the liveness watch', () => {
  let connector: FakeConnector
  let bridge: LayerBridge
  beforeEach(async () => {
    jest.useFakeTimers()
    connector = new FakeConnector()
    bridge = new LayerBridge({ connector, autoReconnect: true, reconnectInterval: 1_000, reconnectJitter: 0 })
    const done = bridge.connect()
    connector.last.greet()
    await done
  })
  afterEach(async () => {
    await bridge.disconnect()
    jest.useRealTimers()
  })

  it('finds a dead socket within 45 seconds when the HTTP probe gets no answer', async () => {
    connector.onRequest = ({ signal }) =>
      new Promise((_, reject) => {
        signal.addEventListener('abort', () => reject(new Error('aborted')))
      })
    await jest.advanceTimersByTimeAsync(39_000)
    expect(bridge.connected()).toBe(true)
    await jest.advanceTimersByTimeAsync(6_000)
    expect(connector.requests.map(({ path }) => path)).toEqual(['/snapshot/last-seen'])
    expect(bridge.connected()).toBe(false)
    expect(connector.channels[0]?.closed).toBe('killed')
  })

  it('keeps a silent connection whose node answers the probe', async () => {
    connector.onRequest = async () => ({ status: 200, text: '{"tag":"NoSeenSnapshot"}' })
    await jest.advanceTimersByTimeAsync(3_600_000)
    expect(bridge.connected()).toBe(true)
    expect(connector.requests.length).toBeGreaterThan(80)
  })

  it('kills a socket that does not answer a ping, whatever HTTP says', async () => {
    connector.canPing = true
    connector.onRequest = async () => ({ status: 200, text: '{"tag":"NoSeenSnapshot"}' })
    await jest.advanceTimersByTimeAsync(45_000)
    expect(bridge.connected()).toBe(false)
  })

  it('finds a dead socket by a single snapshot that it has not brought', async () => {
    connector.last.say(snapshotConfirmed(4))
    connector.onRequest = async () => ({ status: 200, text: '{"tag":"RequestedSnapshot","lastSeen":5,"requested":6}' })
    // Large messages take their time, so it is asked for once more.
    await jest.advanceTimersByTimeAsync(45_000)
    expect(bridge.connected()).toBe(true)
    await jest.advanceTimersByTimeAsync(20_000)
    expect(bridge.connected()).toBe(false)
  })

  it('finds a dead socket within 45 seconds by two snapshots that it has not brought', async () => {
    connector.last.say(snapshotConfirmed(4))
    connector.onRequest = async () => ({ status: 200, text: '{"tag":"LastSeenSnapshot","lastSeen":6}' })
    await jest.advanceTimersByTimeAsync(45_000)
    expect(bridge.connected()).toBe(false)
  })

  it.each([
    '{"tag":"LastSeenSnapshot","lastSeen":4}',
    '{"tag":"RequestedSnapshot","lastSeen":4,"requested":5}',
    '{"tag":"NoSeenSnapshot"}',
    '{"tag":"SeenSnapshot","snapshot":{"number":5},"signatories":{}}'
  ])('keeps one whose node is at the same snapshot, or stuck at signing the next: %s', async (text) => {
    connector.last.say(snapshotConfirmed(4))
    connector.onRequest = async () => ({ status: 200, text })
    await jest.advanceTimersByTimeAsync(600_000)
    expect(bridge.connected()).toBe(true)
  })

  it('lets a snapshot that is on its way arrive', async () => {
    connector.last.say(snapshotConfirmed(4))
    connector.onRequest = async () => ({ status: 200, text: '{"tag":"LastSeenSnapshot","lastSeen":5}' })
    setTimeout(() => {
      connector.last.say(snapshotConfirmed(5))
    }, 55_000)
    await jest.advanceTimersByTimeAsync(600_000)
    expect(bridge.connected()).toBe(true)
  })

  it('gives the second question after a lag its own deadline', async () => {
    connector.last.say(snapshotConfirmed(1))
    expect(bridge.lastSnapshotNumber).toBe(1)
    const never = ({ signal }: { signal: AbortSignal }): Promise<never> =>
      new Promise((_, reject) => {
        signal.addEventListener('abort', () => reject(new Error('aborted')))
      })
    connector.onRequest = async (request) =>
      connector.requests.length > 1 ? never(request) : { status: 200, text: '{"tag":"LastSeenSnapshot","lastSeen":9}' }
    await jest.advanceTimersByTimeAsync(41_000)
    expect(bridge.connected()).toBe(true)
    await jest.advanceTimersByTimeAsync(6_500)
    expect(connector.requests).toHaveLength(2)
    expect(bridge.connected()).toBe(false)
  })

  it('never probes a socket that answers pings', async () => {
    connector.canPing = true
    const pong = setInterval(() => {
      if (connector.last.pings > 0) connector.last.listener.onActivity()
    }, 1_000)
    await jest.advanceTimersByTimeAsync(3_600_000)
    clearInterval(pong)
    expect(bridge.connected()).toBe(true)
    expect(connector.requests).toEqual([])
  })
})
