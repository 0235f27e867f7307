import { stringifyJson } from '../../../src/codec/json.js'
import * as delta from '../../../src/bridge/head/delta.js'
import { seedFromSnapshot } from '../../../src/bridge/head/seed.js'
import { SnapshotCache } from '../../../src/bridge/head/SnapshotCache.js'
import type { CacheOutcome } from '../../../src/bridge/head/SnapshotCache.js'
import type { LayerPayload } from '../../../src/bridge/payload.js'
import { decodeSnapshotReply } from '../../../src/bridge/wire/replies.js'
import { utxoFromJson } from '../../../src/bridge/wire/utxo.js'
import type { UTxO } from '../../../src/types/utxo.js'
import { scaled } from '../../support/scale'
import { ModelHead, modelTx, received } from './modelHead'

const sorted = (utxos: readonly UTxO[] | null): string[] => (utxos ?? []).map((utxo) => stringifyJson(utxo)).sort()

/** Balance of outputs, computed from the node's own JSON. */
function balanceOf(utxos: readonly UTxO[]): Map<string, bigint> {
  const balance = new Map<string, bigint>()
  for (const { output } of utxos) {
    for (const { unit, quantity } of output.amount) if (quantity !== '0') balance.set(unit, (balance.get(unit) ?? 0n) + BigInt(quantity))
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

function seedOver(cache: SnapshotCache, head: ModelHead, epoch = cache.epoch): CacheOutcome {
  const body = head.number === 0
    ? { tag: 'InitialSnapshot', headId: head.headId, initialUTxO: head.get() }
    : { tag: 'ConfirmedSnapshot', snapshot: head.snapshot(true), signatures: { multiSignature: [] } }
  const reply = decodeSnapshotReply(200, stringifyJson(body))
  if (reply.kind !== 'ok') throw new Error(reply.kind)
  return cache.seed(seedFromSnapshot(reply.value, epoch))
}

const applyAll = (cache: SnapshotCache, texts: readonly string[]): CacheOutcome[] => texts.map((text) => cache.apply(received(text)))
const last = (outcomes: readonly CacheOutcome[]): CacheOutcome | undefined => outcomes[outcomes.length - 1]

/** A head with outputs, and a cache that knows it by its number. */
function seeded(seed: string, count = 20): { head: ModelHead; cache: SnapshotCache } {
  const head = new ModelHead(seed)
  head.fill(count)
  const cache = new SnapshotCache(() => delta)
  expect(cache.apply(received(head.greetings()))).toBe('applied')
  seedOver(cache, head)
  return { head, cache }
}

describe('SnapshotCache', () => {
  it('is cold before a seed, and empty is not cold', () => {
    const cache = new SnapshotCache(() => delta)
    expect([cache.number, cache.seeded, cache.balance('a'), cache.utxos(), cache.addresses(), cache.utxoObject()]).toEqual([-1, false, null, null, null, null])
    cache.seed({ epoch: cache.epoch, headId: null, number: null, utxo: {} })
    expect([cache.number, cache.seeded, cache.balance('a'), cache.utxos(), cache.utxoObject()]).toEqual([-1, true, new Map(), [], {}])
  })

  it.each([['whole snapshots', true], ['transactions alone', false]])('equals GET /snapshot/utxo after each of many random snapshots, fed by %s', (_, withUtxo) => {
    const { head, cache } = seeded(`random ${withUtxo}`, 40)
    const steps = withUtxo ? scaled(2000) : 1000
    for (let step = 0; step < steps; step++) {
      expect(last(applyAll(cache, head.step(withUtxo)))).toBe('applied')
      if (step % 20 === 0 || step === steps - 1) expectEqual(cache, head)
    }
    expect(head.version).toBeGreaterThan(10)
  })

  it('follows a head from its opening without any request', () => {
    const head = new ModelHead('opening')
    const cache = new SnapshotCache(() => delta)
    cache.apply(received(stringifyJson({ tag: 'Greetings', me: { vkey: 'a' }, headStatus: 'Idle' })))
    expect(cache.apply(received(head.message({ tag: 'HeadIsOpen', parties: [] })))).toBe('applied')
    expect([cache.seeded, cache.number]).toEqual([true, -1])
    for (let step = 0; step < 20; step++) expect(last(applyAll(cache, head.step(false)))).toBe('applied')
    expectEqual(cache, head)
  })

  it('keeps outputs that older nodes open a head with', () => {
    const head = new ModelHead('old opening')
    head.fill(3)
    const cache = new SnapshotCache(() => delta)
    cache.apply(received(head.message({ tag: 'HeadIsOpen', utxo: head.get() })))
    expect(sorted(cache.utxos())).toEqual(sorted(utxoFromJson(head.get())))
  })

  it('ignores snapshots that come twice or out of order', () => {
    const { head, cache } = seeded('order')
    const eighth = head.step(true)
    const ninth = head.step(true)
    applyAll(cache, ninth)
    expect(last(applyAll(cache, eighth))).toBe('ignored')
    expect(last(applyAll(cache, ninth))).toBe('ignored')
    expectEqual(cache, head)
  })

  it('takes a whole snapshot after a gap', () => {
    const { head, cache } = seeded('gap')
    for (let n = 0; n < 4; n++) head.step(true)
    expect(last(applyAll(cache, head.step(true)))).toBe('applied')
    expectEqual(cache, head)
  })

  it('asks for a seed after a gap in snapshots without outputs, and then applies what has come meanwhile', () => {
    const { head, cache } = seeded('delta gap')
    head.step(false)
    expect(last(applyAll(cache, head.step(false)))).toBe('needsSeed')
    const before = sorted(cache.utxos())
    expect(last(applyAll(cache, head.step(false)))).toBe('needsSeed')
    expect(sorted(cache.utxos())).toEqual(before)
    // The answer shows the present snapshot; two more come before it arrives.
    const answer = new SnapshotCache(() => delta)
    seedOver(answer, head)
    const reply = decodeSnapshotReply(200, stringifyJson({ tag: 'ConfirmedSnapshot', snapshot: head.snapshot(true), signatures: { multiSignature: [] } }))
    applyAll(cache, head.step(false))
    applyAll(cache, head.step(false))
    if (reply.kind !== 'ok') throw new Error(reply.kind)
    expect(cache.seed(seedFromSnapshot(reply.value, cache.epoch))).toBe('applied')
    expectEqual(cache, head)
  })

  it('says so when the seed is not enough for what has come meanwhile', () => {
    const { head, cache } = seeded('two gaps')
    const old = decodeSnapshotReply(200, stringifyJson({ tag: 'ConfirmedSnapshot', snapshot: { ...head.snapshot(true), number: 1 }, signatures: { multiSignature: [] } }))
    for (let n = 0; n < 5; n++) head.step(false)
    expect(last(applyAll(cache, head.step(false)))).toBe('needsSeed')
    if (old.kind !== 'ok') throw new Error(old.kind)
    expect(cache.seed(seedFromSnapshot(old.value, cache.epoch))).toBe('needsSeed')
    expect(seedOver(cache, head)).toBe('applied')
    expectEqual(cache, head)
  })

  it('keeps a snapshot that needs a seed until one comes, from a cold start', () => {
    const head = new ModelHead('cold')
    head.fill(10)
    const cache = new SnapshotCache(() => delta)
    expect(cache.apply(received(head.greetings(false)))).toBe('needsSeed')
    head.number = 41
    const answer = stringifyJson({ tag: 'ConfirmedSnapshot', snapshot: head.snapshot(true), signatures: { multiSignature: [] } })
    expect(last(applyAll(cache, head.step(false)))).toBe('needsSeed')
    const reply = decodeSnapshotReply(200, answer)
    if (reply.kind !== 'ok') throw new Error(reply.kind)
    expect(cache.seed(seedFromSnapshot(reply.value, cache.epoch))).toBe('applied')
    expectEqual(cache, head)
  })

  it('never lets a late seed overwrite a newer snapshot', () => {
    const { head, cache } = seeded('late')
    head.step(true)
    const epoch = cache.epoch
    const reply = decodeSnapshotReply(200, stringifyJson({ tag: 'ConfirmedSnapshot', snapshot: head.snapshot(true), signatures: { multiSignature: [] } }))
    const numberless = head.get()
    applyAll(cache, head.step(true))
    if (reply.kind !== 'ok') throw new Error(reply.kind)
    expect(cache.seed(seedFromSnapshot(reply.value, epoch))).toBe('ignored')
    expect(cache.seed({ epoch, headId: null, number: null, utxo: numberless })).toBe('ignored')
    expectEqual(cache, head)
  })

  it('never uses a seed that was asked for before a drop, or for another head', () => {
    const { head, cache } = seeded('drop')
    const epoch = cache.epoch
    cache.reset()
    expect([cache.number, cache.seeded, cache.balance(head.addresses[0]!)]).toEqual([-1, false, null])
    expect(seedOver(cache, head, epoch)).toBe('ignored')
    expect(cache.seeded).toBe(false)
    cache.apply(received(new ModelHead('drop', 'bb'.repeat(28)).greetings()))
    expect(seedOver(cache, head)).toBe('ignored')
  })

  it.each([[true], [false]])('does not step back when Greetings is newer than snapshots still queued (with outputs: %s)', (withUtxo) => {
    const head = new ModelHead(`queued ${withUtxo}`)
    head.fill(30)
    for (let n = 0; n < 5; n++) head.step(true)
    // Transactions only: each of them leaves a trace in the outputs.
    const queued = Array.from({ length: 3 }, () => {
      head.confirmed = [head.transact(), head.transact()]
      head.number++
      return head.snapshotConfirmed(withUtxo)
    })
    const cache = new SnapshotCache(() => delta)
    cache.apply(received(head.greetings()))
    // The last of them is the very state of Greetings: with its outputs it gives that its number.
    expect(applyAll(cache, queued)).toEqual(['ignored', 'ignored', withUtxo ? 'applied' : 'ignored'])
    expect(sorted(cache.utxos())).toEqual(sorted(utxoFromJson(head.get())))
    // The first newer one is known as such before any number is.
    head.confirmed = [head.transact()]
    head.number++
    expect(cache.apply(received(head.snapshotConfirmed(withUtxo)))).toBe('applied')
    expectEqual(cache, head)
  })

  it('takes the number of Greetings\' outputs from GET /snapshot', () => {
    const head = new ModelHead('numbered')
    head.fill(5)
    head.number = 7
    const cache = new SnapshotCache(() => delta)
    cache.apply(received(head.greetings()))
    expect([cache.number, cache.provisional]).toEqual([-1, true])
    expect(seedOver(cache, head)).toBe('applied')
    expect([cache.number, cache.provisional]).toEqual([7, false])
  })

  it('starts afresh with a new head, whose numbers begin again', () => {
    const { head, cache } = seeded('first head')
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
    const { head, cache } = seeded('finalized')
    const late = head.step(true)
    expect(cache.apply(received(head.message({ tag: 'HeadIsFinalized', finalizedUTxO: head.get() })))).toBe('applied')
    expect([cache.number, cache.seeded, cache.headId]).toEqual([-1, false, null])
    expect(last(applyAll(cache, late))).toBe('ignored')
    expect(cache.seeded).toBe(false)
  })

  it('keeps one whole snapshot, not each of them, while it waits for the rules that judge its age', () => {
    const head = new ModelHead('waiting')
    head.fill(5)
    let rules: delta.DeltaRules | null = null
    const cache = new SnapshotCache(() => rules)
    cache.apply(received(head.greetings()))
    for (let step = 0; step < 3; step++) expect(last(applyAll(cache, head.step(true)))).toBe('needsSeed')
    const judged: number[] = []
    rules = { ...delta, isOlder: (snapshot, ...more) => { judged.push(snapshot.number); return delta.isOlder(snapshot, ...more) } }
    cache.resume()
    expect(judged).toEqual([3])
    expectEqual(cache, head)
  })

  it('drops a deposit that was given up: the version did not move, and the next snapshot has it no more', () => {
    const { head, cache } = seeded('given up')
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

  it('asks for a seed when a decommit is in a snapshot that nobody announced, and not again after it', () => {
    const { head, cache } = seeded('unannounced', 30)
    const [input] = head.utxo.keys()
    const transaction = modelTx([input!], [head.output()])
    head.utxo.delete(input!)
    head.decommitting = new Map([[`${transaction.txId}#0`, head.output()]])
    head.number++
    expect(cache.apply(received(head.snapshotConfirmed(false)))).toBe('needsSeed')
    seedOver(cache, head)
    expectEqual(cache, head)
    head.confirmed = [head.transact()]
    head.number++
    expect(cache.apply(received(head.snapshotConfirmed(false)))).toBe('applied')
    expectEqual(cache, head)
  })

  it('asks for a seed when a transaction cannot be read or spends what is not there', () => {
    for (const confirmed of [[{ txId: 'ab'.repeat(32) }], [{ txId: 'ab'.repeat(32), cborHex: '84' }], [modelTx([`${'99'.repeat(32)}#0`], [])]]) {
      const { head, cache } = seeded('unreadable')
      head.confirmed = confirmed
      head.number++
      expect(cache.apply(received(head.snapshotConfirmed(false)))).toBe('needsSeed')
      expect(sorted(cache.utxos())).toEqual(sorted(utxoFromJson(head.get())))
    }
  })

  it('takes over nothing of a snapshot whose outputs cannot be read', () => {
    const { head, cache } = seeded('broken')
    const before = sorted(cache.utxos())
    const bad = (key: string, output: unknown): LayerPayload => received(JSON.stringify({
      tag: 'SnapshotConfirmed', headId: head.headId, signatures: { multiSignature: [] }, snapshot: { headId: head.headId, number: 9, confirmed: [], utxo: { [`${'ab'.repeat(32)}#0`]: { address: 'a', value: {} }, [key]: output } }
    }))
    for (const [key, output] of [[`${'ab'.repeat(32)}#1`, { address: 'a', value: { lovelace: -1 } }], [`${'ab'.repeat(32)}#1`, null], ['constructor', { address: 'a', value: {} }]] as const) {
      expect(() => cache.apply(bad(key, output))).toThrow(expect.objectContaining({ code: 'BRIDGE_PROTOCOL' }))
      expect([sorted(cache.utxos()), cache.number]).toEqual([before, 0])
      const cold = new SnapshotCache(() => delta)
      expect(() => cold.apply(bad(key, output))).toThrow(expect.objectContaining({ code: 'BRIDGE_PROTOCOL' }))
      expect([cold.seeded, cold.size, cold.addresses()]).toEqual([false, 0, null])
    }
  })

  it('hands out balances that are the caller\'s own, short and long ones', () => {
    const head = new ModelHead('own', undefined, 1)
    head.fill(400)
    const cache = new SnapshotCache(() => delta)
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

  it('gives outputs as the node wrote them', () => {
    const { head, cache } = seeded('as written', 8)
    expect(cache.utxoObject()).toEqual(head.get())
  })

  it('asks for a seed when another snapshot was side-loaded', () => {
    const { head, cache } = seeded('side-loaded')
    applyAll(cache, head.step(true))
    expect(cache.apply(received(head.message({ tag: 'SnapshotSideLoaded', snapshotNumber: head.number })))).toBe('ignored')
    expect(cache.apply(received(head.message({ tag: 'SnapshotSideLoaded', snapshotNumber: head.number + 3 })))).toBe('needsSeed')
  })
})
