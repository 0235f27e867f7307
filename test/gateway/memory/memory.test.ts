import type { Socket } from 'node:net'
import { fullRun } from '../../support/scale'
import { until } from '../support'
import { MeasuredGateway } from './MeasuredGateway'
import { unreadClient, unreadSocket } from './unreadSocket'

const ADDRESS = 'addr_test1vzpwq95z3xyum8vqndgdd9mdnmafh3djcxnc6jemlgdmswcve6tkw'
const OTHER = 'addr_test1vqzqgpqyqszqgpqyqszqgpqyqszqgpqyqszqgpqyqszqgpqpqg3v3'
/** Growth of resident memory that is allowed, in snapshots of the head. */
const MOST = 10
/** The same of sessions of polling: their text is in memory three times. */
const MOST_POLLING = 6
const ASKING_MS = fullRun ? 4_000 : 1_000

describe('the memory of a gateway in front of a head of 20,000 outputs', () => {
  let gateway: MeasuredGateway
  const sockets: Socket[] = []
  beforeAll(async () => {
    gateway = await MeasuredGateway.start(20_000, ADDRESS, {
      limits: { commandsPerSecond: 1_000, commandBurst: 1_000 }
    })
    // What one client costs once: the texts of outputs, and the bytes that all share.
    for (const path of ['snapshot', 'snapshot/utxo', `snapshot/utxo?address=${ADDRESS}`])
      await (await fetch(`${gateway.url}/hydra/${path}`)).arrayBuffer()
  }, 120_000)
  afterEach(async () => {
    for (const socket of sockets.splice(0)) socket.destroy()
  })
  afterAll(() => gateway.stop())

  /** Growth while something happens, and what of it stays when all its connections are gone. */
  async function grows(what: () => Promise<void>): Promise<{ most: number; after: number }> {
    const before = await gateway.resident({ collect: true })
    await what()
    const most = await gateway.mostResident(ASKING_MS)
    for (const socket of sockets.splice(0)) socket.destroy()
    await new Promise((resolve) => setTimeout(resolve, 500))
    const after = await gateway.resident({ collect: true })
    return { most: most - before, after: after - before }
  }

  it.each([
    ['delta', { mode: 'delta' }, { command: 'resync' }],
    ['plain', {}, { command: 'resync' }],
    ['full', { mode: 'full' }, { command: 'resync' }],
    ['address, all outputs', { mode: 'address', addresses: [ADDRESS] }, { command: 'resync' }],
    [
      'address, subscribing',
      { mode: 'address', addresses: [OTHER] },
      { command: 'subscribe', data: { addresses: [ADDRESS] } }
    ]
  ])(
    'grows by less than ten snapshots with 60 clients that read nothing and ask as fast as they may: %s',
    async (_, auth, event) => {
      const { most, after } = await grows(async () => {
        const clients = await Promise.all(Array.from({ length: 60 }, () => unreadClient(gateway.port, auth)))
        sockets.push(...clients.map(({ socket }) => socket))
        await until('all have joined', async () => (await gateway.figure('connections')) === 60)
        for (let round = 0; round < 20; round++) {
          for (const client of clients) client.send(event)
          await new Promise((resolve) => setTimeout(resolve, 50))
        }
      })
      expect(most).toBeLessThan(MOST)
      expect(after).toBeLessThan(MOST / 2)
    },
    60_000
  )

  it.each(['snapshot', 'snapshot/utxo', `snapshot/utxo?address=${ADDRESS}`])(
    'grows by less than ten snapshots with 60 answers to GET %s that are not read',
    async (path) => {
      const { most, after } = await grows(async () => {
        for (let i = 0; i < 60; i++) {
          const socket = await unreadSocket(gateway.port)
          sockets.push(socket)
          socket.write(`GET /hydra/${path} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n`)
        }
      })
      expect(most).toBeLessThan(MOST)
      expect(after).toBeLessThan(MOST / 2)
    },
    60_000
  )

  it('grows by less than ten snapshots with 300 requests over one connection, none of whose answers is read', async () => {
    const { most } = await grows(async () => {
      const socket = await unreadSocket(gateway.port)
      sockets.push(socket)
      socket.write(`GET /hydra/snapshot/utxo?address=${ADDRESS} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n`.repeat(300))
    })
    expect(most).toBeLessThan(MOST)
  }, 60_000)

  it('grows by less than six snapshots with 60 sessions of polling that poll and do not read', async () => {
    const { most } = await grows(async () => {
      await Promise.all(
        Array.from({ length: 60 }, async () => {
          const base = `${gateway.url}/socket.io/?EIO=4&transport=polling`
          const { sid } = JSON.parse((await (await fetch(base)).text()).slice(1)) as { sid: string }
          await fetch(`${base}&sid=${sid}`, {
            method: 'POST',
            body: `40/hydra,{"mode":"address","addresses":["${ADDRESS}"]}`
          })
          for (let i = 0; i < 3; i++) {
            const socket = await unreadSocket(gateway.port)
            sockets.push(socket)
            socket.write(`GET /socket.io/?EIO=4&transport=polling&sid=${sid} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n`)
            await new Promise((resolve) => setTimeout(resolve, 100))
          }
        })
      )
    })
    expect(most).toBeLessThan(MOST_POLLING)
  }, 60_000)

  it('serves others meanwhile, and again whoever begins to read', async () => {
    const clients = await Promise.all(
      Array.from({ length: 20 }, () => unreadClient(gateway.port, { mode: 'address', addresses: [ADDRESS] }))
    )
    sockets.push(...clients.map(({ socket }) => socket))
    await new Promise((resolve) => setTimeout(resolve, 500))
    const response = await fetch(`${gateway.url}/hydra/snapshot/utxo?address=${OTHER}`)
    expect([response.status, await response.json()]).toEqual([200, { status: 'success', data: {} }])
    // Those that hold the room and read nothing are closed after 5 s: each of the others has its turn.
    const read: number[] = []
    clients.forEach(({ socket }, index) => {
      let bytes = 0
      if (index >= 10)
        socket
          .on(
            'data',
            (chunk: Buffer) =>
              (bytes += chunk.length) > gateway.snapshotBytes && !read.includes(index) && read.push(index)
          )
          .resume()
    })
    await until('the ten that read have the snapshot', () => read.length === 10, 30_000)
  }, 60_000)
})
