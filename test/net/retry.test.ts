import type { Outcome, Transient } from '../../src/net/retry'
import { isRetryableStatus, retry } from '../../src/net/retry'

describe('isRetryableStatus', () => {
  it.each([408, 425, 429, 500, 502, 503, 504, 520, 599])('takes %i for transient', (status) =>
    expect(isRetryableStatus(status)).toBe(true)
  )
  it.each([0, 200, 204, 301, 400, 401, 402, 403, 404, 409, 418, 426, 451, 499])('takes %i for final', (status) =>
    expect(isRetryableStatus(status)).toBe(false)
  )
})

describe('retry', () => {
  beforeEach(() => jest.useFakeTimers())
  afterEach(() => jest.useRealTimers())

  const busy = new Error('busy')
  const always = (): Transient => ({})
  const never = (): AbortSignal => new AbortController().signal

  /**
   * Runs attempts that fail, or give what `results` has for them; resolves with the outcome and the times of the
   * attempts, ms.
   */
  const run = async ({
    results = [],
    random = 0.5,
    ...task
  }: { results?: (string | Error)[]; random?: number } & Partial<Parameters<typeof retry<string>>[0]>): Promise<{
    outcome: string | Error
    times: number[]
  }> => {
    jest.spyOn(Math, 'random').mockReturnValue(random)
    const start = performance.now()
    const times: number[] = []
    const attempt = async (): Promise<string> => {
      const result = results[times.length] ?? busy
      times.push(Math.round(performance.now() - start))
      if (typeof result === 'string') return result
      throw result
    }
    const done = retry(
      { attempts: 4, delayMs: 100, maxDelayMs: 300, deadline: start + 1e6, signal: never(), classify: always, ...task },
      attempt
    ).catch((error: Error) => error)
    await jest.advanceTimersByTimeAsync(1e6)
    jest.mocked(Math.random).mockRestore()
    return { outcome: await done, times }
  }

  it('doubles the wait each time, up to its maximum, and throws the last error', async () => {
    expect(await run({})).toEqual({ outcome: busy, times: [0, 100, 300, 600] })
  })

  it('varies each wait by half to both sides', async () => {
    expect((await run({ random: 0 })).times).toEqual([0, 50, 150, 300])
    expect((await run({ random: 1 })).times).toEqual([0, 150, 450, 900])
  })

  it('ends with the first outcome that is final', async () => {
    const classify = (outcome: Outcome<string>): Transient | undefined => ('error' in outcome ? {} : undefined)
    expect(await run({ classify, results: [busy, 'done'] })).toEqual({ outcome: 'done', times: [0, 100] })
    expect(await run({ classify: () => undefined })).toEqual({ outcome: busy, times: [0] })
  })

  it('returns a transient value when the attempts are used up', async () => {
    expect(await run({ attempts: 2, results: ['503', '502'] })).toEqual({ outcome: '502', times: [0, 100] })
  })

  it.each([0, 7, 5_000])('waits %i ms instead of the backoff when the server demands it', async (ms) => {
    expect((await run({ attempts: 2, classify: () => ({ retryAfterMs: ms }) })).times).toEqual([0, Math.max(ms, 1)])
  })

  it('gives up at once, with the last outcome, when the wait would pass the deadline', async () => {
    expect(await run({ deadline: performance.now() + 250 })).toEqual({ outcome: busy, times: [0, 100] })
  })

  it('awaits the limiter before each retry and not before the first attempt', async () => {
    const beforeRetry = jest.fn(async () => undefined)
    await run({ beforeRetry })
    expect(beforeRetry).toHaveBeenCalledTimes(3)
  })

  it('ends with the reason of a signal that is aborted between two attempts', async () => {
    const controller = new AbortController()
    const reason = new Error('the user left')
    setTimeout(() => controller.abort(reason), 150)
    expect(await run({ signal: controller.signal })).toEqual({ outcome: reason, times: [0, 100] })
  })

  it('does not repeat what failed because the signal was aborted', async () => {
    const controller = new AbortController()
    const attempt = jest.fn(async (): Promise<string> => {
      controller.abort()
      throw busy
    })
    await expect(
      retry(
        { attempts: 4, delayMs: 1, maxDelayMs: 1, deadline: Infinity, signal: controller.signal, classify: always },
        attempt
      )
    ).rejects.toBe(busy)
    expect(attempt).toHaveBeenCalledTimes(1)
  })

  it('repeats an attempt that throws synchronously', async () => {
    const attempt = jest.fn((): Promise<string> => {
      throw busy
    })
    const done = retry(
      { attempts: 3, delayMs: 1, maxDelayMs: 1, deadline: Infinity, signal: never(), classify: always },
      attempt
    ).catch((error: Error) => error)
    await jest.advanceTimersByTimeAsync(100)
    expect(await done).toBe(busy)
    expect(attempt).toHaveBeenCalledTimes(3)
  })
})
