import { DevNode, manualClock, startDevNode } from '../../../src/devnode'
import { isLayerError } from '../../../src/errors/base'

const codeOf = (run: () => unknown): string => {
  try {
    run()
  } catch (error) {
    return isLayerError(error) ? error.code : String(error)
  }
  return 'none'
}
const ALICE = new DevNode().keys[0]!.address

describe('options of the local head node', () => {
  it('may be left out by null as well, all of them or one', async () => {
    expect(new DevNode(null as never).headStatus).toBe('Idle')
    const nothing = {
      profile: null,
      networkId: null,
      seed: null,
      parties: null,
      timings: null,
      genesis: null,
      testKeys: null,
      clock: null
    } as never
    expect(new DevNode(nothing).keys).toHaveLength(3)
    expect(new DevNode({ timings: { blockMs: undefined, pingMs: null } as never }).timings).toMatchObject({
      blockMs: 50,
      pingMs: 30_000
    })
    // The default port may be taken on this machine: what counts is that the answer is a typed one.
    const node = await startDevNode(null as never).catch((error: unknown) => error)
    expect(node instanceof DevNode || isLayerError(node, 'DEVNODE_PORT')).toBe(true)
    if (node instanceof DevNode) await node.stop()
  })

  it.each<[string, object]>([
    ['profile', { profile: '9' }],
    ['networkId', { networkId: 2 }],
    ['seed', { seed: 5 }],
    ['parties', { parties: 0 }],
    ['parties', { parties: 1e9 }],
    ['timings.blockMs', { timings: { blockMs: -1 } }],
    ['timings.blockMs', { timings: { blockMs: NaN } }],
    ['timings.pingMs', { timings: { pingMs: 0 } }],
    ['timings.snapshotSize', { timings: { snapshotSize: 0 } }],
    ['testKeys', { testKeys: 'alice' }],
    ['genesis', { genesis: 'all' }],
    ['genesis[0]', { genesis: [null] }],
    ['lovelace', { genesis: [{ address: ALICE }] }],
    ['lovelace', { genesis: [{ address: ALICE, lovelace: 1.5 }] }],
    ['quantity', { genesis: [{ address: ALICE, lovelace: 2n ** 63n }] }],
    ['historyLimit', { historyLimit: -1 }],
    ['protocolParameters.txFeeFixed', { protocolParameters: { txFeeFixed: 'much' } }],
    ['protocolParameters.utxoCostPerByte', { protocolParameters: { utxoCostPerByte: 1.5 } }],
    ['port', { port: 65_536 }],
    ['rpcPort', { port: 0, rpcPort: -1 }],
    ['host', { port: 0, host: '' }]
  ])('are refused by name: %s of %j', async (argument, options) => {
    await expect(startDevNode(options)).rejects.toMatchObject({ code: 'INPUT_ARGUMENT', argument })
  })

  it('fund nobody with what is no amount', () => {
    const node = new DevNode()
    for (const funds of [
      0n,
      -1n,
      2n ** 63n,
      null,
      'much',
      [],
      [null],
      [{ unit: 'x', quantity: '1' }],
      [{ unit: 'lovelace', quantity: '-1' }]
    ]) {
      expect(codeOf(() => node.fund(ALICE, funds as never))).toBe('INPUT_ARGUMENT')
    }
    expect(codeOf(() => node.fund('nobody', 1n))).toBe('INPUT_ADDRESS')
    expect(node.baseUtxos(ALICE)).toHaveLength(10)
    expect(node.fund(ALICE, 5n)[0]!.output.amount).toEqual([{ unit: 'lovelace', quantity: '5' }])
  })
})

it('closes with codes that a frame can carry only', () => {
  const node = new DevNode()
  const closed: unknown[] = []
  node.open('', { send() {}, close: (code) => void closed.push(code) })
  for (const code of [0, 999, 1005, 1006, 1015, 2000, 5000, 1000.5, NaN])
    expect(codeOf(() => node.dropConnections(code))).toBe('INPUT_ARGUMENT')
  for (const code of [undefined, null, 1000, 1014, 3000, 4999]) node.dropConnections(code as number)
  expect(closed).toEqual([undefined, undefined, 1000, 1014, 3000, 4999])
})

it('tells of the drift as it is now, and takes no drift that is no number', () => {
  const node = new DevNode({ clock: manualClock() })
  const messages: string[] = []
  const client = node.open('', { send: (message) => messages.push(String(message)), close() {} })
  node.setDrift(10)
  node.setDrift(20)
  node.receive(client, '{"tag":"Init"}')
  expect(JSON.parse(messages.at(-1)!)).toEqual({
    tag: 'RejectedInputBecauseUnsynced',
    clientInput: { tag: 'Init' },
    drift: 20
  })
  expect(codeOf(() => node.setDrift(NaN))).toBe('INPUT_ARGUMENT')
})

describe('options of a local node that nobody knows', () => {
  it.each<[string, () => unknown, string]>([
    ['of the node', () => new DevNode({ party: 2 } as never), 'party'],
    ['of a server, for a node without one', () => new DevNode({ port: 0 } as never), 'port'],
    ['among the timings', () => new DevNode({ timings: { blockms: 1 } as never }), 'timings.blockms'],
    ['among the faults', () => new DevNode({ faults: { muteSocket: true } as never }), 'faults.muteSocket'],
    ['as a forgery', () => new DevNode({ faults: { forgeSnapshot: 'amount' as never } }), 'faults.forgeSnapshot'],
    ['as an accumulator', () => new DevNode({ accumulator: 'on' as never }), 'accumulator'],
    ['of a server', () => startDevNode({ port: 0, rpcport: 0 } as never), 'rpcport']
  ])('are refused %s', async (_, make, argument) => {
    await expect((async () => make())()).rejects.toMatchObject({ code: 'INPUT_ARGUMENT', argument })
  })

  it('do not come from a polluted Object.prototype', () => {
    const pollution = { seed: 'polluted', parties: 3, muteSockets: true, blockMs: 7 }
    const keys = new DevNode().keys
    for (const [name, value] of Object.entries(pollution))
      Object.defineProperty(Object.prototype, name, { value, configurable: true, enumerable: true, writable: true })
    try {
      expect(new DevNode({ timings: {}, faults: {} }).keys).toEqual(keys)
      expect(Object.entries(new DevNode({ timings: {} }).timings)).toContainEqual(['blockMs', 50])
    } finally {
      for (const name of Object.keys(pollution)) Reflect.deleteProperty(Object.prototype, name)
    }
  })
})

describe('genesis of another network', () => {
  const mainnet =
    'addr1q8gg2r3vf9zggn48g7m8vx62rwf6warcs4k7ej8mdzmqmesj30jz7psduyk6n4n2qrud2xlv9fgj53n6ds3t8cs4fvzs05yzmz'
  const output = {
    address: mainnet,
    datum: null,
    datumhash: null,
    inlineDatum: null,
    inlineDatumRaw: null,
    referenceScript: null,
    value: { lovelace: 5_000_000 }
  }

  it.each([
    ['as an entry', { address: mainnet, lovelace: 5_000_000n }],
    ['in a UTxO map', { [`${'ab'.repeat(32)}#0`]: output }],
    ['in a UTxO map, in upper case', { [`${'ab'.repeat(32)}#0`]: { ...output, address: mainnet.toUpperCase() } }]
  ])('is refused %s', (_, entry) => {
    expect(() => new DevNode({ genesis: [entry] as never })).toThrow(/an address of network 0/)
  })
})
