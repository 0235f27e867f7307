import type { LayerPayload } from '../../src/bridge/inner.js'
import { PartyWatch } from '../../src/client/PartyWatch.js'
import { ADA, startClientHead } from './support.js'
import type { ClientHead } from './support.js'

const until = async (condition: () => boolean): Promise<void> => {
  for (let n = 0; n < 2_000 && !condition(); n++) await new Promise((resolve) => setTimeout(resolve, 5))
  expect(condition()).toBe(true)
}

describe('status() over a local head', () => {
  let head: ClientHead | undefined
  afterEach(() => head?.stop())

  it('names the parties whose signatures a late snapshot lacks, and since when, until it is confirmed', async () => {
    head = await startClientHead({ node: { parties: 3, accumulator: 'off' } as never, deposit: 20n * ADA })
    const client = await head.client()
    const changes: unknown[] = []
    client.watchHead({ onChange: ({ waitingFor }) => changes.push(waitingFor) })
    // The parties request snapshots in turn: one that neither requests the next nor is this node.
    const number = client.status().snapshotNumber! + 1
    const silent = (number - 1) % 3 === 1 ? 2 : 1
    head.node.parties[silent]!.set({ silent: true })
    const begin = Date.now()
    const paid = client.pay({ to: head.wallets[1]!.getAddressBech32(), amount: ADA })
    await until(() => client.status().waitingFor !== undefined)
    const { parties, waitingFor } = client.status()
    expect(waitingFor).toEqual({
      snapshotNumber: number,
      lacks: 'signatures',
      parties: [parties![silent]],
      since: expect.any(Number)
    })
    expect(waitingFor!.since).toBeGreaterThanOrEqual(begin)
    expect(changes.at(-1)).toBe(waitingFor)
    head.node.parties[silent]!.set({ silent: false })
    await paid
    await until(() => client.status().waitingFor === undefined)
  })

  it('names the party that has to request the snapshot, while that is silent, and no other', async () => {
    head = await startClientHead({ node: { parties: 3, accumulator: 'off' } as never, deposit: 20n * ADA })
    const client = await head.client()
    const pay = (): Promise<unknown> => client.pay({ to: head!.wallets[1]!.getAddressBech32(), amount: ADA })
    // The node itself requests those in between.
    while (client.status().snapshotNumber! % 3 === 0) await pay()
    const leader = client.status().snapshotNumber! % 3
    head.node.parties[leader]!.set({ silent: true })
    const number = client.status().snapshotNumber! + 1
    const paid = pay()
    await until(() => client.status().waitingFor !== undefined)
    const { parties, waitingFor } = client.status()
    expect(waitingFor).toEqual({
      snapshotNumber: number,
      lacks: 'request',
      parties: [parties![leader]],
      since: expect.any(Number)
    })
    head.node.parties[leader]!.set({ silent: false })
    await paid
    await until(() => client.status().waitingFor === undefined)
  })

  it('names the peers of the node, and a contest of the closing', async () => {
    head = await startClientHead({
      node: { parties: 2, timings: { contestationPeriodMs: 2_000 } } as never,
      deposit: 0n
    })
    const client = await head.client()
    expect(Object.values(client.status().peers!)).toEqual([true])
    await client.closeHead()
    expect(client.status().contest).toBeUndefined()
    head.node.contest()
    await until(() => client.status().contest !== undefined)
    expect(client.status().contest).toEqual({ snapshotNumber: expect.any(Number), at: expect.any(Number) })
  })
})

