import { LayerBridge } from 'layer-sdk/bridge'
import type { BridgeVerification, LayerPayload, UnverifiedSnapshot } from 'layer-sdk/bridge'
import { stringifyJson } from '../../../src/codec/json'
import type { VerificationRule } from '../../../src/verify'
import { FakeConnector } from '../../support/fakeConnector'
import { greetings, ScriptedNode } from '../../support/scriptedNode'
import { held, messageOf, SignedHead, transactionOf } from '../../support/signedHead'
import { addressOf, PARTIES } from '../../support/signedSnapshot'

const HEAD = '5e'.repeat(28)
const [ALICE_KEY, BOB_KEY] = ['a1'.repeat(28), 'b0'.repeat(28)] as const
const [ALICE, BOB] = [addressOf(`60${ALICE_KEY}`), addressOf(`60${BOB_KEY}`)]
const BYRON = 'Ae2tdPwUPEZFRbyhz3cpfC2CumGzNkFBN2L42rcUc2yjQpEkxDbkPodpMAi'
const FIRST = `${'0a'.repeat(32)}#0`
const VERSIONS: Readonly<Record<VerificationRule, string>> = {
  '0.20-2.1': '1.3.0',
  '2.2': '2.2.0',
  '2.3': '2.3.0',
  '2.4': '2.4.1',
  next: '2.5.0'
}

let node: ScriptedNode
let bridge: LayerBridge
let head: SignedHead
let baseline: any
let unverified: UnverifiedSnapshot[]
let messages: LayerPayload[]
/** What a handler or a listener has ever seen Alice hold. */
let seen: (bigint | undefined)[]

beforeEach(async () => {
  node = await new ScriptedNode().start()
  unverified = []
  messages = []
  seen = []
  node.routes['GET /snapshot'] = () => ({ text: stringifyJson(baseline) })
  begin()
})
afterEach(async () => {
  await bridge.disconnect()
  await node.stop()
})

/** A head of this rule in which Alice holds 5 ada. */
function begin(rule: VerificationRule = '2.3'): void {
  head = new SignedHead(HEAD, rule)
  head.utxo = { [FIRST]: held(5_000_000, ALICE) }
  node.onConnection = (socket) =>
    socket.send(
      JSON.stringify(greetings({ hydraHeadId: HEAD, hydraNodeVersion: VERSIONS[rule], snapshotUtxo: undefined }))
    )
}

/** Connects, and waits until the bridge shows the head as it is. */
async function connect(verify: Partial<BridgeVerification> = {}, options: object = {}): Promise<void> {
  baseline = await head.answer()
  bridge = new LayerBridge({
    url: node.url,
    noSnapshotUtxo: true,
    verify: { parties: PARTIES, checkInterval: 0, ...verify },
    ...options
  })
  bridge.events.on('onUnverified', (snapshot) => {
    unverified.push(snapshot)
  })
  bridge.events.on('onMessage', (payload) => {
    messages.push(payload)
    seen.push(balance())
  })
  bridge.subscribe(() => {
    seen.push(balance())
  })
  await bridge.connect()
}
const ready = async (...given: Parameters<typeof connect>): Promise<void> => {
  await connect(...given)
  await shows(() => bridge.lastSnapshotNumber === head.number)
}

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
const balance = (address = ALICE): bigint | undefined => bridge.getAddressBalance(address)?.get('lovelace')
const say = (message: unknown): void => node.send(stringifyJson(message))
const asked = (path: string): number => node.requests.filter(({ url }) => url === path).length
const tags = (): string[] =>
  messages.map(({ tag, ...rest }) => (tag === 'SnapshotConfirmed' ? `${tag} ${(rest as any).snapshot.number}` : tag))

