import fc from 'fast-check'
import { IDLE_NODE, nextTick, stepHead } from '../../../src/devnode/head/stepHead'
import type { HeadAction } from '../../../src/devnode/head/HeadAction'
import type { Deposit, HeadEvent, HeadIdentity, HeadInput, HeadTx, NodeState } from '../../../src/devnode/head/types'
import { JsonText } from '../../../src/devnode/json/jsonText'
import type { DevNodeProfile } from '../../../src/devnode/settings/profiles'
import { noFaults } from '../../../src/devnode/settings/faults'
import { PROFILES } from '../../../src/devnode/settings/profiles'
import { EMPTY_VIEW } from '../../../src/devnode/rules/utxoSet'
import { scaled } from '../../support/scale'

const echo = new JsonText('{}')
const head: HeadIdentity = { headId: 'aa', headSeed: 'bb', parties: ['p1', 'p2'] }
const txOf = (n: number): HeadTx => ({ txId: `tx${n}`, envelope: echo })
const depositOf = (n: number): Deposit => ({
  txId: `deposit${n}`,
  headId: head.headId,
  deposited: EMPTY_VIEW,
  createdMs: 0,
  activatesMs: 10 * n,
  expiresMs: 500,
  deadlineMs: 1000,
  status: 'Inactive'
})
const input = (value: HeadInput): HeadEvent => ({ type: 'Input', input: value, echo, text: '{}', client: null })

/** Freezes a value as deep as it goes, so that a step that changes its input fails. */
function freeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value)
    Object.values(value).forEach(freeze)
  }
  return value
}

/** What one can do in each status without leaving it, and where it can lead. */
const EDGES: Record<string, readonly string[]> = {
  Idle: ['Idle', 'Initializing', 'Open'],
  Initializing: ['Initializing', 'Open', 'Idle'],
  Open: ['Open', 'Closed'],
  Closed: ['Closed', 'FanningOut', 'Idle'],
  FanningOut: ['FanningOut', 'Closed', 'Idle']
}

const small = fc.nat(4)
const events: fc.Arbitrary<(state: NodeState) => HeadEvent> = fc.oneof(
  fc
    .constantFrom('Init', 'Abort', 'Close', 'Contest', 'Fanout')
    .map((tag) => () => input({ tag, full: EMPTY_VIEW } as HeadInput)),
  small.map((n) => () => input({ tag: 'NewTx', tx: txOf(n) })),
  small.map((n) => () => input({ tag: 'Decommit', tx: txOf(n) })),
  small.map((n) => () => input({ tag: 'Recover', depositTxId: `deposit${n}` })),
  fc.constantFrom(null, 'token').map((assets) => () => input({ tag: 'SafeClose', assets })),
  fc
    .constantFrom(
      null,
      { utxo: EMPTY_VIEW, all: true, full: EMPTY_VIEW },
      { utxo: EMPTY_VIEW, all: false, full: EMPTY_VIEW }
    )
    .map((selection) => () => input({ tag: 'PartialFanout', selection })),
  fc.constantFrom(null, echo).map((failure) => () => input({ tag: 'SideLoadSnapshot', headId: 'aa', failure })),
  fc.tuple(small, fc.constantFrom(null, 'bad'), fc.nat(1)).map(([n, failure, retriesLeft]) => (): HeadEvent => ({
    type: 'TxValidated',
    tx: txOf(n),
    failure,
    retriesLeft,
    localUtxo: EMPTY_VIEW
  })),
  fc.tuple(small, fc.constantFrom(null, 'bad')).map(([n, failure]) => (): HeadEvent => ({
    type: 'DecommitValidated',
    tx: txOf(n),
    failure,
    localUtxo: EMPTY_VIEW,
    utxoToDecommit: EMPTY_VIEW
  })),
  fc.nat(700).map((timeMs) => (): HeadEvent => ({ type: 'Tick', timeMs })),
  fc.constant((): HeadEvent => ({ type: 'InitSeen', head, emptyUtxo: EMPTY_VIEW })),
  fc.constantFrom('p1', 'p2').map((party) => (): HeadEvent => ({ type: 'CommitSeen', party, utxo: EMPTY_VIEW })),
  fc
    .constantFrom('CollectSeen' as const, 'AbortSeen' as const)
    .map((type) => (): HeadEvent => ({ type, utxo: EMPTY_VIEW })),
  small.map((n) => (): HeadEvent => ({ type: 'DepositSeen', deposit: depositOf(n) })),
  small.map((n) => (): HeadEvent => ({ type: 'IncrementSeen', depositTxId: `deposit${n}` })),
  fc.constant((): HeadEvent => ({ type: 'DecrementSeen', distributedUTxO: EMPTY_VIEW })),
  fc.constant((): HeadEvent => ({ type: 'CloseSeen', deadlineMs: 600 })),
  fc.constant((): HeadEvent => ({
    type: 'FanoutSeen',
    step: EMPTY_VIEW,
    distributed: EMPTY_VIEW,
    remaining: EMPTY_VIEW
  })),
  fc.boolean().map((synced) => (): HeadEvent => ({ type: 'SyncChanged', synced, driftSeconds: 5, slot: 1, timeMs: 1 })),
  fc.constant((state: NodeState): HeadEvent => signed(state, 1)),
  fc.constant((state: NodeState): HeadEvent => ({
    type: 'PostFailed',
    post: { tag: 'FanoutTx', head: state.head.status === 'Idle' ? head : state.head.head, selection: null },
    error: echo
  }))
)

