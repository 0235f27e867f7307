import { GatewayConnector, LayerBridge } from 'layer-sdk/bridge'
import type { GatewayConnectorOptions, LayerPayload } from 'layer-sdk/bridge'
import { SnapshotCache } from '../../../src/bridge/head/SnapshotCache'
import { received } from '../head/modelHead'
import { until } from '../../faults/support/matrix'
import { hashOf, sampleTx } from '../../support/sampleTx'
import { confirmedSnapshot, HEAD_ID, once, output, snapshotConfirmed } from '../../support/scriptedNode'
import { ExtendedGateway, extendedGreetings } from './ExtendedGateway'
import type { Client } from './ExtendedGateway'

const OWN = 'addr_test1vzpwq95z3xyum8vqndgdd9mdnmafh3djcxnc6jemlgdmswcve6tkw'
const OTHER = 'addr_test1vqqszqgpqyqszqgpqyqszqgpqyqszqgpqyqszqgpqyqszqgasfzjt'
const OTHER_HEAD = 'bb'.repeat(28)
const [A, B, C] = [`${hashOf(1)}#0`, `${hashOf(2)}#0`, `${hashOf(3)}#0`]
const ada = (lovelace: number): Map<string, bigint> => new Map([['lovelace', BigInt(lovelace)]])

const whole = (number: number, utxo: unknown, fields: object = {}): object => ({
  tag: 'GatewaySnapshot',
  headId: HEAD_ID,
  number,
  version: 0,
  reason: 'start',
  utxo,
  ...fields
})
const resumed = (from: number, to: number, headId = HEAD_ID): object => ({ tag: 'GatewayResumed', headId, from, to })
const progress = (from: number, number: number): object => ({ tag: 'GatewayProgress', headId: HEAD_ID, from, number })
function changed(number: number, delta: Record<string, unknown>, confirmed: unknown[] = [], headId = HEAD_ID): object {
  const message = snapshotConfirmed(number, { confirmed, headId }) as { snapshot: Record<string, unknown> }
  delete message.snapshot['utxo']
  return { ...message, delta: { from: number - 1, number, spent: [], made: {}, ...delta } }
}

describe('the options of the extension of a gateway', () => {
  it.each<[unknown, string]>([
    [{ mode: 'some' }, 'mode'],
    [{ mode: 'address' }, 'addresses'],
    [{ mode: 'address', addresses: [] }, 'addresses'],
    [{ mode: 'address', addresses: OWN }, 'addresses'],
    [{ mode: 'address', addresses: ['addr_test1'] }, 'addresses'],
    [{ mode: 'address', addresses: [7] }, 'addresses'],
    [{ mode: 'address', addresses: ['stake_test1uqehkck0lajq8gr28t9uxnuvgcqrc6070x3k9r8048z8y5gssrtvn'] }, 'addresses'],
    [{ mode: 'delta', addresses: [OWN] }, 'mode'],
    [{ addresses: [OWN] }, 'mode'],
    [{ tags: [] }, 'tags'],
    [{ tags: 'TxValid' }, 'tags'],
    [{ tags: [''] }, 'tags']
  ])('are refused as %j: %s', (options, option) => {
    expect(() => new GatewayConnector('http://127.0.0.1:1', options as GatewayConnectorOptions)).toThrow(
      expect.objectContaining({ code: 'BRIDGE_OPTIONS', option })
    )
  })

  it('say what the connector can do, and are copied', () => {
    const addresses = [OWN, OWN.toUpperCase()]
    const connector = new GatewayConnector('http://127.0.0.1:1', { mode: 'address', addresses })
    addresses.push(OTHER)
    expect(connector.addresses).toEqual([OWN])
    expect(connector.capabilities).toEqual({ history: false, allRoutes: false, partial: true, deltas: true, log: true })
    expect(new GatewayConnector('http://127.0.0.1:1', { mode: 'delta' }).capabilities).toMatchObject({
      partial: false,
      deltas: true
    })
    expect(new GatewayConnector('http://127.0.0.1:1').capabilities).toMatchObject({ partial: false, deltas: false })
  })
})