describe('a bridge that verifies snapshots without outputs', () => {
  it.each<VerificationRule>(['0.20-2.1', '2.2', '2.3'])(
    'shows what follows from their transactions once it is proven, under rule %s',
    async (rule) => {
      begin(rule)
      await ready()
      expect(node.queries[0]).toContain('snapshot-utxo=no')
      const first = head.pay(
        [FIRST],
        [
          [BOB_KEY, 2_000_000],
          [ALICE_KEY, 3_000_000]
        ]
      )
      say(await head.next([first]))
      await shows(() => bridge.lastSnapshotNumber === 4)
      expect([balance(), balance(BOB), bridge.getSnapshot().verified]).toEqual([3_000_000n, 2_000_000n, 4])
      const back = head.pay([`${first['txId']}#0`], [[ALICE_KEY, 2_000_000]])
      say(await head.next([back]))
      await shows(() => bridge.lastSnapshotNumber === 5)
      expect([balance(), balance(BOB)]).toEqual([5_000_000n, undefined])
      expect(unverified).toEqual([])
      expect(tags()).toEqual(['Greetings', 'SnapshotConfirmed 4', 'SnapshotConfirmed 5'])
      // The outputs were requested once, to begin with.
      expect(asked('/snapshot')).toBe(1)
      expect(new Set(seen)).toEqual(new Set([undefined, 5_000_000n, 3_000_000n]))
    }
  )

  it('takes nothing from what a gateway says that a snapshot changes: that is not signed', async () => {
    await ready()
    // Two outputs: an equal one in the place of one that nobody has signed away would be refused.
    const payment = head.pay(
      [FIRST],
      [
        [ALICE_KEY, 2_000_000],
        [ALICE_KEY, 3_000_000]
      ]
    )
    const forged = { [`${'0f'.repeat(32)}#0`]: held(9_000_000, ALICE) }
    const { number } = head
    const message = await head.next([payment])
    say({ ...(message as object), delta: { from: number, number: number + 1, spent: [FIRST], made: forged, count: 1 } })
    say({ tag: 'GatewayProgress', headId: HEAD, from: 0, number: 90 })
    await shows(() => bridge.lastSnapshotNumber === number + 1)
    expect([balance(), bridge.getSnapshot().verified, asked('/snapshot'), unverified]).toEqual([
      5_000_000n,
      number + 1,
      1,
      []
    ])
    expect(new Set(seen)).toEqual(new Set([undefined, 5_000_000n]))
  })

  it.each<VerificationRule>(['0.20-2.1', '2.2', '2.3'])(
    'follows deposits and decommits, which are signed apart, under rule %s',
    async (rule) => {
      begin(rule)
      await ready()
      const deposit = { [`${'d0'.repeat(32)}#0`]: held(7_000_000, BOB) }
      say(await head.next([], { utxoToCommit: deposit }))
      await shows(() => bridge.lastSnapshotNumber === 4)
      expect(balance(BOB)).toBe(7_000_000n)
      Object.assign(head.utxo, deposit)
      head.version++
      say(await head.next())
      await shows(() => bridge.lastSnapshotNumber === 5)
      const decommitTx = transactionOf([FIRST], [[ALICE_KEY, 5_000_000]])
      say({
        tag: 'DecommitRequested',
        headId: HEAD,
        decommitTx,
        utxoToDecommit: {},
        seq: 150,
        timestamp: '2026-01-01T00:00:00Z'
      })
      delete head.utxo[FIRST]
      say(await head.next([], { utxoToDecommit: { [`${decommitTx['txId']}#0`]: held(5_000_000, ALICE) } }))
      await shows(() => bridge.lastSnapshotNumber === 6)
      expect([balance(), balance(BOB), bridge.getSnapshot().verified]).toEqual([undefined, 7_000_000n, 6])
      expect([unverified, asked('/snapshot')]).toEqual([[], 1])
    }
  )

  const forgeries: [string, (message: any, before: any) => void, string][] = [
    [
      'an amount is raised',
      (message) => (message.snapshot.confirmed = [transactionOf([FIRST], [[ALICE_KEY, 9_000_000]])]),
      'accumulator'
    ],
    [
      'an output is dropped',
      (message) => (message.snapshot.confirmed = [transactionOf([FIRST], [[BOB_KEY, 2_000_000]])]),
      'accumulator'
    ],
    ['a transaction is left out', (message) => (message.snapshot.confirmed = []), 'accumulator'],
    ['the number is another', (message) => message.snapshot.number++, 'signature'],
    ['the version is another', (message) => message.snapshot.version++, 'signature'],
    ['the head is another', (message) => (message.headId = message.snapshot.headId = '77'.repeat(28)), 'signature'],
    ['the head is another outside', (message) => (message.headId = '77'.repeat(28)), 'input'],
    [
      'a deposit is made up',
      (message) => (message.snapshot.utxoToCommit = { [`${'d0'.repeat(32)}#0`]: held(7_000_000, ALICE) }),
      'signature'
    ],
    ['the accumulator is another', (message) => (message.snapshot.accumulator = '00'.repeat(32)), 'signature'],
    ['a signature is reused', (message, before) => (message.signatures = before.signatures), 'signature'],
    ['a signature is missing', (message) => message.signatures.multiSignature.pop(), 'signature'],
    [
      'the key is a stranger’s',
      (message) => (message.signatures.multiSignature[2] = message.signatures.multiSignature[0]),
      'party-order'
    ],
    ['it claims to be of a node that signs no accumulator', (message) => delete message.snapshot.accumulator, ''],
    ['it says nothing of transactions or outputs', (message) => delete message.snapshot.confirmed, '']
  ]
  it.each(forgeries)('keeps one from cache and handlers where %s', async (what, forge, reason) => {
    await ready()
    const paid = head.pay(
      [FIRST],
      [
        [BOB_KEY, 2_000_000],
        [ALICE_KEY, 3_000_000]
      ]
    )
    const message = await head.next([paid])
    const honest = await head.answer({ confirmed: [paid] })
    // The server goes on lying until it is asked.
    forge(message, baseline)
    const isForged = reason !== ''
    if (what.startsWith('it claims')) message.snapshot.confirmed = [transactionOf([FIRST], [[ALICE_KEY, 9_000_000]])]
    say(message)
    if (isForged || what.startsWith('it claims')) {
      await shows(() => unverified.length === 1)
      expect(unverified[0]).toMatchObject({
        reason: isForged ? reason : 'signature',
        source: 'message',
        number: message.snapshot.number
      })
    } else await bridge.verifyNow()
    await bridge.verifyNow()
    expect([bridge.lastSnapshotNumber, balance(), bridge.getSnapshot().verified]).toEqual([3, 5_000_000n, 3])
    expect(tags()).toEqual(['Greetings'])
    expect(new Set(seen)).toEqual(new Set([undefined, 5_000_000n]))
    // An honest server: what was refused comes with GET /snapshot, which the bridge reads after a wrong accumulator.
    baseline = honest
    head.number = 4
    const next = head.pay([`${paid['txId']}#1`], [[BOB_KEY, 3_000_000]])
    say({ ...(await head.next([next])), seq: 300 })
    await shows(() => bridge.lastSnapshotNumber === 5)
    expect([balance(), balance(BOB), bridge.getSnapshot().verified]).toEqual([undefined, 5_000_000n, 5])
    expect(seen).not.toContain(9_000_000n)
  })

  it('refuses forged transactions where the outputs themselves are signed (up to 2.1)', async () => {
    begin('0.20-2.1')
    await ready()
    const paid = head.pay([FIRST], [[BOB_KEY, 5_000_000]])
    const message = await head.next([paid])
    message['snapshot'].confirmed = [transactionOf([FIRST], [[ALICE_KEY, 5_000_001]])]
    baseline = await head.answer({ confirmed: [paid] })
    say(message)
    await shows(() => unverified.length === 1)
    expect(unverified[0]).toMatchObject({ reason: 'signature', source: 'message', number: 4 })
    // Read again on the difference.
    await shows(() => bridge.lastSnapshotNumber === 4)
    expect([balance(), balance(BOB)]).toEqual([undefined, 5_000_000n])
    say({ ...message, seq: 201, snapshot: { ...message['snapshot'], confirmed: [] } })
    await shows(() => unverified.length === 2)
    expect(unverified[1]).toMatchObject({ reason: 'stale', number: 4 })
    expect(tags()).toEqual(['Greetings'])
  })

  it('reads the outputs again when what follows is not what was signed, and goes on from there', async () => {
    await ready()
    const paid = head.pay([FIRST], [[BOB_KEY, 5_000_000]])
    const message = await head.next([paid])
    message['snapshot'].confirmed = [transactionOf([FIRST], [[ALICE_KEY, 9_000_000]])]
    baseline = await head.answer({ confirmed: [paid] })
    say(message)
    await shows(() => bridge.lastSnapshotNumber === 4)
    expect([balance(), balance(BOB), bridge.getSnapshot().verified, asked('/snapshot')]).toEqual([
      undefined,
      5_000_000n,
      4,
      2
    ])
    expect(unverified.map(({ reason }) => reason)).toEqual(['accumulator'])
    say({ ...(await head.next([head.pay([`${paid['txId']}#0`], [[ALICE_KEY, 5_000_000]])])), seq: 300 })
    await shows(() => bridge.lastSnapshotNumber === 5)
    // What was forged is forgotten: the next one follows without another request.
    expect([balance(), unverified.length, asked('/snapshot')]).toEqual([5_000_000n, 1, 2])
    expect(seen).not.toContain(9_000_000n)
  })

  it('shows nothing of a forgery that the next snapshot takes back, though both are checked at once', async () => {
    await ready({ checkInterval: 60_000 })
    // The first is checked at once.
    say(await head.next())
    await shows(() => bridge.lastSnapshotNumber === 4)
    const paid = head.pay([FIRST], [[ALICE_KEY, 5_000_000]])
    const forged = await head.next([paid])
    const good = await head.next()
    const rich = transactionOf([FIRST], [[ALICE_KEY, 90_000_000]])
    forged['snapshot'].confirmed = [rich]
    good['snapshot'].confirmed = [
      { ...transactionOf([`${rich['txId']}#0`], [[ALICE_KEY, 5_000_000]]), txId: paid['txId'] }
    ]
    say(forged)
    say(good)
    await shows(() => node.sockets.size === 1)
    await new Promise((resolve) => setTimeout(resolve, 50))
    expect(bridge.lastSnapshotNumber).toBe(4)
    expect(await bridge.verifyNow()).toBe(6)
    expect([bridge.lastSnapshotNumber, balance()]).toEqual([6, 5_000_000n])
    expect(new Set(seen)).toEqual(new Set([undefined, 5_000_000n]))
  })

  it('checks at intervals: what comes in between waits, in its order, and is checked together', async () => {
    const scalars: number[] = []
    const { bls12_381 } = await import('@noble/curves/bls12-381.js')
    const { Point } = bls12_381.G1
    const accelerator = {
      msm: (points: Uint8Array, numbers: readonly bigint[]) => {
        scalars.push(numbers.length)
        return numbers
          .reduce(
            (sum, n, i) => sum.add(Point.fromBytes(points.slice(48 * i, 48 * i + 48)).multiplyUnsafe(n)),
            Point.ZERO
          )
          .toBytes()
      }
    }
    await ready({ checkInterval: 60_000, accelerator })
    say(await head.next())
    await shows(() => bridge.lastSnapshotNumber === 4)
    scalars.length = 0
    let last = FIRST
    for (const lovelace of [4_000_000, 3_000_000, 2_000_000]) {
      const paid = head.pay([last], [[ALICE_KEY, lovelace]])
      last = `${paid['txId']}#0`
      say({
        tag: 'TxValid',
        headId: HEAD,
        transactionId: paid['txId'],
        seq: 200 + head.number,
        timestamp: '2026-01-01T00:00:00Z'
      })
      say({ ...(await head.next([paid])), seq: 250 + head.number })
    }
    await shows(() => tags().includes('TxValid'))
    expect([balance(), bridge.lastSnapshotNumber]).toEqual([5_000_000n, 4])
    await new Promise((resolve) => setTimeout(resolve, 50))
    expect(await bridge.verifyNow()).toBe(7)
    expect([balance(), bridge.lastSnapshotNumber, scalars]).toEqual([2_000_000n, 7, [2]])
    expect(tags().slice(2)).toEqual([
      'TxValid',
      'SnapshotConfirmed 5',
      'TxValid',
      'SnapshotConfirmed 6',
      'TxValid',
      'SnapshotConfirmed 7'
    ])
    expect(new Set(seen)).toEqual(new Set([undefined, 5_000_000n, 2_000_000n]))
  })

  it('checks when the interval has passed, without a call', async () => {
    await ready({ checkInterval: 30 })
    say(await head.next())
    say(await head.next())
    await shows(() => bridge.lastSnapshotNumber === 5)
    expect(unverified).toEqual([])
  })

  it('closes a gap with GET /snapshot, and refuses what that does not bring', async () => {
    await ready()
    head.pay([FIRST], [[BOB_KEY, 5_000_000]])
    await head.next()
    const after = await head.next()
    baseline = await head.answer()
    say(after)
    await shows(() => tags().includes('SnapshotConfirmed 5'))
    expect([balance(), balance(BOB), unverified, tags().at(-1)]).toEqual([
      undefined,
      5_000_000n,
      [],
      'SnapshotConfirmed 5'
    ])
    await head.next()
    const later = await head.next()
    baseline.snapshot.utxo = { [FIRST]: held(99_000_000, ALICE) }
    say({ tag: 'TxValid', headId: HEAD, transactionId: 'ab'.repeat(32), seq: 400, timestamp: '2026-01-01T00:00:00Z' })
    say({ ...later, seq: 401 })
    await shows(() => unverified.some(({ source, number }) => source === 'message' && number === 7))
    expect(unverified.map(({ reason }) => reason)).toEqual(['accumulator', 'accumulator'])
    expect([bridge.lastSnapshotNumber, balance(), balance(BOB)]).toEqual([5, undefined, 5_000_000n])
  })

  it('passes on none whose outputs, which are what is signed up to 2.1, came too late to check it on its own', async () => {
    begin('0.20-2.1')
    let reply: (answer: object) => void
    node.routes['GET /snapshot'] = () => new Promise((resolve) => (reply = resolve))
    await connect()
    const first = await head.next([head.pay([FIRST], [[BOB_KEY, 5_000_000]])])
    first['signatures'] = { multiSignature: [] }
    say(first)
    say(await head.next())
    await shows(() => tags().includes('Greetings'))
    while (asked('/snapshot') === 0) await new Promise((resolve) => setTimeout(resolve, 5))
    await new Promise((resolve) => setTimeout(resolve, 50))
    expect([unverified, bridge.lastSnapshotNumber]).toEqual([[], -1])
    reply!({ text: stringifyJson(baseline) })
    await shows(() => tags().includes('SnapshotConfirmed 5'))
    expect([balance(), balance(BOB), tags()]).toEqual([undefined, 5_000_000n, ['Greetings', 'SnapshotConfirmed 5']])
    expect(unverified).toMatchObject([{ reason: 'rule', number: 4, source: 'message' }])
  })

  it('takes no unsigned outputs to begin with: neither those of Greetings nor of a forged or initial GET /snapshot', async () => {
    node.onConnection = (socket) =>
      socket.send(JSON.stringify(greetings({ hydraHeadId: HEAD, snapshotUtxo: { [FIRST]: held(999_000_000, ALICE) } })))
    head.utxo = { [FIRST]: held(99_000_000, ALICE) }
    const forged = await head.answer()
    head.utxo = { [FIRST]: held(5_000_000, ALICE) }
    const honest = await head.answer()
    await connect()
    baseline = { ...honest, snapshot: { ...honest['snapshot'], utxo: forged['snapshot'].utxo } }
    say(await head.next())
    await shows(() => unverified.length > 0)
    expect(unverified[0]!.source).toBe('request')
    baseline = { tag: 'InitialSnapshot', headId: HEAD, initialUTxO: { [FIRST]: held(1, ALICE) } }
    await expect(bridge.querySnapshotUtxo()).rejects.toMatchObject({ reason: 'initial' })
    expect([bridge.getAddressBalance(ALICE), bridge.getSnapshot().verified]).toEqual([null, null])
    baseline = await head.answer()
    await bridge.querySnapshotUtxo()
    expect([balance(), bridge.getSnapshot().verified]).toEqual([5_000_000n, 4])
    expect(new Set(seen)).toEqual(new Set([undefined, 5_000_000n]))
  })

  it('does not go back behind a snapshot that it has verified, not even after a drop', async () => {
    await ready({}, { autoReconnect: true, reconnectInterval: 1 })
    const old = await head.next()
    for (let i = 0; i < 4; i++) await head.next()
    baseline = await head.answer()
    await bridge.querySnapshotUtxo()
    expect(bridge.lastSnapshotNumber).toBe(8)
    head.number = 3
    baseline = await head.answer()
    node.cut()
    await shows(() => unverified.length > 0)
    expect(unverified[0]).toMatchObject({ reason: 'stale', source: 'request', number: 3 })
    unverified = []
    say({ ...old, seq: 500 })
    await shows(() => unverified.some(({ source }) => source === 'message'))
    expect(unverified.at(-1)).toMatchObject({ reason: 'stale', number: 4 })
    expect(bridge.getAddressBalance(ALICE)).toBeNull()
  })

  it('passes on an older snapshot that comes late, for its signatures are good and the cache is ahead', async () => {
    await connect({}, {})
    const late = await head.next()
    head.utxo = { [FIRST]: held(5_000_000, ALICE), [`${'0b'.repeat(32)}#0`]: held(1_000_000, ALICE) }
    await head.next()
    baseline = await head.answer()
    await bridge.querySnapshotUtxo()
    say(late)
    await shows(() => tags().includes('SnapshotConfirmed 4'))
    expect([bridge.lastSnapshotNumber, balance(), bridge.getSnapshot().verified, unverified]).toEqual([
      5,
      6_000_000n,
      5,
      []
    ])
  })

  it('counts outputs at Byron addresses in the accumulator, and shows none of them', async () => {
    head.utxo[`${'cd'.repeat(32)}#0`] = held(1_000_000_000, BYRON)
    await ready()
    const paid = head.pay([FIRST], [[BOB_KEY, 5_000_000]])
    say(await head.next([paid], { utxoToCommit: { [`${'ce'.repeat(32)}#0`]: held(1, BYRON) } }))
    await shows(() => bridge.lastSnapshotNumber === 4)
    expect(await bridge.addressesInHead()).toEqual([BOB])
    expect((messages.at(-1) as any).snapshot.utxoToCommit).toEqual({})
  })

  it('takes whole snapshots in between, which a server may send all the same', async () => {
    await ready({ checkInterval: 60_000 })
    say(await head.next())
    await shows(() => bridge.lastSnapshotNumber === 4)
    const paid = head.pay([FIRST], [[BOB_KEY, 5_000_000]])
    say(await head.next([paid]))
    head.utxo[`${'0b'.repeat(32)}#0`] = held(1_000_000, ALICE)
    head.number++
    say(messageOf(await head.answer()))
    await shows(() => bridge.lastSnapshotNumber === 6)
    expect([balance(), balance(BOB), tags().slice(2)]).toEqual([
      1_000_000n,
      5_000_000n,
      ['SnapshotConfirmed 5', 'SnapshotConfirmed 6']
    ])
  })

  it('passes on what came after a snapshot that it refuses', async () => {
    await ready({ checkInterval: 60_000 })
    say(await head.next())
    await shows(() => bridge.lastSnapshotNumber === 4)
    const message = await head.next([head.pay([FIRST], [[BOB_KEY, 5_000_000]])])
    message['snapshot'].confirmed = []
    say(message)
    say({ tag: 'TxValid', headId: HEAD, transactionId: 'ab'.repeat(32), seq: 400, timestamp: '2026-01-01T00:00:00Z' })
    say({ tag: 'HeadIsFinalized', headId: HEAD, utxo: {}, seq: 401, timestamp: '2026-01-01T00:00:00Z' })
    await shows(() => tags().includes('HeadIsFinalized'))
    expect(tags().slice(2)).toEqual(['TxValid', 'HeadIsFinalized'])
    expect(unverified).toMatchObject([{ reason: 'accumulator', number: 5 }])
  })

  describe('of the history, whose snapshots are signed and their lists of transactions are not,', () => {
    const refusalOf = (transaction: unknown): object => ({
      tag: 'TxInvalid',
      headId: HEAD,
      utxo: {},
      transaction,
      validationError: { reason: 'refused' },
      seq: 90,
      timestamp: '2026-01-01T00:00:00Z'
    })
    let paid: any
    let lean: any
    let whole: any
    const replay = (...past: unknown[]): void => {
      node.onConnection = (socket, query) => {
        if (query.includes('history=yes')) for (const message of past) socket.send(stringifyJson(message))
        socket.send(
          JSON.stringify(greetings({ hydraHeadId: HEAD, hydraNodeVersion: '2.3.0', snapshotUtxo: undefined }))
        )
      }
    }
    beforeEach(async () => {
      await ready()
      paid = head.pay([FIRST], [[BOB_KEY, 5_000_000]])
      lean = await head.next([paid])
      whole = messageOf(await head.answer({ confirmed: [paid] }))
    })
    afterEach(() => {
      expect([bridge.lastSnapshotNumber, balance()]).toEqual([3, 5_000_000n])
    })

    it('finds a transaction whose effect signed outputs show', async () => {
      replay(whole)
      expect(await bridge.findTransaction(paid['txId'])).toMatchObject({
        status: 'confirmed',
        snapshotNumber: 4,
        exact: true
      })
    })

    it('says of one that is named without outputs neither that it is confirmed nor that it never was', async () => {
      replay(lean)
      expect(await bridge.findTransaction(paid['txId'])).toEqual({ status: 'unknown', isComplete: false })
      // Nor that an earlier refusal stands.
      replay(refusalOf(paid), lean)
      expect(await bridge.findTransaction(paid['txId'])).toEqual({ status: 'unknown', isComplete: false })
      replay(refusalOf(paid))
      expect(await bridge.findTransaction(paid['txId'])).toMatchObject({
        status: 'invalid',
        reason: 'refused',
        isComplete: true
      })
    })

    it('takes nothing from a snapshot that is not signed', async () => {
      const other = transactionOf([FIRST], [[ALICE_KEY, 1]])
      const forged = structuredClone(lean)
      forged['snapshot'].confirmed = [other]
      forged['snapshot'].number = 9
      replay(lean, forged)
      expect(await bridge.findTransaction(other['txId'])).toEqual({ status: 'unknown', isComplete: true })
    })
  })

  it('goes on where it was when the bridge opens a connection beside its own', async () => {
    await ready()
    node.routes['GET /head'] = {
      body: {
        tag: 'Open',
        contents: { headId: HEAD, coordinatedHeadState: { allTxs: {}, localTxs: [], seenSnapshot: {} } }
      }
    }
    await bridge.inFlight().catch(() => undefined)
    await bridge.messagesAbout(['ab'.repeat(32)])
    expect(node.queries.length).toBeGreaterThan(1)
    say(await head.next([head.pay([FIRST], [[BOB_KEY, 5_000_000]])]))
    await shows(() => bridge.lastSnapshotNumber === 4)
    expect([balance(BOB), asked('/snapshot'), unverified]).toEqual([5_000_000n, 1, []])
  })

  it('asks for outputs when it reads the history of a node that signs nothing else', async () => {
    begin('0.20-2.1')
    await ready()
    const paid = head.pay([FIRST], [[BOB_KEY, 5_000_000]])
    head.number++
    const past = messageOf(await head.answer({ confirmed: [paid] }))
    node.onConnection = (socket, query) => {
      if (query.includes('history=yes') && !query.includes('snapshot-utxo=no')) socket.send(stringifyJson(past))
      socket.send(JSON.stringify(greetings({ hydraHeadId: HEAD, hydraNodeVersion: '1.3.0', snapshotUtxo: undefined })))
    }
    expect(await bridge.findTransaction(paid['txId'])).toMatchObject({
      status: 'confirmed',
      snapshotNumber: 4,
      exact: true
    })
  })
})

describe('verifyNow()', () => {
  it('is refused without the option verify', async () => {
    bridge = new LayerBridge({ connector: new FakeConnector() })
    await expect(bridge.verifyNow()).rejects.toMatchObject({ code: 'BRIDGE_OPTIONS', option: 'verify' })
  })

  it('answers -1 before a connection, and what is verified while nothing waits', async () => {
    baseline = await head.answer()
    bridge = new LayerBridge({ url: node.url, verify: { parties: PARTIES } })
    expect(await bridge.verifyNow()).toBe(-1)
    await bridge.connect()
    await shows(() => bridge.lastSnapshotNumber === 3)
    expect(await bridge.verifyNow()).toBe(3)
  })

  it.each([-1, 60_001, NaN, '5'])('takes no checkInterval of %p', (checkInterval) => {
    bridge = new LayerBridge({ connector: new FakeConnector() })
    expect(
      () =>
        new LayerBridge({
          connector: new FakeConnector(),
          verify: { parties: PARTIES, checkInterval: checkInterval as number }
        })
    ).toThrow(expect.objectContaining({ code: 'BRIDGE_OPTIONS', option: 'checkInterval' }))
  })
})
