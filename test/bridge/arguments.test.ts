import { isKnownPayload, LayerBridge, utxoFromJson, utxoToJson, WebsocketConnector } from 'layer-sdk/bridge'
import { codeOf } from '../support/codeOf'
import { ScriptedNode } from '../support/scriptedNode'

describe('arguments that are none', () => {
  let node: ScriptedNode
  let bridge: LayerBridge
  beforeEach(async () => {
    node = await new ScriptedNode().start()
    bridge = new LayerBridge({ url: node.url })
    await bridge.connect()
  })
  afterEach(async () => {
    await bridge.disconnect()
    await node.stop()
  })

  it.each([undefined, null, 5, 'text'])('make a typed error of each operation that takes an object: %p', async (junk) => {
    expect(await codeOf(() => bridge.submitCardanoTransaction(junk as never))).toBe('INPUT_ARGUMENT')
    expect(await codeOf(() => bridge.commands.decommit(junk as never))).toBe('INPUT_ARGUMENT')
    expect(await codeOf(() => bridge.commit(junk as never))).toBe('INPUT_ARGUMENT')
    expect(node.inputs).toEqual([])
  })
})

it('counts null for options that were left out, and for a message that is none', async () => {
  const bridge = new LayerBridge({ url: 'ws://127.0.0.1:9' })
  const transaction = { type: '', description: '', cborHex: '84', txId: '00'.repeat(32) }
  await expect(bridge.submitTxSync(transaction, null as never)).rejects.toMatchObject({ tag: 'NotConnected' })
  expect(isKnownPayload(null as never)).toBe(false)
})

it('takes nothing but outputs for outputs', async () => {
  for (const junk of [undefined, null, 5]) {
    expect(await codeOf(() => utxoFromJson(junk as never))).toBe('BRIDGE_PROTOCOL')
    expect(await codeOf(() => utxoToJson(junk as never))).toBe('BRIDGE_PROTOCOL')
  }
})

it('refuses a connector that is none', async () => {
  for (const junk of [undefined, null]) expect(await codeOf(() => new WebsocketConnector(junk as never))).toBe('BRIDGE_OPTIONS')
  for (const junk of [null, 5, {}, { open() {} }]) expect(await codeOf(() => new LayerBridge({ connector: junk as never }))).toBe('BRIDGE_OPTIONS')
})
