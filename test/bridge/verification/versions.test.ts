import { LayerBridge } from 'layer-sdk/bridge'
import type { BridgeVerification, UnverifiedSnapshot } from 'layer-sdk/bridge'
import { parseJson, stringifyJson } from '../../../src/codec/json'
import type { SignedRecording } from '../../support/recordings'
import { readRecording } from '../../support/recordings'
import { greetings, ScriptedNode } from '../../support/scriptedNode'
import { messageOf, SignedHead } from '../../support/signedHead'
import { addressOf, PARTIES } from '../../support/signedSnapshot'
import { describeWithShared, homeVectors } from '../../support/vectors'

const HEAD = '5e'.repeat(28)
const OTHER = '77'.repeat(28)
const ALICE_KEY = 'a1'.repeat(28)
const ALICE = addressOf(`60${ALICE_KEY}`)
const ADA = 1_000_000n

let node: ScriptedNode
let bridge: LayerBridge
let unverified: UnverifiedSnapshot[]
let answer: unknown

beforeEach(async () => {
  node = await new ScriptedNode().start()
  unverified = []
  answer = null
  node.routes['GET /snapshot'] = () => (answer === null ? { status: 404 } : { text: stringifyJson(answer) })
})
afterEach(async () => {
  await bridge.disconnect()
  await node.stop()
})

function greet(fields: Record<string, unknown>): void {
  node.onConnection = (socket) =>
    socket.send(JSON.stringify(greetings({ hydraHeadId: HEAD, snapshotUtxo: undefined, ...fields })))
}

async function connect(verify: BridgeVerification, options: object = {}): Promise<void> {
  bridge = new LayerBridge({ url: node.url, verify, ...options })
  bridge.events.on('onUnverified', (snapshot) => {
    unverified.push(snapshot)
  })
  await bridge.connect()
}

/** Resolves once the bridge shows what is wanted. */
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
const say = (message: unknown): void => node.send(stringifyJson(message))
const balance = (address = ALICE): bigint | null | undefined => {
  const found = bridge.getAddressBalance(address)
  return found === null ? null : found.get('lovelace')
}
const opens = (headId: string, seq: number): object => ({
  tag: 'HeadIsOpen',
  headId,
  parties: PARTIES.map((vkey) => ({ vkey })),
  seq,
  timestamp: '2026-01-01T00:00:00Z'
})
const seen = (tag: string): Promise<void> =>
  new Promise((resolve) => {
    bridge.events.on('onMessage', (payload) => {
      if (payload.tag === tag) resolve()
    })
  })

describeWithShared('a bridge that verifies what two real nodes of 2.4.1 sent', () => {
  it.each([
    ['with its outputs', false],
    ['without its outputs, which follow from the transaction', true]
  ])('shows nothing to spend after the first snapshot, and 40 and 160 ada after the second, %s', async (_, isLean) => {
    const { hydraNodeVersion, headId, partyKeys, withDeposit, withoutDeposit } =
      readRecording<SignedRecording>('signed-snapshots-2.4.1')
    greet({ hydraHeadId: headId, hydraNodeVersion })
    answer = { tag: 'InitialSnapshot', headId, initialUTxO: {} }
    await connect({ parties: partyKeys, headId, checkInterval: 0 }, { noSnapshotUtxo: isLean })
    await shows(() => bridge.lastSnapshotNumber === 0)
    const [receiver, payer] = Object.values<any>(withoutDeposit.snapshot['utxo']).map(
      ({ address }) => address as string
    )
    const message = (of: typeof withDeposit): any => structuredClone(messageOf({ ...of, snapshot: { ...of.snapshot } }))
    const [first, second] = [message(withDeposit), message(withoutDeposit)]
    if (isLean) {
      delete first.snapshot.utxo
      delete second.snapshot.utxo
    }
    say(first)
    await shows(() => bridge.getSnapshot().verified === 1 && bridge.lastSnapshotNumber === 1)
    const arriving = bridge.getAddressArriving(payer!)
    expect(arriving).toEqual(new Map([['lovelace', 200n * ADA]]))
    expect(bridge.getAddressBalance(payer!)).toEqual(arriving)

    say(second)
    await shows(() => bridge.getSnapshot().verified === 2 && bridge.lastSnapshotNumber === 2)
    expect([balance(receiver), balance(payer)]).toEqual([40n * ADA, 160n * ADA])
    expect(bridge.getAddressArriving(payer!)).toEqual(new Map())

    expect(unverified).toEqual([])
  })
})

