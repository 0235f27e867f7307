import { Emitter } from '../../src/bridge/delivery/Emitter.js'
import { LayerBridge } from '../../src/bridge/index.js'
import { createHeadClient } from '../../src/client/index.js'
import type { HeadClient, HeadClientOptions } from '../../src/client/index.js'
import type { StartDevNodeOptions } from '../../src/devnode/index.js'
import { ADA, startClientHead } from './support.js'
import type { ClientHead } from './support.js'

let head: ClientHead
afterEach(async () => {
  jest.restoreAllMocks()
  await head.stop()
})

/** What a promise rejects with; 'pending' when it has not settled within half a second. */
const failureSoon = (promise: Promise<unknown>): Promise<any> =>
  Promise.race([
    promise.then(
      () => 'resolved',
      (error: unknown) => error
    ),
    new Promise((resolve) => setTimeout(() => resolve('pending'), 500))
  ])
async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 2))
}

async function start(
  options: { deposit?: bigint; open?: boolean; node?: StartDevNodeOptions; client?: Partial<HeadClientOptions> } = {}
): Promise<HeadClient> {
  const { client, ...rest } = options
  head = await startClientHead({ deposit: 0n, ...rest })
  return head.client(0, { reconnectInterval: 20, ...client })
}

describe('disconnect() ends at once, with a typed error,', () => {
  it.each(['closeAndFanoutHead', 'fanoutHead'] as const)(
    '%s, which waits for the end of the contestation period',
    async (action) => {
      const client = await start({ node: { timings: { contestationPeriodMs: 3_600_000 } } })
      if (action === 'fanoutHead') await client.closeHead()
      await import('../../src/client/api/laterActions')
      const ended = client[action]()
      ended.catch(() => undefined)
      await until(() => client.status().headStatus === 'Closed')
      // The action is under way: a call that is still being loaded ends as one that was not begun, BRIDGE_NOT_CONNECTED.
      await new Promise(setImmediate)
      await client.disconnect()
      expect(await failureSoon(ended)).toMatchObject({ code: 'BRIDGE_DISCONNECTED' })
    }
  )

  it('waitForTx, which waits for a transaction that does not come: the outcome stays unknown', async () => {
    const client = await start()
    const txId = 'ab'.repeat(32)
    const find = jest.spyOn(client.bridge, 'findTransaction')
    const asked = client.waitForTx(txId)
    asked.catch(() => undefined)
    await until(() => find.mock.calls.length > 0)
    await find.mock.results[0]!.value
    await client.disconnect()
    expect(await failureSoon(asked)).toMatchObject({
      code: 'CLIENT_OUTCOME_UNKNOWN',
      txId,
      cause: { code: 'BRIDGE_DISCONNECTED' }
    })
  })

  it('open, which waits for the other parties of a head that initialises', async () => {
    const client = await start({ open: false, node: { profile: '1.3' } })
    // The empty commit never reaches the base ledger.
    const submitted = jest.spyOn(client.bridge, 'submitCardanoTransaction').mockResolvedValue({ txId: 'ab'.repeat(32) })
    const opened = client.open()
    opened.catch(() => undefined)
    await until(() => submitted.mock.calls.length > 0)
    await new Promise((resolve) => setTimeout(resolve, 20))
    await client.disconnect()
    expect(await failureSoon(opened)).toMatchObject({ code: 'BRIDGE_DISCONNECTED' })
  })

  it('a deposit, which waits for its split on the base ledger', async () => {
    const client = await start({ node: { profile: '0.22' } })
    const wallet = head.wallets[0]!
    const utxos = head.node.baseUtxos(wallet.getAddressBech32())
    // The split is never seen.
    const asked = jest.spyOn(wallet, 'queryUTxOs').mockResolvedValue(utxos)
    const deposited = client.deposit({ amount: 5n * ADA })
    deposited.catch(() => undefined)
    await until(() => asked.mock.calls.length >= 2)
    await client.disconnect()
    expect(await failureSoon(deposited)).toMatchObject({ code: 'BRIDGE_DISCONNECTED' })
    const calls = asked.mock.calls.length
    await new Promise((resolve) => setTimeout(resolve, 1_100))
    expect(asked.mock.calls.length).toBe(calls)
  })

  it('a reading of the history that is asked for while the bridge reconnects', async () => {
    const client = await start()
    await head.node.goOffline()
    await until(() => client.status().state === 'reconnecting')
    const read = client.bridge.messagesAbout(['ab'])
    read.catch(() => undefined)
    await client.disconnect()
    expect(await failureSoon(read)).toMatchObject({ code: 'BRIDGE_DISCONNECTED' })
  })

  it("connect(), which waits for the wallet's addresses", async () => {
    const client = await start()
    const wallet = head.wallets[1]!
    jest.spyOn(wallet, 'getAddresses').mockReturnValue(new Promise(() => undefined) as never)
    const slow = createHeadClient({ url: head.node.url, wallet })
    const connected = slow.connect()
    connected.catch(() => undefined)
    await until(() => slow.status().state === 'connected')
    await new Promise((resolve) => setTimeout(resolve, 10))
    await slow.disconnect()
    expect(await failureSoon(connected)).toMatchObject({ code: 'BRIDGE_CONNECT_ABORTED' })
    expect(client.status().state).toBe('connected')
  })

  it('an action of a bridge that gives the connection up', async () => {
    await start()
    const bridge = new LayerBridge({ url: head.node.url })
    await bridge.connect()
    const client = createHeadClient({ bridge, wallet: head.wallets[0]! })
    const asked = client.waitForTx('cd'.repeat(32))
    asked.catch(() => undefined)
    await new Promise((resolve) => setTimeout(resolve, 50))
    await head.node.goOffline()
    expect(await failureSoon(asked)).toMatchObject({ code: 'CLIENT_OUTCOME_UNKNOWN' })
  })
})

