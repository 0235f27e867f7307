import { isLayerError, LayerBridge } from 'layer-sdk'
import { weightOf } from '../../src/bridge/delivery/weightOf.js'
import { FakeConnector } from '../support/fakeConnector'
import { sampleTx } from '../support/sampleTx'
import { HEAD_ID, snapshotConfirmed } from '../support/scriptedNode'

const LONG = 'long text '.repeat(100_000)
const ADDRESS = 'addr_test1vqqszqgpqyqszqgpqyqszqgpqyqszqgpqyqszqgpqyqszqgasfzjt'

describe('errors of a bridge', () => {
  let connector: FakeConnector
  let bridge: LayerBridge
  const errors: unknown[] = []
  beforeEach(async () => {
    errors.length = 0
    connector = new FakeConnector()
    bridge = new LayerBridge({ connector })
    for (const name of ['onProtocolError', 'onCommandRefused', 'onConnectError'] as const)
      bridge.events.on(name, (error) => errors.push(error))
    const connected = bridge.connect()
    connector.last.greet()
    await connected
    connector.last.say({ tag: 'HeadIsOpen', headId: HEAD_ID, parties: [] })
  })
  afterEach(() => bridge.disconnect())

  /** None of them repeats what is long: in no line of its message or stack. */
  function expectShort(list: readonly unknown[], count: number): void {
    expect(list).toHaveLength(count)
    for (const error of list) {
      expect(isLayerError(error)).toBe(true)
      expect(
        Math.max(
          ...String((error as Error).stack)
            .split('\n')
            .map((line) => line.length)
        )
      ).toBeLessThan(2_100)
      expect((error as Error).message.length).toBeLessThan(7_000)
    }
  }

  it('describe a long text of a message by its length, whichever field it is in', () => {
    const output = { address: ADDRESS, value: { lovelace: 1 } }
    const messages = [
      LONG,
      5,
      { tag: { [LONG]: 1 } },
      { tag: 'Greetings', headStatus: 5, me: { vkey: LONG }, layerHeadId: LONG },
      { tag: 'SnapshotConfirmed', headId: LONG, snapshot: LONG },
      snapshotConfirmed(1, { utxo: { [LONG]: output } }),
      snapshotConfirmed(1, { utxo: { [`${'a'.repeat(64)}#0`]: LONG } }),
      snapshotConfirmed(1, { utxo: { [`${'a'.repeat(64)}#0`]: { address: LONG, value: {} } } }),
      snapshotConfirmed(1, { utxo: { [`${'a'.repeat(64)}#0`]: { address: ADDRESS, value: { [LONG]: 1 } } } }),
      snapshotConfirmed(1, { utxo: { [`${'a'.repeat(64)}#0`]: { address: ADDRESS, value: { lovelace: LONG } } } }),
      snapshotConfirmed(1, { utxo: { [`${'a'.repeat(64)}#0`]: { address: ADDRESS, value: { [LONG]: { '': 1 } } } } })
    ]
    for (const [seq, message] of messages.entries())
      connector.last.say(typeof message === 'object' ? { ...message, seq } : message)
    expectShort(errors, messages.length)
    for (const error of errors) expect((error as Error).message).not.toContain(LONG.slice(0, 100))
  })

  it('cut a long reason of the node, the whole of which is in a field', async () => {
    const tx = sampleTx()
    const verdict = bridge.submitTxSync(tx).catch((error: unknown) => error)
    const decommit = bridge.commands.decommit({ cborHex: tx.cborHex, txId: tx.txId }).catch((error: unknown) => error)
    await new Promise((resolve) => {
      setImmediate(resolve)
    })
    connector.last.say({ tag: 'TxInvalid', headId: HEAD_ID, transaction: tx, validationError: { reason: LONG } })
    connector.last.say({
      tag: 'DecommitInvalid',
      headId: HEAD_ID,
      decommitTx: tx,
      decommitInvalidReason: { tag: 'DecommitTxInvalid', validationError: { reason: LONG } }
    })
    connector.last.say({ tag: 'CommandFailed', clientInput: { tag: LONG }, state: { tag: LONG } })
    connector.last.say({ tag: 'InvalidInput', reason: LONG, input: LONG })
    connector.onRequest = async () => ({ status: 400, text: JSON.stringify(LONG) })
    const request = await bridge.getProtocolParameters().catch((error: unknown) => error)
    const reported = [await decommit, request, ...errors]
    expectShort(reported, 4)
    connector.onRequest = async () => ({ status: 404, text: '""' })
    await bridge.disconnect()
    expectShort([await verdict], 1)
    expect(reported.some((error) => (error as { reason?: string }).reason === LONG)).toBe(true)
  })
})

describe('the weight of a message', () => {
  it('is about the length of its text, also when it arrives as a value', () => {
    const value = {
      tag: 'Any',
      list: Array.from({ length: 1_000 }, (_, index) => ({ address: ADDRESS, value: { lovelace: index } })),
      text: LONG
    }
    const text = JSON.stringify(value)
    expect(weightOf(text)).toBe(text.length)
    expect(weightOf(value)).toBeGreaterThan(text.length / 2)
    expect(weightOf(value)).toBeLessThan(text.length * 2)
    expect(weightOf(null)).toBeLessThan(10)
  })
})
