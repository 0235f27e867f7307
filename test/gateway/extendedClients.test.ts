import type { TxOutJson } from '../../src/bridge/protocol/types'
import { applyDelta, outputsAt } from './deltas'
import { join, serve, until } from './support'
import type { RawClient, Served } from './support'

/**
 * Applies what a client of the extension gets, as the specification says, and notes each resync that it would have to
 * ask for.
 */
function follow(client: RawClient): { utxo(): ReadonlyMap<string, TxOutJson>; number(): number; resyncs: number } {
  let utxo: ReadonlyMap<string, TxOutJson> = new Map()
  let number = -1
  let taken = 0
  const state = { resyncs: 0, utxo: () => (catchUp(), utxo), number: () => (catchUp(), number) }
  const catchUp = (): void => {
    for (; taken < client.events.length; taken++) {
      const { data } = client.events[taken]!
      if (data.tag === 'GatewaySnapshot') {
        utxo = new Map(Object.entries(data.utxo as object))
        number = data.number
      } else if (data.tag === 'GatewayResumed') number = data.from
      else if (data.tag === 'SnapshotConfirmed' && data.delta.number > number) {
        const after = data.delta.from > number ? null : applyDelta(utxo, data.delta)
        if (after === null) state.resyncs++
        else {
          utxo = after
          number = data.delta.number
        }
      }
    }
  }
  return state
}