describe('a bridge over a gateway that speaks the extension', () => {
  let gateway: ExtendedGateway
  let bridge: LayerBridge
  let problems: string[]

  beforeEach(async () => {
    gateway = await new ExtendedGateway().start()
  })
  afterEach(async () => {
    await bridge.disconnect()
    await gateway.stop()
  })

  function create(options: GatewayConnectorOptions = { mode: 'delta' }, bridgeOptions: object = {}): LayerBridge {
    bridge = new LayerBridge({
      connector: new GatewayConnector(gateway.url, options),
      reconnectInterval: 20,
      requestTimeout: 5_000,
      ...bridgeOptions
    })
    problems = []
    bridge.events.on('onProtocolError', (error) => problems.push((error as { code?: string }).code ?? 'none'))
    return bridge
  }

  const held = (): unknown => [bridge.lastSnapshotNumber, bridge.getAddressBalance(OWN)]
  const resyncs = (client: Client = gateway.last): number =>
    client.events.filter(({ command }) => command === 'resync').length
  /** Sends a message, and one after it whose arrival shows that the first has been taken. */
  async function say(...messages: unknown[]): Promise<LayerPayload> {
    const taken = once(bridge, 'NetworkConnected')
    for (const message of [...messages, { tag: 'NetworkConnected' }]) gateway.last.say(message)
    return (await taken)[0]
  }

  /** Connected, with two outputs of 5 and 7 lovelace at number 4. */
  async function connected(options?: GatewayConnectorOptions, bridgeOptions?: object): Promise<void> {
    gateway.onJoin = (client) => {
      client.say(extendedGreetings())
      client.say(whole(4, { [A]: output(OWN, 5), [B]: output(OTHER, 7) }))
    }
    create(options, bridgeOptions)
    await bridge.connect()
  }

  it.each<[string, object]>([
    ['without a number', whole(9, {}, { number: undefined })],
    ['with a negative number', whole(9, {}, { number: -1 })],
    ['without outputs', whole(9, undefined)],
    ['with a list of outputs', whole(9, [])],
    ['with an output without an address', whole(9, { [C]: { value: {} } })],
    ['with a key that is none', whole(9, { nonsense: output(OWN, 1) })],
    ['of a head that is no text', whole(9, {}, { headId: 7 })],
    ['of a head with an endless id', whole(9, {}, { headId: 'a'.repeat(10_000) })]
  ])('reports outputs %s and keeps what it has', async (_, message) => {
    await connected()
    await say(message)
    expect(problems).toEqual(['BRIDGE_PROTOCOL'])
    expect(held()).toEqual([4, ada(5)])
    expect([bridge.connected(), resyncs()]).toEqual([true, 0])
  })

  it.each<[string, object]>([
    ['a delta without a count', changed(5, { count: undefined })],
    ['a delta that spends no texts', changed(5, { count: 2, spent: [7] })],
    ['a delta that makes a list', changed(5, { count: 2, made: [] })],
    ['a delta that is a text', { ...changed(5, {}), delta: 'all' }],
    [
      'a delta that makes an output that cannot be read',
      changed(5, { count: 3, made: { [C]: { address: OWN, value: { lovelace: -1 } } } })
    ],
    ['progress without a number', { ...progress(4, 5), number: undefined }],
    ['a resumption from nowhere', { ...resumed(4, 5), from: 'start' }]
  ])('reports %s and keeps what it has', async (_, message) => {
    await connected()
    await say(message)
    expect(problems).toEqual(['BRIDGE_PROTOCOL'])
    expect(held()).toEqual([4, ada(5)])
    expect(resyncs()).toBe(0)
  })

  it.each<[string, object]>([
    ['leads on from a later snapshot', changed(9, { from: 8, count: 2 })],
    ['spends an output that is not there', changed(5, { spent: [C], count: 1 })],
    ['spends an output twice', changed(5, { spent: [A, A], count: 0 })],
    ['makes an output that is there', changed(5, { made: { [A]: output(OWN, 5) }, count: 2 })],
    ['makes what it spends', changed(5, { spent: [A], made: { [A]: output(OWN, 6) }, count: 2 })],
    ['counts more outputs than there are', changed(5, { made: { [C]: output(OWN, 1) }, count: 4 })],
    ['leads to another number than its snapshot', changed(5, { number: 6, count: 2 })],
    ['is progress beyond a missing snapshot', progress(6, 9)],
    ['is a resumption that nobody asked for', resumed(2, 9)]
  ])('drops its outputs and asks once for all of them when what comes %s', async (_, message) => {
    await connected()
    await say(message)
    expect(held()).toEqual([-1, null])
    await until('the request', () => resyncs() === 1)
    await say(changed(10, { from: 9, count: 2 }), changed(11, { from: 10, count: 2 }))
    expect(resyncs()).toBe(1)
    // By a lower number too.
    await say(
      whole(3, { [C]: output(OWN, 9) }, { reason: 'resync' }),
      changed(4, { spent: [C], made: { [A]: output(OWN, 8) }, count: 1 })
    )
    expect(held()).toEqual([4, ada(8)])
    expect([problems, gateway.calls, resyncs()]).toEqual([[], [], 1])
  })

  it('ignores what is older than what it has', async () => {
    await connected()
    await say(
      changed(4, { spent: [A], count: 1 }),
      changed(2, { from: 0, made: { [C]: output(OWN, 1) }, count: 9 }),
      progress(1, 3)
    )
    expect(held()).toEqual([4, ada(5)])
    expect(resyncs()).toBe(0)
  })

  it('applies what a snapshot changes, whatever its transactions say', async () => {
    await connected()
    const misleading = sampleTx(1)
    await say(changed(5, { spent: [A], made: { [C]: output(OWN, 11) }, count: 2 }, [misleading]))
    expect(held()).toEqual([5, ada(11)])
    // The one logged before may be older than what is here.
    await say(changed(9, { from: 3, spent: [C], count: 1 }), progress(9, 12))
    expect(held()).toEqual([12, new Map()])
    expect([bridge.getAddressBalance(OTHER), resyncs(), gateway.calls]).toEqual([ada(7), 0, []])
  })

  it('shows in a handler what the snapshot has changed', async () => {
    await connected()
    const seen: unknown[] = []
    bridge.events.on('SnapshotConfirmed', () => seen.push(held()))
    await say(changed(5, { spent: [A], count: 1 }))
    expect(seen).toEqual([[5, new Map()]])
  })

  it('takes whole snapshots in the mode full, after a gap too', async () => {
    await connected({ mode: 'full' })
    const message = {
      ...snapshotConfirmed(8, { utxo: { [C]: output(OWN, 3) } }),
      delta: { from: 7, number: 8, spent: [B], made: {}, count: 1 }
    }
    await say(message)
    expect(held()).toEqual([8, ada(3)])
    expect(resyncs()).toBe(0)
  })

  it('is connected when its outputs are there, not before', async () => {
    gateway.onJoin = (client) => client.say(extendedGreetings())
    create()
    let isConnected = false
    const connecting = bridge.connect().then(() => (isConnected = true))
    await once(bridge, 'Greetings')
    expect([isConnected, bridge.state]).toEqual([false, 'connecting'])
    gateway.last.say(whole(4, { [A]: output(OWN, 5) }))
    await connecting
    expect(held()).toEqual([4, ada(5)])
    expect(gateway.calls).toEqual([])
  })

  it('is connected with Greetings where there is no head, and follows one from its opening', async () => {
    gateway.onJoin = (client) => client.say({ ...extendedGreetings({ headStatus: 'Idle' }), hydraHeadId: undefined })
    create()
    await bridge.connect()
    await say(
      { tag: 'HeadIsOpen', headId: HEAD_ID, parties: [] },
      changed(1, { made: { [A]: output(OWN, 5) }, count: 1 })
    )
    expect(held()).toEqual([1, ada(5)])
    await say({ tag: 'HeadIsFinalized', headId: HEAD_ID, finalizedUTxO: {} })
    expect(held()).toEqual([-1, null])
    expect([gateway.calls, resyncs()]).toEqual([[], 0])
  })

  it('is connected after a second although no outputs come, without requesting them at once', async () => {
    create()
    await bridge.connect()
    expect([bridge.connected(), bridge.getAddressBalance(OWN), gateway.calls, resyncs()]).toEqual([true, null, [], 0])
  })

  it('enters another head, of lower numbers, with the outputs that follow its Greetings', async () => {
    await connected()
    await say(extendedGreetings({ hydraHeadId: OTHER_HEAD }), changed(5, { spent: [A], count: 1 }))
    expect(held()).toEqual([-1, null])
    await say(whole(1, { [C]: output(OWN, 2) }, { headId: OTHER_HEAD, reason: 'otherHead' }), whole(9, {}))
    expect(held()).toEqual([1, ada(2)])
    expect([bridge.getSnapshot().headId, gateway.calls, resyncs()]).toEqual([OTHER_HEAD, [], 0])
  })

  it('says whether the gateway is connected to the node, as an event', async () => {
    await connected()
    const event = once(bridge, 'GatewayUpstream')
    gateway.last.say({ tag: 'GatewayUpstream', connected: false })
    expect(await event).toMatchObject([{ connected: false }])
  })

  describe('after its connection has dropped', () => {
    async function dropped(onJoin: (client: Client) => void): Promise<void> {
      await connected(undefined, { autoReconnect: true })
      await say(changed(5, { made: { [C]: output(OWN, 4) }, count: 3 }))
      gateway.onJoin = onJoin
      const lost = once(bridge, 'onDisconnected')
      gateway.last.drop()
      await lost
      expect(held()).toEqual([-1, null])
      expect(bridge.isUnspent(A)).toBeNull()
    }
    const back = (): Promise<void> => until('the connection', () => bridge.connected())

    it('says which snapshot it has, and goes on from there', async () => {
      await dropped((client) => {
        client.say(extendedGreetings())
        client.say(resumed(5, 6))
        client.say(changed(6, { spent: [A], count: 2 }))
      })
      await back()
      expect(gateway.last.auth).toEqual({ mode: 'delta', since: { headId: HEAD_ID, number: 5 } })
      await until('the snapshot that was missed', () => bridge.lastSnapshotNumber === 6)
      expect(held()).toEqual([6, ada(4)])
      expect([gateway.calls, resyncs(), gateway.clients[0]!.auth]).toEqual([[], 0, { mode: 'delta' }])
    })

    it('takes all outputs where the gateway cannot go on, of a lower number too', async () => {
      await dropped((client) => {
        client.say(extendedGreetings())
        client.say(whole(2, { [B]: output(OWN, 1) }, { reason: 'tooOld' }))
      })
      await back()
      expect(held()).toEqual([2, ada(1)])
    })

    it.each([
      ['another snapshot', resumed(4, 6)],
      ['another head', resumed(5, 6, OTHER_HEAD)]
    ])('asks for all outputs when the gateway goes on from %s', async (_, message) => {
      await dropped((client) => {
        client.say(extendedGreetings())
        client.say(message)
      })
      await back()
      expect(held()).toEqual([-1, null])
      await until('the request', () => resyncs() === 1)
      await say(whole(7, { [A]: output(OWN, 5) }, { reason: 'resync', headId: (message as { headId: string }).headId }))
      expect(held()).toEqual([7, ada(5)])
    })

    it('shows nothing of the head before when it comes back to another one', async () => {
      await dropped((client) => client.say(extendedGreetings({ hydraHeadId: OTHER_HEAD })))
      await back()
      expect([held(), bridge.isUnspent(A)]).toEqual([[-1, null], null])
      await say(whole(0, {}, { headId: OTHER_HEAD, reason: 'otherHead' }))
      expect([held(), bridge.isUnspent(A), bridge.snapshotUtxoArray()]).toEqual([[0, new Map()], false, []])
    })

    it('still says which snapshot it had after attempts that failed', async () => {
      await dropped((client) => {
        if (gateway.clients.length < 4) return client.drop()
        client.say(extendedGreetings())
        client.say(resumed(5, 5))
      })
      await until('the connection', () => bridge.connected() && gateway.clients.length === 4)
      expect(gateway.clients.map(({ auth }) => auth['since']?.number)).toEqual([undefined, 5, 5, 5])
      expect(held()).toEqual([5, ada(9)])
    })

    it('says nothing after disconnect()', async () => {
      await connected()
      await bridge.disconnect()
      await bridge.connect()
      expect(gateway.clients.map(({ auth }) => auth)).toEqual([{ mode: 'delta' }, { mode: 'delta' }])
    })
  })

  describe('with addresses', () => {
    const byAddress: GatewayConnectorOptions = {
      mode: 'address',
      addresses: [OWN],
      tags: ['TxValid'],
      socketIoOptions: { auth: { token: 'JWT' } }
    }
    async function followed(): Promise<void> {
      gateway.onJoin = (client) => {
        client.say(extendedGreetings())
        client.say(whole(4, { [A]: output(OWN, 5) }))
      }
      create(byAddress)
      await bridge.connect()
    }

    it('tells the gateway what it follows, with the token', async () => {
      await followed()
      expect(gateway.last.auth).toEqual({ token: 'JWT', mode: 'address', addresses: [OWN], tags: ['TxValid'] })
      expect(bridge.partial).toBe(true)
    })

    it('refuses to say what another address holds', async () => {
      await followed()
      for (const call of [() => bridge.getAddressBalance(OTHER), () => bridge.getAddressUTxOs(OTHER)])
        expect(call).toThrow(expect.objectContaining({ code: 'INPUT_ARGUMENT', argument: 'address' }))
      await expect(bridge.queryAddressUTxO(OTHER)).rejects.toMatchObject({ code: 'INPUT_ARGUMENT' })
      expect(bridge.getAddressBalance(OWN)).toEqual(ada(5))
    })

    it('requests snapshots of its addresses alone', async () => {
      await followed()
      gateway.routes = {
        'GET /hydra/snapshot': {
          body: { status: 'success', data: confirmedSnapshot(6, { utxo: { [C]: output(OWN, 6) } }) }
        }
      }
      expect(Object.keys(await bridge.querySnapshotUtxo())).toEqual([C])
      expect(gateway.calls).toEqual([{ method: 'GET', url: `/hydra/snapshot?address=${OWN}`, body: '' }])
      expect(held()).toEqual([6, ada(6)])
    })

    it('goes on over numbers that did not concern it', async () => {
      await followed()
      await say(changed(40, { from: 2, spent: [A], made: { [B]: output(OWN, 3) }, count: 1 }))
      expect([held(), resyncs()]).toEqual([[40, ada(3)], 0])
    })

    it('settles a transaction by the snapshot that holds it, without any request', async () => {
      await followed()
      const tx = sampleTx(1)
      const result = bridge.submitTxSync(tx, { timeout: 20_000 })
      await until('the command', () => gateway.last.events.length === 1)
      await say(
        { tag: 'TxValid', headId: HEAD_ID, transactionId: tx.txId },
        changed(9, { from: 4, spent: [A], count: 0 }, [tx])
      )
      expect(await result).toMatchObject({ txId: tx.txId, isConfirmed: true, result: { snapshot: { number: 9 } } })
      expect(gateway.calls).toEqual([])
    })

    it('settles a transaction by the outputs that a delta over several snapshots makes', async () => {
      await followed()
      const tx = sampleTx(1)
      const result = bridge.submitTxSync(tx, { timeout: 20_000 })
      await until('the command', () => gateway.last.events.length === 1)
      await say(changed(9, { from: 4, spent: [A], made: { [`${tx.txId}#0`]: output(OWN, 2_000_000) }, count: 1 }))
      expect(await result).toMatchObject({ txId: tx.txId, result: { snapshot: { number: 9 } } })
    })

    it('fails a transaction that the node refuses, as a direct connection does, without any request', async () => {
      await followed()
      const tx = sampleTx(1)
      const result = bridge.submitTxSync(tx, { timeout: 20_000 })
      await until('the command', () => gateway.last.events.length === 1)
      gateway.last.say({
        tag: 'TxInvalid',
        headId: HEAD_ID,
        transaction: tx,
        validationError: { reason: 'bad fee' },
        utxo: { [A]: output(OWN, 5) }
      })
      await expect(result).rejects.toMatchObject({ code: 'BRIDGE_SUBMIT', tag: 'TxInvalid', outcome: 'none' })
      expect(gateway.calls).toEqual([])
    })

    it('fails a transaction whose input another one has spent, by the state alone', async () => {
      await followed()
      gateway.routes = {
        'GET /hydra/snapshot': { body: { status: 'success', data: confirmedSnapshot(5, { utxo: {} }) } }
      }
      const tx = sampleTx(1)
      const result = bridge.submitTxSync(tx, { timeout: 20_000 })
      await until('the command', () => gateway.last.events.length === 1)
      gateway.last.say(changed(5, { spent: [A], count: 0 }))
      gateway.last.say({
        tag: 'TxInvalid',
        headId: HEAD_ID,
        transaction: tx,
        validationError: { reason: 'BadInputsUTxO' }
      })
      await expect(result).rejects.toMatchObject({ code: 'BRIDGE_SUBMIT', tag: 'TxInvalid', outcome: 'none' })
    })
  })

  it.each<[string, number, object, object]>([
    [
      'the snapshot that holds it',
      200,
      { status: 'success', data: changed(7, { count: 0 }) },
      { tag: 'SubmitTxConfirmed', snapshotNumber: 7 }
    ],
    [
      "the node's refusal",
      409,
      { status: 'fail', data: { tag: 'TxInvalid', reason: 'bad fee', txId: sampleTx(1).txId } },
      { tag: 'SubmitTxInvalid', validationError: 'bad fee' }
    ]
  ])('reads %s as the answer to a submission over HTTP', async (_, status, body, expected) => {
    await connected()
    gateway.routes = {
      'POST /hydra/submit-tx': { status, body },
      'GET /hydra/snapshot': {
        body: {
          status: 'success',
          data: confirmedSnapshot(4, { utxo: { [A]: output(OWN, 5), [B]: output(OTHER, 7) } })
        }
      }
    }
    expect(await bridge.submitL2Tx(sampleTx(1), { timeout: 20_000 })).toEqual(expected)
    expect(gateway.calls.filter(({ method }) => method === 'POST')).toHaveLength(1)
  })

  it('reads another refusal as one by which nothing was accepted', async () => {
    await connected()
    gateway.routes = {
      'POST /hydra/submit-tx': {
        status: 409,
        body: { status: 'fail', data: { tag: 'RejectedInputBecauseUnsynced', reason: 'behind' } }
      },
      'GET /hydra/snapshot': {
        body: {
          status: 'success',
          data: confirmedSnapshot(4, { utxo: { [A]: output(OWN, 5), [B]: output(OTHER, 7) } })
        }
      }
    }
    expect(await bridge.submitL2Tx(sampleTx(1), { timeout: 20_000 })).toEqual({
      tag: 'SubmitTxRejected',
      reason: 'behind'
    })
  })

  it('gives up when the gateway refuses its options, and not when it is full', async () => {
    create(undefined, { autoReconnect: true })
    gateway.refuse = 'too many connections'
    await expect(bridge.connect()).rejects.toMatchObject({ code: 'BRIDGE_CONNECT', fatal: false })
    expect(bridge.state).toBe('reconnecting')
    gateway.refuse = 'bad request'
    await until('the end', () => bridge.state === 'failed')
  })

  it('finds out what became of a transaction when all outputs come anew', async () => {
    await connected()
    const tx = sampleTx(1)
    gateway.routes = {
      'GET /hydra/snapshot': {
        body: { status: 'success', data: confirmedSnapshot(30, { utxo: { [`${tx.txId}#0`]: output(OWN, 1) } }) }
      }
    }
    const result = bridge.submitTxSync(tx, { timeout: 20_000 })
    await until('the command', () => gateway.last.events.length === 1)
    gateway.last.say(whole(30, { [`${tx.txId}#0`]: output(OWN, 1) }, { reason: 'resync' }))
    expect(await result).toMatchObject({ txId: tx.txId, isConfirmed: true })
  })
})

