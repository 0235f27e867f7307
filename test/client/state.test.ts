import { LayerBridge } from '../../src/bridge/index.js'
import { createHeadClient } from '../../src/client/index.js'
import type { HeadBalance, HeadClient, WatchedTx } from '../../src/client/index.js'
import { ADA, startClientHead } from './support.js'
import type { ClientHead } from './support.js'

let head: ClientHead
afterEach(() => head.stop())

const failureOf = (promise: Promise<unknown>): Promise<any> =>
  promise.then(
    () => {
      throw new Error('it resolved')
    },
    (error: unknown) => error
  )
/** What refuses at once, within a second on an idle machine. */
async function refusedSoon(promise: Promise<unknown>): Promise<any> {
  let timer: NodeJS.Timeout
  const late = new Promise((resolve) => {
    timer = setTimeout(() => resolve('nothing within 20 s'), 20_000)
  })
  return Promise.race([failureOf(promise), late]).finally(() => clearTimeout(timer))
}
async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 2))
}

it('refuses each action at once, with the state and the allowed ones, while the head is not open', async () => {
  head = await startClientHead({ open: false })
  const alice = await head.client()
  const bob = head.wallets[1]!.getAddressBech32()
  for (const refused of [
    alice.pay({ to: bob, amount: ADA }),
    alice.payMany({ payments: [{ to: bob, amount: ADA }] }),
    alice.deposit({ amount: 2n * ADA }),
    alice.withdraw({ amount: ADA })
  ]) {
    expect(await refusedSoon(refused)).toMatchObject({
      code: 'CLIENT_HEAD_STATE',
      headStatus: 'Idle',
      allowedStates: ['Open'],
      message: expect.stringContaining('Open')
    })
  }
  for (const refused of [() => alice.closeHead(), () => alice.fanoutHead(), () => alice.contest()]) {
    expect(await refusedSoon(refused())).toMatchObject({
      code: 'BRIDGE_COMMAND_REFUSED',
      allowedStates: expect.any(Array),
      message: expect.stringContaining('Idle')
    })
  }
  expect(await refusedSoon(alice.closeAndFanoutHead())).toMatchObject({
    code: 'CLIENT_HEAD_STATE',
    headStatus: 'Idle',
    allowedStates: ['Open', 'Closed', 'FanoutPossible', 'FanningOut']
  })
  expect(await refusedSoon(alice.abortHead())).toMatchObject({ code: 'BRIDGE_UNSUPPORTED_BY_NODE' })
  expect(head.node.counters.inputs['Contest'] ?? 0).toBe(0)
})

it('gives up a head on a node before 2.0 though the connection is still being made; without one it says so', async () => {
  head = await startClientHead({ open: false, node: { profile: '1.3' } })
  const other = await head.client()
  const opened = other.open().catch((error: unknown) => error)
  await until(() => head.node.headStatus === 'Initializing')
  const client = createHeadClient({ url: head.node.url, wallet: head.wallets[0]! })
  expect(await refusedSoon(client.abortHead())).toMatchObject({ code: 'BRIDGE_NOT_CONNECTED' })
  const connected = client.connect()
  const given = await Promise.race([client.abortHead(), opened])
  await connected
  expect(given).toMatchObject({ tag: 'HeadIsAborted' })
  await client.disconnect()
  await other.disconnect()
  await opened
})

it('refuses to close a head that is closed, to open it, and to pay in it', async () => {
  head = await startClientHead({ deposit: 5n * ADA, node: { timings: { contestationPeriodMs: 30_000 } } })
  const alice = await head.client()
  await alice.closeHead()
  expect(await refusedSoon(alice.closeHead())).toMatchObject({
    code: 'BRIDGE_COMMAND_REFUSED',
    message: expect.stringContaining('Closed')
  })
  expect(await refusedSoon(alice.open())).toMatchObject({
    code: expect.stringMatching(/^(BRIDGE_COMMAND_REFUSED|CLIENT_HEAD_STATE)$/)
  })
  expect(await refusedSoon(alice.pay({ to: head.wallets[1]!.getAddressBech32(), amount: ADA }))).toMatchObject({
    code: 'CLIENT_HEAD_STATE',
    headStatus: 'Closed'
  })
  const stopped = new AbortController()
  const fanout = failureOf(alice.fanoutHead({ signal: stopped.signal }))
  stopped.abort('enough')
  expect(await fanout).toBe('enough')
})

it('waits for nothing while the node is behind the base ledger', async () => {
  head = await startClientHead({ deposit: 5n * ADA })
  const alice = await head.client()
  head.node.setDrift(10_000)
  await until(() => alice.status().synced === false)
  const bob = head.wallets[1]!.getAddressBech32()
  for (const refused of [
    alice.pay({ to: bob, amount: ADA }),
    alice.withdraw({ amount: ADA }),
    alice.deposit({ amount: 2n * ADA })
  ]) {
    expect(await refusedSoon(refused)).toMatchObject({ code: 'CLIENT_NODE_UNSYNCED' })
  }
  expect(await refusedSoon(alice.closeHead())).toMatchObject({ code: 'BRIDGE_COMMAND_REFUSED' })
  head.node.setDrift(0)
  await until(() => alice.status().synced === true)
  await expect(alice.pay({ to: bob, amount: ADA })).resolves.toBeDefined()
})

