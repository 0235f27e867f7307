import type { LayerPayload } from 'layer-sdk/bridge'
import { INITIAL_HEAD_STATE } from '../../../src/bridge/head/reducer'
import { TxTracker } from '../../../src/bridge/txs/TxTracker'
import type { TrackerContext } from '../../../src/bridge/txs/TxTracker'
import { toTxRefs } from '../../../src/bridge/txs/txRefs'
import { sampleTx } from '../../support/sampleTx'
import { snapshotConfirmed } from '../../support/scriptedNode'

/** A tracker beside a bridge that does nothing, but for what a test names. */
const trackerWith = (parts: object = {}): TxTracker =>
  new TxTracker({
    emitter: { emit: () => undefined },
    cache: { has: () => false, current: false },
    connector: { capabilities: { partial: false } },
    head: () => INITIAL_HEAD_STATE,
    reconcile: () => undefined,
    ...parts
  } as unknown as TrackerContext)

describe('the tracker of transactions', () => {
  const tx = sampleTx()
  const shape = toTxRefs(tx.txId, tx.cborHex)

  it('goes on watching for a late confirmation when a transaction cannot be sent a second time', () => {
    const late: string[] = []
    const tracker = trackerWith({
      emitter: {
        emit: (name: string, event: { txId: string }) => {
          if (name === 'onLateConfirmation') late.push(event.txId)
        }
      }
    })
    const heard: string[] = []
    const listener = ({ state }: { state: string }): void => void heard.push(state)
    tracker.follow(shape, listener, () => undefined)
    tracker.timedOut(tx.txId, listener, 5)
    expect(() =>
      tracker.follow(shape, listener, () => {
        throw new Error('no connection')
      })
    ).toThrow('no connection')
    expect(tracker.pending).toBe(0)
    tracker.onPayload(snapshotConfirmed(2, { confirmed: [tx] }) as unknown as LayerPayload)
    expect(late).toEqual([tx.txId])
    expect(heard).toEqual(['unknown'])
  })

  it('does not take back that the node has it on a state that was requested while a copy was refused', () => {
    const tracker = trackerWith()
    const heard: string[] = []
    tracker.follow(
      shape,
      ({ state }) => heard.push(state),
      () => undefined
    )
    tracker.onRefusal(tx.txId, { tag: 'TxInvalid', reason: 'a copy' })
    const state = {
      available: true,
      hasHead: true,
      headId: null,
      number: null,
      confirmed: new Set<string>(),
      pending: null,
      refused: tracker.refused(),
      isUnspent: (ref: string) => !ref.startsWith(tx.txId),
      record: null
    }
    expect(state.refused.size).toBe(1)
    tracker.onPayload({ tag: 'TxValid', headId: 'aa', transactionId: tx.txId } as unknown as LayerPayload)
    tracker.reconcile(state)
    expect(heard).toEqual(['valid'])
  })

  it('knows what a head has confirmed while that head is the present one', () => {
    const tracker = trackerWith()
    const greet = (layerHeadId: string | undefined): void =>
      tracker.onPayload({ tag: 'Greetings', layerHeadId } as unknown as LayerPayload)
    tracker.follow(
      shape,
      () => undefined,
      () => undefined
    )
    // Confirmed by the state, before any message has named the head.
    tracker.confirm(tx.txId, 3, null)
    greet('aa')
    expect(tracker.knows(tx.txId)).toBe(true)
    greet('aa')
    expect(tracker.knows(tx.txId)).toBe(true)
    greet('bb')
    expect(tracker.knows(tx.txId)).toBe(false)
  })

  it.each([
    [6, 0],
    [7, 1]
  ])(
    'takes the state that it begins with as the last one: after 5 it asks for the state at %i %i times',
    (number, asked) => {
      let reconciled = 0
      const tracker = trackerWith({
        reconcile: () => reconciled++
      })
      const snapshot = (n: number): LayerPayload => snapshotConfirmed(n) as unknown as LayerPayload
      tracker.onPayload({
        tag: 'Greetings',
        layerHeadId: (snapshot(1) as { headId: string }).headId
      } as unknown as LayerPayload)
      tracker.startAt(5)
      tracker.follow(
        shape,
        () => undefined,
        () => undefined
      )
      tracker.onPayload(snapshot(number))
      expect([reconciled, tracker.uncertain]).toEqual([asked, asked === 1])
    }
  )

  it('calls a copy confirmed whose outputs are there, in snapshot 0 while no number is known', () => {
    const progress: unknown[] = []
    const tracker = trackerWith({
      emitter: { emit: (name: string, event: unknown) => progress.push([name, event]) },
      cache: { has: (ref: string) => ref.startsWith(tx.txId), current: false }
    })
    tracker.follow(
      shape,
      () => undefined,
      () => undefined
    )
    tracker.onRefusal(tx.txId, { tag: 'TxInvalid', reason: 'a copy' })
    expect(progress.at(-1)).toEqual(['onTxProgress', { txId: tx.txId, state: 'confirmed', snapshotNumber: 0 }])
  })
})
