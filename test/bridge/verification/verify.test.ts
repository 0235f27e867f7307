import { LayerBridge } from 'layer-sdk/bridge'
import type { BridgeVerification, LayerPayload, UnverifiedSnapshot } from 'layer-sdk/bridge'
import { stringifyJson } from '../../../src/codec/json'
import type { VerificationRule } from '../../../src/verify'
import { snapshotAccumulator } from '../../../src/verify'
import { FakeConnector } from '../../support/fakeConnector'
import { greetings, ScriptedNode } from '../../support/scriptedNode'
import { addressOf, PARTIES, signSnapshot } from '../../support/signedSnapshot'

const HEAD = '5e'.repeat(28)
const ALICE = addressOf(`60${'a1'.repeat(28)}`)
const BYRON = 'Ae2tdPwUPEZFRbyhz3cpfC2CumGzNkFBN2L42rcUc2yjQpEkxDbkPodpMAi'
const held = (lovelace: number | bigint, address = ALICE): Record<string, unknown> => ({
  address,
  value: { lovelace },
  datum: null,
  datumhash: null,
  inlineDatum: null,
  inlineDatumRaw: null,
  referenceScript: null
})

/** Outputs of Alice, each amount under an input of its own. */
const utxoOf = (...amounts: (number | bigint)[]): Record<string, any> =>
  Object.fromEntries(amounts.map((lovelace) => [`${lovelace.toString(16).padStart(64, '0')}#0`, held(lovelace)]))

/** What GET /snapshot says of a snapshot with these outputs, signed by all parties. */
async function confirmed(
  number: number,
  utxo: Record<string, any>,
  { rule = '2.3' as VerificationRule, headId = HEAD } = {}
): Promise<any> {
  const snapshot: any = { headId, version: 0, number, confirmed: [], utxo, utxoToCommit: null, utxoToDecommit: null }
  if (rule !== '0.20-2.1') snapshot.accumulator = (await snapshotAccumulator({ utxo })).hash
  return { tag: 'ConfirmedSnapshot', snapshot, signatures: { multiSignature: await signSnapshot(snapshot, rule) } }
}

const asMessage = ({ snapshot, signatures }: any, seq = 100 + Number(snapshot.number)): any => ({
  tag: 'SnapshotConfirmed',
  headId: snapshot.headId,
  seq,
  timestamp: '2026-01-01T00:00:00.123Z',
  snapshot,
  signatures
})

