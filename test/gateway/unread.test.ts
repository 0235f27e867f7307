import { createServer } from 'node:http'
import type { Server } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { Fanout } from '../../src/gateway/edge/Fanout'
import { HeadView } from '../../src/gateway/edge/HeadView'
import { AnswerRoom } from '../../src/gateway/http/AnswerRoom'
import { success } from '../../src/gateway/http/answers'
import { writeAnswer } from '../../src/gateway/http/writeAnswer'
import { resolveLimits } from '../../src/gateway/limits'
import { Metrics } from '../../src/gateway/Metrics'
import { fakeClient } from './fakeClient'
import type { FakeClient } from './fakeClient'
import { unreadSocket } from './memory/unreadSocket'

const ADDRESS = 'addr_test1vzpwq95z3xyum8vqndgdd9mdnmafh3djcxnc6jemlgdmswcve6tkw'
const WRITE_LIMIT_MS = 30_000
/** More than the buffers of both sides hold. */
const LARGE = JSON.stringify('x'.repeat(32_000_000))

/** Runs other tasks until a condition holds; timers stand still. */
async function settled(condition: () => boolean): Promise<void> {
  for (let i = 0; i < 100_000 && !condition(); i++) await new Promise<void>((resolve) => setImmediate(resolve))
  expect(condition()).toBe(true)
}

describe('an answer over HTTP that its client does not read', () => {
  let server: Server
  let room: AnswerRoom
  const clients: Socket[] = []
  let written: { isEnded: boolean; isLeft: boolean; readonly connections: Set<Socket> }
  beforeEach(async () => {
    room = new AnswerRoom(1_000_000)
    const connections = new Set<Socket>()
    const state: typeof written = { isEnded: false, isLeft: false, connections }
    written = state
    server = createServer((_request, response) => {
      void writeAnswer(response, 'ip 1', { answer: success(LARGE), room }).then(() => void (state.isLeft = true))
      state.isEnded = true
    })
    server.on('connection', (socket) => {
      connections.add(socket)
      socket.once('close', () => connections.delete(socket))
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    // Sockets are real: the clock alone is the test's.
    jest.useFakeTimers({ doNotFake: ['setImmediate', 'clearImmediate', 'nextTick', 'queueMicrotask', 'performance'] })
  })
  afterEach(async () => {
    jest.useRealTimers()
    for (const client of clients.splice(0)) client.destroy()
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  })

  const request = async (): Promise<Socket> => {
    const client = await unreadSocket((server.address() as AddressInfo).port)
    clients.push(client)
    client.write('GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n')
    await settled(() => written.isEnded)
    return client
  }

  it('ends its connection after 30 s, not before, and gives its room back', async () => {
    await request()
    jest.advanceTimersByTime(WRITE_LIMIT_MS - 1)
    await new Promise<void>((resolve) => setImmediate(resolve))
    expect([written.connections.size, written.isLeft, room.isFullFor('ip 1')]).toEqual([1, false, true])
    jest.advanceTimersByTime(1)
    await settled(() => written.connections.size === 0 && written.isLeft)
    expect(room.isFullFor('ip 1')).toBe(false)
  })

  it('leaves its connection open when the client reads it in time', async () => {
    const client = await request()
    jest.advanceTimersByTime(WRITE_LIMIT_MS - 1)
    client.resume()
    await settled(() => written.isLeft)
    jest.advanceTimersByTime(2 * WRITE_LIMIT_MS)
    await new Promise<void>((resolve) => setImmediate(resolve))
    expect(written.connections.size).toBe(1)
  })
})

describe('bytes that wait for clients of sockets', () => {
  const HOLDING_LIMIT_MS = 5_000
  let view: HeadView
  let fanout: Fanout
  beforeEach(() => {
    jest.useFakeTimers()
    view = new HeadView()
    const utxo = Object.fromEntries(
      Array.from({ length: 1_000 }, (_, index) => [
        `${index.toString(16).padStart(64, '0')}#0`,
        { address: ADDRESS, value: { lovelace: index } }
      ])
    )
    const position = { headId: 'aa', number: 1, version: 0 }
    view.load({ position, utxo, greetings: { tag: 'Greetings', headStatus: 'Open' }, connected: true })
    fanout = new Fanout(view, resolveLimits({ unsentBytesInAll: 100_000 }), new Metrics())
  })
  afterEach(() => jest.useRealTimers())

  const enter = (unsent: number): FakeClient => {
    const entered = fakeClient({ mode: 'address', addresses: [ADDRESS] })
    entered.connection.unsent = unsent
    fanout.add(entered.client)
    fanout.welcome(entered.client)
    return entered
  }

  it('end the client that leaves them unread for 5 s while others wait for their room, and it alone', () => {
    const holder = enter(200_000)
    const waiting = enter(0)
    expect(holder.sent.map(({ tag }) => tag)).toEqual(['Greetings', 'GatewaySnapshot'])
    expect(waiting.sent.map(({ tag }) => tag)).toEqual(['Greetings'])
    jest.advanceTimersByTime(HOLDING_LIMIT_MS - 1)
    fanout.checkSlow()
    expect(holder.connection.closed).toBe(false)
    jest.advanceTimersByTime(2)
    fanout.checkSlow()
    expect([holder.connection.closed, waiting.connection.closed]).toEqual([true, false])
    fanout.remove(holder.client)
    fanout.checkSlow()
    expect(waiting.sent.map(({ tag }) => tag)).toEqual(['Greetings', 'GatewaySnapshot'])
  })

  it('do not end a client for whose room no other one waits', () => {
    const holder = enter(200_000)
    jest.advanceTimersByTime(4 * HOLDING_LIMIT_MS)
    fanout.checkSlow()
    expect(holder.connection.closed).toBe(false)
  })
})
