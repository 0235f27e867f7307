import { codeOf } from '../../support/codeOf'
import type { GatewayLease, GatewayLog, LoggedRecord } from '../../../src/gateway/log/GatewayLog'

/** Two processes at one log. */
export interface OpenedLog {
  readonly here: GatewayLog
  readonly there: GatewayLog
  /** Ends what was started for the test. */
  stop(): Promise<void>
}

const WAIT_MS = 20_000

/** Waits until something holds. */
export async function eventually(what: string, holds: () => boolean | Promise<boolean>): Promise<void> {
  const until = Date.now() + WAIT_MS
  while (!(await holds())) {
    if (Date.now() > until) throw new Error(`${what}: not within ${WAIT_MS} ms`)
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))
const textsOf = (records: readonly LoggedRecord[]): string[] => records.map(({ record }) => record)

/** What every log must hold to. `open` makes an empty one. */
export function describeLog(name: string, open: () => Promise<OpenedLog>): void {
  describe(`the contract of a log, held by ${name}`, () => {
    let here: GatewayLog
    let there: GatewayLog
    let stop: () => Promise<void>
    const tails: AbortController[] = []

    beforeEach(async () => {
      ;({ here, there, stop } = await open())
    }, 60_000)
    afterEach(async () => {
      for (const tail of tails.splice(0)) tail.abort()
      await stop()
    }, 60_000)

    async function appendAll(log: GatewayLog, stream: string, records: readonly string[]): Promise<string[]> {
      const ids: string[] = []
      for (const record of records) ids.push((await log.append(stream, record)).id)
      return ids
    }

    /** Follows a stream; what has come is in the list. */
    function follow(
      log: GatewayLog,
      stream: string,
      after: string | null = null
    ): { records: LoggedRecord[]; ended: Promise<unknown>; stop(): void } {
      const controller = new AbortController()
      tails.push(controller)
      const records: LoggedRecord[] = []
      const ended = log
        .tail(stream, after, (logged) => records.push(logged), controller.signal)
        .catch((error: unknown) => error)
      return { records, ended, stop: () => controller.abort() }
    }

    async function lease(log: GatewayLog, leaseName: string, ttlMs = 60_000): Promise<GatewayLease> {
      const taken = await log.lease(leaseName, ttlMs)
      if (taken === null) throw new Error('somebody else holds it')
      return taken
    }

    it('refuses an append under a fence that was never given out', async () => {
      expect(await codeOf(() => here.append('out', 'a', { fence: { lease: 'core', number: 7 } }))).toBe(
        'GATEWAY_FENCED'
      )
      expect((await here.read('out', null, 10)).records).toEqual([])
    })

    it('refuses an append of the holder before, from the moment at which another takes the lease', async () => {
      const first = await lease(here, 'core', 200)
      await here.append('out', 'a', { fence: { lease: 'core', number: first.fence } })
      let second: GatewayLease | null = null
      await eventually('the lease runs out', async () => (second = await there.lease('core', 60_000)) !== null)
      expect(second!.fence).toBeGreaterThan(first.fence)
      expect(await codeOf(() => here.append('out', 'b', { fence: { lease: 'core', number: first.fence } }))).toBe(
        'GATEWAY_FENCED'
      )
      await there.append('out', 'c', { fence: { lease: 'core', number: second!.fence } })
      expect(textsOf((await here.read('out', null, 10)).records)).toEqual(['a', 'c'])
    })

    it('does not take a key of a refused append for appended', async () => {
      expect(await codeOf(() => here.append('out', 'a', { once: 'k', fence: { lease: 'core', number: 3 } }))).toBe(
        'GATEWAY_FENCED'
      )
      expect((await here.append('out', 'a', { once: 'k' })).first).toBe(true)
    })

    it('gives a lease to one holder at a time', async () => {
      const attempts = await Promise.all(
        Array.from({ length: 40 }, (_, n) => (n % 2 === 0 ? here : there).lease('core', 60_000))
      )
      const taken = attempts.filter((each) => each !== null)
      expect(taken).toHaveLength(1)
      expect(taken[0]!.fence).toBe(1)
      expect(await here.lease('other', 60_000)).toMatchObject({ fence: 1 })
    })

    it('neither renews nor releases a lease for a holder that has lost it', async () => {
      const first = await lease(here, 'core', 100)
      let second: GatewayLease | null = null
      await eventually('the lease runs out', async () => (second = await there.lease('core', 60_000)) !== null)
      expect(await first.renew()).toBe(false)
      await first.release()
      expect(await here.lease('core', 60_000)).toBeNull()
      expect(await second!.renew()).toBe(true)
    })

    it('does not renew a lease that has run out', async () => {
      const held = await lease(here, 'core', 50)
      await pause(300)
      expect(await held.renew()).toBe(false)
    })

    it('keeps a lease beyond its time while it is renewed', async () => {
      const held = await lease(here, 'core', 4_000)
      for (let n = 0; n < 6; n++) {
        await pause(900)
        expect(await held.renew()).toBe(true)
        expect(await there.lease('core', 4_000)).toBeNull()
      }
    })

    it('gives a released lease away at once, with a greater fence', async () => {
      const first = await lease(here, 'core')
      await first.release()
      const second = await lease(there, 'core')
      expect(second.fence).toBe(first.fence + 1)
    })

    it('appends a record with the same key once, whoever is first, and names the record then', async () => {
      const results = await Promise.all(
        Array.from({ length: 60 }, (_, n) => (n % 2 === 0 ? here : there).append('in', `r${n}`, { once: 'tx' }))
      )
      expect(results.filter(({ first }) => first)).toHaveLength(1)
      expect(new Set(results.map(({ id }) => id)).size).toBe(1)
      const { records } = await here.read('in', null, 100)
      expect(records).toHaveLength(1)
      expect(records[0]!.id).toBe(results[0]!.id)
      expect(results.findIndex(({ first }) => first)).toBe(Number(records[0]!.record.slice(1)))
    })

    it('keeps the keys of streams apart, and names that objects inherit', async () => {
      expect((await here.append('a', 'x', { once: '__proto__' })).first).toBe(true)
      expect((await here.append('b', 'x', { once: '__proto__' })).first).toBe(true)
      expect((await here.append('a', 'x', { once: 'constructor' })).first).toBe(true)
      expect((await here.append('__proto__', 'x')).first).toBe(true)
      expect((await here.append('a', 'x', { once: '__proto__' })).first).toBe(false)
    })

    it('reads an empty stream as one', async () => {
      expect(await here.read('nothing', null, 10)).toEqual({
        records: [],
        oldest: null,
        newest: null,
        epoch: expect.any(String)
      })
    })

    it('has one epoch for all who use it', async () => {
      const { epoch } = await here.read('a', null, 1)
      expect(epoch.length).toBeGreaterThanOrEqual(16)
      expect((await there.read('b', null, 1)).epoch).toBe(epoch)
    })

    it('reads records in the order in which they were appended, in parts, exactly as they came', async () => {
      const texts = Array.from(
        { length: 25 },
        (_, n) => `{"n":${n},"text":"${'ü€😀\\u0000'.repeat(n % 3)}","big":9223372036854775807}`
      )
      const ids = await appendAll(here, 'out', texts)
      const read: LoggedRecord[] = []
      for (let after: string | null = null; read.length < 25; after = read.at(-1)!.id)
        read.push(...(await there.read('out', after, 10)).records)
      expect(textsOf(read)).toEqual(texts)
      expect(read.map(({ id }) => id)).toEqual(ids)
      const { oldest, newest, records } = await there.read('out', ids[24]!, 10)
      expect([oldest, newest, records]).toEqual([ids[0], ids[24], []])
    })

    it('drops the oldest beyond the number and the age that are kept', async () => {
      await appendAll(here, 'out', ['a', 'b', 'c'])
      const { id } = await here.append('out', 'd', { keep: { records: 2, ms: 3_600_000 } })
      expect(textsOf((await here.read('out', null, 10)).records)).toEqual(['a', 'b', 'c', 'd'])
      await pause(50)
      await here.append('out', 'e', { keep: { records: 2, ms: 20 } })
      const { records, oldest } = await there.read('out', null, 10)
      expect(textsOf(records)).toEqual(['d', 'e'])
      expect(oldest).toBe(id)
    })

    it('drops the oldest beyond the bytes that are kept, and never the newest', async () => {
      await appendAll(here, 'out', ['a'.repeat(100), 'b'.repeat(100), 'c'.repeat(100)])
      await here.append('out', 'd'.repeat(100), { keep: { records: 1_000, ms: 3_600_000, bytes: 250 } })
      expect(textsOf((await here.read('out', null, 10)).records).map((text) => text[0])).toEqual(['c', 'd'])
      await here.append('out', 'ü'.repeat(200), { keep: { records: 1_000, bytes: 250 } })
      expect(textsOf((await here.read('out', null, 10)).records).map((text) => text[0])).toEqual(['ü'])
    })

    it('goes on with greater ids after everything but the newest was dropped', async () => {
      const ids = await appendAll(here, 'out', ['a', 'b', 'c'])
      const { id } = await here.append('out', 'd', { keep: { records: 1 } })
      expect(ids).not.toContain(id)
      expect(textsOf((await here.read('out', ids[2]!, 10)).records)).toEqual(['d'])
      const late = await here.append('out', 'e')
      expect((await here.read('out', id, 10)).records.map((each) => each.id)).toEqual([late.id])
    })

    it('hands over to a tail what was there and what comes, in order and once', async () => {
      const [first] = await appendAll(here, 'out', ['a', 'b'])
      const all = follow(there, 'out')
      const later = follow(there, 'out', first)
      await eventually('the first records', () => all.records.length === 2)
      await Promise.all(Array.from({ length: 200 }, (_, n) => (n % 2 === 0 ? here : there).append('out', String(n))))
      await eventually('all records', () => all.records.length === 202 && later.records.length === 201)
      const { records } = await here.read('out', null, 1_000)
      expect(all.records).toEqual(records)
      expect(later.records).toEqual(records.slice(1))
    })

    it('hands over many records that were there without skipping one', async () => {
      for (let group = 0; group < 5; group++)
        await Promise.all(Array.from({ length: 300 }, (_, n) => here.append('out', String(300 * group + n))))
      const tail = follow(there, 'out')
      await eventually('all records', () => tail.records.length === 1_500)
      expect(tail.records).toEqual((await here.read('out', null, 2_000)).records)
    })

    it('hands over nothing after a tail was stopped', async () => {
      const tail = follow(here, 'out')
      await here.append('out', 'a')
      await eventually('the first record', () => tail.records.length === 1)
      tail.stop()
      await expect(tail.ended).resolves.toBeUndefined()
      await here.append('out', 'b')
      await pause(100)
      expect(textsOf(tail.records)).toEqual(['a'])
    })

    it('ends a tail after a record that is no longer there, instead of skipping what lay between', async () => {
      const [first] = await appendAll(here, 'out', ['a', 'b', 'c', 'd'])
      await here.append('out', 'e', { keep: { records: 2 } })
      const tail = follow(there, 'out', first)
      const error = await tail.ended
      expect(error).toMatchObject({ code: 'GATEWAY_LOG' })
      expect(tail.records).toEqual([])
    })

    it('ends a tail whose handler throws, with what it threw', async () => {
      await here.append('out', 'a')
      const failing = here.tail(
        'out',
        null,
        () => {
          throw new RangeError('of the handler')
        },
        new AbortController().signal
      )
      await expect(failing).rejects.toThrow('of the handler')
    })

    it('keeps the streams apart', async () => {
      const tail = follow(there, 'b')
      await appendAll(here, 'a', ['1', '2'])
      await here.append('b', '3')
      await eventually('the record', () => tail.records.length > 0)
      expect(textsOf(tail.records)).toEqual(['3'])
      expect(textsOf((await there.read('a', null, 10)).records)).toEqual(['1', '2'])
    })

    it('ends its tails and refuses calls once it is closed', async () => {
      const tail = follow(here, 'out')
      await here.close()
      await expect(tail.ended).resolves.toMatchObject({ code: 'GATEWAY_LOG' })
      expect(await codeOf(() => here.append('out', 'a'))).toBe('GATEWAY_LOG')
      expect(await codeOf(() => here.read('out', null, 1))).toBe('GATEWAY_LOG')
      expect(await codeOf(() => here.lease('core', 1_000))).toBe('GATEWAY_LOG')
      await here.close()
    })
  })
}
