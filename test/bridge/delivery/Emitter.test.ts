import { Emitter, MAX_QUEUED, MAX_QUEUED_WEIGHT } from '../../../src/bridge/delivery/Emitter.js'

describe('the queue behind slow handlers', () => {
  beforeEach(() => {
    jest.useFakeTimers()
  })
  afterEach(() => {
    jest.restoreAllMocks()
    jest.useRealTimers()
  })

  /** An emitter whose handlers have just been too slow, so that what comes waits. */
  function slow(): {
    emitter: Emitter
    delivered: unknown[]
    reports: unknown[]
    slowDown: () => void
    drain: () => void
  } {
    const emitter = new Emitter((error) => {
      throw error
    })
    const delivered: unknown[] = []
    const reports: unknown[] = []
    let waitMs = 20
    emitter.on('message', ((what: unknown) => {
      delivered.push(what)
      jest.setSystemTime(Date.now() + waitMs)
      jest.advanceTimersByTime(0)
    }) as never)
    emitter.on('onSlowConsumer', ((backlog: unknown) => reports.push(backlog)) as never)
    jest.spyOn(performance, 'now').mockImplementation(() => Date.now())
    const slowDown = (): void => {
      waitMs = 20
      emitter.emit([['message', 'slow']], 1)
      waitMs = 0
      delivered.length = 0
    }
    slowDown()
    return { emitter, delivered, reports, slowDown, drain: () => jest.runAllTimers() }
  }

  it('holds eight million characters of messages, drops the oldest beyond them, and says so once', () => {
    expect(MAX_QUEUED_WEIGHT).toBe(8_000_000)
    const { emitter, delivered, reports, drain } = slow()
    for (let at = 0; at < 8; at++) emitter.emit([['message', at]], 1_000_000)
    expect(reports).toEqual([])
    for (let at = 8; at < 12; at++) emitter.emit([['message', at]], 1_000_000)
    drain()
    expect(delivered).toEqual([4, 5, 6, 7, 8, 9, 10, 11])
    expect(reports).toEqual([{ queued: 8, dropped: 1 }])
  })

  it('delivers a single message of any weight', () => {
    const { emitter, delivered, reports, drain } = slow()
    emitter.emit([['message', 'huge']], 100_000_000)
    drain()
    expect([delivered, reports]).toEqual([['huge'], []])
  })

  it('holds 4,096 messages, however light, and keeps lifecycle events before all others', () => {
    const { emitter, delivered, drain } = slow()
    emitter.emit([['message', 'lifecycle']], 0)
    for (let at = 0; at < MAX_QUEUED + 10; at++) emitter.emit([['message', at]], 1)
    drain()
    expect(delivered.length).toBeLessThanOrEqual(MAX_QUEUED)
    expect(delivered[0]).toBe('lifecycle')
    expect(delivered.at(-1)).toBe(MAX_QUEUED + 9)
  })

  it('counts anew once it has emptied', () => {
    const { emitter, delivered, reports, slowDown, drain } = slow()
    for (let round = 0; round < 3; round++) {
      if (round > 0) slowDown()
      for (let at = 0; at < 7; at++) emitter.emit([['message', at]], 1_000_000)
      drain()
      expect(delivered).toEqual([0, 1, 2, 3, 4, 5, 6])
    }
    expect(reports).toEqual([])
  })
})

describe('a page in a hidden tab, whose timers run once a second', () => {
  const { setTimeout } = globalThis
  afterEach(() => {
    globalThis.setTimeout = setTimeout
    jest.restoreAllMocks()
  })

  it('gets every message, though each handler is slower than a slice of time and more messages come than the queue holds', async () => {
    globalThis.setTimeout = ((callback: () => void, ms: number) => setTimeout(callback, Math.max(ms, 1_000))) as never
    let nowMs = 0
    jest.spyOn(performance, 'now').mockImplementation(() => nowMs)
    const emitter = new Emitter((error) => {
      throw error
    })
    const handled: unknown[] = []
    const dropped: unknown[] = []
    emitter.on('message', ((at: unknown) => {
      handled.push(at)
      nowMs += 20
    }) as never)
    emitter.on('onSlowConsumer', ((backlog: unknown) => dropped.push(backlog)) as never)
    const sent = Array.from({ length: MAX_QUEUED + 500 }, (_, at) => at)
    for (const at of sent) {
      emitter.emit([['message', at]], 1)
      await new Promise((resolve) => setImmediate(resolve))
    }
    await new Promise((resolve) => setImmediate(resolve))
    expect(dropped).toEqual([])
    expect(handled.length).toBe(sent.length)
    expect(handled).toEqual(sent)
  })
})

describe('the handlers of an emitter', () => {
  const create = (): Emitter =>
    new Emitter((error) => {
      throw error
    })

  it('calls a handler that was subscribed twice once, and not at all after one unsubscription', () => {
    const emitter = create()
    const calls: unknown[] = []
    const handler = ((value: unknown) => calls.push(value)) as never
    emitter.on('message', handler)
    const off = emitter.on('message', handler)
    emitter.emit([['message', 1]])
    off()
    emitter.emit([['message', 2]])
    expect(calls).toEqual([1])
    expect([emitter.count('message'), [...emitter.names]]).toEqual([0, []])
  })

  it('calls no handler that an earlier handler of the same event has removed', () => {
    const emitter = create()
    const calls: string[] = []
    const second = (() => calls.push('second')) as never
    emitter.on('message', (() => {
      calls.push('first')
      emitter.off('message', second)
    }) as never)
    emitter.on('message', second)
    emitter.on('message', (() => calls.push('third')) as never)
    emitter.emit([['message']])
    expect(calls).toEqual(['first', 'third'])
  })

  it('calls no handler that was subscribed during the delivery of the same event', () => {
    const emitter = create()
    const calls: string[] = []
    emitter.on('message', (() => {
      calls.push('first')
      emitter.on('message', (() => calls.push('late')) as never)
    }) as never)
    emitter.emit([['message']])
    expect(calls).toEqual(['first'])
  })

  it('removes no handler when off() gets none', () => {
    const emitter = create()
    const calls: string[] = []
    emitter.on('message', (() => calls.push('called')) as never)
    emitter.off('message', undefined as never)
    emitter.emit([['message']])
    expect(calls).toEqual(['called'])
  })

  it("takes '*' for a name like any other: its handlers get no other event", () => {
    const emitter = create()
    const calls: unknown[] = []
    emitter.on('*', ((...args: unknown[]) => calls.push(args)) as never)
    emitter.emit([['message', 1]])
    emitter.emit([['*', 2]])
    expect(calls).toEqual([[2]])
  })
})
