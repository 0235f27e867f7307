import type { DrivenState } from '../../src/devnode'
import { DevNode, DRIVEN_STATES, driveTo, manualClock } from '../../src/devnode'
import { lovelaceOf } from '../devnode/transactions'
import { facesOf, freshNode, recogniseAt } from './drivenHead'
import { lovelaceIn } from './localHead'
import { sums } from './madeHead'

const ADA = 1_000_000n

/** What a wallet sees in each state: state, ada of the three sums, deposit, closing. */
const SEEN: Readonly<Record<DrivenState, readonly [string, readonly number[] | null, string?]>> = {
  'no-head': ['NO_HEAD', null],
  empty: ['VERIFIED_IN_HEAD', [0, 0, 0]],
  'deposit-waiting': ['VERIFIED_IN_HEAD', [0, 0, 0], 'waiting'],
  'deposit-claimable': ['VERIFIED_IN_HEAD', [0, 0, 0], 'claimable'],
  'deposit-expired': ['VERIFIED_IN_HEAD', [0, 0, 0], 'expired'],
  'deposit-recoverable': ['VERIFIED_IN_HEAD', [0, 0, 0], 'recoverable'],
  'deposit-recovered': ['VERIFIED_IN_HEAD', [0, 0, 0]],
  arriving: ['VERIFIED_IN_HEAD', [0, 1000, 0], 'inSnapshot'],
  settled: ['VERIFIED_IN_HEAD', [1000, 0, 0]],
  verified: ['VERIFIED_IN_HEAD', [997, 0, 0]],
  leaving: ['VERIFIED_IN_HEAD', [897, 0, 100]],
  withdrawn: ['VERIFIED_IN_HEAD', [897, 0, 0]],
  contestable: ['HEAD_CLOSING', [894, 0, 0], 'contestable'],
  contested: ['HEAD_CLOSING', [894, 0, 0], 'contestable'],
  payable: ['HEAD_CLOSING', [894, 0, 0], 'payable'],
  'paying-out': ['HEAD_CLOSING', null, 'paying-out'],
  'paid-out': ['NO_HEAD', null]
}

/** Paid to another wallet in the head. */
const spentIn = (state: DrivenState): bigint =>
  ['verified', 'leaving', 'withdrawn'].includes(state)
    ? 3n * ADA
    : ['contestable', 'contested', 'payable', 'paid-out'].includes(state)
      ? 6n * ADA
      : 0n

describe.each(['2.3', '2.4'] as const)('a head of profile %s that is driven', (profile) => {
  const states = DRIVEN_STATES.filter((state) => profile === '2.4' || state !== 'paying-out')
  it.each(states)(
    'to %s is recognised over each face of the base ledger, with all of the wallet’s money',
    async (state) => {
      const node = freshNode(profile)
      const base = (): bigint =>
        node.baseUtxos(node.keys[0].address).reduce((sum, { output }) => sum + lovelaceOf(output), 0n)
      const total = base()
      const driven = await driveTo({ node, state })
      expect(driven.headId === null).toBe(state === 'no-head')
      const [expected, amounts, part] = SEEN[state]
      for (const [name, face] of Object.entries(facesOf(node))) {
        const found = await recogniseAt(node, driven, face)
        expect([name, found.state, sums(found.inHead)]).toEqual([name, expected, amounts])
        const shown =
          found.closing?.phase ?? found.deposits.map((each) => (each.inSnapshot ? 'inSnapshot' : each.phase))[0]
        expect(shown).toBe(part)
        if (found.closing?.phase !== 'paying-out') expect(lovelaceIn(found, base())).toBe(total - spentIn(state))
      }
      await node.stop()
    }
  )
})

describe('driveTo', () => {
  it('moves the deadline of a contested head, and stops before the next step of the others', async () => {
    const deadlines: number[] = []
    for (const state of ['contestable', 'contested'] as const) {
      const node = freshNode('2.4')
      const driven = await driveTo({ node, state })
      const found = await recogniseAt(node, driven, facesOf(node)['kupo']!)
      deadlines.push(found.closing!.deadlineMs)
      await node.stop()
    }
    expect(deadlines[1]!).toBeGreaterThan(deadlines[0]!)
  })

  it('refuses a node with a head, a state that does not exist, and one that timings or profile rule out', async () => {
    const open = freshNode('2.4', { open: true })
    await expect(driveTo({ node: open, state: 'empty' })).rejects.toMatchObject({ code: 'DEVNODE_STATE' })
    await open.stop()
    const fresh = freshNode('2.3')
    await expect(driveTo({ node: fresh, state: 'elsewhere' as never })).rejects.toMatchObject({
      code: 'INPUT_ARGUMENT'
    })
    await expect(driveTo({ node: fresh, state: 'paying-out' })).rejects.toMatchObject({ code: 'DEVNODE_STATE' })
    await fresh.stop()
    const hasty = new DevNode({ profile: '2.4', clock: manualClock(), timings: { depositDelayMs: 1 } })
    await expect(driveTo({ node: hasty, state: 'deposit-waiting' })).rejects.toThrow('depositDelayMs')
    await hasty.stop()
  })
})
