import { stringifyJson } from '../../../src/codec/json.js'
import { baselineFromSnapshot } from '../../../src/bridge/head/baseline.js'
import { SnapshotCache } from '../../../src/bridge/head/SnapshotCache.js'
import type { CacheOutcome } from '../../../src/bridge/head/CacheOutcome.js'
import { WaitingSnapshots } from '../../../src/bridge/head/WaitingSnapshots.js'
import type { LayerPayload } from '../../../src/bridge/protocol/messages.js'
import { decodeSnapshotReply } from '../../../src/bridge/protocol/replies.js'
import type { Snapshot } from '../../../src/bridge/protocol/types.js'
import { utxoFromJson } from '../../../src/bridge/protocol/utxoJson.js'
import type { UTxO } from '../../../src/types/utxo.js'
import { scaled } from '../../support/scale'
import { ModelHead, modelTx, received } from './modelHead'

const sorted = (utxos: readonly UTxO[] | null): string[] => (utxos ?? []).map((utxo) => stringifyJson(utxo)).sort()

/** Balance of outputs, computed from the node's own JSON. */
function balanceOf(utxos: readonly UTxO[]): Map<string, bigint> {
  const balance = new Map<string, bigint>()
  for (const { output } of utxos) {
    for (const { unit, quantity } of output.amount)
      if (quantity !== '0') balance.set(unit, (balance.get(unit) ?? 0n) + BigInt(quantity))
  }
  return balance
}

function expectEqual(cache: SnapshotCache, head: ModelHead): void {
  const truth = utxoFromJson(head.get())
  expect(sorted(cache.utxos())).toEqual(sorted(truth))
  for (const address of head.addresses) {
    const held = truth.filter(({ output }) => output.address === address)
    expect(cache.balance(address)).toEqual(balanceOf(held))
    expect(sorted(cache.utxos(address))).toEqual(sorted(held))
  }
  expect(cache.addresses()!.sort()).toEqual([...new Set(truth.map(({ output }) => output.address))].sort())
  expect(cache.number).toBe(head.number)
}

function applyBaselineOf(cache: SnapshotCache, head: ModelHead, epoch = cache.epoch): CacheOutcome {
  const body =
    head.number === 0
      ? { tag: 'InitialSnapshot', headId: head.headId, initialUTxO: head.get() }
      : { tag: 'ConfirmedSnapshot', snapshot: head.snapshot(true), signatures: { multiSignature: [] } }
  const reply = decodeSnapshotReply(200, stringifyJson(body))
  if (reply.kind !== 'ok') throw new Error(reply.kind)
  return cache.applyBaseline(baselineFromSnapshot(reply.value, epoch))
}

const applyAll = (cache: SnapshotCache, texts: readonly string[]): CacheOutcome[] =>
  texts.map((text) => cache.apply(received(text)))
const last = (outcomes: readonly CacheOutcome[]): CacheOutcome | undefined => outcomes[outcomes.length - 1]

/** A head with outputs, and a cache with a baseline of it. */
function withBaseline(seed: string, count = 20): { head: ModelHead; cache: SnapshotCache } {
  const head = new ModelHead(seed)
  head.fill(count)
  const cache = new SnapshotCache()
  expect(cache.apply(received(head.greetings()))).toBe('applied')
  applyBaselineOf(cache, head)
  return { head, cache }
}

