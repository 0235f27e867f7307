import { createSemaphore, withTimeLimit } from '../../src/net/abort'

const forever = (): Promise<never> => new Promise(() => undefined)

describe('withDeadline', () => {
  it('rejects at its deadline although the work ignores the signal', async () => {
    jest.useFakeTimers()
    const late = new Error('late')
    const done = withTimeLimit({ timeoutMs: 80, onTimeout: () => late }, forever).catch((error: Error) => error)
    await jest.advanceTimersByTimeAsync(79)
    expect(jest.getTimerCount()).toBe(1)
    await jest.advanceTimersByTimeAsync(1)
    expect(await done).toBe(late)
    jest.useRealTimers()
  })

  it('rejects with the reason of the caller, not with what the aborted work throws', async () => {
    const controller = new AbortController()
    const reason = new Error('the user left')
    const work = (signal: AbortSignal): Promise<never> =>
      new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('AbortError of a fetch'))))
    const done = withTimeLimit({ signal: controller.signal }, work)
    controller.abort(reason)
    await expect(done).rejects.toBe(reason)
  })

  it('never starts the work of a caller or an owner that has already left', async () => {
    const work = jest.fn(async () => 1)
    const reason = new Error('the user left')
    const closed = new Error('closed')
    await expect(withTimeLimit({ signal: AbortSignal.abort(reason) }, work)).rejects.toBe(reason)
    await expect(
      withTimeLimit(
        { lifetime: { signal: AbortSignal.abort(), onClose: () => closed }, signal: AbortSignal.abort(reason) },
        work
      )
    ).rejects.toBe(closed)
    expect(work).not.toHaveBeenCalled()
  })

  it('rejects with the error of the owner when its lifetime ends', async () => {
    const owner = new AbortController()
    const closed = new Error('closed')
    const done = withTimeLimit({ lifetime: { signal: owner.signal, onClose: () => closed } }, forever)
    owner.abort()
    await expect(done).rejects.toBe(closed)
  })

  it('aborts the other parts of the work when one fails', async () => {
    const failure = new Error('page 5')
    let seen: AbortSignal | undefined
    await expect(
      withTimeLimit({}, async (signal) => {
        seen = signal
        throw failure
      })
    ).rejects.toBe(failure)
    expect(seen!.reason).toBe(failure)
  })

  it('leaves no timer and no listener behind', async () => {
    jest.useFakeTimers()
    const [caller, owner] = [new AbortController(), new AbortController()]
    const counts = [caller.signal, owner.signal].map((signal) => ({
      added: jest.spyOn(signal, 'addEventListener'),
      removed: jest.spyOn(signal, 'removeEventListener')
    }))
    const bounds = {
      signal: caller.signal,
      lifetime: { signal: owner.signal, onClose: () => new Error() },
      timeoutMs: 10,
      onTimeout: () => new Error()
    }
    expect(await withTimeLimit(bounds, async () => 1)).toBe(1)
    expect(jest.getTimerCount()).toBe(0)
    for (const { added, removed } of counts)
      expect(removed.mock.calls.map(([, listener]) => listener)).toEqual(
        added.mock.calls.map(([, listener]) => listener)
      )
    jest.useRealTimers()
  })
})

describe('createSemaphore', () => {
  it('runs eight tasks at once, and the next as soon as one has ended, failed ones included', async () => {
    const limit = createSemaphore()
    const ends: (() => void)[] = []
    const started: number[] = []
    const tasks = Array.from({ length: 10 }, (_, i) =>
      limit(
        () =>
          new Promise<void>((resolve, reject) => {
            started.push(i)
            ends.push(i === 3 ? () => reject(new Error('fails')) : resolve)
          })
      ).catch(() => undefined)
    )
    await Promise.resolve()
    expect(started).toEqual([0, 1, 2, 3, 4, 5, 6, 7])
    ends[3]!()
    await new Promise((resolve) => setImmediate(resolve))
    expect(started).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8])
    for (let i = 0; i < 10; i++) {
      ends[i]?.()
      await new Promise((resolve) => setImmediate(resolve))
    }
    await Promise.all(tasks)
    expect(started).toHaveLength(10)
  })
})
