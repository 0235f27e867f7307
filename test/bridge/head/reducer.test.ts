import { INITIAL_HEAD_STATE, reduceHead } from '../../../src/bridge/head/reducer.js'
import type { HeadState } from '../../../src/bridge/head/reducer.js'
import { parseNodeTime, reduceSlotZero } from '../../../src/bridge/head/slotClock.js'
import type { SlotZero } from '../../../src/bridge/head/slotClock.js'
import { received } from './modelHead'

const H = 'aa'.repeat(28)
const payload = (tag: string, fields: object = {}): ReturnType<typeof received> =>
  received(JSON.stringify({ tag, headId: H, ...fields }))
const greetings = (fields: object): ReturnType<typeof received> =>
  received(JSON.stringify({ tag: 'Greetings', me: { vkey: 'a' }, headStatus: 'Idle', ...fields }))
const run = (...payloads: ReturnType<typeof received>[]): HeadState => payloads.reduce(reduceHead, INITIAL_HEAD_STATE)
const closed = payload('HeadIsClosed', { snapshotNumber: 3, contestationDeadline: '2026-01-01T00:00:00.123456789012Z' })

describe('reduceHead', () => {
  it.each([
    ['three periods', { depositPeriod: 600 }, 1_800_000, 600_000],
    [
      'the activation and two periods where a node states one',
      { depositPeriod: 600, depositActivation: 60 },
      1_260_000,
      600_000
    ],
    ['nothing where none is stated', {}, null, null]
  ])(
    'knows how long a deposit is locked from the periods that the node states: %s',
    (_name, periods, depositSpan, depositPeriod) => {
      const env = { party: { vkey: 'aa' }, otherParties: [], participants: [], contestationPeriod: 60, ...periods }
      expect(run(greetings({ headStatus: 'Open', env }))).toMatchObject({ depositSpan, depositPeriod })
    }
  )

  it('knows nothing at first, and takes everything from Greetings', () => {
    expect(INITIAL_HEAD_STATE).toEqual({
      headStatus: null,
      headId: null,
      synced: null,
      contestationDeadline: null,
      nodeVersion: null,
      depositSpan: null,
      depositPeriod: null
    })
    expect(
      run(greetings({ headStatus: 'Open', hydraHeadId: H, hydraNodeVersion: '2.3.0', chainSyncedStatus: 'InSync' }))
    ).toEqual({
      headStatus: 'Open',
      headId: H,
      synced: true,
      contestationDeadline: null,
      nodeVersion: '2.3.0',
      depositSpan: null,
      depositPeriod: null
    })
    expect(run(greetings({ chainSyncedStatus: 'CatchingUp' })).synced).toBe(false)
  })

  it.each([
    ['HeadIsInitializing', { parties: [] }, 'Initializing', H],
    ['HeadIsOpen', { parties: [] }, 'Open', H],
    ['ReadyToFanout', {}, 'FanoutPossible', H],
    [
      'HeadPartiallyFannedOut',
      { distributedUTxO: {}, remainingUTxO: {}, fanoutMode: 'AutoFanningOut' },
      'FanningOut',
      H
    ],
    ['HeadIsFinalized', { utxo: {} }, 'Idle', null],
    ['HeadIsAborted', { utxo: {} }, 'Idle', null]
  ])('goes with %s to the next state', (tag, fields, headStatus, headId) => {
    expect(run(payload(tag, fields))).toMatchObject({ headStatus, headId })
  })

  it('keeps the contestation deadline from the close until the head is over, and moves it with a contest', () => {
    expect(run(closed).contestationDeadline).toBe(Date.UTC(2026, 0, 1) + 123)
    expect(run(closed, payload('ReadyToFanout')).contestationDeadline).toBe(Date.UTC(2026, 0, 1) + 123)
    expect(run(closed, greetings({ headStatus: 'FanoutPossible', hydraHeadId: H })).contestationDeadline).toBe(
      Date.UTC(2026, 0, 1) + 123
    )
    expect(
      run(closed, payload('HeadIsContested', { snapshotNumber: 4, contestationDeadline: '2026-01-02T00:00:00Z' }))
        .contestationDeadline
    ).toBe(Date.UTC(2026, 0, 2))
    expect(run(closed, payload('HeadIsFinalized', { utxo: {} })).contestationDeadline).toBeNull()
    expect(run(closed, greetings({ headStatus: 'Closed', hydraHeadId: 'bb' })).contestationDeadline).toBeNull()
  })

  it("follows the node's sync with the chain", () => {
    const at = { chainSlot: 1, chainTime: '2026-01-01T00:00:00Z', drift: 1 }
    expect(run(payload('NodeSynced', at)).synced).toBe(true)
    expect(run(payload('NodeUnsynced', at)).synced).toBe(false)
    expect(run(payload('SyncedStatusReport', { ...at, synced: 'InSync' })).synced).toBe(true)
    expect(run(payload('RejectedInputBecauseUnsynced', { clientInput: { tag: 'Init' }, drift: 1 })).synced).toBe(false)
  })

  it('gives the same object when nothing changes', () => {
    const state = run(closed)
    expect(reduceHead(state, closed)).toBe(state)
    expect(reduceHead(state, payload('TxValid', { transactionId: 'aa' }))).toBe(state)
    expect(reduceHead(state, received('{"tag":"Unheard"}'))).toBe(state)
  })
})

