import { isKnownPayload, LayerBridge, utxoFromJson, utxoToJson, WebsocketConnector } from 'layer-sdk/bridge'
import { codeOf } from '../support/codeOf'
import { FakeConnector } from '../support/fakeConnector'
import { sampleTx } from '../support/sampleTx'
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

  it.each([undefined, null, 5, 'text'])(
    'make a typed error of each operation that takes an object: %p',
    async (junk) => {
      expect(await codeOf(() => bridge.submitCardanoTransaction(junk as never))).toBe('INPUT_ARGUMENT')
      expect(await codeOf(() => bridge.commands.decommit(junk as never))).toBe('INPUT_ARGUMENT')
      expect(await codeOf(() => bridge.commit(junk as never))).toBe('INPUT_ARGUMENT')
      expect(node.inputs).toEqual([])
    }
  )
})

it('counts null for options that were left out, and for a message that is none', async () => {
  const bridge = new LayerBridge({ url: 'ws://127.0.0.1:9' })
  await expect(bridge.submitTxSync(sampleTx(1), null as never)).rejects.toMatchObject({ tag: 'NotConnected' })
  expect(isKnownPayload(null as never)).toBe(false)
})

it('takes nothing but outputs for outputs', async () => {
  for (const junk of [undefined, null, 5]) {
    expect(await codeOf(() => utxoFromJson(junk as never))).toBe('BRIDGE_PROTOCOL')
    expect(await codeOf(() => utxoToJson(junk as never))).toBe('BRIDGE_PROTOCOL')
  }
})

it('refuses a connector that is none', async () => {
  for (const junk of [undefined, null])
    expect(await codeOf(() => new WebsocketConnector(junk as never))).toBe('BRIDGE_OPTIONS')
  for (const junk of [null, 5, {}, { open() {} }])
    expect(await codeOf(() => new LayerBridge({ connector: junk as never }))).toBe('BRIDGE_OPTIONS')
})

it('counts null for options of a wait that were left out, and refuses others', async () => {
  const connector = new FakeConnector()
  const bridge = new LayerBridge({ connector })
  const connecting = bridge.connect()
  const waits = [
    bridge.waitFor('Greetings', null as never),
    bridge.waitFor('Greetings', { timeout: null, signal: null } as never)
  ]
  const messages = [bridge.messages(null as never), bridge.messages({ signal: null } as never)]
  await new Promise((resolve) => setTimeout(resolve, 5))
  connector.last.greet()
  expect((await Promise.all(waits)).map(({ tag }) => tag)).toEqual(['Greetings', 'Greetings'])
  expect((await Promise.all(messages.map((each) => each.next()))).map(({ value }) => value.tag)).toEqual([
    'Greetings',
    'Greetings'
  ])
  await connecting
  for (const junk of [{ timeout: 'soon' }, { timeout: NaN }, { timeout: -1 }, { signal: {} }, { signal: 5 }]) {
    await expect(bridge.waitFor('Greetings', junk as never)).rejects.toMatchObject({
      code: 'INPUT_ARGUMENT',
      argument: Object.keys(junk)[0]
    })
  }
  expect(await codeOf(() => bridge.messages({ signal: {} } as never))).toBe('INPUT_ARGUMENT')
  await bridge.disconnect()
})

it.each([undefined, null, 5, {}])('refuses a handler that cannot be called: %p', async (junk) => {
  const bridge = new LayerBridge({ connector: new FakeConnector() })
  expect(await codeOf(() => bridge.events.on('onMessage', junk as never))).toBe('INPUT_ARGUMENT')
  expect(await codeOf(() => bridge.submitTx({} as never, junk as never))).toBe('INPUT_ARGUMENT')
})
