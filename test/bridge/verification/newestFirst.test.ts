import { bls12_381 } from '@noble/curves/bls12-381.js'
import { LayerBridge } from 'layer-sdk/bridge'
import type { LayerPayload, UnverifiedSnapshot, VerificationLag } from 'layer-sdk/bridge'
import { Lag } from '../../../src/bridge/verification/Lag'
import { stringifyJson } from '../../../src/codec/json'
import type { VerificationRule } from '../../../src/verify'
import { verifySnapshot } from '../../../src/verify'
import { randomSource } from '../../support/random'
import { greetings, ScriptedNode } from '../../support/scriptedNode'
import { held, messageOf, SignedHead, transactionOf } from '../../support/signedHead'
import { addressOf, PARTIES } from '../../support/signedSnapshot'

const HEAD = '5e'.repeat(28)
const ALICE_KEY = 'a1'.repeat(28)
const ALICE = addressOf(`60${ALICE_KEY}`)
const VERSIONS: Readonly<Record<string, string>> = { '0.20-2.1': '1.3.0', '2.3': '2.3.0', '2.4': '2.4.1' }
const keyOf = (n: number): string => `${n.toString(16).padStart(64, '0')}#0`
const { Point } = bls12_381.G1

let node: ScriptedNode
let bridge: LayerBridge
let head: SignedHead
let unverified: UnverifiedSnapshot[]
let messages: LayerPayload[]
/** The number and Alice's lovelace at each message and change. */
let seen: [number, bigint | undefined][]
/** Checks of outputs that have begun, and what lets them end. */
let begun: number
let gate: Promise<void>
let open: () => void

/** Computes as noble does, once the gate is open. */
const accelerator = {
  async msm(points: Uint8Array, scalars: readonly bigint[]): Promise<Uint8Array> {
    begun++
    await gate
    return scalars
      .reduce((sum, n, i) => sum.add(Point.fromBytes(points.slice(48 * i, 48 * i + 48)).multiplyUnsafe(n)), Point.ZERO)
      .toBytes()
  }
}
const shut = (): void => {
  gate = new Promise((resolve) => (open = resolve))
}
const say = (message: unknown): void => node.send(stringifyJson(message))
const balance = (): bigint | undefined => bridge.getAddressBalance(ALICE)?.get('lovelace')
const tags = (): string[] =>
  messages.map(({ tag, ...rest }) => (tag === 'SnapshotConfirmed' ? `${tag} ${(rest as any).snapshot.number}` : tag))
const until = async (condition: () => boolean): Promise<void> => {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 2))
}
const txValid = (seq: number): object => ({
  tag: 'TxValid',
  headId: HEAD,
  transactionId: 'ab'.repeat(32),
  transaction: { txId: 'ab'.repeat(32) },
  seq,
  timestamp: '2026-01-01T00:00:00Z'
})
/** The next snapshot, in which Alice holds one output of so much. */
async function next(lovelace: number, confirmed: object[] = []): Promise<any> {
  head.number++
  head.utxo = { ...head.utxo, [keyOf(lovelace)]: held(lovelace, ALICE) }
  return messageOf(await head.answer({ confirmed }))
}

async function connect(rule: VerificationRule = '2.4', options: object = {}): Promise<void> {
  head = new SignedHead(HEAD, rule)
  head.utxo = { [keyOf(1)]: held(1, ALICE) }
  const baseline = await head.answer()
  node.routes['GET /snapshot'] = () => ({ text: stringifyJson(baseline) })
  node.onConnection = (socket) =>
    socket.send(
      JSON.stringify(greetings({ hydraHeadId: HEAD, hydraNodeVersion: VERSIONS[rule], snapshotUtxo: undefined }))
    )
  bridge = new LayerBridge({ url: node.url, verify: { parties: PARTIES, accelerator }, ...options })
  bridge.events.on('onUnverified', (snapshot) => void unverified.push(snapshot))
  const note = (): void => void seen.push([bridge.lastSnapshotNumber, balance()])
  bridge.events.on('onMessage', (payload) => {
    messages.push(payload)
    note()
  })
  bridge.subscribe(note)
  await bridge.connect()
  await until(() => bridge.lastSnapshotNumber === 3)
  begun = 0
}

beforeEach(async () => {
  node = await new ScriptedNode().start()
  unverified = []
  messages = []
  seen = []
  gate = Promise.resolve()
})
afterEach(async () => {
  open?.()
  await bridge?.disconnect()
  await node.stop()
})