it('refuses every action of a client that is not connected, and of one that has been disconnected', async () => {
  head = await startClientHead({ deposit: 5n * ADA })
  const fresh = createHeadClient({ url: head.node.url, wallet: head.wallets[0]! })
  const gone = await head.client()
  await gone.disconnect()
  for (const client of [fresh, gone]) {
    for (const run of [
      () => client.pay({ to: head.wallets[1]!.getAddressBech32(), amount: ADA }),
      () => client.deposit({ amount: 2n * ADA }),
      () => client.withdraw({ amount: ADA }),
      () => client.open(),
      () => client.closeHead(),
      () => client.closeAndFanoutHead(),
      () => client.recover(),
      () => client.waitForTx('00'.repeat(32))
    ])
      expect(await refusedSoon(run())).toMatchObject({ code: 'BRIDGE_NOT_CONNECTED' })
  }
})

it('rejects connect at its time limit while the client goes on trying, and is connected once the node is there', async () => {
  head = await startClientHead({ deposit: 5n * ADA })
  const { port, url } = head.node
  expect(port).toBeGreaterThan(0)
  await head.node.goOffline()
  const client = createHeadClient({ url, wallet: head.wallets[0]!, reconnectInterval: 100 })
  const error = await failureOf(client.connect({ timeout: 500 }))
  expect(error).toMatchObject({ code: 'CLIENT_TIMEOUT' })
  expect(error.message).toContain(
    `It was waiting for the node at ws://127.0.0.1:${port} (the first attempt: ECONNREFUSED)`
  )
  const connected = client.connect()
  await head.node.goOnline()
  await connected
  expect(client.getBalance()!.confirmed.lovelace).toBe(5n * ADA)
  await client.disconnect()
  await client.connect()
  const { txId } = await client.pay({ to: head.wallets[1]!.getAddressBech32(), amount: ADA, wait: 'valid' })
  await expect(client.waitForTx(txId)).resolves.toMatchObject({ exact: true })
  await client.disconnect()
})

it('resolves connect once the node is there, though its first attempts have failed', async () => {
  head = await startClientHead({ deposit: 5n * ADA })
  await head.node.goOffline()
  const client = createHeadClient({ url: head.node.url, wallet: head.wallets[0]!, reconnectInterval: 20 })
  const failed = new Promise((resolve) => client.bridge.events.on('onConnectError', resolve))
  const connected = client.connect()
  await failed
  await head.node.goOnline()
  await connected
  expect([client.status().state, client.getBalance()!.confirmed.lovelace]).toEqual(['connected', 5n * ADA])
  await client.disconnect()
})

