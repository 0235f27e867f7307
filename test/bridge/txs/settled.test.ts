import type { LayerPayload } from 'layer-sdk/bridge'
import { INITIAL_HEAD_STATE } from '../../../src/bridge/head/reducer'
import { SettledTxs } from '../../../src/bridge/txs/SettledTxs'
import { TxTracker } from '../../../src/bridge/txs/TxTracker'
import type { TrackerContext } from '../../../src/bridge/txs/TxTracker'
import type { TxEntry } from '../../../src/bridge/txs/TxEntry'
import { hashOf, sampleTx } from '../../support/sampleTx'
import { HEAD_ID, snapshotConfirmed } from '../../support/scriptedNode'
import { toTxRefs } from '../../../src/bridge/txs/txRefs'

const tx = sampleTx(1)
const REFS = toTxRefs(tx.txId, tx.cborHex)
const INPUT = `${hashOf(1)}#0`
const confirms = (number: number, fields: Parameters<typeof snapshotConfirmed>[1] = {}): LayerPayload =>
  snapshotConfirmed(number, fields) as unknown as LayerPayload
const payload = (tag: string, fields: object = {}): LayerPayload =>
  ({ tag, headId: HEAD_ID, ...fields }) as unknown as LayerPayload

describe('transactions without a waiting caller', () => {
  beforeEach(() => {
    jest.useFakeTimers()
  })
  afterEach(() => {
    jest.useRealTimers()
  })
  const entryOf = (txId: string): TxEntry =>
    ({ refs: { txId, inputs: [], outputCount: 0 }, lastListenerLeftAt: -1 }) as unknown as TxEntry

  it('are watched for ten minutes, each from its own beginning', () => {
    const settled = new SettledTxs()
    settled.watch(entryOf('a'))
    jest.advanceTimersByTime(1)
    settled.watch(entryOf('b'))
    jest.advanceTimersByTime(599_998)
    settled.sweep()
    expect([...settled.watched.keys()]).toEqual(['a', 'b'])
    jest.advanceTimersByTime(1)
    settled.sweep()
    expect([...settled.watched.keys()]).toEqual(['b'])
    jest.advanceTimersByTime(1)
    settled.sweep()
    expect(settled.watched.size).toBe(0)
  })

  it('are 10,000 at most, and 1,000 that were confirmed: the newest', () => {
    const settled = new SettledTxs()
    for (let index = 0; index <= 10_000; index++) settled.watch(entryOf(String(index)))
    expect([settled.watched.size, settled.watched.has('0'), settled.watched.has('1')]).toEqual([10_000, false, true])
    for (let index = 0; index <= 1_000; index++) settled.remember(String(index), index)
    expect([settled.confirmed.size, settled.confirmed.has('0'), settled.confirmed.get('1')]).toEqual([1_000, false, 1])
    // What was confirmed is watched no more.
    expect(settled.watched.has('1000')).toBe(false)
    expect(settled.watched.has('1001')).toBe(true)
  })
})

