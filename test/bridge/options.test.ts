import { GatewayConnector, LayerBridge, WebsocketConnector } from 'layer-sdk/bridge'
import type { DirectBridgeOptions } from 'layer-sdk/bridge'
import { codeOf } from '../support/codeOf'
import { FakeConnector } from '../support/fakeConnector'
import { ScriptedNode } from '../support/scriptedNode'

const URL_ = 'ws://127.0.0.1:9'

describe('options of a bridge', () => {
  const wrong: [string, unknown[]][] = [
    ['autoReconnect', ['yes', 1, {}]],
    ['verbose', ['false']],
    ['history', ['yes']],
    ['noSnapshotUtxo', [1]],
    ['allowInsecure', ['false', 1]],
    ['maxMessageBytes', [0, -1, NaN, '1']],
    ['connectTimeout', [0, NaN, '1000']],
    ['reconnectJitter', [2, 'no']],
    ['maxReconnectAttempts', [-1]]
  ]

  it.each(wrong)('refuses another type or range of %s', async (name, values) => {
    for (const value of values) {
      await expect((async () => new LayerBridge({ url: URL_, [name]: value }))()).rejects.toMatchObject({
        code: 'BRIDGE_OPTIONS',
        option: name
      })
    }
  })

  it('holds the connectors to them as well', async () => {
    for (const options of [{ history: 'yes' }, { allowInsecure: 'false' }, { maxMessageBytes: 0 }]) {
      expect(await codeOf(() => new WebsocketConnector({ websocketUrl: URL_, ...options } as never))).toBe(
        'BRIDGE_OPTIONS'
      )
    }
    for (const options of [{ allowInsecure: 'yes' }, { maxMessageBytes: -1 }]) {
      expect(await codeOf(() => new GatewayConnector('https://gateway.example', options as never))).toBe(
        'BRIDGE_OPTIONS'
      )
    }
  })

  it('refuses an unknown name, and names it and the known ones', async () => {
    for (const [make, option] of [
      [() => new LayerBridge({ url: URL_, autoReconect: true } as never), 'autoReconect'],
      [() => new LayerBridge({ connector: new FakeConnector(), history: true } as never), 'history'],
      [() => new WebsocketConnector({ websocketUrl: URL_, allowInsecurely: true } as never), 'allowInsecurely'],
      [() => new GatewayConnector('https://gateway.example', { socketOptions: {} } as never), 'socketOptions']
    ] as const) {
      await expect((async () => make())()).rejects.toMatchObject({
        code: 'BRIDGE_OPTIONS',
        option,
        message: expect.stringMatching(/one of the options \w+, \w+/)
      })
    }
  })

  it('takes nothing from a polluted Object.prototype', () => {
    Object.defineProperty(Object.prototype, 'allowInsecure', {
      value: 'polluted',
      configurable: true,
      enumerable: true,
      writable: true
    })
    try {
      expect(new LayerBridge({ url: URL_ }).state).toBe('idle')
      expect(new GatewayConnector('https://gateway.example', {}).capabilities.history).toBe(false)
    } finally {
      delete (Object.prototype as { allowInsecure?: unknown }).allowInsecure
    }
  })

  it('takes null for left out', async () => {
    const node = await new ScriptedNode().start()
    const names = ['connector', 'logger', 'address', 'fetch', 'webSocketImpl', ...wrong.map(([name]) => name)]
    const bridge = new LayerBridge({
      url: `${node.url}/?history=yes`,
      ...Object.fromEntries(names.map((name) => [name, null]))
    } as never)
    await bridge.connect()
    expect(node.queries).toEqual(['/?history=yes'])
    await bridge.disconnect()
    await node.stop()
    expect(new LayerBridge({ url: null, connector: new FakeConnector() } as never).state).toBe('idle')
    expect(new GatewayConnector('https://gateway.example', null as never).capabilities.history).toBe(false)
  })
})

describe('a connection in clear text', () => {
  class NoSocket {
    constructor() {
      throw new Error('no network here')
    }
  }
  const warned = async (options: Partial<DirectBridgeOptions>, verbose = false): Promise<string[]> => {
    const lines: string[] = []
    const logger = {
      debug: () => undefined,
      warn: (line: string) => {
        lines.push(line)
      }
    }
    const bridge = new LayerBridge({ url: URL_, webSocketImpl: NoSocket as never, logger, verbose, ...options })
    for (let attempt = 0; attempt < 2; attempt++) await bridge.connect().catch(() => undefined)
    return lines
  }

  it('to another host is warned of once', async () => {
    const line = '[layer-bridge] the connection to head.example:4001 is not encrypted'
    expect(await warned({ url: 'ws://head.example:4001' })).toEqual([line])
    expect(await warned({ url: async () => 'http://head.example:4001/?address=a' })).toEqual([line])
  })

  it('to this machine, over TLS or by choice is not', async () => {
    for (const url of [URL_, 'ws://localhost:4001', 'wss://head.example']) expect(await warned({ url })).toEqual([])
    expect(await warned({ url: 'ws://head.example', allowInsecure: true })).toEqual([])
    // Refused, which says enough.
    expect(await warned({ url: 'ws://head.example/?X-Api-Key=secret' })).toEqual([])
  })
})
