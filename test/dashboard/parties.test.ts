import { partiesShown } from '../../src/dashboard/model/parties'
import { Session } from '../../src/dashboard/model/Session'
import { until } from '../gateway/support'
import { greetings, ScriptedNode, send } from '../support/scriptedNode'
import { startClientHead } from '../client/support'
import type { ClientHead } from '../client/support'

// The signals without Preact, whose modules jest cannot load.
jest.mock('@preact/signals', () => jest.requireActual<object>('@preact/signals-core'))

const ADA = 1_000_000n
const shown = (session: Session, now = Date.now()): ReturnType<typeof partiesShown> =>
  partiesShown(session.status.value, session.node.value.greetings, now)

describe('the parties that the dashboard shows', () => {
  let head: ClientHead | undefined
  let session: Session | undefined
  let scripted: ScriptedNode | undefined
  afterEach(async () => {
    await session?.stop()
    await scripted?.stop()
    await head?.stop()
  })

  it('are those of the head, with the one whose signature a late snapshot lacks, and for how long', async () => {
    head = await startClientHead({ node: { parties: 3, accumulator: 'off' } as never, deposit: 20n * ADA })
    session = new Session({ kind: 'node', url: head.node.url })
    await session.start()
    await until('the parties are known', () => shown(session!).parties.length === 3)
    expect(shown(session).parties.filter(({ isOwn }) => isOwn)).toHaveLength(1)
    expect(shown(session).parties.some(({ late }) => late !== null)).toBe(false)
    const client = await head.client()
    // One that neither requests the next snapshot nor is this node.
    const number = client.status().snapshotNumber! + 1
    const silent = (number - 1) % 3 === 1 ? 2 : 1
    head.node.parties[silent]!.set({ silent: true })
    const paid = client.pay({ to: head.wallets[1]!.getAddressBech32(), amount: ADA })
    await until('it is late', () => shown(session!).parties.some(({ late }) => late !== null))
    const { parties, waitingFor } = session.status.value
    const later = shown(session, waitingFor!.since + 65_000).parties
    expect(later.map(({ late }) => late)).toEqual(
      parties!.map((vkey) => (vkey === parties![silent] ? `has not signed snapshot ${number} for 1 min 5 s` : null))
    )
    head.node.parties[silent]!.set({ silent: false })
    await paid
    await until('none is late', () => shown(session!).parties.every(({ late }) => late === null))
  })

  it('stand beside a contest of the closing', async () => {
    head = await startClientHead({
      node: { parties: 2, timings: { contestationPeriodMs: 2_000 } } as never,
      deposit: 0n
    })
    session = new Session({ kind: 'node', url: head.node.url })
    await session.start()
    await until('the peers are known', () => shown(session!).peers.length === 1)
    expect(shown(session)).toMatchObject({ peers: [{ isConnected: true }], contest: null })
    await (await head.client()).closeHead()
    head.node.contest()
    await until('it is contested', () => shown(session!).contest !== null)
    expect(shown(session).contest).toMatch(/^The closing was contested with snapshot \d+ at \d\d:\d\d:\d\d/)
  })

  it('stand beside the peers of the node, as they are now and not as they were at the connection', async () => {
    const node = (scripted = await new ScriptedNode().start())
    const networkInfo = { networkConnected: true, peersInfo: { 'bob.example:5001': true, 'carol.example:5001': false } }
    node.onConnection = (socket) => send(socket, greetings({ networkInfo }))
    session = new Session({ kind: 'node', url: node.url })
    await session.start()
    expect(shown(session).peers.map(({ isConnected }) => isConnected)).toEqual([true, false])
    const message = { seq: 3, timestamp: '2026-01-01T00:00:00Z', peer: { hostname: 'bob.example', port: 5001 } }
    node.send({ tag: 'PeerDisconnected', ...message })
    await until('it is gone', () => shown(session!).peers[0]?.isConnected === false)
    expect(shown(session).peers).toEqual([
      { name: 'bob.example:5001', isConnected: false },
      { name: 'carol.example:5001', isConnected: false }
    ])
  })
})

describe('what the dashboard shows before the head names its parties', () => {
  const [own, other] = ['aa'.repeat(32), 'bb'.repeat(32)]
  const none = { parties: null }

  it('is the parties of the node, or its own, or none', () => {
    const env = { party: { vkey: own }, otherParties: [{ vkey: other }] }
    const keysOf = (greetings: object | null): string[] =>
      partiesShown(none, greetings as never, 0).parties.map(({ vkey }) => vkey)
    expect(keysOf({ me: { vkey: own }, env })).toEqual([own, other])
    expect(keysOf({ me: { vkey: own } })).toEqual([own])
    expect(keysOf(null)).toEqual([])
  })

  it('has a party that has not requested a snapshot in its words, and names of peers as text', () => {
    const waitingFor = { snapshotNumber: 7, lacks: 'request', parties: [other], since: 9_000 } as const
    const { parties, peers } = partiesShown(
      { parties: [own, other], waitingFor, peers: { 'evil\u202e:1': true } },
      null,
      8_000
    )
    // The clock of the page may have been set back.
    expect(parties.map(({ late }) => late)).toEqual([null, 'has not requested snapshot 7 for 0 ms'])
    expect(peers).toEqual([{ name: 'evil\\u202e:1', isConnected: true }])
  })
})