describe('a bridge that verifies', () => {
  it('shows what nodes of 2.4 sign, with a deposit and without, and refuses a forged deposit id', async () => {
    const [vector] = homeVectors<any>('signed_snapshots').filter(({ id }) => id === 'deposit-2.4')
    const { snapshot, signatures, parties } = vector
    greet({ hydraHeadId: snapshot.headId, hydraNodeVersion: '2.4.1' })
    await connect({ parties })
    const forged = structuredClone(snapshot)
    forged.depositTxId = 'ab'.repeat(32)
    say(messageOf({ snapshot: forged, signatures: { multiSignature: signatures } }, 1))
    await shows(() => unverified.length === 1)
    expect(unverified[0]).toMatchObject({ reason: 'signature', number: 300 })
    say(messageOf({ snapshot, signatures: { multiSignature: signatures } }, 2))
    await shows(() => bridge.lastSnapshotNumber === 300)
    expect(bridge.getSnapshot()).toMatchObject({ verified: 300, ready: true })
  })

  it('names a newer node once, shows no balance of it, and says how to go on', async () => {
    const head = new SignedHead(HEAD, 'next')
    head.utxo = { [`${'0a'.repeat(32)}#0`]: { address: ALICE, value: { lovelace: 5_000_000 } } }
    greet({ headStatus: 'Idle', hydraHeadId: undefined, hydraNodeVersion: '2.5.0-abc' })
    answer = await head.answer()
    await connect({ parties: PARTIES }, { autoReconnect: true, reconnectInterval: 1 })
    expect(unverified).toHaveLength(1)
    expect(unverified[0]).toMatchObject({
      reason: 'unknown-rule',
      source: 'message',
      number: null,
      versions: { node: '2.5.0-abc', newestKnown: '2.4' },
      detail: expect.stringMatching(/update layer-sdk, or go on without verify/)
    })
    const opened = seen('HeadIsOpen')
    say(opens(HEAD, 1))
    await opened
    expect(balance()).toBeNull()
    say(messageOf(await head.answer(), 2))
    say(messageOf(await head.answer(), 3))
    const told = seen('TxValid')
    say({
      tag: 'TxValid',
      headId: HEAD,
      transactionId: 'ab'.repeat(32),
      transaction: { txId: 'ab'.repeat(32) },
      seq: 4,
      timestamp: '2026-01-01T00:00:00Z'
    })
    await told
    await expect(bridge.querySnapshotUtxo()).rejects.toMatchObject({ code: 'VERIFICATION', reason: 'unknown-rule' })
    await expect(bridge.confirmedSnapshot()).rejects.toMatchObject({ code: 'VERIFICATION', reason: 'unknown-rule' })
    node.cut()
    await shows(() => bridge.state === 'reconnecting')
    await shows(() => bridge.state === 'connected')
    expect(unverified).toHaveLength(1)
    expect(balance()).toBeNull()
    expect(bridge.getSnapshot()).toMatchObject({
      unknownRule: { node: '2.5.0-abc', newestKnown: '2.4' },
      verified: null,
      ready: false
    })
    // A node that is known again is verified again.
    const older = new SignedHead(HEAD, '2.4')
    older.utxo = head.utxo
    answer = await older.answer()
    greet({ hydraNodeVersion: '2.4.1' })
    node.cut()
    await shows(() => bridge.lastSnapshotNumber === 3)
    expect(balance()).toBe(5n * ADA)
    expect(bridge.getSnapshot()).not.toHaveProperty('unknownRule')
  })

  it('verifies the source after 2.4.1 only where its rule is named', async () => {
    const head = new SignedHead(HEAD, 'next')
    head.utxo = { [`${'0a'.repeat(32)}#0`]: { address: ALICE, value: { lovelace: 5_000_000 } } }
    greet({ hydraNodeVersion: '2.5.0' })
    answer = await head.answer()
    await connect({ parties: PARTIES, rule: 'next' })
    await shows(() => bridge.lastSnapshotNumber === 3)
    expect(balance()).toBe(5n * ADA)
    expect(unverified).toEqual([])
    expect(() => new LayerBridge({ url: node.url, verify: { parties: PARTIES, rule: 'newest' as never } })).toThrow(
      /verify\.rule/
    )
  })

  it('tells a build of the later source that calls itself 2.4.1 from a forgery, and goes on with what verifies', async () => {
    const head = new SignedHead(HEAD, 'next')
    greet({ hydraNodeVersion: '2.4.1' })
    await connect({ parties: PARTIES })
    say(messageOf(await head.answer(), 1))
    await shows(() => unverified.length === 1)
    expect(unverified[0]).toMatchObject({ reason: 'unknown-rule', number: 3, versions: { node: null } })
    expect(bridge.getSnapshot()).toMatchObject({ unknownRule: { newestKnown: '2.4' } })
    const known = new SignedHead(HEAD, '2.4', 4)
    say(messageOf(await known.answer(), 2))
    await shows(() => bridge.lastSnapshotNumber === 4)
    expect(bridge.getSnapshot()).not.toHaveProperty('unknownRule')
  })

  it('counts nothing of another head than the pinned one: the balance is not known, and not 0', async () => {
    const head = new SignedHead(HEAD, '2.4')
    head.utxo = { [`${'0a'.repeat(32)}#0`]: { address: ALICE, value: { lovelace: 5_000_000 } } }
    greet({ hydraNodeVersion: '2.4.1' })
    answer = await head.answer()
    await connect({ parties: PARTIES, headId: HEAD })
    await shows(() => bridge.lastSnapshotNumber === 3)
    answer = { tag: 'InitialSnapshot', headId: OTHER, initialUTxO: {} }
    say(opens(OTHER, 200))
    await shows(() => unverified.length > 0)
    expect(unverified[0]).toMatchObject({ reason: 'input', source: 'request' })
    expect([balance(), bridge.getSnapshot().ready]).toEqual([null, false])
    await expect(bridge.querySnapshotUtxo()).rejects.toMatchObject({ reason: 'input' })
    // The pinned one goes on where it comes back.
    const next = await head.next()
    next['snapshot'].utxo = head.utxo
    say({ ...next, seq: 201 })
    await shows(() => bridge.lastSnapshotNumber === 4)
    expect(balance()).toBe(5n * ADA)
  })

  it('shows the number that it has verified of the present head, and none of the one before', async () => {
    const head = new SignedHead(HEAD, '2.4')
    greet({ hydraNodeVersion: '2.4.1' })
    answer = await head.answer()
    await connect({ parties: PARTIES })
    await shows(() => bridge.getSnapshot().verified === 3)
    const ended = seen('HeadIsFinalized')
    say({ tag: 'HeadIsFinalized', headId: HEAD, finalizedUTxO: {}, seq: 200, timestamp: '2026-01-01T00:00:00Z' })
    await ended
    expect(bridge.getSnapshot().verified).toBeNull()
    // What is still said of the head that has ended changes nothing.
    say(messageOf(await new SignedHead(HEAD, '2.4', 9).answer(), 201))
    const opened = seen('HeadIsOpen')
    say(opens(OTHER, 202))
    await opened
    expect(bridge.getSnapshot()).toMatchObject({ verified: null, headId: OTHER })
    say(messageOf(await new SignedHead(OTHER, '2.4', 1).answer(), 203))
    await shows(() => bridge.lastSnapshotNumber === 1)
    expect(bridge.getSnapshot().verified).toBe(1)
  })
})