describe('SnapshotCache', () => {
  it('is cold before a baseline; without outputs it is not cold', () => {
    const cache = new SnapshotCache()
    expect([cache.number, cache.seeded, cache.balance('a'), cache.utxos(), cache.addresses()]).toEqual([
      -1,
      false,
      null,
      null,
      null
    ])
    cache.applyBaseline({ epoch: cache.epoch, headId: null, number: null, utxo: {} })
    expect([cache.number, cache.seeded, cache.balance('a'), cache.utxos()]).toEqual([-1, true, new Map(), []])
  })

  it.each([
    ['whole snapshots', true],
    ['transactions alone', false]
  ])('equals GET /snapshot/utxo after each of many random snapshots, fed by %s', (_, withUtxo) => {
    const { head, cache } = withBaseline(`random ${withUtxo}`, 40)
    const steps = withUtxo ? scaled(2000) : 1000
    for (let step = 0; step < steps; step++) {
      expect(last(applyAll(cache, head.step(withUtxo)))).toBe('applied')
      if (step % 20 === 0 || step === steps - 1) expectEqual(cache, head)
    }
    expect(head.version).toBeGreaterThan(10)
  })

  it('follows a head from its opening without any request', () => {
    const head = new ModelHead('opening')
    const cache = new SnapshotCache()
    cache.apply(received(stringifyJson({ tag: 'Greetings', me: { vkey: 'a' }, headStatus: 'Idle' })))
    expect(cache.apply(received(head.message({ tag: 'HeadIsOpen', parties: [] })))).toBe('applied')
    expect([cache.seeded, cache.number]).toEqual([true, 0])
    for (let step = 0; step < 20; step++) expect(last(applyAll(cache, head.step(false)))).toBe('applied')
    expectEqual(cache, head)
  })

  it('keeps outputs that older nodes open a head with', () => {
    const head = new ModelHead('old opening')
    head.fill(3)
    const cache = new SnapshotCache()
    cache.apply(received(head.message({ tag: 'HeadIsOpen', utxo: head.get() })))
    expect(sorted(cache.utxos())).toEqual(sorted(utxoFromJson(head.get())))
  })

  it('ignores snapshots that come twice or out of order', () => {
    const { head, cache } = withBaseline('order')
    const eighth = head.step(true)
    const ninth = head.step(true)
    applyAll(cache, ninth)
    expect(last(applyAll(cache, eighth))).toBe('ignored')
    expect(last(applyAll(cache, ninth))).toBe('ignored')
    expectEqual(cache, head)
  })

  it('takes a whole snapshot after a gap', () => {
    const { head, cache } = withBaseline('gap')
    for (let n = 0; n < 4; n++) head.step(true)
    expect(last(applyAll(cache, head.step(true)))).toBe('applied')
    expectEqual(cache, head)
  })

  it('needs a baseline after a gap in snapshots without outputs, and then applies what has come meanwhile', () => {
    const { head, cache } = withBaseline('delta gap')
    head.step(false)
    expect(last(applyAll(cache, head.step(false)))).toBe('needsBaseline')
    const before = sorted(cache.utxos())
    expect(last(applyAll(cache, head.step(false)))).toBe('needsBaseline')
    expect(sorted(cache.utxos())).toEqual(before)
    // The answer shows the present snapshot; two more come before it arrives.
    const answer = new SnapshotCache()
    applyBaselineOf(answer, head)
    const reply = decodeSnapshotReply(
      200,
      stringifyJson({ tag: 'ConfirmedSnapshot', snapshot: head.snapshot(true), signatures: { multiSignature: [] } })
    )
    applyAll(cache, head.step(false))
    applyAll(cache, head.step(false))
    if (reply.kind !== 'ok') throw new Error(reply.kind)
    expect(cache.applyBaseline(baselineFromSnapshot(reply.value, cache.epoch))).toBe('applied')
    expectEqual(cache, head)
  })

  it('needs another baseline when the first is too old for what has come meanwhile', () => {
    const { head, cache } = withBaseline('two gaps')
    const old = decodeSnapshotReply(
      200,
      stringifyJson({
        tag: 'ConfirmedSnapshot',
        snapshot: { ...head.snapshot(true), number: 1 },
        signatures: { multiSignature: [] }
      })
    )
    for (let n = 0; n < 5; n++) head.step(false)
    expect(last(applyAll(cache, head.step(false)))).toBe('needsBaseline')
    if (old.kind !== 'ok') throw new Error(old.kind)
    expect(cache.applyBaseline(baselineFromSnapshot(old.value, cache.epoch))).toBe('needsBaseline')
    expect(applyBaselineOf(cache, head)).toBe('applied')
    expectEqual(cache, head)
  })

  it('keeps a snapshot that needs a baseline until one comes, from a cold start', () => {
    const head = new ModelHead('cold')
    head.fill(10)
    const cache = new SnapshotCache()
    expect(cache.apply(received(head.greetings(false)))).toBe('needsBaseline')
    head.number = 41
    const answer = stringifyJson({
      tag: 'ConfirmedSnapshot',
      snapshot: head.snapshot(true),
      signatures: { multiSignature: [] }
    })
    expect(last(applyAll(cache, head.step(false)))).toBe('needsBaseline')
    const reply = decodeSnapshotReply(200, answer)
    if (reply.kind !== 'ok') throw new Error(reply.kind)
    expect(cache.applyBaseline(baselineFromSnapshot(reply.value, cache.epoch))).toBe('applied')
    expectEqual(cache, head)
  })

  it('never lets a late baseline overwrite a newer snapshot', () => {
    const { head, cache } = withBaseline('late')
    head.step(true)
    const epoch = cache.epoch
    const reply = decodeSnapshotReply(
      200,
      stringifyJson({ tag: 'ConfirmedSnapshot', snapshot: head.snapshot(true), signatures: { multiSignature: [] } })
    )
    const numberless = head.get()
    applyAll(cache, head.step(true))
    if (reply.kind !== 'ok') throw new Error(reply.kind)
    expect(cache.applyBaseline(baselineFromSnapshot(reply.value, epoch))).toBe('ignored')
    expect(cache.applyBaseline({ epoch, headId: null, number: null, utxo: numberless })).toBe('ignored')
    expectEqual(cache, head)
  })

  it('never uses a baseline that was requested before a drop, or for another head', () => {
    const { head, cache } = withBaseline('drop')
    const epoch = cache.epoch
    cache.reset()
    expect([cache.number, cache.seeded, cache.balance(head.addresses[0]!)]).toEqual([-1, false, null])
    expect(applyBaselineOf(cache, head, epoch)).toBe('ignored')
    expect(cache.seeded).toBe(false)
    cache.apply(received(new ModelHead('drop', 'bb'.repeat(28)).greetings()))
    expect(applyBaselineOf(cache, head)).toBe('ignored')
  })

  it.each([[true], [false]])(
    'does not step back when Greetings is newer than snapshots still queued (with outputs: %s)',
    (withUtxo) => {
      const head = new ModelHead(`queued ${withUtxo}`)
      head.fill(30)
      for (let n = 0; n < 5; n++) head.step(true)
      // Transactions only: each of them leaves a trace in the outputs.
      const queued = Array.from({ length: 3 }, () => {
        head.confirmed = [head.transact(), head.transact()]
        head.number++
        return head.snapshotConfirmed(withUtxo)
      })
      const cache = new SnapshotCache()
      cache.apply(received(head.greetings()))
      // The last of them is the very state of Greetings: with its outputs it gives that its number.
      expect(applyAll(cache, queued)).toEqual(['ignored', 'ignored', withUtxo ? 'applied' : 'ignored'])
      expect(sorted(cache.utxos())).toEqual(sorted(utxoFromJson(head.get())))
      // The first newer one is known as such before any number is.
      head.confirmed = [head.transact()]
      head.number++
      expect(cache.apply(received(head.snapshotConfirmed(withUtxo)))).toBe('applied')
      expectEqual(cache, head)
    }
  )

  it("takes the number of Greetings' outputs from GET /snapshot", () => {
    const head = new ModelHead('numbered')
    head.fill(5)
    head.number = 7
    const cache = new SnapshotCache()
    cache.apply(received(head.greetings()))
    expect([cache.number, cache.provisional]).toEqual([-1, true])
    expect(applyBaselineOf(cache, head)).toBe('applied')
    expect([cache.number, cache.provisional]).toEqual([7, false])
  })

  it('starts afresh with a new head, whose numbers begin again', () => {
    const { head, cache } = withBaseline('first head')
    for (let n = 0; n < 50; n++) applyAll(cache, head.step(true))
    const next = new ModelHead('second head', 'bb'.repeat(28))
    next.fill(3)
    const snapshot = next.step(true)
    expect(last(applyAll(cache, snapshot))).toBe('applied')
    expectEqual(cache, next)
    for (const address of head.addresses) expect(cache.balance(address)).toEqual(new Map())
    // What is still on its way from the old head changes nothing.
    expect(last(applyAll(cache, head.step(true)))).toBe('ignored')
    expect(cache.apply(received(head.message({ tag: 'HeadIsFinalized', utxo: {} })))).toBe('ignored')
    expectEqual(cache, next)
  })

  it('forgets a head that is finalized, and what is still on its way from it', () => {
    const { head, cache } = withBaseline('finalized')
    const late = head.step(true)
    expect(cache.apply(received(head.message({ tag: 'HeadIsFinalized', finalizedUTxO: head.get() })))).toBe('applied')
    expect([cache.number, cache.seeded, cache.headId]).toEqual([-1, false, null])
    expect(last(applyAll(cache, late))).toBe('ignored')
    expect(cache.seeded).toBe(false)
  })

  it('keeps one whole snapshot, not each of them, while snapshots wait for a baseline', () => {
    const head = new ModelHead('waiting')
    const waiting = new WaitingSnapshots()
    for (let step = 0; step < 3; step++) {
      head.step(true)
      waiting.push(head.snapshot(true) as unknown as Snapshot, 100)
    }
    expect(waiting.first?.number).toBe(3)
    waiting.shift()
    expect(waiting.first).toBeUndefined()
  })

  it('drops a deposit that was given up: the version did not move, and the next snapshot has it no more', () => {
    const { head, cache } = withBaseline('given up')
    head.committing = new Map([[`${'ee'.repeat(32)}#0`, head.output()]])
    head.confirmed = []
    head.number++
    expect(cache.apply(received(head.snapshotConfirmed(false)))).toBe('applied')
    expectEqual(cache, head)
    head.committing = null
    head.confirmed = [head.transact()]
    head.number++
    expect(cache.apply(received(head.snapshotConfirmed(false)))).toBe('applied')
    expectEqual(cache, head)
  })

  it('needs a baseline for a decommit that was not announced, and none after it', () => {
    const { head, cache } = withBaseline('unannounced', 30)
    const [input] = head.utxo.keys()
    const transaction = modelTx([input!], [head.output()])
    head.utxo.delete(input!)
    head.decommitting = new Map([[`${transaction.txId}#0`, head.output()]])
    head.number++
    expect(cache.apply(received(head.snapshotConfirmed(false)))).toBe('needsBaseline')
    applyBaselineOf(cache, head)
    expectEqual(cache, head)
    head.confirmed = [head.transact()]
    head.number++
    expect(cache.apply(received(head.snapshotConfirmed(false)))).toBe('applied')
    expectEqual(cache, head)
  })

  it('needs a baseline when a transaction cannot be read or spends what is not there', () => {
    for (const confirmed of [
      [{ txId: 'ab'.repeat(32) }],
      [{ txId: 'ab'.repeat(32), cborHex: '84' }],
      [modelTx([`${'99'.repeat(32)}#0`], [])]
    ]) {
      const { head, cache } = withBaseline('unreadable')
      head.confirmed = confirmed
      head.number++
      expect(cache.apply(received(head.snapshotConfirmed(false)))).toBe('needsBaseline')
      expect(sorted(cache.utxos())).toEqual(sorted(utxoFromJson(head.get())))
    }
  })

  it('takes over nothing of a snapshot whose outputs cannot be read', () => {
    const { head, cache } = withBaseline('broken')
    const before = sorted(cache.utxos())
    const bad = (key: string, output: unknown): LayerPayload =>
      received(
        JSON.stringify({
          tag: 'SnapshotConfirmed',
          headId: head.headId,
          signatures: { multiSignature: [] },
          snapshot: {
            headId: head.headId,
            number: 9,
            confirmed: [],
            utxo: { [`${'ab'.repeat(32)}#0`]: { address: 'a', value: {} }, [key]: output }
          }
        })
      )
    for (const [key, output] of [
      [`${'ab'.repeat(32)}#1`, { address: 'a', value: { lovelace: -1 } }],
      [`${'ab'.repeat(32)}#1`, null],
      ['constructor', { address: 'a', value: {} }]
    ] as const) {
      expect(() => cache.apply(bad(key, output))).toThrow(expect.objectContaining({ code: 'BRIDGE_PROTOCOL' }))
      expect([sorted(cache.utxos()), cache.number]).toEqual([before, 0])
      const cold = new SnapshotCache()
      expect(() => cold.apply(bad(key, output))).toThrow(expect.objectContaining({ code: 'BRIDGE_PROTOCOL' }))
      expect([cold.seeded, [...cold.entries()].length, cold.addresses()]).toEqual([false, 0, null])
    }
  })

  it("hands out balances that are the caller's own, short and long ones", () => {
    const head = new ModelHead('own', undefined, 1)
    head.fill(400)
    const cache = new SnapshotCache()
    cache.apply(received(head.greetings()))
    const address = head.addresses[0]!
    for (const count of [400, 6, 2]) {
      for (const key of [...head.utxo.keys()].slice(count)) head.utxo.delete(key)
      head.number++
      cache.apply(received(head.snapshotConfirmed(true)))
      const truth = balanceOf(utxoFromJson(head.get()))
      const first = cache.balance(address)!
      first.set('lovelace', 0n)
      first.set('other', 1n)
      expect(first.get('other')).toBe(1n)
      expect(cache.balance(address)).toEqual(truth)
      const second = cache.balance(address)!
      second.clear()
      expect(second.size).toBe(0)
      cache.balance(address)!.delete('lovelace')
      expect(cache.balance(address)).toEqual(truth)
    }
    // One that was handed out before a change shows the state of then.
    const before = cache.balance(address)!
    const copy = new Map(before)
    head.fill(300)
    head.number++
    cache.apply(received(head.snapshotConfirmed(true)))
    expect(before).toEqual(copy)
  })

  it('needs a baseline when another snapshot was side-loaded', () => {
    const { head, cache } = withBaseline('side-loaded')
    applyAll(cache, head.step(true))
    expect(cache.apply(received(head.message({ tag: 'SnapshotSideLoaded', snapshotNumber: head.number })))).toBe(
      'ignored'
    )
    expect(cache.apply(received(head.message({ tag: 'SnapshotSideLoaded', snapshotNumber: head.number + 3 })))).toBe(
      'needsBaseline'
    )
  })

  it("gives each caller a balance that no other sees, even written to behind the Map's own methods", () => {
    const head = new ModelHead('one map each', undefined, 1)
    head.fill(300)
    const [address] = head.addresses as [string]
    for (const [at, output] of [...head.utxo.values()].entries())
      output.amount.push({ unit: `${'9'.repeat(56)}${String(at).padStart(4, '0')}`, quantity: '1' })
    const cache = new SnapshotCache()
    cache.apply(received(head.greetings()))
    const truth = balanceOf(utxoFromJson(head.get()))
    expect(truth.size).toBeGreaterThan(300)
    const [first, second] = [cache.balance(address)!, cache.balance(address)!]
    expect(first).not.toBe(second)
    Map.prototype.set.call(first, 'lovelace', 0n)
    Map.prototype.delete.call(first, `${'9'.repeat(56)}0000`)
    expect(Object.getOwnPropertyNames(first)).toEqual([])
    expect(second).toEqual(truth)
    expect(cache.balance(address)).toEqual(truth)
  })

  const plain = (address: string, lovelace: number): Record<string, unknown> => ({ address, value: { lovelace } })
  const greetings = (utxo: Record<string, unknown>, headId = 'aa'.repeat(28)): LayerPayload =>
    received(
      stringifyJson({
        tag: 'Greetings',
        me: { vkey: 'aa' },
        headStatus: 'Open',
        hydraHeadId: headId,
        snapshotUtxo: utxo
      })
    )
  const confirmed = (number: number, snapshot: Record<string, unknown>, headId = 'aa'.repeat(28)): LayerPayload =>
    received(
      stringifyJson({
        tag: 'SnapshotConfirmed',
        headId,
        signatures: { multiSignature: [] },
        timestamp: '2026-01-01T00:00:00Z',
        snapshot: { headId, version: 1, number, confirmed: [], utxoToCommit: null, utxoToDecommit: null, ...snapshot }
      })
    )
  const key = (byte: string): string => `${byte.repeat(32)}#0`

  it('does not step back behind Greetings on a queued snapshot that only takes in a deposit, spent since', () => {
    // The deposit cc is spent since: a transaction made dd of it and of bb.
    const cache = new SnapshotCache()
    cache.apply(greetings({ [key('dd')]: plain('alice', 77) }))
    const deposit = confirmed(5, {
      utxo: { [key('bb')]: plain('bob', 70) },
      utxoToCommit: { [key('cc')]: plain('bob', 7) }
    })
    expect(cache.apply(deposit)).toBe('needsBaseline')
    expect([cache.number, cache.balance('alice'), cache.balance('bob')]).toEqual([
      -1,
      new Map([['lovelace', 77n]]),
      new Map()
    ])
    expect(
      cache.applyBaseline({
        epoch: cache.epoch,
        headId: 'aa'.repeat(28),
        number: 6,
        utxo: { [key('dd')]: plain('alice', 77) } as never
      })
    ).toBe('applied')
    expect([cache.number, cache.balance('alice')]).toEqual([6, new Map([['lovelace', 77n]])])
  })

  it('takes a deposit that comes while the number of Greetings is not known once that is known, outputs in snapshots or not', () => {
    for (const utxo of [{ [key('bb')]: plain('bob', 70) }, undefined]) {
      const cache = new SnapshotCache()
      cache.apply(greetings({ [key('bb')]: plain('bob', 70) }))
      expect(cache.apply(confirmed(7, { utxo, utxoToCommit: { [key('cc')]: plain('bob', 7) } }))).toBe('needsBaseline')
      expect(
        cache.applyBaseline({
          epoch: cache.epoch,
          headId: null,
          number: 6,
          utxo: { [key('bb')]: plain('bob', 70) } as never
        })
      ).toBe('applied')
      expect([cache.number, cache.balance('bob')]).toEqual([7, new Map([['lovelace', 77n]])])
    }
  })

  it('takes a commit out that is gone although the version has not moved, also one of a requested state', () => {
    for (const version of [1, 2]) {
      const cache = new SnapshotCache()
      const utxo = { [key('bb')]: plain('bob', 70) } as never
      const utxoToCommit = { [key('cc')]: plain('bob', 7) } as never
      expect(
        cache.applyBaseline({ epoch: cache.epoch, headId: 'aa'.repeat(28), number: 5, version, utxo, utxoToCommit })
      ).toBe('applied')
      expect(cache.balance('bob')).toEqual(new Map([['lovelace', 77n]]))
      // Version 1: given up. From an earlier version on: taken in.
      expect(cache.apply(confirmed(6, { utxo: undefined, version: version === 1 ? 1 : 3 }))).toBe('applied')
      expect(cache.balance('bob')).toEqual(new Map([['lovelace', version === 1 ? 70n : 77n]]))
    }
  })

  it('is current once a snapshot has been applied, and not while one waits', () => {
    const cache = new SnapshotCache()
    expect(cache.current).toBe(false)
    cache.apply(confirmed(1, { utxo: { [key('bb')]: plain('bob', 70) } }))
    expect(cache.current).toBe(true)
    cache.apply(confirmed(2, { utxo: undefined }))
    expect(cache.current).toBe(true)
    expect(cache.apply(confirmed(4, { utxo: undefined }))).toBe('needsBaseline')
    expect(cache.current).toBe(false)
  })

  it("keeps outputs in the node's order when that changes", () => {
    const cache = new SnapshotCache()
    const keys = ['aa', 'bb', 'cc', 'dd', 'ee'].map(key)
    const inOrder = (order: string[]): Record<string, unknown> =>
      Object.fromEntries(order.map((each) => [each, plain('bob', 1)]))
    cache.apply(confirmed(1, { utxo: inOrder(keys) }))
    keys.reverse()
    cache.apply(confirmed(2, { utxo: inOrder(keys) }))
    expect([...cache.entries()].map(([each]) => each)).toEqual(keys)
  })

  it.each(['/', ':', 'a', '-', ' '])('refuses an output whose index ends with %p, as a whole', (end) => {
    const cache = new SnapshotCache()
    const bad = { [`${'bb'.repeat(32)}#1${end}`]: plain('bob', 1), [key('cc')]: plain('bob', 7) }
    expect(() => cache.apply(confirmed(1, { utxo: bad }))).toThrow(expect.objectContaining({ code: 'BRIDGE_PROTOCOL' }))
    expect([cache.seeded, [...cache.entries()]]).toEqual([false, []])
  })

  it('decides by its outputs alone whether a deposit is new where no source gives a number', () => {
    const known = { [key('bb')]: plain('bob', 70) }
    const fresh = confirmed(7, { utxo: known, utxoToCommit: { [key('cc')]: plain('bob', 7) } })
    const stale = confirmed(5, {
      utxo: { [key('ee')]: plain('bob', 1) },
      utxoToCommit: { [key('cc')]: plain('bob', 7) }
    })
    for (const [payload, outcome, lovelace] of [
      [fresh, 'applied', 77n],
      [stale, 'ignored', 70n]
    ] as const) {
      const cache = new SnapshotCache()
      cache.apply(greetings(known))
      expect([cache.settled, cache.settle(), cache.settle(), cache.settled]).toEqual([false, true, false, true])
      expect(cache.apply(payload)).toBe(outcome)
      expect(cache.balance('bob')).toEqual(new Map([['lovelace', lovelace]]))
    }
  })

  it('shows content of a later Greetings under no number until that is known, and accepts nothing older than the last one', () => {
    const cache = new SnapshotCache()
    cache.apply(greetings({}))
    cache.applyBaseline({ epoch: cache.epoch, headId: null, number: 4, utxo: {} })
    expect([cache.number, cache.settled]).toEqual([4, true])
    cache.apply(greetings({ [key('dd')]: plain('alice', 77) }))
    expect([cache.number, cache.settled, cache.balance('alice')]).toEqual([-1, false, new Map([['lovelace', 77n]])])
    expect(cache.apply(confirmed(4, { utxo: {} }))).toBe('ignored')
    cache.applyBaseline({
      epoch: cache.epoch,
      headId: null,
      number: 9,
      utxo: { [key('dd')]: plain('alice', 77) } as never
    })
    expect([cache.number, cache.settled]).toEqual([9, true])
  })

  it('needs content without a number once only, whatever waits for it', () => {
    const cache = new SnapshotCache()
    cache.apply(greetings({}))
    expect(cache.apply(confirmed(3, { confirmed: [{ txId: 'ab'.repeat(32) }], utxo: undefined }))).toBe('needsBaseline')
    expect(cache.applyBaseline({ epoch: cache.epoch, headId: null, number: null, utxo: {} })).toBe('applied')
    expect(cache.settled).toBe(true)
  })

  it('refuses ids of heads, addresses, policies and asset names longer than any can be, and applies nothing of their messages', () => {
    const cache = new SnapshotCache()
    cache.apply(greetings({ [key('dd')]: plain('alice', 77) }))
    cache.applyBaseline({
      epoch: cache.epoch,
      headId: null,
      number: 4,
      utxo: { [key('dd')]: plain('alice', 77) } as never
    })
    const long = 'a'.repeat(1_000_000)
    const valued = (value: Record<string, unknown>): LayerPayload =>
      confirmed(5, { utxo: { [key('ee')]: { address: 'bob', value } } })
    const bad = [
      greetings({}, long),
      confirmed(5, { utxo: {} }, 'h'.repeat(129)),
      received(stringifyJson({ tag: 'HeadIsFinalized', headId: long, utxo: {} })),
      received(stringifyJson({ tag: 'HeadIsOpen', headId: long, parties: [] })),
      confirmed(5, { utxo: { [key('ee')]: plain('x'.repeat(513), 1) } }),
      confirmed(5, { utxo: { [`${long}#0`]: plain('bob', 1) } }),
      valued({ lovelace: 1, [long]: { '': 1 } }),
      valued({ lovelace: 1, ['z'.repeat(56)]: { '': 1 } }),
      valued({ ['a'.repeat(55)]: { '': 1 } }),
      valued({ ['a'.repeat(56)]: { [long]: 1 } }),
      valued({ ['a'.repeat(56)]: { ['b'.repeat(65)]: 1 } }),
      valued({ ['a'.repeat(56)]: { xy: 1 } })
    ]
    for (const payload of bad) {
      const error = outcomeOf(() => cache.apply(payload)) as Error
      expect(error).toMatchObject({ code: 'BRIDGE_PROTOCOL' })
      expect(error.message.length).toBeLessThan(500)
      expect([cache.number, cache.headId, cache.balance('alice')]).toEqual([
        4,
        'aa'.repeat(28),
        new Map([['lovelace', 77n]])
      ])
    }
    expect(() => cache.applyBaseline({ epoch: cache.epoch, headId: long, number: 9, utxo: {} })).toThrow(
      expect.objectContaining({ code: 'BRIDGE_PROTOCOL' })
    )
    expect(cache.apply(valued({ lovelace: 1, ['a'.repeat(56)]: { ['b'.repeat(64)]: 2, '': 3 } }))).toBe('applied')
    expect(cache.balance('bob')).toEqual(
      new Map([
        ['lovelace', 1n],
        ['a'.repeat(56) + 'b'.repeat(64), 2n],
        ['a'.repeat(56), 3n]
      ])
    )
  })

  it('remembers the last 64 heads that are over', () => {
    const cache = new SnapshotCache()
    const headId = (n: number): string => String(n).padStart(56, '0')
    for (let n = 0; n < 65; n++)
      cache.apply(received(stringifyJson({ tag: 'HeadIsFinalized', headId: headId(n), utxo: {} })))
    const late = (n: number): CacheOutcome => cache.apply(confirmed(1, { utxo: {} }, headId(n)))
    for (let n = 1; n < 65; n++) expect(late(n)).toBe('ignored')
    expect(late(0)).toBe('applied')
  })

  it('keeps snapshots of eight million characters while it waits for a baseline, and one of any weight', () => {
    const cache = new SnapshotCache()
    const numbers: number[] = []
    for (let number = 1; number <= 20; number++)
      expect(cache.apply(confirmed(number, { utxo: undefined }), 1_000_000)).toBe('needsBaseline')
    // A baseline before the first that is left lets all of those be applied; one before that leaves a gap.
    expect(cache.applyBaseline({ epoch: cache.epoch, headId: null, number: 12, utxo: {} })).toBe('applied')
    numbers.push(cache.number)
    const short = new SnapshotCache()
    for (let number = 1; number <= 20; number++) short.apply(confirmed(number, { utxo: undefined }), 1_000_000)
    expect(short.applyBaseline({ epoch: short.epoch, headId: null, number: 11, utxo: {} })).toBe('needsBaseline')
    const single = new SnapshotCache()
    single.apply(confirmed(1, { utxo: undefined }), 1_000)
    single.apply(confirmed(2, { utxo: undefined }), 30_000_000)
    single.applyBaseline({ epoch: single.epoch, headId: null, number: 1, utxo: {} })
    expect([...numbers, single.number]).toEqual([20, 2])
  })
})

it('takes no outputs from transactions where it is told so: only whole snapshots and baselines change it', () => {
  const head = new ModelHead('without transactions')
  head.fill(5)
  const cache = new SnapshotCache(false)
  expect(applyBaselineOf(cache, head)).toBe('applied')
  const { number } = cache
  const size = [...cache.entries()].length
  head.confirmed = [head.transact()]
  head.number++
  expect(cache.apply(received(head.snapshotConfirmed(false)))).toBe('needsBaseline')
  expect([cache.number, [...cache.entries()].length]).toEqual([number, size])
  expect(applyBaselineOf(cache, head)).toBe('applied')
  expect(cache.number).toBe(number + 1)
})

function outcomeOf(action: () => unknown): unknown {
  try {
    return action()
  } catch (error) {
    return error
  }
}
