import { inspect } from 'node:util'
import { createClient } from 'redis'
import type { GatewayLog, LoggedRecord } from '../../../src/gateway/log/GatewayLog'
import { redisLog } from '../../../src/gateway/log/redisLog'
import { codeOf } from '../../support/codeOf'
import { describeLog, eventually } from './contract'
import { describeWithRedis, RedisServer } from './RedisServer'

const server = new RedisServer()
let number = 0
const logs = new Set<GatewayLog>()

/** Another process at the log. */
function open(prefix: string, url = server.url): GatewayLog {
  const log = redisLog({ url, prefix })
  logs.add(log)
  return log
}

describeWithRedis('a log in Redis', () => {
  beforeAll(() => server.start(), 60_000)
  afterEach(async () => {
    await Promise.all([...logs].map((log) => log.close()))
    logs.clear()
  })
  afterAll(() => server.stop(), 60_000)

  describeLog('redisLog', async () => {
    const prefix = `test${number++}`
    return { here: open(prefix), there: open(prefix), stop: async () => undefined }
  })

  describe('redisLog', () => {
    async function admin(...args: string[]): Promise<unknown> {
      const client = createClient({ url: server.url })
      await client.connect()
      try {
        return await client.sendCommand(args)
      } finally {
        client.destroy()
      }
    }

    it.each([[undefined], [''], ['http://127.0.0.1'], ['127.0.0.1:6379'], [7]])('refuses the URL %p', (url) => {
      expect(() => redisLog({ url: url as string })).toThrow(
        expect.objectContaining({ code: 'INPUT_ARGUMENT', argument: 'url' })
      )
    })

    it('says nothing of the password when Redis refuses it, or is not there', async () => {
      for (const host of [`127.0.0.1:${server.port}`, '127.0.0.1:1']) {
        const log = open('secret', `redis://somebody:hunter2secret@${host}`)
        const error = await log.append('out', 'a').catch((thrown: unknown) => thrown)
        expect(error).toMatchObject({ code: 'GATEWAY_LOG' })
        expect(inspect(error, { depth: 9 }) + JSON.stringify(error)).not.toContain('hunter2secret')
      }
    })

    it('rejects while Redis is down, queues nothing, and goes on with all records when it is back', async () => {
      const log = open('down')
      const records: LoggedRecord[] = []
      const ids = [(await log.append('out', 'a')).id]
      const tail = log
        .tail('out', null, (logged) => records.push(logged), new AbortController().signal)
        .catch((error: unknown) => error)
      await eventually('the first record', () => records.length === 1)
      await server.kill()
      expect(await tail).toMatchObject({ code: 'GATEWAY_LOG' })
      expect(await codeOf(() => log.append('out', 'lost'))).toBe('GATEWAY_LOG')
      await server.start()
      await eventually('the connection', async () => (await codeOf(() => log.read('out', null, 1))) === undefined)
      ids.push((await log.append('out', 'b')).id)
      const controller = new AbortController()
      const again = log.tail('out', records[0]!.id, (logged) => records.push(logged), controller.signal)
      await eventually('the next record', () => records.length === 2)
      controller.abort()
      await again
      expect(records).toEqual([
        { id: ids[0], record: 'a' },
        { id: ids[1], record: 'b' }
      ])
    }, 60_000)

    it('rejects what Redis does not answer, instead of waiting for ever, and says where it may have the record', async () => {
      const log = open('silent')
      await log.append('out', 'a')
      server.signal('SIGSTOP')
      try {
        // The connection has the record, and Redis appends it once it goes on.
        await expect(log.append('out', 'b')).rejects.toMatchObject({ code: 'GATEWAY_LOG', uncertain: true })
        await expect(log.append('out', 'x')).rejects.toMatchObject({ code: 'GATEWAY_LOG', uncertain: false })
      } finally {
        server.signal('SIGCONT')
      }
      await eventually('the connection', async () => (await codeOf(() => log.append('out', 'c'))) === undefined)
    }, 60_000)

    it('ends a tail when Redis was emptied, and gives the log another epoch', async () => {
      const [log, other] = [open('emptied'), open('emptied')]
      const { id } = await log.append('out', 'a')
      const { epoch } = await log.read('out', null, 1)
      const tail = other.tail('out', id, () => undefined, new AbortController().signal).catch((error: unknown) => error)
      await new Promise((resolve) => setTimeout(resolve, 200))
      await admin('FLUSHALL')
      expect(await tail).toMatchObject({ code: 'GATEWAY_LOG' })
      expect((await log.read('out', null, 1)).epoch).not.toBe(epoch)
      // And one that comes back with an id of before.
      await log.append('out', 'new')
      expect(await codeOf(() => other.tail('out', id, () => undefined, new AbortController().signal))).toBe(
        'GATEWAY_LOG'
      )
    }, 60_000)

    it('ends a tail when Redis fell back to a copy that lacks the newest records', async () => {
      const [log, other] = [open('behind'), open('behind')]
      await log.append('out', 'a')
      const { id } = await log.append('out', 'b')
      const records: LoggedRecord[] = []
      const tail = other
        .tail('out', id, (logged) => records.push(logged), new AbortController().signal)
        .catch((error: unknown) => error)
      await new Promise((resolve) => setTimeout(resolve, 200))
      // What a replica is like that had not received the last record.
      const { records: all } = await log.read('out', null, 10)
      await admin('XDEL', 'behind:stream:out', id)
      await admin('HSET', 'behind:meta:out', 'last', all[0]!.id)
      await log.append('out', 'c')
      expect(await tail).toMatchObject({ code: 'GATEWAY_LOG' })
      expect(records).toEqual([])
    }, 60_000)

    it('refuses the holder of a lease that an emptied Redis does not know', async () => {
      const log = open('forgotten')
      const held = (await log.lease('core', 60_000))!
      await admin('FLUSHALL')
      expect(await held.renew()).toBe(false)
      expect(await codeOf(() => log.append('out', 'a', { fence: { lease: 'core', number: held.fence } }))).toBe(
        'GATEWAY_FENCED'
      )
    })

    it('refuses the holder of before although an emptied Redis counts its fences from 1 again', async () => {
      const [before, after] = [open('recounted'), open('recounted')]
      const old = (await before.lease('core', 60_000))!
      await admin('FLUSHALL')
      const next = (await after.lease('core', 60_000))!
      expect(next.fence).toBe(old.fence)
      expect(await codeOf(() => before.append('out', 'a', { fence: { lease: 'core', number: old.fence } }))).toBe(
        'GATEWAY_FENCED'
      )
      expect((await after.append('out', 'b', { fence: { lease: 'core', number: next.fence } })).first).toBe(true)
    })

    it('forgets the keys of records that are appended once, the oldest beyond their number, and after ten minutes', async () => {
      const log = open('once')
      await log.append('in', 'a', { once: 'old' })
      await log.append('in', 'b', { once: 'young' })
      const now = Date.now()
      await admin('ZADD', 'once:onceAges:in', String(now - 600_001), 'old')
      await admin('ZADD', 'once:onceAges:in', String(now - 590_000), 'young')
      expect((await log.append('in', 'c', { once: 'young' })).first).toBe(false)
      expect((await log.append('in', 'd', { once: 'old' })).first).toBe(true)
      const filler =
        "for n = 1, 100000 do redis.call('ZADD', KEYS[1], ARGV[1] + n, 'k' .. n) redis.call('HSET', KEYS[2], 'k' .. n, '1-1') end"
      await admin('DEL', 'once:onceAges:in', 'once:once:in')
      await admin('EVAL', filler, '2', 'once:onceAges:in', 'once:once:in', String(now - 200_000))
      expect((await log.append('in', 'e', { once: 'k100000' })).first).toBe(false)
      expect((await log.append('in', 'f', { once: 'k1' })).first).toBe(true)
      expect(await admin('ZCARD', 'once:onceAges:in')).toBeLessThanOrEqual(100_000)
    })

    it('keeps logs with different prefixes apart', async () => {
      const [one, two] = [open('one'), open('two')]
      await one.append('out', 'a', { once: 'k' })
      expect((await two.append('out', 'b', { once: 'k' })).first).toBe(true)
      expect((await two.read('out', null, 10)).records.map(({ record }) => record)).toEqual(['b'])
    })
  })
})
