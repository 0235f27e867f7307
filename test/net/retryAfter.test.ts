import { retryAfterMs } from '../../src/net/retryAfter'

describe('retryAfterMs', () => {
  it.each<[string, number]>([
    ['0', 0],
    ['3', 3_000],
    [' 120 ', 120_000],
    ['999999999', 999_999_999_000]
  ])('reads %j as seconds', (header, ms) => {
    expect(retryAfterMs(header)).toBe(ms)
  })

  it('measures a date by the Date header of the same response, however wrong that clock is', () => {
    expect(retryAfterMs('Wed, 21 Oct 2015 07:28:02 GMT', 'Wed, 21 Oct 2015 07:28:00 GMT')).toBe(2_000)
  })

  it.each([undefined, null, '', 'noon'])('measures a date by the local clock when the Date header is %j', (date) => {
    jest.useFakeTimers({ now: Date.UTC(2015, 9, 21, 7, 28, 0) })
    try {
      expect(retryAfterMs('Wed, 21 Oct 2015 07:28:02 GMT', date)).toBe(2_000)
    } finally {
      jest.useRealTimers()
    }
  })

  it('waits no negative time for a date that has passed', () => {
    expect(retryAfterMs('Wed, 21 Oct 2015 07:27:00 GMT', 'Wed, 21 Oct 2015 07:28:00 GMT')).toBe(0)
  })

  it.each([undefined, null, '', ' ', 'soon', '-1', '1.5', '1e3', '0x10', '9999999999', 'Wed, soon', '2015-10-21'])(
    'ignores %j',
    (header) => {
      expect(retryAfterMs(header, 'Wed, 21 Oct 2015 07:28:00 GMT')).toBeUndefined()
    }
  )
})