describe('a bridge that verifies', () => {
  let node: ScriptedNode
  let bridge: LayerBridge
  let baseline: any
  let unverified: UnverifiedSnapshot[]
  let messages: LayerPayload[]

  beforeEach(async () => {
    node = await new ScriptedNode().start()
    unverified = []
    messages = []
    baseline = await confirmed(3, utxoOf(5_000_000))
    node.routes['GET /snapshot'] = () => ({ text: stringifyJson(baseline) })
    node.onConnection = (socket) =>
      socket.send(JSON.stringify(greetings({ hydraHeadId: HEAD, snapshotUtxo: utxoOf(999_000_000) })))
  })
  afterEach(async () => {
    await bridge.disconnect()
    await node.stop()
  })

  async function connect(
    verify: BridgeVerification | 'from-head' = { parties: PARTIES },
    options: object = {}
  ): Promise<void> {
    bridge = new LayerBridge({ url: node.url, verify, ...options })
    bridge.events.on('onUnverified', (snapshot) => {
      unverified.push(snapshot)
    })
    bridge.events.on('onMessage', (payload) => {
      messages.push(payload)
    })
    await bridge.connect()
  }

  /** Resolves once the bridge shows what is wanted; checked after each change of what it shows, and each event. */
  const shows = (condition: () => boolean): Promise<void> =>
    new Promise((resolve) => {
      const check = (): void => {
        if (condition()) resolve()
      }
      bridge.subscribe(check)
      bridge.events.on('onUnverified', check)
      bridge.events.on('onMessage', check)
      check()
    })
  const balance = (): bigint | undefined => bridge.getAddressBalance(ALICE)?.get('lovelace')
  const say = (message: unknown): void => node.send(stringifyJson(message))

  it('takes outputs from signed snapshots alone: those of Greetings never show', async () => {
    const balances: (bigint | undefined)[] = []
    await connect()
    bridge.subscribe(() => {
      balances.push(balance())
    })
    await shows(() => bridge.lastSnapshotNumber === 3)
    say(asMessage(await confirmed(4, utxoOf(6_000_000, 9_007_199_254_740_993n))))
    await shows(() => bridge.lastSnapshotNumber === 4)
    expect(balance()).toBe(9_007_199_254_740_993n + 6_000_000n)
    expect(balances).not.toContain(999_000_000n)
    expect(bridge.getSnapshot()).toMatchObject({ verified: 4, snapshotNumber: 4, ready: true })
    expect(unverified).toEqual([])
    expect(messages.find(({ tag }) => tag === 'Greetings')).not.toHaveProperty('snapshotUtxo')
  })

  it.each<[string, (message: any) => void, string]>([
    [
      'an amount is raised',
      (message) => {
        Object.values<any>(message.snapshot.utxo)[0].value.lovelace = 7_000_000
      },
      'accumulator'
    ],
    [
      'an output is dropped',
      (message) => {
        delete message.snapshot.utxo[Object.keys(message.snapshot.utxo)[1]!]
      },
      'accumulator'
    ],
    [
      'an output is added under a commit',
      (message) => {
        message.snapshot.utxoToCommit = utxoOf(1, 2, 3)
      },
      'signature'
    ],
    [
      'the number is raised',
      (message) => {
        message.snapshot.number = 9
      },
      'signature'
    ],
    [
      'the head is another',
      (message) => {
        message.headId = '77'.repeat(28)
      },
      'input'
    ],
    [
      'both head ids are another',
      (message) => {
        message.headId = message.snapshot.headId = '77'.repeat(28)
      },
      'signature'
    ],
    [
      'the outputs are left out, so that unsigned transactions would count',
      (message) => {
        delete message.snapshot.utxo
      },
      'accumulator'
    ],
    [
      'a signature is missing',
      (message) => {
        message.signatures.multiSignature.pop()
      },
      'signature'
    ],
    [
      'a signature is reused',
      (message) => {
        message.signatures.multiSignature[1] = message.signatures.multiSignature[0]
      },
      'party-order'
    ],
    [
      'there are no signatures',
      (message) => {
        message.signatures = { multiSignature: [] }
      },
      'signature'
    ],
    [
      'the accumulator and the outputs are forged together',
      (message) => {
        message.snapshot.utxo = utxoOf(8_000_000)
        message.snapshot.accumulator = '00'.repeat(32)
      },
      'signature'
    ]
  ])('keeps a snapshot from cache and handlers where %s', async (_what, forge, reason) => {
    await connect()
    await shows(() => bridge.lastSnapshotNumber === 3)
    const message = asMessage(await confirmed(4, utxoOf(6_000_000, 1_000_000)))
    forge(message)
    say(message)
    await shows(() => unverified.length === 1)
    expect(unverified[0]).toMatchObject({
      reason,
      source: 'message',
      number: message.snapshot.number,
      headId: message.snapshot.headId
    })
    expect([bridge.lastSnapshotNumber, balance(), bridge.getSnapshot().verified]).toEqual([3, 5_000_000n, 3])
    expect(messages.filter(({ tag }) => tag === 'SnapshotConfirmed')).toEqual([])
    // A good one after it is taken, in order.
    say(asMessage(await confirmed(5, utxoOf(2_000_000)), 200))
    await shows(() => bridge.lastSnapshotNumber === 5)
    expect(balance()).toBe(2_000_000n)
  })

  it('stays cold where GET /snapshot is forged, and rejects a query with the reason instead of "no outputs"', async () => {
    baseline.snapshot.utxo = utxoOf(99_000_000)
    await connect()
    await shows(() => unverified.length > 0)
    expect(unverified[0]).toMatchObject({ reason: 'accumulator', source: 'request', number: 3 })
    expect(bridge.getAddressBalance(ALICE)).toBeNull()
    await expect(bridge.querySnapshotUtxo()).rejects.toMatchObject({ code: 'VERIFICATION', reason: 'accumulator' })
    say(asMessage(await confirmed(4, utxoOf(6_000_000))))
    await shows(() => bridge.lastSnapshotNumber === 4)
    expect(balance()).toBe(6_000_000n)
  })

  it('takes an empty initial snapshot and refuses one with outputs, which nobody signs', async () => {
    baseline = { tag: 'InitialSnapshot', headId: HEAD, initialUTxO: utxoOf(1_000_000) }
    await connect()
    await shows(() => unverified.length > 0)
    expect(unverified[0]).toMatchObject({ reason: 'initial', source: 'request' })
    expect(bridge.getAddressBalance(ALICE)).toBeNull()
    baseline = { tag: 'InitialSnapshot', headId: HEAD, initialUTxO: {} }
    expect(await bridge.querySnapshotUtxo()).toEqual({})
    expect(bridge.getSnapshot()).toMatchObject({ verified: null, snapshotNumber: 0 })
  })

  it('does not go back behind a snapshot that it has verified, not even after a drop', async () => {
    await connect({ parties: PARTIES }, { autoReconnect: true, reconnectInterval: 1 })
    await shows(() => bridge.lastSnapshotNumber === 3)
    say(asMessage(await confirmed(8, utxoOf(6_000_000))))
    await shows(() => bridge.lastSnapshotNumber === 8)
    node.cut()
    await shows(() => unverified.length > 0)
    expect(unverified[0]).toMatchObject({ reason: 'stale', source: 'request', number: 3 })
    say(asMessage(await confirmed(7, utxoOf(5_000_000)), 300))
    await shows(() => unverified.some(({ source }) => source === 'message'))
    expect(unverified.at(-1)).toMatchObject({ reason: 'stale', number: 7 })
    expect(bridge.getAddressBalance(ALICE)).toBeNull()
    baseline = await confirmed(8, utxoOf(6_000_000))
    await bridge.querySnapshotUtxo()
    expect(balance()).toBe(6_000_000n)
  })

  it('does not fall back to an empty head by an initial snapshot or a HeadIsOpen, which nobody signs', async () => {
    await connect({ parties: PARTIES }, { autoReconnect: true, reconnectInterval: 1 })
    await shows(() => bridge.lastSnapshotNumber === 3)
    baseline = { tag: 'InitialSnapshot', headId: HEAD, initialUTxO: {} }
    node.cut()
    await shows(() => unverified.length > 0)
    expect(unverified[0]).toMatchObject({ reason: 'stale', source: 'request' })
    await expect(bridge.querySnapshotUtxo()).rejects.toMatchObject({ reason: 'stale' })
    say({
      tag: 'HeadIsOpen',
      headId: HEAD,
      parties: PARTIES.map((vkey) => ({ vkey })),
      seq: 300,
      timestamp: '2026-01-01T00:00:00Z'
    })
    await shows(() => unverified.some(({ source }) => source === 'message'))
    expect(unverified.at(-1)).toMatchObject({ reason: 'stale', number: 0, headId: HEAD })
    expect(bridge.getAddressBalance(ALICE)).toBeNull()
    expect(messages.some(({ tag }) => tag === 'HeadIsOpen')).toBe(false)
  })

  it('takes neither an older snapshot of the head before, which the same parties signed, nor its numbers for those of another', async () => {
    await connect({ parties: PARTIES })
    await shows(() => bridge.lastSnapshotNumber === 3)
    const other = '77'.repeat(28)
    say(asMessage(await confirmed(1, utxoOf(4_000_000), { headId: other }), 200))
    await shows(() => bridge.lastSnapshotNumber === 1)
    expect([balance(), bridge.getSnapshot().verified]).toEqual([4_000_000n, 1])
    say(asMessage(await confirmed(2, utxoOf(9_000_000)), 201))
    await shows(() => unverified.length > 0)
    expect(unverified[0]).toMatchObject({ reason: 'stale', number: 2, headId: HEAD })
    expect([balance(), bridge.lastSnapshotNumber]).toEqual([4_000_000n, 1])
  })

  it('refuses a signed snapshot that puts another output under a known input, for inputs are not signed and the cache would keep the first', async () => {
    await connect()
    await shows(() => bridge.lastSnapshotNumber === 3)
    const [key] = Object.keys(baseline.snapshot.utxo)
    say(asMessage(await confirmed(4, { [key!]: held(1_000_000) })))
    await shows(() => unverified.length === 1)
    expect(unverified[0]).toMatchObject({ reason: 'output', number: 4 })
    expect([bridge.lastSnapshotNumber, balance()]).toEqual([3, 5_000_000n])
    say(asMessage(await confirmed(5, { [key!]: held(5_000_000), ...utxoOf(1_000_000) })))
    await shows(() => bridge.lastSnapshotNumber === 5)
    expect(balance()).toBe(6_000_000n)
  })

  it('refuses snapshots of other heads of the same parties where the head is pinned', async () => {
    await connect({ parties: PARTIES, headId: '77'.repeat(28) })
    await shows(() => unverified.length > 0)
    expect(unverified[0]).toMatchObject({ reason: 'input', headId: HEAD })
    expect(bridge.getAddressBalance(ALICE)).toBeNull()
  })

  it.each<[string, VerificationRule]>([
    ['1.3.0', '0.20-2.1'],
    ['2.2.0', '2.2'],
    ['2.3.0', '2.3']
  ])('verifies what nodes of version %s sign', async (version, rule) => {
    baseline = await confirmed(3, utxoOf(5_000_000), { rule })
    node.onConnection = (socket) =>
      socket.send(JSON.stringify(greetings({ hydraHeadId: HEAD, hydraNodeVersion: version })))
    await connect()
    await shows(() => bridge.lastSnapshotNumber === 3)
    expect(balance()).toBe(5_000_000n)
    expect(unverified).toEqual([])
  })

  it('takes no outputs from GET /snapshot/utxo, which is all that nodes before 0.21 offer to begin with', async () => {
    node.routes['GET /snapshot/utxo'] = { body: utxoOf(99_000_000) }
    node.onConnection = (socket) =>
      socket.send(JSON.stringify(greetings({ hydraHeadId: HEAD, hydraNodeVersion: '0.20.1' })))
    await connect()
    await shows(() => unverified.length > 0)
    expect(unverified[0]).toMatchObject({ reason: 'rule', source: 'request' })
    await expect(bridge.querySnapshotUtxo()).rejects.toMatchObject({ code: 'VERIFICATION', reason: 'rule' })
    expect(bridge.getAddressBalance(ALICE)).toBeNull()
    say(asMessage(await confirmed(4, utxoOf(6_000_000), { rule: '0.20-2.1' })))
    await shows(() => bridge.lastSnapshotNumber === 4)
    expect(balance()).toBe(6_000_000n)
  })

  it('leaves out outputs at Byron addresses, of which nothing is proven', async () => {
    const key = `${'cd'.repeat(32)}#0`
    baseline = await confirmed(3, utxoOf(5_000_000), { rule: '0.20-2.1' })
    baseline.snapshot.utxo[key] = held(1_000_000_000, BYRON)
    node.onConnection = (socket) =>
      socket.send(JSON.stringify(greetings({ hydraHeadId: HEAD, hydraNodeVersion: '1.3.0' })))
    await connect()
    await shows(() => bridge.lastSnapshotNumber === 3)
    expect(bridge.snapshotUtxoArray().map(({ output }) => output.address)).toEqual([ALICE])
    const message = asMessage(await confirmed(4, utxoOf(6_000_000), { rule: '0.20-2.1' }))
    message.snapshot.utxo[key] = held(1_000_000_000, BYRON)
    say(message)
    await shows(() => bridge.lastSnapshotNumber === 4)
    expect(await bridge.addressesInHead()).toEqual([ALICE])
  })

  it('reads the parties from GET /head with from-head, and verifies nothing while that fails', async () => {
    node.routes['GET /head'] = { status: 404 }
    await connect('from-head')
    await shows(() => unverified.length > 0)
    expect(unverified[0]).toMatchObject({ reason: 'parties' })
    node.routes['GET /head'] = {
      body: {
        tag: 'Open',
        contents: { headId: HEAD, parameters: { contestationPeriod: 60, parties: PARTIES.map((vkey) => ({ vkey })) } }
      }
    }
    await bridge.querySnapshotUtxo()
    expect(balance()).toBe(5_000_000n)
    const asked = node.requests.filter(({ url }) => url.startsWith('/head')).length
    say(asMessage(await confirmed(4, utxoOf(6_000_000))))
    await shows(() => bridge.lastSnapshotNumber === 4)
    expect(node.requests.filter(({ url }) => url.startsWith('/head'))).toHaveLength(asked)
  })

  it('shows the outputs that a head of nodes to 1.3 opens with only when a snapshot has signed them', async () => {
    baseline = { tag: 'InitialSnapshot', headId: '77'.repeat(28), initialUTxO: utxoOf(4_000_000) }
    node.onConnection = (socket) =>
      socket.send(
        JSON.stringify(
          greetings({
            headStatus: 'Initializing',
            hydraHeadId: '77'.repeat(28),
            snapshotUtxo: undefined,
            hydraNodeVersion: '1.3.0'
          })
        )
      )
    await connect()
    say({
      tag: 'HeadIsOpen',
      headId: '77'.repeat(28),
      utxo: utxoOf(4_000_000),
      seq: 5,
      timestamp: '2026-01-01T00:00:00Z'
    })
    await shows(() => messages.some(({ tag }) => tag === 'HeadIsOpen') && unverified.length > 0)
    expect(bridge.getAddressBalance(ALICE)).toBeNull()
    say(asMessage(await confirmed(1, utxoOf(4_000_000), { rule: '0.20-2.1', headId: '77'.repeat(28) })))
    await shows(() => bridge.lastSnapshotNumber === 1)
    expect(balance()).toBe(4_000_000n)
  })
})

