import { depositPhase, depositTimes } from '../../src/codec/depositPhase'

const [DEADLINE, PERIOD] = [10_000, 1_000]
const times = depositTimes(DEADLINE, PERIOD, { recordedAt: 100 })

it('computes the times of a deposit from its deadline and the period, and keeps those that the node has stated', () => {
  expect(times).toEqual({ recordedAt: 100, claimableAt: 8_000, expiresAt: 9_000, recoverableAt: 10_000 })
  expect(depositTimes(DEADLINE, PERIOD, { claimableAt: 7_500 })).toMatchObject({ recordedAt: null, claimableAt: 7_500 })
  const unknown = { recordedAt: null, claimableAt: null, expiresAt: null }
  expect(depositTimes(DEADLINE, null)).toEqual({ ...unknown, recoverableAt: DEADLINE })
  expect(depositTimes(null, PERIOD)).toEqual({ ...unknown, recoverableAt: null })
})

it.each([
  [0, 'waiting', 8_000],
  [8_000, 'waiting', 8_000],
  [8_001, 'claimable', 9_000],
  [9_000, 'claimable', 9_000],
  [9_001, 'expired', 10_000],
  [10_000, 'expired', 10_000],
  [10_001, 'recoverable', null]
])('a deposit has one phase at a time, at %i ms it is %s, and the next begins at %p', (now, phase, nextAt) => {
  expect(depositPhase(times, now)).toEqual({ phase, nextAt })
})

it('a deposit of unknown times has no phase until its deadline has passed', () => {
  const unknown = depositTimes(DEADLINE, null)
  expect(depositPhase(unknown, 9_500)).toEqual({ phase: null, nextAt: DEADLINE })
  expect(depositPhase(unknown, 10_001)).toEqual({ phase: 'recoverable', nextAt: null })
  expect(depositPhase(depositTimes(null, PERIOD), 10_001)).toEqual({ phase: null, nextAt: null })
})
