import { LayerBridge } from '../../../../src/bridge'
import { DevNode } from '../../../../src/devnode'
import type { ConnectorListener } from '../../../../src/bridge/connection/Connector'
import { NotConnectedError } from '../../../../src/errors/bridge'
import { deposit, openHead, utxoJson } from '../../harness'
import { hexToBytes } from '../../../../src/codec/hex'
import { envelopeOf, pay, signTx } from '../../transactions'

const QUICK = { blockMs: 2, depositDelayMs: 2, snapshotIntervalMs: 2, contestationPeriodMs: 10 }

describe('the loopback connector', () => {
  it('carries a bridge through the life of a head without any socket', async () => {
    const node = new DevNode({ timings: QUICK })
    const bridge = new LayerBridge({ connector: node.connector() })
    const [alice, bob] = node.keys
    await bridge.connect()
    await bridge.commands.initSync()
    const finalized = bridge.waitFor('CommitFinalized')
    const utxo = node.baseUtxos(alice!.address)[0]!
    const draft = await bridge.commit(utxoJson(utxo) as never)
    const signed = envelopeOf(signTx(hexToBytes(draft.cborHex), alice!))
    await bridge.submitCardanoTransaction(signed)
    await finalized
    const result = await bridge.submitTxSync(pay(utxo, alice!, bob!.address, 5_000_000n))
    expect(result).toMatchObject({ isValid: true, isConfirmed: true })
    expect(bridge.getAddressBalance(bob!.address)).toEqual(new Map([['lovelace', 5_000_000n]]))
    const closed = bridge.waitFor('ReadyToFanout')
    bridge.commands.close()
    await closed
    const done = bridge.waitFor('HeadIsFinalized')
    bridge.commands.fanout()
    await done
    await bridge.disconnect()
    await node.stop()
    expect(node.baseUtxos(bob!.address)).toHaveLength(11)
  })

  it('tells of the end of the connection, and refuses to send after it', async () => {
    const { node } = openHead()
    const seen: unknown[] = []
    const listener: ConnectorListener = {
      onOpen: () => void seen.push('open'),
      onMessage: (message) => void seen.push((JSON.parse(message as string) as { tag: string }).tag),
      onActivity: () => void seen.push('activity'),
      onInvalid: () => void seen.push('invalid'),
      onClose: (error) => void seen.push(error)
    }
    const channel = node.connector({ noSnapshotUtxo: true }).open(listener, { history: true })
    expect(seen).toEqual([])
    expect(() => channel.send('{}')).toThrow(NotConnectedError)
    await null
    await null
    channel.ping?.()
    await null
    expect(seen).toEqual(['open', 'HeadIsOpen', 'Greetings', 'activity'])
    node.dropConnections()
    await null
    expect(seen.slice(4)).toMatchObject([{ code: 'BRIDGE_CONNECT', closeCode: 1006, fatal: false }])
    expect(() => channel.send('{}')).toThrow(NotConnectedError)
  })

  it('says nothing after close, and ends requests by their signal', async () => {
    const setup = openHead()
    await deposit(setup, setup.alice)
    const seen: unknown[] = []
    const note = (value: unknown): void => void seen.push(value)
    const connector = setup.node.connector()
    const channel = connector.open(
      {
        onOpen: () => note('open'),
        onMessage: note,
        onActivity: () => note('activity'),
        onInvalid: note,
        onClose: note
      },
      {}
    )
    await channel.close(true)
    await null
    expect(seen).toEqual([])
    const request = connector.request({
      method: 'DELETE',
      path: `/commits/${'ab'.repeat(32)}`,
      signal: AbortSignal.timeout(5)
    })
    await expect(request).rejects.toMatchObject({ name: 'TimeoutError' })
    const { status } = await connector.request({ method: 'GET', path: '/head', signal: new AbortController().signal })
    expect(status).toBe(200)
  })

  it('commits the faults of sockets and of HTTP, too', async () => {
    const { node } = openHead()
    const connector = node.connector()
    const seen: unknown[] = []
    const note = (value: unknown): void => void seen.push(value)
    const channel = connector.open(
      {
        onOpen: () => note('open'),
        onMessage: note,
        onActivity: () => note('activity'),
        onInvalid: note,
        onClose: note
      },
      {}
    )
    node.faults.muteSockets = true
    await null
    channel.ping?.()
    await null
    expect(seen).toEqual(['open'])
    node.faults.muteHttp = true
    await expect(
      connector.request({ method: 'GET', path: '/head', signal: AbortSignal.timeout(5) })
    ).rejects.toMatchObject({ name: 'TimeoutError' })
    node.faults.muteHttp = false
    node.faults.dropReplies = 1
    await expect(
      connector.request({ method: 'GET', path: '/head', signal: new AbortController().signal })
    ).rejects.toMatchObject({
      code: 'BRIDGE_REQUEST',
      status: 0
    })
  })

  it('refuses connections and closes them with a code, as a socket would', async () => {
    const { node } = openHead()
    const bridge = new LayerBridge({ connector: node.connector() })
    node.faults.refuseUpgrades = 401
    await expect(bridge.connect()).rejects.toMatchObject({ code: 'BRIDGE_CONNECT', httpStatus: 401, fatal: true })
    node.faults.refuseUpgrades = 0
    await bridge.connect()
    const failed = new Promise((resolve) => bridge.events.on('onConnectError', resolve))
    node.dropConnections(1008)
    expect(await failed).toMatchObject({ closeCode: 1008, fatal: true })
  })

  it('takes its time when answers are delayed', async () => {
    const { node, clock } = openHead()
    node.faults.httpDelayMs = 200
    let answered = false
    const reply = node.connector().request({ method: 'GET', path: '/head', signal: new AbortController().signal })
    void reply.then(() => (answered = true))
    await new Promise(setImmediate)
    expect(answered).toBe(false)
    clock.advance(200)
    expect((await reply).status).toBe(200)
  })

  it('takes null for options, and nobody once the node has been stopped', async () => {
    const { node } = openHead()
    const connector = node.connector(null as never)
    expect(connector.capabilities.partial).toBe(false)
    await node.stop()
    const bridge = new LayerBridge({ connector })
    await expect(bridge.connect()).rejects.toMatchObject({ code: expect.stringMatching(/^BRIDGE_/) })
    expect(bridge.connected()).toBe(false)
  })

  it('leaves no timer of a delayed message behind when it stops', async () => {
    const due = new Set<() => void>()
    const clock = {
      now: () => 1_750_000_000_000,
      after(_delayMs: number, callback: () => void) {
        due.add(callback)
        return () => void due.delete(callback)
      }
    }
    const node = new DevNode({ clock, faults: { outputDelayMs: 60_000 } })
    node.open('', { send() {}, close() {} })
    expect(due.size).toBe(1)
    await node.stop()
    expect(due.size).toBe(0)
  })
})
