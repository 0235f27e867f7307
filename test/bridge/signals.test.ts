import { LayerBridge } from '../../src/bridge/index.js'
import { DevNode } from '../../src/devnode/index.js'
import type { BuiltTransaction } from '../../src/tx/index.js'
import { buildPayment } from '../../src/tx/index.js'
import { ChainCliWallet } from '../../src/wallet/index.js'

const STOP = new Error('the user left')
let node: DevNode
let bridge: LayerBridge

beforeEach(async () => {
  node = new DevNode()
  bridge = new LayerBridge({ connector: node.connector() })
  await bridge.connect()
})
afterEach(async () => {
  await bridge.disconnect()
  await node.stop()
})

type Request = (options: { signal: AbortSignal }) => Promise<unknown>
const ID = 'ab'.repeat(32)

/** Every method of a bridge that asks the node. */
const REQUESTS: Readonly<Record<string, Request>> = {
  headInfo: (options) => bridge.headInfo(options),
  getProtocolParameters: (options) => bridge.getProtocolParameters(options),
  getRawProtocolParameters: (options) => bridge.getRawProtocolParameters(options),
  querySnapshotUtxo: (options) => bridge.querySnapshotUtxo(options),
  confirmedSnapshot: (options) => bridge.confirmedSnapshot(options),
  findTransaction: (options) => bridge.findTransaction(ID, options),
  inFlight: (options) => bridge.inFlight(options),
  messagesAbout: (options) => bridge.messagesAbout([ID], options),
  commit: (options) => bridge.commit([], options),
  submitCardanoTransaction: (options) =>
    bridge.submitCardanoTransaction({ cborHex: '84a300d90102800180021a0002a300a0f5f6', description: '' }, options),
  pendingDeposits: (options) => bridge.pendingDeposits(options),
  recoverDeposit: (options) => bridge.recoverDeposit(ID, options)
}

describe.each(Object.entries(REQUESTS))('%s', (_, request) => {
  it('asks nothing when its signal is aborted already, and rejects with the reason', async () => {
    const before = { ...node.counters.requests }
    await expect(request({ signal: AbortSignal.abort(STOP) })).rejects.toBe(STOP)
    expect(node.counters.requests).toEqual(before)
  })

  it('rejects with the reason of a signal that is aborted meanwhile', async () => {
    const leaving = new AbortController()
    const asked = request({ signal: leaving.signal })
    leaving.abort(STOP)
    await expect(asked).rejects.toBe(STOP)
  })

  it('refuses what is no signal', async () => {
    await expect(request({ signal: 'soon' as never })).rejects.toMatchObject({ code: 'INPUT_ARGUMENT' })
  })
})

describe('submitTxSync', () => {
  async function payment(): Promise<BuiltTransaction> {
    await bridge.commands.initSync()
    const key = node.keys[0]!
    const wallet = new ChainCliWallet({ networkId: 0, skey: key.skey })
    await node.fundHead(key.address, 10_000_000n)
    const utxos = await bridge.queryAddressUTxO(key.address)
    const built = buildPayment({ utxos, to: node.keys[1]!.address, amount: 2_000_000n, changeAddress: key.address })
    return { ...built, cborHex: await wallet.signTx(built.cborHex) }
  }

  it('sends nothing when its signal is aborted already', async () => {
    const built = await payment()
    const before = { ...node.counters.inputs }
    await expect(bridge.submitTxSync(built, { signal: AbortSignal.abort(STOP) })).rejects.toBe(STOP)
    expect(node.counters.inputs).toEqual(before)
  })

  it('ends as unknown when the signal is aborted after it was sent: it may still be confirmed', async () => {
    const built = await payment()
    const leaving = new AbortController()
    const sent = bridge.submitTxSync(built, { signal: leaving.signal })
    const late = new Promise((resolve) => bridge.events.once('onLateConfirmation', resolve))
    leaving.abort(STOP)
    await expect(sent).rejects.toMatchObject({
      code: 'BRIDGE_SUBMIT',
      tag: 'Aborted',
      outcome: 'unknown',
      txId: built.txId,
      cause: STOP
    })
    expect(await late).toMatchObject({ txId: built.txId })
  })
})

describe('events.once', () => {
  it('calls its handler for the next event alone, and not after it was ended', async () => {
    const seen: string[] = []
    bridge.events.once('onDisconnected', () => seen.push('first'))
    bridge.events.once('onDisconnected', () => seen.push('ended'))()
    await bridge.disconnect()
    await bridge.connect()
    await bridge.disconnect()
    expect(seen).toEqual(['first'])
  })

  it('refuses a handler that is no function', () => {
    expect(() => bridge.events.once('onDisconnected', 5 as never)).toThrow(
      expect.objectContaining({ code: 'INPUT_ARGUMENT', argument: 'handler' })
    )
  })
})