describe('the option verify', () => {
  it.each<[string, unknown]>([
    ['no parties', { parties: [] }],
    ['another word', 'from-node'],
    ['a key in upper case', { parties: [PARTIES[0]!.toUpperCase()] }],
    ['no list', { parties: PARTIES[0] }],
    ['an unknown name', { parties: PARTIES, partys: [] }],
    ['a head id of another length', { parties: PARTIES, headId: 'ab' }],
    ['an accelerator without msm', { parties: PARTIES, accelerator: {} }],
    ['true', true]
  ])('is refused with %s', (_what, verify) => {
    expect(() => new LayerBridge({ connector: new FakeConnector(), verify: verify as never })).toThrow(
      expect.objectContaining({ code: 'BRIDGE_OPTIONS' })
    )
  })

  it('is refused where outputs of one address come alone', () => {
    const connector = Object.assign(new FakeConnector(), {
      capabilities: { history: true, allRoutes: true, partial: true }
    })
    expect(() => new LayerBridge({ connector, verify: { parties: PARTIES } })).toThrow(
      expect.objectContaining({ code: 'BRIDGE_OPTIONS' })
    )
  })

  it('costs nothing where it is left out: the connector stays as it is, and getSnapshot() shows no number', async () => {
    const connector = new FakeConnector()
    const bridge = new LayerBridge({ connector })
    const connected = bridge.connect()
    connector.last.greet()
    await connected
    expect(bridge.getSnapshot()).not.toHaveProperty('verified')
    await bridge.disconnect()
  })
})
