import { memoryLog } from '../../../src/gateway/log/memoryLog'
import { describeLog } from './contract'

describeLog('memoryLog', async () => {
  const log = memoryLog()
  return { here: log, there: log, stop: () => log.close() }
})

describe('memoryLog', () => {
  afterEach(() => jest.useRealTimers())

  it('forgets the key of a record that is appended once after ten minutes, and not before', async () => {
    jest.useFakeTimers()
    const log = memoryLog()
    await log.append('in', 'a', { once: 'tx' })
    jest.advanceTimersByTime(599_000)
    expect((await log.append('in', 'b', { once: 'tx' })).first).toBe(false)
    jest.advanceTimersByTime(1_000)
    expect((await log.append('in', 'c', { once: 'tx' })).first).toBe(true)
  })

  it('remembers 100,000 keys of a stream, the newest', async () => {
    const log = memoryLog()
    const keep = { records: 1 }
    for (let n = 0; n <= 100_000; n++) await log.append('in', '', { once: String(n), keep })
    expect((await log.append('in', '', { once: '100000', keep })).first).toBe(false)
    expect((await log.append('in', '', { once: '2', keep })).first).toBe(false)
    expect((await log.append('in', '', { once: '0', keep })).first).toBe(true)
  })

  it('has another epoch in each process', async () => {
    const epochs = await Promise.all(
      [memoryLog(), memoryLog()].map(async (log) => (await log.read('a', null, 1)).epoch)
    )
    expect(epochs[0]).not.toBe(epochs[1])
  })
})