describe('the tracker of transactions', () => {
  /** A tracker over a cache that holds these outputs, and what it does. */
  function track({ unspent = [] as string[], partial = false, current = true } = {}) {
    const done: string[] = []
    const tracker = new TxTracker({
      emitter: {
        emit: (name: string, { state, txId }: { state?: string; txId: string }) =>
          done.push(`${name === 'onTxProgress' ? state : 'late'} ${txId}`)
      },
      cache: { has: (ref: string) => unspent.includes(ref), current },
      connector: { capabilities: { partial } },
      head: () => INITIAL_HEAD_STATE,
      reconcile: () => done.push('reconcile')
    } as unknown as TrackerContext)
    const heard: string[] = []
    tracker.onPayload(payload('HeadIsOpen'))
    const follow = (refs = REFS): (() => void) =>
      tracker.follow(
        refs,
        (event) => void heard.push('error' in event ? event.error.tag : event.state),
        () => void done.push(`sent ${refs.txId}`)
      )
    return { tracker, done, heard, follow, asked: () => done.filter((each) => each === 'reconcile').length }
  }

  it('asks for the state when a snapshot is missed, and not for the next one, the same one, or an older one', () => {
    for (const [numbers, asked] of [
      [[5, 6, 6, 5, 7], 0],
      [[5, 7], 1],
      [[5, 6, 5, 8], 1],
      [[0, 1], 0]
    ] as const) {
      const { tracker, follow, asked: count } = track()
      follow()
      for (const number of numbers) tracker.onPayload(confirms(number))
      expect([numbers, count()]).toEqual([numbers, asked])
    }
  })

  it('begins to count where the state begins, and never goes back behind it', () => {
    const { tracker, follow, asked } = track()
    follow()
    tracker.startAt(-1)
    tracker.startAt(5)
    tracker.startAt(3)
    tracker.onPayload(confirms(6))
    expect(asked()).toBe(0)
    tracker.onPayload(confirms(8))
    expect(asked()).toBe(1)
  })

  it('takes gaps between the snapshots of one address for normal', () => {
    const { tracker, follow, asked } = track({ partial: true })
    follow()
    for (const number of [1, 5, 9]) tracker.onPayload(confirms(number))
    expect(asked()).toBe(0)
  })

  it('asks for no state on behalf of nobody', () => {
    const { tracker, asked } = track()
    for (const number of [1, 5]) tracker.onPayload(confirms(number))
    tracker.onPayload(payload('SnapshotSideLoaded', { snapshotNumber: 1 }))
    expect(asked()).toBe(0)
  })

  it('counts anew in another head, and has nothing of the one before for confirmed', () => {
    const { tracker, done, heard, follow, asked } = track()
    follow()
    tracker.onPayload(confirms(9, { confirmed: [tx] }))
    follow()
    expect(heard).toEqual(['confirmed', 'confirmed'])
    tracker.onPayload(payload('HeadIsOpen', { headId: 'bb' }))
    follow()
    expect(done.filter((each) => each === `sent ${tx.txId}`)).toHaveLength(2)
    tracker.onPayload(confirms(1, { headId: 'bb' }))
    expect([heard, asked()]).toEqual([['confirmed', 'confirmed'], 0])
  })

  it('goes on from the snapshots that a gateway sends, and asks for the state after all outputs came in their place', () => {
    const resumed = track()
    resumed.follow()
    resumed.tracker.onPayload(payload('GatewayResumed', { from: 5 }))
    resumed.tracker.onPayload(confirms(6))
    resumed.tracker.onPayload(payload('GatewayProgress', { number: 8 }))
    resumed.tracker.onPayload(payload('GatewayProgress', { number: 7 }))
    resumed.tracker.onPayload(confirms(9))
    expect(resumed.asked()).toBe(0)
    resumed.tracker.onPayload(confirms(11))
    expect(resumed.asked()).toBe(1)

    const whole = track()
    whole.follow()
    whole.tracker.onPayload(payload('GatewaySnapshot', { number: 5 }))
    expect(whole.asked()).toBe(1)
    whole.tracker.onPayload(confirms(6))
    expect(whole.asked()).toBe(1)
  })

  it('takes what a delta says was made for confirmed, although the snapshot names other transactions', () => {
    const { tracker, heard, follow, asked } = track()
    follow()
    tracker.onPayload(payload('GatewayResumed', { from: 5 }))
    const delta = { from: 5, number: 8, spent: [], made: { [`${tx.txId}#1`]: {} }, count: 1 }
    tracker.onPayload({ ...confirms(8), delta } as unknown as LayerPayload)
    expect(heard).toEqual(['confirmed'])
    expect(asked()).toBe(0)
  })

  it('hears that the node has it once, also when a second caller comes, and nothing after the caller has left', () => {
    const { tracker, done, heard, follow } = track()
    const leave = follow()
    tracker.onPayload(payload('TxValid', { transactionId: tx.txId }))
    tracker.onPayload(payload('TxValid', { transactionId: tx.txId }))
    expect(heard).toEqual(['valid'])
    const leaveToo = follow()
    expect(heard).toEqual(['valid', 'valid'])
    leave()
    expect(tracker.pending).toBe(1)
    leaveToo()
    leaveToo()
    expect(tracker.pending).toBe(0)
    tracker.onPayload(confirms(2, { confirmed: [tx] }))
    expect(heard).toEqual(['valid', 'valid'])
    expect(done).toEqual([`sent ${tx.txId}`, `submitted ${tx.txId}`, `valid ${tx.txId}`, `confirmed ${tx.txId}`])
  })

  it('rejects at once what is refused while its inputs are unspent here and at the node', () => {
    const { tracker, heard, follow, asked } = track({ unspent: [INPUT] })
    follow()
    tracker.onRefusal(tx.txId, { tag: 'TxInvalid', reason: 'no' }, { [INPUT]: {} as never })
    expect([heard, asked()]).toEqual([['TxInvalid'], 0])
  })

  it.each<[string, Parameters<typeof track>[0], string[]]>([
    ['the node has spent an input', { unspent: [INPUT] }, []],
    ['the cache lacks an input', {}, [INPUT]],
    ['the cache waits for its state', { unspent: [INPUT], current: false }, [INPUT]],
    ['the cache is of one address', { unspent: [INPUT], partial: true }, [INPUT]]
  ])('asks for the state before it rejects when %s', (_when, options, local) => {
    const { tracker, heard, follow, asked } = track(options)
    follow()
    tracker.onRefusal(
      tx.txId,
      { tag: 'TxInvalid', reason: 'no' },
      Object.fromEntries(local.map((ref) => [ref, {} as never]))
    )
    expect([heard, asked(), tracker.uncertain]).toEqual([[], 1, true])
  })

  it('takes an output of its own for the proof that it is confirmed, or that the node has it', () => {
    const own = `${tx.txId}#1`
    const confirmed = track({ unspent: [own] })
    confirmed.follow()
    confirmed.tracker.onRefusal(tx.txId, { tag: 'TxInvalid', reason: 'a copy' })
    expect(confirmed.heard).toEqual(['confirmed'])
    const valid = track()
    valid.follow()
    valid.tracker.onRefusal(tx.txId, { tag: 'TxInvalid', reason: 'a copy' }, { [own]: {} as never })
    expect([valid.heard, valid.asked()]).toEqual([['valid'], 0])
    // It has two outputs: a third is none of its own.
    const neither = track({ unspent: [`${tx.txId}#2`] })
    neither.follow()
    neither.tracker.onRefusal(tx.txId, { tag: 'TxInvalid', reason: 'no' }, { [`${tx.txId}#2`]: {} as never })
    expect([neither.heard, neither.asked()]).toEqual([[], 1])
  })

  it('takes no notice of a refusal once the node has it, nor of one for nobody', () => {
    const { tracker, heard, follow, asked } = track()
    follow()
    tracker.onPayload(payload('TxValid', { transactionId: tx.txId }))
    tracker.onRefusal(tx.txId, { tag: 'TxInvalid', reason: 'a copy' })
    tracker.onRefusal(sampleTx(2).txId, { tag: 'TxInvalid', reason: 'no' })
    expect([heard, asked()]).toEqual([['valid'], 0])
  })

  it('sends nothing again that the node has and nobody waits for, unless another head has come', () => {
    const { tracker, done, follow, asked } = track()
    follow()()
    tracker.onPayload(payload('TxValid', { transactionId: tx.txId }))
    follow()()
    expect([done.filter((each) => each === `sent ${tx.txId}`).length, asked()]).toEqual([1, 1])
    tracker.onPayload(payload('HeadIsOpen', { headId: 'bb' }))
    follow()
    expect(done.filter((each) => each === `sent ${tx.txId}`)).toHaveLength(2)
  })

  it('gives up what nothing decides: as refused only where the history is whole and no message was missed', () => {
    const refusal = { tag: 'TxInvalid', reason: 'no' } as const
    for (const [isComplete, missed, expected] of [
      [true, false, 'TxInvalid'],
      [false, false, 'Disconnected'],
      [true, true, 'Disconnected']
    ] as const) {
      const { tracker, heard, follow } = track()
      follow()
      tracker.onRefusal(tx.txId, refusal)
      if (missed) tracker.markUncertain(tx.txId)
      tracker.giveUp(tx.txId, isComplete)
      expect([isComplete, missed, heard]).toEqual([isComplete, missed, [expected]])
    }
    const unrefused = track()
    unrefused.follow()
    unrefused.tracker.giveUp(tx.txId, true)
    expect(unrefused.heard).toEqual(['Disconnected'])
  })
})
