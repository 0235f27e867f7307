import { LayerBridge } from '../../src/bridge'
import { DevNode } from '../../src/devnode'
import type { ConnectorListener } from '../../src/bridge/connection/Connector'
import { deposit, openHead, utxoJson } from './harness'
import { hexToBytes } from '../../src/codec/hex'
import { envelopeOf, pay, signTx } from './transactions'

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
    expect(() => channel.send('{}')).toThrow('not open')
    await null
    await null
    channel.ping?.()
    await null
    expect(seen).toEqual(['open', 'HeadIsOpen', 'Greetings', 'activity'])
    node.dropConnections()
    await null
    expect(seen.slice(4)).toEqual([expect.any(Error)])
    expect(() => channel.send('{}')).toThrow('not open')
  })

  it('says nothing after close, and ends requests by their signal', async () => {
    const setup = openHead()
    await deposit(setup, setup.alice)
    const seen: unknown[] = []
    const note = (value: unknown): void => void seen.push(value)
    const connector = setup.node.connector()
    const channel = connector.open({ onOpen: () => note('open'), onMessage: note, onActivity: () => note('activity'), onInvalid: note, onClose: note }, {})
    await channel.close(true)
    await null
    expect(seen).toEqual([])
    const request = connector.request({ method: 'DELETE', path: `/commits/${'ab'.repeat(32)}`, signal: AbortSignal.timeout(5) })
    await expect(request).rejects.toMatchObject({ name: 'TimeoutError' })
    const { status } = await connector.request({ method: 'GET', path: '/head', signal: new AbortController().signal })
    expect(status).toBe(200)
  })

  it('commits the faults of sockets and of HTTP, too', async () => {
    const { node } = openHead()
    const connector = node.connector()
    const seen: unknown[] = []
    const note = (value: unknown): void => void seen.push(value)
    const channel = connector.open({ onOpen: () => note('open'), onMessage: note, onActivity: () => note('activity'), onInvalid: note, onClose: note }, {})
    node.faults.muteSockets = true
    await null
    channel.ping?.()
    await null
    expect(seen).toEqual(['open'])
    node.faults.muteHttp = true
    await expect(connector.request({ method: 'GET', path: '/head', signal: AbortSignal.timeout(5) })).rejects.toMatchObject({ name: 'TimeoutError' })
    node.faults.muteHttp = false
    node.faults.dropReplies = 1
    await expect(connector.request({ method: 'GET', path: '/head', signal: new AbortController().signal })).rejects.toThrow('before it answered')
  })
})
