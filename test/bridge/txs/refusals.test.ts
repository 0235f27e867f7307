import { LayerBridge } from 'layer-sdk/bridge'
import { scanHistory } from '../../../src/bridge/txs/scanHistory'
import { FakeConnector } from '../../support/fakeConnector'
import { sampleTx } from '../../support/sampleTx'

const tick = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))
const { cborHex, txId: ID } = sampleTx(1)

describe('a refusal', () => {
  let connector: FakeConnector
  let bridge: LayerBridge
  beforeEach(async () => {
    connector = new FakeConnector()
    bridge = new LayerBridge({ connector })
    const done = bridge.connect()
    connector.last.greet()
    await done
  })
  afterEach(async () => {
    await bridge.disconnect()
  })

  it('of a copy of a decommit that is under way does not end the wait for it', async () => {
    const approved = bridge.commands.decommit({ cborHex, txId: ID.toUpperCase() })
    await tick()
    expect(connector.last.sent).toEqual([
      `{"tag":"Decommit","decommitTx":{"type":"Tx ConwayEra","description":"","cborHex":"${cborHex}","txId":"${ID}"}}`
    ])
    const common = { headId: 'h', timestamp: '2026-01-01T00:00:00Z' }
    connector.last.say({
      ...common,
      tag: 'DecommitInvalid',
      decommitTx: { txId: ID },
      decommitInvalidReason: { tag: 'DecommitAlreadyInFlight', otherDecommitTxId: ID },
      seq: 1
    })
    connector.last.say({ ...common, tag: 'DecommitApproved', decommitTxId: ID, utxoToDecommit: {}, seq: 2 })
    expect(await approved).toMatchObject({ tag: 'DecommitApproved', decommitTxId: ID })
  })

  it('of Init in a head that is closed rejects after one attempt', async () => {
    connector.onRequest = async () => ({ status: 200, text: '{"tag":"Closed","contents":{"headId":"ab"}}' })
    const outcome = bridge.commands.initSync(3, 5_000)
    await tick()
    connector.last.say({ tag: 'CommandFailed', clientInput: { tag: 'Init' }, state: { tag: 'Closed', contents: {} } })
    await expect(outcome).rejects.toMatchObject({
      code: 'BRIDGE_COMMAND_REFUSED',
      headState: 'Closed',
      allowedStates: ['Idle']
    })
    expect(connector.last.sent).toEqual(['{"tag":"Init"}'])
  })

  it.each([
    ['Initial', 'HeadIsInitializing', { headId: 'ab', parties: [] }],
    ['Open', 'HeadIsOpen', { headId: 'ab', parties: [] }]
  ])('is not asked for by an Init of a head that is there already: %s', async (tag, resolved, contents) => {
    connector.onRequest = async () => ({ status: 200, text: JSON.stringify({ tag, contents }) })
    expect(await bridge.commands.initSync(3, 5_000)).toMatchObject({ tag: resolved, headId: 'ab' })
    expect(connector.last.sent).toEqual([])
  })

  // By the state machine of the node (HeadLogic.hs). Fanout is accepted in Closed too, but before the deadline posting
  // it fails.
  it.each([
    ['Init', ['Idle'], {}],
    ['Abort', ['Initializing'], {}],
    ['NewTx', ['Open'], { transaction: { txId: ID } }],
    ['Decommit', ['Open'], { decommitTx: { txId: ID } }],
    ['Close', ['Open'], {}],
    ['SafeClose', ['Open'], {}],
    ['SideLoadSnapshot', ['Open'], {}],
    ['Fanout', ['FanoutPossible'], {}],
    ['PartialFanout', ['FanoutPossible', 'FanningOut'], {}],
    ['Contest', [], {}],
    ['Recover', [], { recoverTxId: ID }],
    ['GetUTxO', [], {}]
  ])('of %s names the states %p as those that allow it', async (tag, allowedStates, carried) => {
    const refused = new Promise((resolve) => bridge.events.on('onCommandRefused', resolve))
    connector.last.say({
      tag: 'CommandFailed',
      clientInput: { tag, ...carried },
      state: { tag: 'Initial', contents: {} }
    })
    const reason = tag === 'Contest' ? 'no node takes it: contesting is automatic' : 'the head is Initializing'
    expect(await refused).toMatchObject({ command: tag, allowedStates, headState: 'Initializing', reason })
  })

  it('of something that is no input names none', async () => {
    const refused = new Promise((resolve) => bridge.events.on('onCommandRefused', resolve))
    connector.last.say({ reason: 'Error in $: not enough input', input: '{"tag":' })
    expect(await refused).toMatchObject({
      command: 'an input',
      reason: 'Error in $: not enough input',
      allowedStates: []
    })
  })

  it.each(['constructor', '__proto__', 'toString'])('of an input named %s is an event like any other', async (tag) => {
    const refused = new Promise((resolve) => bridge.events.on('onCommandRefused', resolve))
    connector.last.say({ tag: 'CommandFailed', clientInput: { tag }, state: {} })
    expect(await refused).toMatchObject({ command: tag, allowedStates: [] })
  })
})

it('reading the history fails at once, without a timer left, when the connector cannot even begin', async () => {
  const connector = new FakeConnector()
  connector.open = () => {
    throw new Error('no socket')
  }
  const stopped = jest.spyOn(globalThis, 'clearTimeout')
  await expect(
    scanHistory(connector, new Set([ID]), { timeoutMs: 20, signal: new AbortController().signal })
  ).rejects.toThrow('no socket')
  expect(stopped).toHaveBeenCalledTimes(1)
  stopped.mockRestore()
})