describe('a cache that takes proven outputs alone', () => {
  it('takes none from a gateway', () => {
    const cache = new SnapshotCache(false)
    const take = (message: object): string => cache.apply(received(JSON.stringify(message)))
    take(extendedGreetings())
    expect(take(whole(4, { [A]: output(OWN, 5) }))).toBe('needsBaseline')
    expect(take(changed(5, { made: { [B]: output(OWN, 5) }, count: 1 }))).toBe('needsBaseline')
    expect([take(resumed(4, 5)), take(progress(4, 6))]).toEqual(['ignored', 'ignored'])
    expect([[...cache.entries()].length, cache.seeded, cache.since]).toEqual([0, false, undefined])
    cache.applyBaseline({ epoch: cache.epoch, headId: HEAD_ID, number: 7, utxo: { [C]: output(OWN, 1) as never } })
    expect([take(whole(6, {})), cache.number, [...cache.entries()].length]).toEqual(['ignored', 7, 1])
    cache.suspend()
    expect(cache.since).toBeUndefined()
  })
})

describe('a cache that follows a gateway', () => {
  const take = (cache: SnapshotCache, message: object): string => cache.apply(received(JSON.stringify(message)))
  const warm = (number: number): SnapshotCache => {
    const cache = new SnapshotCache()
    take(cache, extendedGreetings())
    expect(take(cache, whole(number, { [A]: output(OWN, 5) }))).toBe('applied')
    return cache
  }

  it('has none of the kept outputs any more once another head is there', () => {
    const cache = warm(4)
    cache.suspend()
    expect([cache.since, cache.has(A)]).toEqual([expect.objectContaining({ headId: HEAD_ID, number: 4 }), true])
    take(cache, extendedGreetings({ hydraHeadId: OTHER_HEAD }))
    expect([cache.since, cache.has(A)]).toEqual([undefined, false])
  })

  it('takes no answer to a request that was made before outputs of a lower number replaced it', () => {
    const cache = warm(8)
    const { epoch } = cache
    take(cache, whole(3, { [B]: output(OWN, 1) }, { reason: 'resync' }))
    expect(cache.applyBaseline({ epoch, headId: HEAD_ID, number: 9, utxo: { [C]: output(OWN, 2) as never } })).toBe(
      'ignored'
    )
    expect([cache.number, cache.has(B), cache.has(C)]).toEqual([3, true, false])
  })
})