describe('PartyWatch', () => {
  beforeEach(() => void jest.useFakeTimers())
  afterEach(() => void jest.useRealTimers())

  const valid = (transactionId: string): LayerPayload => ({ tag: 'TxValid', transactionId }) as never
  const confirmed = (...txIds: string[]): LayerPayload =>
    ({ tag: 'SnapshotConfirmed', snapshot: { confirmed: txIds.map((txId) => ({ txId })) } }) as never
  const start = (
    answer: unknown,
    state = 'connected',
    parties = ['aa', 'bb']
  ): { watch: PartyWatch; asked: jest.Mock; changes: jest.Mock } => {
    const asked = jest.fn(async () => {
      if (answer instanceof Error) throw answer
      return answer
    })
    const changes = jest.fn()
    const bridge = { inFlight: asked, getSnapshot: () => ({ state }), lastSnapshotNumber: 4 }
    return {
      asked,
      changes,
      watch: new PartyWatch({ bridge: bridge as never, loadParties: async () => parties, onChange: changes })
    }
  }

  it('asks nothing of a snapshot that comes in time, and has no timer left', async () => {
    const { watch, asked } = start({ seen: { number: 5, signers: ['aa'] } })
    watch.onMessage(valid('t1'))
    await jest.advanceTimersByTimeAsync(2_900)
    watch.onMessage(confirmed('t1'))
    expect(jest.getTimerCount()).toBe(0)
    expect(asked).not.toHaveBeenCalled()
  })

  it('begins anew for a transaction that the snapshot left out', async () => {
    const { watch } = start({ seen: { number: 5, signers: ['aa'] } })
    watch.onMessage(valid('t1'))
    watch.onMessage(valid('t2'))
    watch.onMessage(confirmed('t1'))
    await jest.advanceTimersByTimeAsync(3_000)
    expect(watch.waitingFor).toMatchObject({ snapshotNumber: 5, parties: ['bb'] })
  })

  it.each([
    [4, 'aa'],
    [3, null],
    [5, null]
  ])('names who has to request the next snapshot after number %p by its turn: %p', async (dueAfter, leader) => {
    const { watch } = start({ dueAfter })
    watch.onMessage(valid('t1'))
    await jest.advanceTimersByTimeAsync(3_100)
    // Number 4 is the newest that this client knows: any other answer is older, or newer, than what it sees.
    expect(watch.waitingFor).toEqual(
      leader === null ? null : { snapshotNumber: 5, lacks: 'request', parties: [leader], since: expect.any(Number) }
    )
    watch.stop()
  })

  it('names none where the parties are not known', async () => {
    const { watch } = start({ dueAfter: 4 }, 'connected', [])
    watch.onMessage(valid('t1'))
    await jest.advanceTimersByTimeAsync(3_100)
    expect(watch.waitingFor).toBeNull()
    watch.stop()
  })

  it.each([
    ['no snapshot is being signed', {}],
    ['all parties have signed', { seen: { number: 5, signers: ['bb', 'aa'] } }],
    ['the answer is about a confirmed snapshot', { seen: { number: 4, signers: [] } }],
    ['the node does not answer', new Error('500')]
  ])('names no party where %s, and looks again', async (_, answer) => {
    const { watch, asked } = start(answer)
    watch.onMessage(valid('t1'))
    await jest.advanceTimersByTimeAsync(13_100)
    expect(watch.waitingFor).toBeNull()
    expect(asked).toHaveBeenCalledTimes(2)
    watch.stop()
    expect(jest.getTimerCount()).toBe(0)
  })

  it('ends without a connection', async () => {
    const { watch, asked } = start({ seen: { number: 5, signers: [] } }, 'reconnecting')
    watch.onMessage(valid('t1'))
    await jest.advanceTimersByTimeAsync(3_100)
    expect(asked).not.toHaveBeenCalled()
    expect(jest.getTimerCount()).toBe(0)
  })

  it('drops a late answer once the snapshot is confirmed', async () => {
    const { watch, changes } = start({ seen: { number: 5, signers: [] } })
    watch.onMessage(valid('t1'))
    jest.advanceTimersByTime(3_000)
    watch.onMessage(confirmed('t1'))
    await jest.advanceTimersByTimeAsync(1)
    expect(watch.waitingFor).toBeNull()
    expect(changes).not.toHaveBeenCalled()
  })

  it('names a peer that comes and goes as the Greetings do, in the forms of all nodes', () => {
    const { watch, changes } = start({})
    const peer = (tag: string, peer: unknown): void => watch.onMessage({ tag, peer } as never)
    const networkInfo = { networkConnected: true, peersInfo: { '127.0.0.1:5002': false, 'bob.example:5003': true } }
    watch.onMessage({ tag: 'Greetings', networkInfo } as never)
    peer('PeerConnected', { hostname: '127.0.0.1', port: 5002 })
    peer('PeerDisconnected', { hostname: 'bob.example', port: 5003 })
    peer('PeerConnected', 'carol')
    expect(watch.peers).toEqual({ '127.0.0.1:5002': true, 'bob.example:5003': false, carol: true })
    expect(changes).toHaveBeenCalledTimes(4)
    peer('PeerConnected', { newer: ['form'] })
    expect(Object.keys(watch.peers!)).toHaveLength(3)
    // A name of an object's prototype is a name.
    peer('PeerConnected', '__proto__')
    expect(Object.keys(watch.peers!)).toContain('__proto__')
  })
})