describe('while handlers are so slow that every event that can be dropped is,', () => {
  /** Nothing that a full queue may drop is delivered. */
  const dropEvents = (): void => {
    const emit = Emitter.prototype.emit
    jest.spyOn(Emitter.prototype, 'emit').mockImplementation(function (this: Emitter, events, weight = 0) {
      if (weight === 0) emit.call(this, events, weight)
    })
  }

  it('a deposit and a withdrawal resolve', async () => {
    const client = await start()
    dropEvents()
    await expect(client.deposit({ amount: 20n * ADA, timeout: 5_000 })).resolves.toMatchObject({ utxo: [{}] })
    await expect(client.withdraw({ amount: 5n * ADA, timeout: 5_000 })).resolves.toMatchObject({ utxo: [{}] })
  })

  it('waitForTx hears of a transaction that is confirmed after the call', async () => {
    const client = await start({ deposit: 20n * ADA })
    const watcher = await head.client(1)
    dropEvents()
    head.node.faults.holdSnapshots = true
    const to = head.wallets[1]!.getAddressBech32()
    const txId = await new Promise<string>((resolve) => {
      const onProgress = (step: { state: string; txId?: string }): void => {
        if (step.state === 'submitted') resolve(step.txId!)
      }
      void client.pay({ to, amount: ADA, onProgress })
    })
    const find = jest.spyOn(watcher.bridge, 'findTransaction')
    const asked = watcher.waitForTx(txId, { timeout: 5_000 })
    asked.catch(() => undefined)
    await until(() => find.mock.calls.length > 0)
    await find.mock.results[0]!.value
    head.node.faults.holdSnapshots = false
    await client.pay({ to, amount: ADA })
    await expect(asked).resolves.toMatchObject({ exact: true })
  })
})

it('hands every message to an observer before its event, and tells the end once; what it throws reaches onHandlerError', async () => {
  const client = await start()
  const { bridge } = client
  const order: string[] = []
  const errors: unknown[] = []
  bridge.events.on('onHandlerError', (error) => errors.push(error))
  bridge.events.on('HeadIsClosed', () => order.push('event'))
  const stop = bridge.observe({
    onMessage: ({ tag }) => {
      if (tag === 'HeadIsClosed') order.push('observed')
      throw new Error('mine')
    },
    onEnd: () => order.push('end')
  })
  await client.closeHead()
  await until(() => order.length === 2)
  await client.disconnect()
  expect(order).toEqual(['observed', 'event', 'end'])
  expect(errors[0]).toMatchObject({ message: 'mine' })
  stop()
  await client.connect()
  await client.disconnect()
  expect(order).toHaveLength(3)
  expect(() => bridge.observe({ onMessage: 'no' as never })).toThrow(
    expect.objectContaining({ code: 'INPUT_ARGUMENT' })
  )
})
