import { SignJWT } from 'jose'
import { join, serve, until } from './support'
import type { Served } from './support'

const SECRET = 'SECRET-of-thirty-two-bytes-or-more!'
const SESSIONS = 200
const PLACES = 50
/** What the gateway takes to end a session that does not join, and some time for a slow machine. */
const LIMIT_MS = 9_000

describe('sessions of polling that never join', () => {
  let served: Served
  beforeEach(async () => {
    served = await serve({
      limits: { connectionsPerIp: PLACES, connections: 2 * PLACES },
      auth: { secret: SECRET, algorithms: ['HS256'] },
      anonymous: ['read']
    })
  })
  afterEach(() => served.stop())

  const base = (): string => `${served.gateway.url}/socket.io/?EIO=4&transport=polling`
  const open = async (): Promise<string> =>
    (JSON.parse((await (await fetch(base())).text()).slice(1)) as { sid: string }).sid
  /** Sends a packet to a session; false for a session that has ended. */
  const post = async (sid: string, packet: string): Promise<boolean> => {
    const response = await fetch(`${base()}&sid=${sid}`, { method: 'POST', body: packet })
    await response.text()
    return response.ok
  }
  const countOpen = async (sids: readonly string[]): Promise<number> => {
    let count = 0
    // The packet NOOP of engine.io changes a session in no way.
    for (const sid of sids) if (await post(sid, '6')) count++
    return count
  }
  const enters = (): Promise<boolean> =>
    join(`${served.gateway.url}/hydra`).then(
      ({ socket }) => Boolean(socket.disconnect()),
      () => new Promise<boolean>((resolve) => setTimeout(resolve, 200, false))
    )

  it('are no more than the limit, are dropped after 5 s, and leave their places to clients', async () => {
    const sids: string[] = []
    for (let i = 0; i < SESSIONS; i++) sids.push(await open())
    await expect(join(`${served.gateway.url}/hydra`)).rejects.toThrow(/too many connections|has ended/)
    await new Promise((resolve) => setTimeout(resolve, 1_200))
    expect(await countOpen(sids)).toBe(PLACES)
    await until('a client gets in', enters, LIMIT_MS)
    await until('all are dropped', async () => (await countOpen(sids)) === 0, LIMIT_MS)
  }, 30_000)

  it('keep their places no longer when they send a packet that ends them', async () => {
    const sids: string[] = []
    for (let i = 0; i < PLACES; i++) sids.push(await open())
    for (const sid of sids) await post(sid, '4broken')
    // Not 30 s: the library would wait so long for a poll.
    await until('a client gets in', enters, 2_000)
    expect(await countOpen(sids)).toBe(0)
  })

  it('are counted again when they have left the head that they had joined with a token', async () => {
    const token = await new SignJWT({ scope: 'read', sub: 'somebody' })
      .setProtectedHeader({ alg: 'HS256' })
      .setExpirationTime('5m')
      .sign(new TextEncoder().encode(SECRET))
    const sids: string[] = []
    for (let i = 0; i < PLACES + 10; i++) {
      const sid = await open()
      sids.push(sid)
      await post(sid, `40/hydra,${JSON.stringify({ token })}`)
      await (await fetch(`${base()}&sid=${sid}`)).text()
      await post(sid, '41/hydra,')
    }
    expect(await countOpen(sids)).toBeLessThanOrEqual(PLACES)
    await until('all have ended', async () => (await countOpen(sids)) === 0, LIMIT_MS)
  }, 30_000)

  it('do not hold up a gateway that stops, with and without a poll under way', async () => {
    const sids: string[] = []
    for (let i = 0; i < PLACES; i++) sids.push(await open())
    const polls = sids.slice(0, 5).map((sid) => fetch(`${base()}&sid=${sid}`).catch(() => null))
    await new Promise((resolve) => setTimeout(resolve, 50))
    const began = Date.now()
    await served.gateway.stop()
    expect(Date.now() - began).toBeLessThan(10_000)
    await Promise.all(polls)
  })
})
