import { SnapshotCache } from '../../../src/bridge/head/SnapshotCache'
import type { CacheOutcome } from '../../../src/bridge/head/CacheOutcome'
import type { LayerPayload } from '../../../src/bridge/protocol/messages'
import { hashOf } from '../../support/sampleTx'
import { HEAD_ID, output, snapshotConfirmed } from '../../support/scriptedNode'

const ALICE = 'addr_test1vqqszqgpqyqszqgpqyqszqgpqyqszqgpqyqszqgpqyqszqgasfzjt'
const key = (n: number): string => `${hashOf(n)}#0`
const utxo = (...numbers: number[]): Record<string, unknown> =>
  Object.fromEntries(numbers.map((n) => [key(n), output(ALICE, n)]))

describe('the cache over what a gateway sends in the place of whole snapshots', () => {
  let cache: SnapshotCache
  beforeEach(() => {
    cache = new SnapshotCache()
  })
  const take = (payload: object): CacheOutcome =>
    cache.apply({ headId: HEAD_ID, ...payload } as unknown as LayerPayload)
  const whole = (number: number, ...numbers: number[]): CacheOutcome =>
    take({ tag: 'GatewaySnapshot', number, version: 0, utxo: utxo(...numbers) })
  const progress = (from: number, number: number): CacheOutcome => take({ tag: 'GatewayProgress', from, number })
  /** SnapshotConfirmed with what it changes, as a gateway sends it. */
  function changed(
    from: number,
    number: number,
    spent: number[],
    made: number[],
    count: number,
    isOf = number
  ): CacheOutcome {
    const message = snapshotConfirmed(isOf)
    const { utxo: _, ...snapshot } = message['snapshot'] as Record<string, unknown>
    return take({ ...message, snapshot, delta: { from, number, spent: spent.map(key), made: utxo(...made), count } })
  }
  const held = (): unknown => [cache.number, [...cache.entries()].map(([each]) => each).sort()]
  const holds = (number: number, ...numbers: number[]): unknown => [number, numbers.map(key).sort()]

  it('follows each change from the one before, and passes over what it has already', () => {
    expect([whole(5, 1, 2), held()]).toEqual(['applied', holds(5, 1, 2)])
    expect([changed(5, 6, [1], [3], 2), held()]).toEqual(['applied', holds(6, 2, 3)])
    expect([changed(5, 6, [1], [3], 2), held()]).toEqual(['ignored', holds(6, 2, 3)])
    expect([changed(3, 5, [9], [8], 2), held()]).toEqual(['ignored', holds(6, 2, 3)])
    // One change that makes up for three snapshots.
    expect([changed(6, 9, [2, 3], [4], 1), held()]).toEqual(['applied', holds(9, 4)])
  })

  it('takes the number alone where nothing has changed', () => {
    whole(5, 1)
    expect([progress(5, 7), held()]).toEqual(['applied', holds(7, 1)])
    expect([progress(5, 7), progress(4, 6), held()]).toEqual(['ignored', 'ignored', holds(7, 1)])
    expect([changed(7, 8, [1], [2], 1), held()]).toEqual(['applied', holds(8, 2)])
  })

  it.each<[string, () => CacheOutcome]>([
    ['begins after the content', () => changed(6, 7, [1], [3], 2)],
    ['spends what is not there', () => changed(5, 6, [3], [4], 2)],
    ['spends an output twice', () => changed(5, 6, [1, 1], [3], 2)],
    ['makes what is there', () => changed(5, 6, [1], [2], 2)],
    ['leads to another number of outputs', () => changed(5, 6, [1], [3], 3)],
    ['is of another snapshot than it says', () => changed(5, 6, [1], [3], 2, 7)],
    ['has moved on unseen', () => progress(6, 7)]
  ])('is out of step, and empty, when a change %s', (_what, send) => {
    whole(5, 1, 2)
    expect([send(), cache.seeded, cache.number]).toEqual(['outOfStep', false, -1])
    // All outputs put it right.
    expect([whole(7, 3), held()]).toEqual(['applied', holds(7, 3)])
  })

  it('needs all outputs before any change', () => {
    expect([changed(0, 1, [], [1], 1), progress(0, 1), cache.seeded]).toEqual(['needsBaseline', 'needsBaseline', false])
  })

  it('takes all outputs of a lower number too: the gateway has begun anew', () => {
    whole(5, 1, 2)
    const { epoch } = cache
    expect([whole(3, 4), held()]).toEqual(['applied', holds(3, 4)])
    // Answers to requests about what it had are not used any more.
    expect(cache.epoch).toBeGreaterThan(epoch)
    const after = cache.epoch
    whole(4, 4)
    expect(cache.epoch).toBe(after)
  })

  it('goes on after a drop from the very snapshot that it has kept, and from no other', () => {
    whole(5, 1, 2)
    cache.suspend()
    expect([cache.seeded, cache.since]).toEqual([false, { headId: HEAD_ID, number: 5, version: 0 }])
    expect([take({ tag: 'GatewayResumed', from: 5 }), held(), cache.since]).toEqual([
      'applied',
      holds(5, 1, 2),
      undefined
    ])
    expect(take({ tag: 'GatewayResumed', from: 5 })).toBe('ignored')
    expect(changed(5, 6, [1], [3], 2)).toBe('applied')
    cache.suspend()
    expect([take({ tag: 'GatewayResumed', from: 5 }), cache.seeded]).toEqual(['outOfStep', false])
  })
})