describe('reduceSlotZero', () => {
  const NOW = Date.UTC(2026, 0, 1)
  const from = (known: SlotZero | null, message: ReturnType<typeof received>): SlotZero | null =>
    reduceSlotZero(known, message, NOW)

  it('is the arrival of Greetings less its slot, null before one with a slot', () => {
    expect(from(null, greetings({}))).toBeNull()
    expect(from(null, greetings({ currentSlot: 1000 }))).toEqual({ timestamp: NOW - 1_000_000, exact: false })
  })

  it.each([
    ['mainnet', 1591566291000],
    ['preprod', 1655683200000],
    ['preview', 1666656000000]
  ])('snaps to %s within 120 s', (_, known) => {
    const slot = Math.floor((NOW - known) / 1000)
    expect(from(null, greetings({ currentSlot: slot - 119 }))!.timestamp).toBe(known)
    expect(from(null, greetings({ currentSlot: slot - 121 }))!.timestamp).not.toBe(known)
  })

  it('is replaced by a message with slot and time, which stays', () => {
    const guessed = from(null, greetings({ currentSlot: 1000 }))
    const exact = from(guessed, payload('NodeSynced', { chainSlot: 500, chainTime: '2026-01-01T00:00:00Z', drift: 0 }))
    expect(exact).toEqual({ timestamp: NOW - 500_000, exact: true })
    expect(from(exact, payload('NodeUnsynced', { chainSlot: 501, chainTime: '2026-01-01T00:00:01Z', drift: 0 }))).toBe(
      exact
    )
    expect(from(exact, greetings({ currentSlot: 490 }))).toBe(exact)
    expect(from(exact, greetings({ currentSlot: 9, chainSyncedStatus: 'CatchingUp' }))).toBe(exact)
    expect(from(exact, greetings({ currentSlot: 9 }))).toEqual({ timestamp: NOW - 9000, exact: false })
    expect(
      from(
        null,
        received(
          JSON.stringify({
            tag: 'EventLogRotated',
            checkpoint: { chainPointTime: { currentSlot: 10, currentChainTime: '2026-01-01T00:00:00.5Z', drift: 0 } }
          })
        )
      )
    ).toEqual({ timestamp: NOW + 500 - 10_000, exact: true })
  })

  it('is not moved by a time that cannot be read', () => {
    expect(from(null, payload('NodeSynced', { chainSlot: 1, chainTime: 'soon', drift: 0 }))).toBeNull()
    expect(from(null, received('{"tag":"EventLogRotated"}'))).toBeNull()
    expect(parseNodeTime('2025-08-25T09:29:01Z')).toBe(Date.UTC(2025, 7, 25, 9, 29, 1))
    expect(parseNodeTime(5)).toBeNull()
  })
})