/** A snapshot of what the head has asked for. */
function signed({ head: state }: NodeState, confirmed: number): HeadEvent {
  const open = state.status === 'Open' ? state : null
  const snapshot = {
    headId: head.headId,
    version: open?.version ?? 0,
    number: (open?.confirmed?.snapshot.number ?? 0) + 1,
    confirmed: Array.from({ length: Math.min(confirmed, open?.pendingTxs ?? 0) }, (_, n) => txOf(n)),
    utxo: EMPTY_VIEW,
    utxoToCommit: open?.deposit?.utxo ?? null,
    depositTxId: open?.deposit?.txId ?? null,
    utxoToDecommit: open?.decommit?.utxo ?? null,
    accumulator: ''
  }
  const hashes = { utxo: '', toCommit: '', toDecommit: '', accumulator: '' }
  return { type: 'SnapshotSigned', signed: { snapshot, signatures: [], hashes } }
}

const tagsOf = (actions: readonly HeadAction[]): string[] =>
  actions.map((action) =>
    action.do === 'publish'
      ? action.output.tag
      : action.do === 'broadcast'
        ? action.message.tag
        : action.do === 'post'
          ? action.post.tag
          : action.do
  )

describe('the head machine', () => {
  it('never throws, never changes what it is given, and keeps its invariants on any course of events', () => {
    const profiles = fc.constantFrom(...(Object.keys(PROFILES) as DevNodeProfile[]))
    fc.assert(
      fc.property(profiles, fc.array(events, { maxLength: 60 }), (profile, course) => {
        let state = freeze(IDLE_NODE)
        for (const make of course) {
          const event = freeze(make(state))
          // Snapshots are signed only when asked for.
          if (event.type === 'SnapshotSigned' && !(state.head.status === 'Open' && state.head.signing)) continue
          const before = state
          const step = stepHead(before, event, { features: PROFILES[profile], faults: noFaults() })
          state = freeze(step.state)
          expect(EDGES[before.head.status]).toContain(state.head.status)
          if (state.head.status === 'Open') {
            const { pendingTxs, deposit, decommit, signing } = state.head
            expect(pendingTxs).toBeGreaterThanOrEqual(0)
            // The machine never takes up a deposit beside a decommit.
            const tookUp = before.head.status === 'Open' && before.head.deposit === null && deposit !== null
            if (tookUp) expect(decommit).toBeNull()
            const asked = before.head.status === 'Open' && before.head.signing
            if (asked && event.type !== 'SnapshotSigned' && event.type !== 'Input') expect(signing).toBe(true)
          }
          const signs = step.actions.filter((action) => action.do === 'sign')
          expect(signs.length).toBeLessThanOrEqual(1)
          if (signs.length > 0) expect(state.head).toMatchObject({ status: 'Open', signing: true })
          // The check for assets comes before the one for sync (WSServer.hs:198).
          const holdsAssets = event.type === 'Input' && event.input.tag === 'SafeClose' && event.input.assets !== null
          if (!before.synced && event.type === 'Input')
            expect(tagsOf(step.actions)).toEqual([holdsAssets ? 'refuseInput' : 'RejectedInputBecauseUnsynced'])
        }
      }),
      { numRuns: scaled(10_000) }
    )
  })

  const run = (state: NodeState, ...course: readonly HeadEvent[]): { state: NodeState; tags: string[] } => {
    const tags: string[] = []
    for (const event of course) {
      const step = stepHead(state, event, { features: PROFILES['2.3'], faults: noFaults() })
      state = step.state
      tags.push(...tagsOf(step.actions))
    }
    return { state, tags }
  }
  const opened = run(IDLE_NODE, { type: 'InitSeen', head, emptyUtxo: EMPTY_VIEW }).state

  it('emits what the node emits for each step, in its order', () => {
    const judged: HeadEvent = { type: 'TxValidated', tx: txOf(1), failure: null, retriesLeft: 5, localUtxo: null }
    const valid = run(opened, input({ tag: 'NewTx', tx: txOf(1) }), judged, judged)
    expect(valid.tags).toEqual(['validateTx', 'TxValid', 'sign', 'TxValid'])
    const confirmed = run(valid.state, signed(valid.state, 1))
    expect(confirmed.tags).toEqual(['SnapshotConfirmed', 'sign'])
    expect(run(confirmed.state, signed(confirmed.state, 1)).tags).toEqual(['SnapshotConfirmed'])
  })

  it('gives a transaction that cannot be applied its retries, then TxInvalid', () => {
    const judged = (retriesLeft: number): HeadEvent => ({
      type: 'TxValidated',
      tx: txOf(1),
      failure: 'bad',
      retriesLeft,
      localUtxo: retriesLeft === 0 ? EMPTY_VIEW : null
    })
    expect(run(opened, judged(1), judged(0)).tags).toEqual(['retryTx', 'TxInvalid'])
  })

  it('knows when the next tick matters', () => {
    expect(nextTick(IDLE_NODE)).toBeNull()
    const withDeposit = run(opened, { type: 'DepositSeen', deposit: depositOf(3) }).state
    expect(nextTick(withDeposit)).toBe(31)
    const active = run(withDeposit, { type: 'Tick', timeMs: 31 })
    expect([active.tags, nextTick(active.state)]).toEqual([['DepositActivated', 'sign'], 501])
    const closed = run(opened, { type: 'CloseSeen', deadlineMs: 600 })
    expect(nextTick(closed.state)).toBe(601)
    expect(nextTick(run(closed.state, { type: 'Tick', timeMs: 601 }).state)).toBeNull()
  })

  it('does not take a tick before the deadline for one after it', () => {
    const closed = run(opened, { type: 'CloseSeen', deadlineMs: 600 }).state
    expect(run(closed, { type: 'Tick', timeMs: 600 }).tags).toEqual([])
    expect(run(closed, { type: 'Tick', timeMs: 601 }, { type: 'Tick', timeMs: 700 }).tags).toEqual(['ReadyToFanout'])
  })
})
