import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Server } from 'socket.io'
import { GatewayConnector, LayerBridge, LayerHeadStatus, utxoToJson, WebsocketConnector } from 'layer-sdk/bridge'
import type { InitLayerBridgeOptions, LayerPayload } from 'layer-sdk/bridge'
import type { DevNodeOptions } from 'layer-sdk/devnode'
import { startHead } from '../support/openHead'
import type { Head } from '../support/openHead'
import { hasShared, readShared } from '../support/vectors'
import { greetings, once, ScriptedNode, send } from '../support/scriptedNode'

/** First cells of the table that begins with `header` below a heading. */
function names(heading: string, header: string): string[] {
  const section =
    readShared('specification.md')
      .split(`\n${heading}\n`)[1]
      ?.split(/\n## |\n### /)[0] ?? ''
  const table = section.slice(section.indexOf(header)).split('\n')
  const end = table.findIndex((line) => !line.startsWith('|'))
  return table.slice(2, end < 0 ? undefined : end).map((line) => (line.split('|')[1] as string).trim())
}

type Checks = Record<string, () => Promise<void>>

/** One test for every row of a table, and one that no row is without its check. */
function coverTable(heading: string, header: string, checks: Checks): void {
  if (hasShared)
    it(`has a check for every row of "${header}"`, () => {
      const rows = names(heading, header)
      expect(rows.length).toBeGreaterThan(0)
      expect(rows.filter((name) => checks[name] === undefined)).toEqual([])
      expect(Object.keys(checks).filter((name) => !rows.includes(name))).toEqual([])
    })
  it.each(Object.keys(checks))('%s', async (name) => (checks[name] as () => Promise<void>)())
}

describe('the specification, row by row', () => {
  let head: Head
  const heads: Head[] = []
  const fresh = async (options: Parameters<typeof startHead>[0] = {}): Promise<Head> => {
    const made = await startHead(options)
    heads.push(made)
    return made
  }
  beforeAll(async () => {
    head = await startHead()
  })
  afterAll(async () => head.stop())
  afterEach(async () => {
    await Promise.all(heads.splice(0).map((each) => each.stop()))
  })
  const address = (index = 0): string => head.wallets[index]!.getAddressBech32()

  describe('options of LayerBridge', () => {
    const dropped = async (
      bridge: Partial<InitLayerBridgeOptions>
    ): Promise<{ node: ScriptedNode; bridge: LayerBridge; times: number[] }> => {
      const node = await new ScriptedNode().start()
      const times: number[] = []
      const made = new LayerBridge({ url: node.url, reconnectJitter: 0, ...bridge } as InitLayerBridgeOptions)
      await made.connect()
      made.events.on('onReconnecting', ({ delayMs }) => times.push(delayMs))
      return { node, bridge: made, times }
    }
    coverTable('### Bridge package', '| Option | Type | Default | Meaning |', {
      async verbose() {
        const lines: string[] = []
        const logger = { debug: (line: string) => lines.push(line), warn: () => undefined }
        const bridge = new LayerBridge({ url: head.node.url, verbose: true, logger })
        await bridge.connect()
        await bridge.disconnect()
        expect(lines.some((line) => line.includes('Greetings'))).toBe(true)
      },
      async autoReconnect() {
        const { node, bridge } = await dropped({ autoReconnect: true, reconnectInterval: 5 })
        const back = once(bridge, 'onConnected')
        node.cut()
        await back
        await bridge.disconnect()
        await node.stop()
      },
      async reconnectInterval() {
        const { node, bridge, times } = await dropped({ autoReconnect: true })
        const waiting = once(bridge, 'onReconnecting')
        node.cut()
        await waiting
        expect(times).toEqual([3_000])
        await bridge.disconnect()
        await node.stop()
      },
      async maxReconnectAttempts() {
        const { node, bridge, times } = await dropped({
          autoReconnect: true,
          reconnectInterval: 1,
          maxReconnectAttempts: 2
        })
        const errors: unknown[] = []
        const done = new Promise<void>((resolve) =>
          bridge.events.on('onConnectError', (error) => {
            if (errors.push(error) === 2) resolve()
          })
        )
        await node.stop()
        await done
        expect(times).toHaveLength(2)
        expect(bridge.state).toBe('failed')
      }
    })

    it.each<[string, Partial<InitLayerBridgeOptions>, string]>([
      ['url', {}, '/?history=no'],
      ['history', { history: true } as never, '/?history=yes'],
      ['noSnapshotUtxo', { noSnapshotUtxo: true } as never, '/?history=no&snapshot-utxo=no'],
      ['address', { address: 'addr_test1x' } as never, '/?history=no&address=addr_test1x']
    ])('%s (form 1)', async (_name, options, query) => {
      const { node, bridge } = await dropped(options)
      expect(node.queries).toEqual([query])
      await bridge.disconnect()
      await node.stop()
    })

    it('connector (form 2)', async () => {
      const bridge = new LayerBridge({ connector: new WebsocketConnector({ websocketUrl: head.node.url }) })
      expect(await bridge.connect()).toBe(true)
      await bridge.disconnect()
    })
  })

  describe('options of the connectors', () => {
    it('are those of the table', () => {
      if (hasShared) expect(names('### Bridge package', '| Connector | Option | Type | Default |')).toHaveLength(10)
    })

    it.each([
      ['websocketUrl', {}, '/?history=no'],
      ['history', { history: true }, '/?history=yes'],
      ['noSnapshotUtxo', { noSnapshotUtxo: true }, '/?history=no&snapshot-utxo=no'],
      ['address', { address: 'a' }, '/?history=no&address=a']
    ])('WebsocketConnector %s', async (_name, options, query) => {
      const node = await new ScriptedNode().start()
      const bridge = new LayerBridge({ connector: new WebsocketConnector({ websocketUrl: node.url, ...options }) })
      await bridge.connect()
      expect(node.queries).toEqual([query])
      await bridge.disconnect()
      await node.stop()
    })

    it('GatewayConnector socketIoUrl, auth.token, transports, timeout and namespace', async () => {
      const http = createServer()
      const io = new Server(http)
      const seen: unknown[] = []
      io.of('/mine').on('connection', (socket) => {
        seen.push(socket.handshake.auth, socket.conn.transport.name)
        socket.emit('mine', { status: 'success', data: greetings() })
      })
      await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
      const connector = new GatewayConnector(`http://127.0.0.1:${(http.address() as AddressInfo).port}`, {
        socketIoOptions: { auth: { token: 'jwt' }, transports: ['websocket'], timeout: 2_000 },
        namespace: 'mine'
      })
      const bridge = new LayerBridge({ connector })
      await bridge.connect()
      expect(seen).toEqual([{ token: 'jwt' }, 'websocket'])
      expect(bridge.headStatus).toBe('Open')
      await bridge.disconnect()
      await io.close()
    })
  })

  describe('properties', () => {
    coverTable('### Bridge package', '| Property | Type | Rule |', {
      async slotZeroTimestamp() {
        expect(new LayerBridge({ url: head.node.url }).slotZeroTimestamp).toBeNull()
        expect(head.bridge.slotZeroTimestamp).toBe(1_655_683_200_000)
      },
      async lastSnapshotNumber() {
        const { bridge, node } = await fresh({ open: false, bridge: { autoReconnect: true, reconnectInterval: 5 } })
        expect(bridge.lastSnapshotNumber).toBe(-1)
        expect(head.bridge.lastSnapshotNumber).toBeGreaterThan(0)
        const gone = once(bridge, 'onDisconnected').then(() => bridge.lastSnapshotNumber)
        node.dropConnections()
        expect(await gone).toBe(-1)
      },
      async events() {
        const next = once(head.bridge, 'CommandFailed')
        head.bridge.commands.contest()
        expect((await next)[0]).toMatchObject({ tag: 'CommandFailed', clientInput: { tag: 'Contest' } })
      },
      async commands() {
        const commands = [
          'init',
          'close',
          'safeClose',
          'sideLoadSnapshot',
          'partialFanout',
          'fanout',
          'contest',
          'recover',
          'newTx',
          'decommit',
          'initSync'
        ]
        expect(Object.keys(head.bridge.commands)).toEqual(expect.arrayContaining(commands))
        if (hasShared)
          expect(
            names(
              '### Bridge package: LayerBridge',
              '| Operation | Parameters | Returns | Rules |\n|---|---|---|---|\n| init'
            ).sort()
          ).toEqual(commands.sort())
      }
    })
  })

  describe('operations', () => {
    coverTable('### Bridge package: LayerBridge', '| Operation | Parameters | Returns | Rules |', {
      async connect() {
        const bridge = new LayerBridge({ url: head.node.url })
        expect(await bridge.connect()).toBe(true)
        expect(bridge.connected()).toBe(true)
        await bridge.disconnect()
      },
      async disconnect() {
        const bridge = new LayerBridge({ url: head.node.url, autoReconnect: true, reconnectInterval: 1 })
        await bridge.connect()
        expect(await bridge.disconnect()).toBe(true)
        expect(bridge.state).toBe('disconnected')
      },
      async connected() {
        expect(head.bridge.connected()).toBe(true)
        expect(new LayerBridge({ url: head.node.url }).connected()).toBe(false)
      },
      async headInfo() {
        expect(await head.bridge.headInfo()).toMatchObject({
          headId: head.node.headId,
          headStatus: 'Open',
          vkey: expect.stringMatching(/^[0-9a-f]{64}$/)
        })
      },
      async getProtocolParameters() {
        expect(await head.bridge.getProtocolParameters()).toMatchObject({
          min_fee_a: expect.any(Number),
          min_fee_b: expect.any(Number),
          max_tx_size: expect.any(Number),
          key_deposit: expect.stringMatching(/^\d+$/),
          pool_deposit: expect.stringMatching(/^\d+$/)
        })
      },
      async getRawProtocolParameters() {
        const raw = await head.bridge.getRawProtocolParameters()
        expect(raw).toEqual(head.node.protocolParameters)
        expect(raw).toMatchObject({
          costModels: { PlutusV3: expect.any(Array) },
          protocolVersion: { major: expect.any(Number) }
        })
      },
      async querySnapshotUtxo() {
        expect(Object.keys(await head.bridge.querySnapshotUtxo()).sort()).toEqual(
          Object.keys(utxoToJson(head.node.headUtxos())).sort()
        )
      },
      async snapshotUtxoArray() {
        expect(head.bridge.snapshotUtxoArray()).toEqual(expect.arrayContaining(head.node.headUtxos()))
      },
      async getAddressBalance() {
        expect(head.bridge.getAddressBalance(address())).toEqual(new Map([['lovelace', 2_000_000_000n]]))
        expect(head.bridge.getAddressBalance(address(2))).toEqual(new Map())
        expect(new LayerBridge({ url: head.node.url }).getAddressBalance(address())).toBeNull()
      },
      async queryAddressUTxO() {
        expect(await head.bridge.queryAddressUTxO(address())).toEqual(head.node.headUtxos(address()))
      },
      async addressesInHead() {
        expect(await head.bridge.addressesInHead()).toEqual([address()])
      },
      async submitTxSync() {
        const own = await fresh()
        const tx = await own.payment(own.wallets[1]!.getAddressBech32(), 2_000_000n)
        expect(await own.bridge.submitTxSync(tx, { timeout: 5_000 })).toMatchObject({
          txId: tx.txId,
          isValid: true,
          isConfirmed: true
        })
      },
      async submitTx() {
        const own = await fresh()
        const tx = await own.payment(own.wallets[1]!.getAddressBech32(), 2_000_000n)
        const [error, result] = await new Promise<any[]>((resolve) =>
          own.bridge.submitTx(tx, (...args) => resolve(args))
        )
        expect(error).toBeNull()
        expect(result).toMatchObject({
          txId: tx.txId,
          isValid: true,
          isConfirmed: true,
          result: { snapshot: { number: 2 } }
        })
        const [refused, none] = await new Promise<any[]>((resolve) =>
          own.bridge.submitTx({ ...tx, txId: '00'.repeat(32) }, (...args) => resolve(args))
        )
        expect(refused).toMatchObject({ txId: '00'.repeat(32), tag: 'InvalidInput', reason: expect.any(String) })
        expect(none).toBeNull()
      },
      async submitL2Tx() {
        const own = await fresh()
        expect(await own.bridge.submitL2Tx(await own.payment(own.wallets[1]!.getAddressBech32(), 2_000_000n))).toEqual({
          tag: 'SubmitTxSubmitted'
        })
      },
      async commit() {
        const draft = await head.bridge.commit(utxoToJson(head.node.baseUtxos(address(1)).slice(0, 1)))
        expect(draft).toMatchObject({
          cborHex: expect.stringMatching(/^84/),
          txId: expect.stringMatching(/^[0-9a-f]{64}$/),
          type: expect.any(String),
          description: ''
        })
      },
      async submitCardanoTransaction() {
        const draft = await head.bridge.commit(utxoToJson(head.node.baseUtxos(address(2)).slice(0, 1)))
        const seen = head.bridge.waitFor('CommitRecorded', { timeout: 5_000 })
        expect(
          await head.bridge.submitCardanoTransaction({
            cborHex: await head.wallets[2]!.signTx(draft.cborHex),
            description: ''
          })
        ).toMatchObject({
          txId: draft.txId
        })
        expect((await seen).pendingDeposit).toBe(draft.txId)
      },
      async pendingDeposits() {
        const own = await fresh({ node: { timings: { depositDelayMs: 60_000 } }, deposit: false })
        const draft = await own.bridge.commit(utxoToJson(own.node.baseUtxos(address()).slice(0, 1)))
        const recorded = own.bridge.waitFor('CommitRecorded', { timeout: 5_000 })
        await own.bridge.submitCardanoTransaction({
          cborHex: await own.wallets[0]!.signTx(draft.cborHex),
          description: ''
        })
        await recorded
        expect(await own.bridge.pendingDeposits()).toEqual([draft.txId])
      },
      async recoverDeposit() {
        // No snapshot takes the deposit up while it is active.
        const own = await fresh({
          node: { faults: { holdSnapshots: true }, timings: { depositActivationMs: 20, depositPeriodMs: 20 } },
          deposit: false
        })
        const draft = await own.bridge.commit(utxoToJson(own.node.baseUtxos(address()).slice(0, 1)))
        const expired = own.bridge.waitFor('DepositExpired', { timeout: 5_000 })
        await own.bridge.submitCardanoTransaction({
          cborHex: await own.wallets[0]!.signTx(draft.cborHex),
          description: ''
        })
        const { deadline } = await expired
        await new Promise((resolve) => setTimeout(resolve, Math.max(0, Date.parse(deadline) - Date.now()) + 1_100))
        expect(await own.bridge.recoverDeposit(draft.txId, { timeout: 5_000 })).toBe('OK')
        expect(await own.bridge.pendingDeposits()).toEqual([])
      }
    })
  })

  describe('commands', () => {
    const idle = (): Promise<Head> => fresh({ open: false })
    const closed = async (node: DevNodeOptions = {}): Promise<Head> => {
      const own = await fresh({ node })
      const ready = own.bridge.waitFor('ReadyToFanout', { timeout: 5_000 })
      own.bridge.commands.close()
      await ready
      return own
    }
    const refusal = async (own: Head, command: () => void): Promise<LayerPayload> => {
      const failed = Promise.race([
        own.bridge.waitFor('CommandFailed', { timeout: 5_000 }),
        own.bridge.waitFor('InvalidInput', { timeout: 5_000 })
      ])
      command()
      return failed
    }
    coverTable(
      '### Bridge package: LayerBridge',
      '| Operation | Parameters | Returns | Rules |\n|---|---|---|---|\n| init',
      {
        async init() {
          const { bridge } = await idle()
          const open = bridge.waitFor('HeadIsOpen', { timeout: 5_000 })
          bridge.commands.init()
          expect((await open).headId).toEqual(expect.any(String))
        },
        async close() {
          const { bridge } = await fresh({ deposit: false })
          const done = bridge.waitFor('HeadIsClosed', { timeout: 5_000 })
          bridge.commands.close()
          await done
          expect(bridge.headStatus).toBe(LayerHeadStatus.Closed)
        },
        async safeClose() {
          const { bridge } = await fresh({ deposit: false })
          const done = bridge.waitFor('HeadIsClosed', { timeout: 5_000 })
          bridge.commands.safeClose()
          await done
        },
        async sideLoadSnapshot() {
          const own = await fresh()
          const snapshot = (await (await fetch(`${own.node.httpUrl}/snapshot`)).json()) as never
          const loaded = own.bridge.waitFor('SnapshotSideLoaded', { timeout: 5_000 })
          own.bridge.commands.sideLoadSnapshot(snapshot)
          expect((await loaded).snapshotNumber).toBe(own.bridge.lastSnapshotNumber)
        },
        async partialFanout() {
          const own = await closed()
          // A node of 2.4 refuses a selection without outputs; one of 2.3.0 does not know the input.
          expect(await refusal(own, () => own.bridge.commands.partialFanout({}))).toMatchObject({
            tag: 'CommandFailed'
          })
          const older = await closed({ profile: '2.3' })
          expect(await refusal(older, () => older.bridge.commands.partialFanout({}))).toMatchObject({
            tag: 'InvalidInput'
          })
        },
        async fanout() {
          const { bridge } = await closed()
          const done = bridge.waitFor('HeadIsFinalized', { timeout: 5_000 })
          bridge.commands.fanout()
          expect(Object.keys((await done).utxo)).toHaveLength(2)
        },
        async contest() {
          expect(await refusal(head, () => head.bridge.commands.contest())).toMatchObject({
            tag: 'CommandFailed',
            clientInput: { tag: 'Contest' }
          })
        },
        async recover() {
          head.bridge.commands.recover('ab'.repeat(32))
          await head.bridge.headInfo()
          expect(head.node.counters.inputs['Recover']).toBe(1)
        },
        async newTx() {
          const own = await fresh()
          const tx = await own.payment(own.wallets[1]!.getAddressBech32(), 2_000_000n)
          const valid = own.bridge.waitFor('TxValid', { timeout: 5_000 })
          const sent = jest.fn()
          own.bridge.commands.newTx(tx.cborHex, '', sent)
          expect(sent).toHaveBeenCalledTimes(1)
          expect((await valid).transaction.txId).toBe(tx.txId)
        },
        async decommit() {
          const own = await fresh()
          const tx = await own.payment(own.wallets[0]!.getAddressBech32(), 2_000_000n)
          expect(
            await own.bridge.commands.decommit({ cborHex: tx.cborHex, txId: tx.txId, timeout: 5_000 })
          ).toMatchObject({
            tag: 'DecommitApproved',
            decommitTxId: tx.txId
          })
        },
        async initSync() {
          const { bridge } = await idle()
          expect(await bridge.commands.initSync(1, 5_000)).toMatchObject({ tag: 'HeadIsOpen' })
        }
      }
    )
  })

  describe('events', () => {
    coverTable('## Events', '| Event | Handler argument | Fires when |', {
      async onConnected() {
        const bridge = new LayerBridge({ url: head.node.url })
        const emitted = once(bridge, 'onConnected')
        await bridge.connect()
        expect(await emitted).toEqual([])
        await bridge.disconnect()
      },
      async onDisconnected() {
        const { bridge, node } = await fresh({ open: false })
        const emitted = once(bridge, 'onDisconnected')
        node.dropConnections()
        expect(await emitted).toEqual([])
      },
      async onConnectError() {
        const bridge = new LayerBridge({ url: 'ws://127.0.0.1:1' })
        const emitted = once(bridge, 'onConnectError')
        const error = await bridge.connect().catch((reason: unknown) => reason)
        expect(await emitted).toEqual([error])
      },
      async onMessage() {
        const bridge = new LayerBridge({ url: head.node.url })
        const emitted = once(bridge, 'onMessage')
        await bridge.connect()
        expect(await emitted).toEqual([expect.objectContaining({ tag: 'Greetings', timestamp: expect.any(String) })])
        await bridge.disconnect()
      }
    })

    it('onMessage carries the fields of every tag in the table', async () => {
      const own = await fresh({ open: false })
      const seen = new Map<string, LayerPayload>()
      own.bridge.events.on('onMessage', (payload) => seen.set(payload.tag, payload))
      const bridge = new LayerBridge({ url: own.node.url })
      bridge.events.on('onMessage', (payload) => seen.set(payload.tag, payload))
      await bridge.connect()
      await own.bridge.commands.initSync()
      const { depositAll } = await import('../support/openHead')
      await depositAll(own.node, own.bridge, own.wallets[0]!)
      const unsigned = await own.payment(own.wallets[1]!.getAddressBech32(), 2_000_000n)
      await own.bridge
        .submitTxSync({
          ...unsigned,
          cborHex: unsigned.cborHex.replace(/a1(00|00d90102)81825820.{64}5840.{128}/, 'a0')
        })
        .catch(() => undefined)
      await own.bridge.submitTxSync(await own.payment(own.wallets[1]!.getAddressBech32(), 3_000_000n))
      const leaving = await own.payment(own.wallets[0]!.getAddressBech32(), 2_000_000n)
      const gone = own.bridge.waitFor('DecommitFinalized', { timeout: 5_000 })
      await own.bridge.commands.decommit(leaving)
      await gone
      own.bridge.commands.contest()
      const ready = own.bridge.waitFor('ReadyToFanout', { timeout: 5_000 })
      own.bridge.commands.close()
      await ready
      const finalized = own.bridge.waitFor('HeadIsFinalized', { timeout: 5_000 })
      own.bridge.commands.fanout()
      await finalized
      const again = new LayerBridge({ url: own.node.url })
      again.events.on('onMessage', (payload) => seen.set(payload.tag, payload))
      await again.connect()
      await Promise.all([again.disconnect(), bridge.disconnect()])
      const fields: Record<string, unknown> = {
        Greetings: {
          headStatus: 'Idle',
          currentSlot: expect.any(Number),
          chainSyncedStatus: 'InSync',
          layerNodeVersion: expect.any(String)
        },
        HeadIsOpen: {},
        HeadIsClosed: {},
        HeadIsFinalized: {},
        TxValid: { transaction: { txId: expect.any(String) } },
        TxInvalid: { transaction: { txId: expect.any(String) }, validationError: { reason: expect.any(String) } },
        SnapshotConfirmed: { snapshot: { number: expect.any(Number) } },
        CommitFinalized: { depositTxId: expect.any(String) },
        DecommitApproved: { decommitTxId: leaving.txId },
        DecommitFinalized: {},
        CommandFailed: { clientInput: { tag: expect.any(String) } }
      }
      const tags = Object.keys(fields)
      if (hasShared) expect(names('## Events', '| tag | Fields used | Effect |').sort()).toEqual(tags.sort())
      for (const tag of tags)
        expect({ [tag]: seen.get(tag) }).toMatchObject({
          [tag]: { tag, timestamp: expect.any(String), ...(fields[tag] as object) }
        })
    })
  })

  if (hasShared)
    it('names the head states of the specification', () => {
      const text = /LayerHeadStatus values: ([^.]+)\./.exec(readShared('specification.md'))?.[1] ?? ''
      for (const status of text.split(', ')) expect(Object.values(LayerHeadStatus)).toContain(status)
    })

  it('tells verdicts of POST /transaction and refused commands as the table of errors says', async () => {
    const node = await new ScriptedNode().start()
    node.onInput = ({ tag }, socket, text) => {
      if (tag === 'SafeClose') send(socket, { reason: 'Cannot SafeClose with non-ADA assets present: x', input: text })
    }
    const bridge = new LayerBridge({ url: node.url })
    await bridge.connect()
    const refused = once(bridge, 'InvalidInput')
    bridge.commands.safeClose()
    expect((await refused)[0]).toMatchObject({ tag: 'InvalidInput', reason: expect.stringContaining('non-ADA') })
    await bridge.disconnect()
    await node.stop()
  })
})