describe('a gateway, with clients of its extension', () => {
  let served: Served
  const clients: RawClient[] = []
  beforeAll(async () => {
    served = await serve({ limits: { commandsPerSecond: 1_000, commandBurst: 1_000 } })
  })
  afterEach(() => {
    for (const client of clients.splice(0)) client.socket.disconnect()
  })
  afterAll(() => served.stop())

  const open = async (auth: object): Promise<RawClient> => {
    const client = await join(`${served.gateway.url}/hydra`, auth as Record<string, unknown>)
    clients.push(client)
    return client
  }
  const pay = async (to: string, lovelace: bigint): Promise<string> => {
    const tx = await served.head.payment(to, lovelace)
    await served.head.bridge.submitTxSync(tx)
    return tx.txId
  }
  const truth = async (): Promise<Map<string, TxOutJson>> =>
    new Map(Object.entries((await served.head.bridge.querySnapshotUtxo()) as object))

  it('keeps every mode exact over payments, each delta on the one before', async () => {
    const { address, head } = served
    const other = head.wallets[1]!.getAddressBech32()
    const modes = [
      { mode: 'delta' },
      { mode: 'full' },
      { mode: 'address', addresses: [address] },
      { mode: 'address', addresses: [other] }
    ]
    const joined = await Promise.all(modes.map(open))
    const states = joined.map(follow)
    for (const client of joined) await client.tagged('GatewaySnapshot')
    for (let i = 0; i < 12; i++) await pay(other, 1_000_000n + BigInt(i))
    const expected = await truth()
    const number = head.bridge.lastSnapshotNumber
    await until('all have the last snapshot', () => states.every((state) => state.number() === number))
    expect(states.map(({ resyncs }) => resyncs)).toEqual([0, 0, 0, 0])
    const sorted = (utxo: ReadonlyMap<string, TxOutJson>): unknown => [...utxo].sort(([a], [b]) => (a < b ? -1 : 1))
    expect(sorted(states[0]!.utxo())).toEqual(sorted(expected))
    expect(sorted(states[1]!.utxo())).toEqual(sorted(expected))
    expect(sorted(states[2]!.utxo())).toEqual(sorted(outputsAt(expected, new Set([address]))))
    expect(sorted(states[3]!.utxo())).toEqual(sorted(outputsAt(expected, new Set([other]))))
    const full = joined[1]!.events.filter(({ data }) => data.tag === 'SnapshotConfirmed').at(-1)!.data
    expect(sorted(new Map(Object.entries(full.snapshot.utxo as object)) as never)).toEqual(sorted(expected))
    for (const client of [joined[0]!, joined[2]!]) {
      for (const { data } of client.events)
        if (data.tag === 'SnapshotConfirmed') expect(Object.keys(data.snapshot)).not.toContain('utxo')
    }
  })

  it.each([{ mode: 'delta' }, { mode: 'address' }])(
    'resumes after a number, with nothing lost and nothing twice: %j',
    async ({ mode }) => {
      const { address, head } = served
      const auth = mode === 'address' ? { mode, addresses: [address] } : { mode }
      const first = await open(auth)
      const { number, headId, utxo } = await first.tagged('GatewaySnapshot')
      first.socket.disconnect()
      for (let i = 0; i < 5; i++) await pay(head.wallets[1]!.getAddressBech32(), 1_500_000n + BigInt(i))
      const last = head.bridge.lastSnapshotNumber
      const again = await open({ ...auth, since: { headId, number } })
      expect(await again.tagged('GatewayResumed')).toEqual({ tag: 'GatewayResumed', headId, from: number, to: last })
      await until('the snapshots that were missed', () => again.events.some(({ data }) => data.delta?.number === last))
      const numbers = again.events
        .filter(({ data }) => data.tag === 'SnapshotConfirmed')
        .map(({ data }) => data.delta.number)
      expect(numbers).toEqual(Array.from({ length: last - number }, (_, i) => number + 1 + i))
      let outputs: ReadonlyMap<string, TxOutJson> = new Map(Object.entries(utxo as object))
      for (const { data } of again.events)
        if (data.tag === 'SnapshotConfirmed') outputs = applyDelta(outputs, data.delta)!
      const expected = await truth()
      const wanted = mode === 'address' ? outputsAt(expected, new Set([address])) : expected
      expect([...outputs.keys()].sort()).toEqual([...wanted.keys()].sort())
      expect(again.events.some(({ data }) => data.tag === 'GatewaySnapshot')).toBe(false)
    }
  )

  it('gives a snapshot for a number that is too old or to come, and for another head', async () => {
    const { headId, number } = await (await open({ mode: 'delta' })).tagged('GatewaySnapshot')
    expect(
      await (await open({ mode: 'delta', since: { headId, number: number + 5 } })).tagged('GatewaySnapshot')
    ).toMatchObject({ reason: 'tooOld' })
    expect(
      await (await open({ mode: 'delta', since: { headId: 'ab', number } })).tagged('GatewaySnapshot')
    ).toMatchObject({ reason: 'otherHead' })
  })

  it('answers resync and subscribe with a snapshot, and follows the new addresses', async () => {
    const { address, head } = served
    const other = head.wallets[1]!.getAddressBech32()
    const client = await open({ mode: 'address', addresses: [address] })
    await client.tagged('GatewaySnapshot')
    client.send({ command: 'resync' })
    expect(await client.tagged('GatewaySnapshot', 1)).toMatchObject({ reason: 'resync' })
    expect(await client.ask({ command: 'subscribe', data: { addresses: [other] } })).toEqual({ accepted: true })
    const { utxo } = await client.tagged('GatewaySnapshot', 2)
    expect(new Set(Object.values(utxo as Record<string, TxOutJson>).map((output) => output.address))).toEqual(
      new Set([other])
    )
    const txId = await pay(other, 4_000_000n)
    const message = await client.tagged('SnapshotConfirmed')
    expect(message.delta.made).toHaveProperty([`${txId}#0`])
    expect(Object.values(message.delta.made as Record<string, TxOutJson>).map((output) => output.address)).toEqual([
      other
    ])
    expect(await client.ask({ command: 'subscribe', data: { addresses: ['nobody'] } })).toMatchObject({
      accepted: false
    })
  })

  it('leaves out what a client of some addresses has no part in', async () => {
    const { head } = served
    const stranger = head.wallets[2]!.getAddressBech32()
    const client = await open({ mode: 'address', addresses: [stranger] })
    await client.tagged('GatewaySnapshot')
    await pay(head.wallets[1]!.getAddressBech32(), 1_100_000n)
    // Through the gateway: the node's TxValid names a transaction by its id alone, so its addresses are known of those
    // that were sent here.
    const transaction = await head.payment(stranger, 2_200_000n)
    const { txId } = transaction
    const sender = await open({})
    expect(await sender.ask({ command: 'send_command', data: { tag: 'NewTx', transaction } })).toEqual({
      accepted: true
    })
    const message = await client.tagged('SnapshotConfirmed')
    expect(message.snapshot.confirmed.map((tx: { txId: string }) => tx.txId)).toEqual([txId])
    expect(message.delta).toMatchObject({ spent: [], count: 1 })
    expect(client.events.filter(({ data }) => data.tag === 'TxValid').map(({ data }) => data.transactionId)).toEqual([
      txId
    ])
  })

  it('sends the messages of the tags that a client wants, and what is never left out', async () => {
    const client = await open({ mode: 'delta', tags: [] })
    await client.tagged('GatewaySnapshot')
    await pay(served.head.wallets[1]!.getAddressBech32(), 1_200_000n)
    await client.tagged('SnapshotConfirmed')
    expect(client.events.map(({ data }) => data.tag)).toEqual(['Greetings', 'GatewaySnapshot', 'SnapshotConfirmed'])
  })

  it.each([
    ['addresses without the mode', { addresses: ['addr_test1vzpwq95z3xyum8vqndgdd9mdnmafh3djcxnc6jemlgdmswcve6tkw'] }],
    ['the mode without addresses', { mode: 'address' }],
    ['an address that is none', { mode: 'address', addresses: ['nobody'] }],
    [
      'addresses of two networks',
      {
        mode: 'address',
        addresses: [
          'addr_test1vzpwq95z3xyum8vqndgdd9mdnmafh3djcxnc6jemlgdmswcve6tkw',
          'stake_test1uqehkck0lajq8gr28t9uxnuvgcqrc6070x3k9r8048z8y5gssrtvn'
        ]
      }
    ],
    ['no address', { mode: 'address', addresses: [] }],
    [
      '65 addresses',
      { mode: 'address', addresses: Array(65).fill('addr_test1vzpwq95z3xyum8vqndgdd9mdnmafh3djcxnc6jemlgdmswcve6tkw') }
    ],
    ['another mode', { mode: 'plain' }],
    ['tags that are none', { tags: [7] }],
    ['a number below zero', { since: { headId: 'ab', number: -1 } }],
    ['a token that is no text', { token: 7 }]
  ])('refuses %s as a bad request', async (_, auth) => {
    await expect(open(auth)).rejects.toThrow('bad request')
  })
})