describe('reading', () => {
  it('is null before anything is known, then exact, and is watched only on change', async () => {
    head = await startClientHead({ deposit: 5n * ADA })
    const bob = head.wallets[1]!.getAddressBech32()
    const client = createHeadClient({ url: head.node.url, wallet: head.wallets[0]! })
    expect([client.getBalance(), client.getUtxos(), client.getBalance({ address: bob })]).toEqual([null, null, null])
    expect(client.status()).toMatchObject({ state: 'idle', headStatus: null, ready: false, partial: false, pending: 0 })
    const seen: (HeadBalance | null)[] = []
    const statuses: string[] = []
    const unwatch = client.watchBalance({ onChange: (balance) => seen.push(balance) })
    const stop = client.watchHead({ onChange: ({ state, headStatus }) => statuses.push(`${state} ${headStatus}`) })
    await client.connect()
    const twin = await head.client(1)
    await (await head.client(0)).pay({ to: bob, amount: 2n * ADA })
    await until(() => client.getBalance()!.confirmed.lovelace === 3n * ADA)
    // Payments among others change nothing here.
    await twin.pay({ to: head.wallets[2]!.getAddressBech32(), amount: ADA })
    await until(() => client.getBalance({ address: bob })!.confirmed.lovelace === ADA)
    await until(() => seen.length >= 3)
    await new Promise((resolve) => setTimeout(resolve, 10))
    expect(seen.map((balance) => balance && [balance.confirmed.lovelace, balance.pending.lovelace])).toEqual([
      null,
      [5n * ADA, 5n * ADA],
      [3n * ADA, 3n * ADA]
    ])
    expect(statuses[0]).toBe('idle null')
    expect(statuses).toContain('connected Open')
    unwatch()
    stop()
    const count = seen.length
    await client.pay({ to: bob, amount: ADA })
    expect(seen).toHaveLength(count)
    await client.disconnect()
  })

  it('shows a payment in flight in the pending balance alone', async () => {
    head = await startClientHead({ deposit: 5n * ADA })
    const alice = await head.client()
    head.node.faults.holdSnapshots = true
    const paid = alice.pay({ to: head.wallets[1]!.getAddressBech32(), amount: 2n * ADA })
    await until(() => alice.status().pending === 1)
    expect(alice.getBalance()).toMatchObject({ confirmed: { lovelace: 5n * ADA }, pending: { lovelace: 3n * ADA } })
    expect(alice.getUtxos({ view: 'confirmed' })!.map(({ output }) => output.amount[0]!.quantity)).toEqual([
      String(5n * ADA)
    ])
    expect(alice.getUtxos()!.map(({ output }) => output.amount[0]!.quantity)).toEqual([String(3n * ADA)])
    expect(alice.getBalance({ address: head.wallets[1]!.getAddressBech32() })).toMatchObject({
      confirmed: { lovelace: 0n },
      pending: { lovelace: 2n * ADA }
    })
    head.node.faults.holdSnapshots = false
    await Promise.all([paid, alice.pay({ to: head.wallets[1]!.getAddressBech32(), amount: ADA })])
  })

  it('gives a store that calls at once, keeps its value while nothing differs, and ends with unsubscribe', async () => {
    head = await startClientHead({ deposit: 5n * ADA })
    const alice = await head.client()
    const bob = head.wallets[1]!.getAddressBech32()
    const store = alice.store((client) => client.getBalance())
    const [first, second] = [store.get(), store.get()]
    expect(first).toBe(second)
    const runs: unknown[] = []
    const unsubscribe = store.subscribe((value) => runs.push(value))
    expect(runs).toEqual([first])
    await alice.pay({ to: bob, amount: ADA })
    await until(() => runs.length >= 3)
    unsubscribe()
    const count = runs.length
    await alice.pay({ to: bob, amount: ADA })
    expect(runs).toHaveLength(count)
    expect(() => alice.store(5 as never)).toThrow(expect.objectContaining({ code: 'INPUT_ARGUMENT' }))
    expect(() => store.subscribe(undefined as never)).toThrow(expect.objectContaining({ code: 'INPUT_ARGUMENT' }))
  })

  it('reports every step of own and foreign transactions, and a throwing watcher stops nobody', async () => {
    head = await startClientHead({ deposit: 5n * ADA })
    const alice = await head.client()
    const bob = head.wallets[1]!.getAddressBech32()
    const txs: WatchedTx[] = []
    alice.watchTxs({
      onChange: () => {
        throw new Error('watcher')
      }
    })
    const stop = alice.watchTxs({ onChange: (tx) => txs.push(tx) })
    const { txId } = await alice.pay({ to: bob, amount: 2n * ADA })
    const foreign = await (await head.client(1)).pay({ to: bob, amount: ADA })
    await until(() => txs.some((tx) => tx.txId === foreign.txId && tx.state === 'confirmed'))
    expect(txs.filter((tx) => tx.txId === txId).map(({ state, own }) => `${state} ${own}`)).toEqual([
      'submitted true',
      'valid true',
      'confirmed true'
    ])
    expect(txs.filter((tx) => tx.txId === foreign.txId).map(({ state, own }) => `${state} ${own}`)).toEqual([
      'valid false',
      'confirmed false'
    ])
    stop()
  })
})

describe('ways to a head', () => {
  const paysThrough = async (client: HeadClient): Promise<void> => {
    await client.connect()
    const carol = head.wallets[2]!.getAddressBech32()
    const before = head.node.headUtxos(carol).length
    const results = await Promise.all([1, 2, 3].map(() => client.pay({ to: carol, amount: ADA })))
    expect(new Set(results.map(({ txId }) => txId)).size).toBe(3)
    expect(head.node.headUtxos(carol)).toHaveLength(before + 3)
    expect(client.getBalance()!.pending).toEqual(client.getBalance()!.confirmed)
    expect(client.getBalance()!.confirmed.lovelace).toBe(
      head.node
        .headUtxos(head.wallets[0]!.getAddressBech32())
        .reduce((sum, { output }) => sum + BigInt(output.amount[0]!.quantity), 0n)
    )
  }

  it('are a bridge, a connector, snapshots without outputs and an address filter; where the view is partial it says so', async () => {
    head = await startClientHead({ deposit: 50n * ADA })
    const wallet = head.wallets[0]!
    const address = wallet.getAddressBech32()
    const bridge = new LayerBridge({ url: head.node.url })
    const clients = [
      createHeadClient({ bridge, wallet }),
      createHeadClient({ connector: head.node.connector(), wallet }),
      createHeadClient({ url: head.node.url, noSnapshotUtxo: true, wallet }),
      createHeadClient({ url: head.node.url, address, wallet }),
      createHeadClient({ connector: head.node.connector({ address }), wallet }),
      createHeadClient({ bridge: new LayerBridge({ url: head.node.url, address }), wallet })
    ]
    for (const client of clients) {
      await paysThrough(client)
    }
    expect(clients.map((client) => client.status().partial)).toEqual([false, false, false, true, true, true])
    expect(clients[0]!.bridge).toBe(bridge)
    for (const client of clients) await client.disconnect()
  })
})