describe('a bridge that verifies snapshots faster than their outputs can be checked', () => {
  it('checks the newest, and passes on those between without their outputs, in their order', async () => {
    await connect()
    shut()
    say(await next(10))
    await until(() => begun === 1)
    const paid = head.pay([keyOf(1)], [[ALICE_KEY, 2]])
    say(await next(100, [paid]))
    say(txValid(150))
    say(await next(1_000))
    await bridge.messagesAbout(['00'.repeat(32)]).catch(() => undefined)
    expect([bridge.lastSnapshotNumber, balance(), tags()]).toEqual([3, 1n, ['Greetings']])
    open()
    expect(await bridge.verifyNow()).toBe(6)
    expect(begun).toBe(2)
    expect(tags().slice(1)).toEqual(['SnapshotConfirmed 4', 'SnapshotConfirmed 5', 'TxValid', 'SnapshotConfirmed 6'])
    const [four, five, six] = messages.filter(({ tag }) => tag === 'SnapshotConfirmed') as any[]
    expect([four, five, six].map(({ snapshot }) => 'utxo' in snapshot)).toEqual([true, false, true])
    expect(six.snapshot.utxo).toEqual(head.utxo)
    // The payment of the snapshot between stands in the outputs of the newest.
    expect(five.snapshot.confirmed).toMatchObject([{ txId: paid['txId'], verified: true }])
    expect([balance(), unverified]).toEqual([1_112n, []])
    for (const each of seen) expect(['-1,', '3,1', '4,11', '6,1112']).toContain(String(each))
  })

  it('refuses the newest where its outputs are forged, and checks the one before it', async () => {
    await connect()
    shut()
    say(await next(10))
    await until(() => begun === 1)
    say(await next(100))
    const forged = await next(1_000)
    forged.snapshot.utxo[keyOf(1_000)].value.lovelace = 999_999
    say(forged)
    say(txValid(200))
    await bridge.messagesAbout(['00'.repeat(32)]).catch(() => undefined)
    open()
    expect(await bridge.verifyNow()).toBe(5)
    expect(unverified).toMatchObject([{ reason: 'accumulator', number: 6, source: 'message' }])
    expect([balance(), tags().slice(1)]).toEqual([111n, ['SnapshotConfirmed 4', 'SnapshotConfirmed 5', 'TxValid']])
  })

  it.each<[string, (message: any) => void, string | null]>([
    ['its outputs are forged', (message) => (message.snapshot.utxo[keyOf(7)] = held(999_999, ALICE)), null],
    ['its number is another', (message) => (message.snapshot.number += 5), 'signature'],
    ['its head is another', (message) => (message.headId = message.snapshot.headId = '77'.repeat(28)), 'signature'],
    ['its head is another outside', (message) => (message.headId = '77'.repeat(28)), 'input'],
    ['its accumulator is another', (message) => (message.snapshot.accumulator = '00'.repeat(32)), 'signature'],
    ['its deposit is another', (message) => (message.snapshot.depositTxId = 'ab'.repeat(32)), 'signature'],
    ['a signature is missing', (message) => message.signatures.multiSignature.pop(), 'signature'],
    [
      'a signature is reused',
      (message) => (message.signatures.multiSignature[1] = message.signatures.multiSignature[0]),
      'party-order'
    ],
    [
      'it states no accumulator',
      (message) => {
        delete message.snapshot.accumulator
        message.snapshot.utxo[keyOf(7)] = held(9, ALICE)
      },
      'signature'
    ]
  ])('shows nothing forged of a snapshot between where %s', async (_, forge, reason) => {
    await connect()
    shut()
    say(await next(10))
    await until(() => begun === 1)
    const forged = await next(100)
    const last = await next(1_000)
    forge(forged)
    say(forged)
    say(last)
    await bridge.messagesAbout(['00'.repeat(32)]).catch(() => undefined)
    open()
    expect(await bridge.verifyNow()).toBe(6)
    expect([bridge.lastSnapshotNumber, balance()]).toEqual([6, 1_111n])
    expect(unverified.map((each) => each.reason)).toEqual(reason === null ? [] : [reason])
    for (const message of messages as any[])
      if (message.tag === 'SnapshotConfirmed' && message.snapshot.number === 5)
        expect(message.snapshot).not.toHaveProperty('utxo')
    for (const [, lovelace] of seen) expect([undefined, 1n, 11n, 111n, 1_111n]).toContain(lovelace)
  })

  it('shows no text of a known input that was written otherwise, though the cache would keep the first', async () => {
    await connect()
    say(await next(10))
    await until(() => bridge.lastSnapshotNumber === 4)
    const message = await next(100)
    message.snapshot.utxo[keyOf(10)].value.lovelace = 999_999
    say(message)
    await until(() => unverified.length === 1)
    expect(unverified[0]).toMatchObject({ reason: 'accumulator', number: 5 })
    say(await next(1_000))
    await until(() => bridge.lastSnapshotNumber === 6)
    expect((messages.at(-1) as any).snapshot.utxo).toEqual(head.utxo)
  })

  it('applies nothing of what was being checked when the connection ended by a call', async () => {
    await connect()
    shut()
    say(await next(10))
    await until(() => begun === 1)
    say(await next(100))
    const count = messages.length
    await bridge.disconnect()
    open()
    await new Promise((resolve) => setTimeout(resolve, 50))
    expect([bridge.getAddressBalance(ALICE), messages.length]).toEqual([null, count])
  })

  it.each<VerificationRule>(['0.20-2.1', '2.3', '2.4'])(
    'shows over random histories only states that all parties signed, and refuses as the slow way does, rule %s',
    async (rule) => {
      const random = randomSource(`newest first ${rule}`)
      await connect(rule)
      const states = new Map<string, string>([
        ['-1', ''],
        ['3', '1']
      ])
      const refusals: string[] = []
      let latest = 3
      for (let burst = 0; burst < 4; burst++) {
        for (let i = 0; i <= random.below(5); i++) {
          const [spent] = Object.keys(head.utxo).slice(-1) as [string]
          const lovelace = 2 + random.below(1_000_000)
          const isPayment = random.below(2) === 0 && Object.keys(head.utxo).length > 1
          const confirmed = isPayment ? [head.pay([spent], [[ALICE_KEY, lovelace]])] : []
          const message = isPayment ? await next(2 + random.below(1_000_000), confirmed) : await next(lovelace)
          const sum = Object.values<any>(head.utxo).reduce((all, { value }) => all + BigInt(value.lovelace), 0n)
          states.set(String(head.number), String(sum))
          const forge = random.pick<(() => void) | null>([
            null,
            null,
            () => (message.snapshot.version += 1),
            () => (message.snapshot.number += 100),
            () => message.signatures.multiSignature.reverse(),
            () => (message.signatures.multiSignature[0] = 'ab'.repeat(64)),
            () => (message.snapshot.utxoToCommit = { [keyOf(3)]: held(3, ALICE) }),
            () => (message.snapshot.confirmed = [transactionOf([keyOf(1)], [[ALICE_KEY, 9]])])
          ])
          forge?.()
          const verdict = await verifySnapshot({
            snapshot: message.snapshot,
            signatures: message.signatures,
            parties: PARTIES,
            nodeVersion: VERSIONS[rule]
          })
          if (verdict.ok) latest = message.snapshot.number
          else refusals.push(verdict.reason)
          say(message)
        }
        await until(() => bridge.lastSnapshotNumber === latest && unverified.length >= refusals.length)
        await bridge.verifyNow()
      }
      expect(bridge.getSnapshot().verified).toBe(latest)
      for (const [number, lovelace] of seen) expect(states.get(String(number))).toBe(String(lovelace ?? ''))
      expect(unverified.map(({ reason }) => reason).filter((reason) => reason !== 'output')).toEqual(refusals)
    }
  )
})

describe('the lag of verification', () => {
  beforeEach(() => {
    jest.useFakeTimers()
  })
  afterEach(() => {
    jest.useRealTimers()
  })

  it('is told from two seconds on, after each check, and when it has caught up', () => {
    const told: VerificationLag[] = []
    const lag = new Lag({ onLag: (each: VerificationLag) => void told.push(each) } as never)
    const since = performance.now()
    lag.update(since, 1)
    jest.advanceTimersByTime(1_990)
    lag.update(since, 5)
    expect(told).toEqual([])
    jest.advanceTimersByTime(20)
    expect(told).toEqual([{ behindMs: expect.any(Number), waiting: 5 }])
    expect(told[0]!.behindMs).toBeGreaterThanOrEqual(2_000)
    lag.update(since + 1_500, 2)
    expect(told.at(-1)).toEqual({ behindMs: 0, waiting: 0 })
    lag.update(null, 0)
    jest.advanceTimersByTime(10_000)
    expect(told).toHaveLength(2)
  })
})