describe('a bridge whose node has no snapshot to answer with', () => {
  const FIRST = { [`${'0a'.repeat(32)}#0`]: { address: ALICE, value: { lovelace: 5_000_000 } } }

  it.each<[string, object, bigint | undefined, string[]]>([
    ['outputs, and a snapshot without transactions', FIRST, 5n * ADA, []],
    ['outputs, and a snapshot with a transaction by its id alone', FIRST, 5n * ADA, ['ab'.repeat(32)]],
    ['no outputs, and a snapshot without transactions', {}, undefined, []]
  ])(
    'shows what Greetings brought, and then the next snapshot that comes with its outputs: %s',
    async (_, utxo, before, confirmed) => {
      greet({ hydraNodeVersion: '2.4.1', snapshotUtxo: utxo })
      bridge = new LayerBridge({ url: node.url })
      await bridge.connect()
      await shows(() => bridge.getSnapshot().ready)
      expect(balance()).toBe(before)
      const head = new SignedHead(HEAD, '2.4', 7)
      head.utxo = { [`${'0b'.repeat(32)}#0`]: { address: ALICE, value: { lovelace: 7_000_000 } } }
      const message = messageOf(await head.answer({ confirmed: confirmed.map((txId) => ({ txId })) }))
      say(parseJson(stringifyJson(message)))
      await shows(() => bridge.lastSnapshotNumber === 7)
      expect(balance()).toBe(7n * ADA)
    }
  )
})
