import type { LayerPayload } from 'layer-sdk/bridge'
import { INITIAL_HEAD_STATE } from '../../../src/bridge/head/reducer'
import { toTxRefs } from '../../../src/bridge/txs/txRefs'
import { TxTracker } from '../../../src/bridge/txs/TxTracker'
import type { TrackerContext } from '../../../src/bridge/txs/TxTracker'
import { hashOf, sampleTx } from '../../support/sampleTx'
import { HEAD_ID, snapshotConfirmed } from '../../support/scriptedNode'

const tx = sampleTx(1)
const REFS = toTxRefs(tx.txId, tx.cborHex)
const INPUT = `${hashOf(1)}#0`

describe('the states of a transaction', () => {
  let unspent: string[]
  let states: unknown[]

  /** A tracker, and the states that it announces. */
  function track(parts: Partial<TrackerContext> = {}): {
    tracker: TxTracker
    say: (tag: string, fields?: object) => void
  } {
    unspent = [INPUT]
    states = []
    const tracker = new TxTracker({
      emitter: { emit: () => undefined },
      cache: { has: (ref: string) => unspent.includes(ref), current: true, number: 4 },
      connector: { capabilities: { partial: false } },
      head: () => INITIAL_HEAD_STATE,
      reconcile: () => undefined,
      verifier: null,
      ...parts
    } as unknown as TrackerContext)
    tracker.changes.subscribe((txId, { snapshot: _, error, ...rest }: any) =>
      states.push({
        ...rest,
        ...(error === undefined ? {} : { tag: error.tag }),
        ...(txId === tx.txId ? {} : { txId })
      })
    )
    const say = (tag: string, fields: object = {}): void =>
      tracker.onPayload({ tag, headId: HEAD_ID, ...fields } as unknown as LayerPayload)
    say('HeadIsOpen')
    return { tracker, say }
  }
  const follow = (tracker: TxTracker, send: () => void = () => undefined): (() => void) =>
    tracker.follow({ ...REFS, cborHex: tx.cborHex }, () => undefined, send)
  const confirms = (number: number, confirmed: object[] = [tx]): [string, object] => [
    'SnapshotConfirmed',
    snapshotConfirmed(number, { confirmed } as never)
  ]
  const refusal = (transaction: object = tx): [string, object] => [
    'TxInvalid',
    { transaction, utxo: { [INPUT]: {} }, validationError: { reason: 'no' } }
  ]
  const confirmed = (fields: object = {}): object => ({
    state: 'confirmed',
    snapshotNumber: 5,
    exact: true,
    verified: false,
    ...fields
  })

  it('are announced in order: sent, valid, confirmed', () => {
    const { tracker, say } = track()
    follow(tracker)
    say('TxValid', { transactionId: tx.txId })
    say(...confirms(5))
    expect(states).toEqual([{ state: 'sent' }, { state: 'valid' }, confirmed()])
  })

  it('begin with the verdict when it comes while the transaction is being sent', () => {
    const { tracker, say } = track()
    follow(tracker, () => say('TxValid', { transactionId: tx.txId }))
    expect(states).toEqual([{ state: 'valid' }])
  })

  it('are none of a transaction that could not be sent', () => {
    const { tracker, say } = track()
    expect(() =>
      follow(tracker, () => {
        throw new Error('no connection')
      })
    ).toThrow('no connection')
    say(...confirms(5))
    expect(states).toEqual([])
  })

  it('go on from refused to confirmed when a copy of it is confirmed after all, without a waiting caller', () => {
    const { tracker, say } = track()
    follow(tracker)
    say(...refusal())
    say(...confirms(5))
    expect(states).toEqual([{ state: 'sent' }, { state: 'refused', tag: 'TxInvalid' }, confirmed()])
  })

  it('stay as they are when a copy with other witnesses is refused', () => {
    const { tracker, say } = track()
    follow(tracker)
    say(...refusal({ ...sampleTx(2), txId: tx.txId }))
    expect(states).toEqual([{ state: 'sent' }])
  })

  it.each([
    [true, 'valid'],
    [false, 'sent']
  ])('say with the outcome unknown that the node held it: %s of one that was %s', (wasValid, before) => {
    const { tracker, say } = track()
    follow(tracker)
    if (wasValid) say('TxValid', { transactionId: tx.txId })
    tracker.giveUp(tx.txId)
    say(...confirms(5))
    expect(states.slice(-3)).toEqual([
      { state: before },
      { state: 'unknown', tag: 'Disconnected', wasValid },
      confirmed()
    ])
  })

  it('do not change when the patience of a caller ends', () => {
    const { tracker } = track()
    const heard: string[] = []
    const listener = ({ state }: { state: string }): void => void heard.push(state)
    tracker.follow(REFS, listener, () => undefined)
    tracker.timedOut(tx.txId, listener, 5)
    expect([heard, states]).toEqual([['unknown'], [{ state: 'sent' }]])
  })

  it.each<[string, (say: (tag: string, fields?: object) => void) => void, object]>([
    ['valid', (say) => say('TxValid', { transactionId: tx.txId }), { state: 'valid' }],
    ['confirmed', (say) => say(...confirms(5)), confirmed({ exact: false })]
  ])('are repeated for a call that follows a transaction which is %s already', (_state, reach, repeated) => {
    const { tracker, say } = track()
    follow(tracker)
    reach(say)
    states.length = 0
    follow(tracker, () => {
      throw new Error('sent again')
    })
    expect(states).toEqual([repeated])
  })

  it('are confirmed by an output in a snapshot whose list leaves the transaction out only where outputs are verified', () => {
    for (const [verifier, expected] of [
      [null, [{ state: 'sent' }]],
      [{}, [{ state: 'sent' }, confirmed({ exact: false, verified: true })]]
    ] as const) {
      const { tracker, say } = track({ verifier })
      follow(tracker)
      unspent = [`${tx.txId}#0`]
      say(...confirms(5, []))
      expect(states).toEqual(expected)
    }
  })

  it('are not confirmed by an equal output while an input is unspent', () => {
    const { tracker, say } = track({ verifier: {} })
    follow(tracker)
    unspent = [INPUT, `${tx.txId}#0`]
    say(...confirms(5, []))
    expect(states).toEqual([{ state: 'sent' }])
  })

  it('are confirmed with that of a transaction which spends its outputs, where outputs are verified', () => {
    const { tracker, say } = track({ verifier: {} })
    follow(tracker)
    const child = 'cd'.repeat(32)
    tracker.follow(
      { txId: child, inputs: [`${tx.txId}#0`], outputCount: 1 },
      () => undefined,
      () => undefined
    )
    unspent = [`${child}#0`]
    say(...confirms(5, []))
    const end = confirmed({ exact: false, verified: true })
    expect(states.slice(2)).toEqual([{ ...end, txId: child }, end])
  })
})
