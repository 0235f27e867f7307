import { LayerBridge } from '../../src/bridge/index.js'
import { createHeadClient } from '../../src/client/index.js'
import type { HeadClient } from '../../src/client/index.js'
import { startGateway } from './gatewayServer.js'
import { ADA, startClientHead } from './support.js'
import type { ClientHead } from './support.js'

let head: ClientHead
const stops: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const stop of stops.splice(0).reverse()) await stop()
  await head.stop()
})

const addressOf = (index: number): string => head.wallets[index]!.getAddressBech32()
const inHead = (index: number): bigint =>
  head.node.headUtxos(addressOf(index)).reduce((sum, { output }) => sum + BigInt(output.amount[0]!.quantity), 0n)

async function connected(client: HeadClient): Promise<HeadClient> {
  stops.push(() => client.disconnect())
  await client.connect()
  return client
}

describe('over a gateway', () => {
  const TOKEN = 'SECRET-JWT'
  async function start(): Promise<{ url: string; client: HeadClient }> {
    head = await startClientHead({ deposit: 0n })
    const gateway = await startGateway(head.node, TOKEN)
    stops.push(() => gateway.stop())
    return {
      url: gateway.url,
      client: await connected(
        createHeadClient({ gateway: { url: gateway.url, token: TOKEN }, wallet: head.wallets[0]! })
      )
    }
  }

  it('makes a part of an output on the base ledger, deposits, pays, chains, withdraws and reads', async () => {
    const { client } = await start()
    await expect(client.deposit({ amount: 30n * ADA })).resolves.toMatchObject({ depositTxId: expect.any(String) })
    expect(inHead(0)).toBe(30n * ADA)
    const results = await Promise.all([1, 2, 3].map(() => client.pay({ to: addressOf(1), amount: ADA })))
    expect(new Set(results.map(({ txId }) => txId)).size).toBe(3)
    expect(inHead(1)).toBe(3n * ADA)
    await client.withdraw({ amount: 5n * ADA })
    expect([inHead(0), client.getBalance()!.pending.lovelace]).toEqual([22n * ADA, 22n * ADA])
    // It has every output, and says so.
    expect(client.status()).toMatchObject({ partial: false, ready: true, headStatus: 'Open' })
    expect((await client.closeAndFanoutHead()).tag).toBe('HeadIsFinalized')
  }, 60_000)

  it('rejects a token that is refused, without it in the error', async () => {
    const { url } = await start()
    const stranger = createHeadClient({ gateway: { url, token: 'SECRET-OTHER' }, wallet: head.wallets[0]! })
    const error = await stranger.connect({ timeout: 10_000 }).catch((reason: unknown) => reason)
    expect(error).toMatchObject({ code: 'BRIDGE_CONNECT' })
    expect(String(error) + JSON.stringify(error)).not.toContain('SECRET')
    expect(() => createHeadClient({ gateway: 'https://gateway.example' } as never)).toThrow(
      expect.objectContaining({ code: 'INPUT_ARGUMENT' })
    )
  })
})

it('passes verify through to the bridge: what a lying server shows never becomes a balance', async () => {
  head = await startClientHead({ deposit: 20n * ADA, node: { accumulator: 'real' } })
  const parties = (await (await head.client(0)).bridge.headInfo()).parties.map(({ vkey }) => vkey)
  const client = await connected(
    createHeadClient({ url: head.node.url, wallet: head.wallets[0]!, verify: { parties } })
  )
  const { snapshotNumber } = await client.pay({ to: addressOf(1), amount: ADA })
  expect(client.bridge.getSnapshot().verified).toBe(snapshotNumber)
  const unverified: unknown[] = []
  client.bridge.events.on('onUnverified', (facts) => unverified.push(facts))
  head.node.faults.forgeSnapshot = 'amountRaised'
  await (await head.client(0)).pay({ to: addressOf(1), amount: ADA })
  while (unverified.length === 0) await new Promise((resolve) => setTimeout(resolve, 5))
  expect(client.getBalance({ address: addressOf(1) })?.confirmed.lovelace ?? ADA).toBeLessThanOrEqual(2n * ADA)
  expect(client.bridge.getSnapshot().verified).toBe(snapshotNumber)
  expect(() => createHeadClient({ url: head.node.url, verify: { parties: ['zz'] } })).toThrow(
    expect.objectContaining({ code: 'BRIDGE_OPTIONS' })
  )
})

it('refuses option names that nobody knows, whatever the way to the head is', async () => {
  head = await startClientHead({ open: false })
  const bridge = new LayerBridge({ url: head.node.url })
  for (const options of [
    { bridge, autoReconect: true },
    { bridge, autoReconnect: true },
    { url: head.node.url, unknownName: 1 },
    { connector: head.node.connector(), unknownName: 1 },
    { gateway: { url: 'https://gateway.example' }, unknownName: 1 },
    { gateway: { url: 'https://gateway.example', unknownName: 1 } }
  ]) {
    const name = Object.keys('unknownName' in options || !('gateway' in options) ? options : options.gateway).pop()!
    let error: unknown
    try {
      createHeadClient(options as never)
    } catch (thrown) {
      error = thrown
    }
    expect(error).toMatchObject({
      code: expect.stringMatching(/^(INPUT_ARGUMENT|BRIDGE_OPTIONS)$/),
      message: expect.stringContaining(name)
    })
  }
})

it('learns within its time limit of a payment without change that a filter by address hides', async () => {
  head = await startClientHead({ deposit: 10n * ADA })
  const client = await head.client(0, { address: addressOf(0) })
  const started = Date.now()
  expect(await client.pay({ to: addressOf(1), amount: 10n * ADA })).toMatchObject({
    snapshotNumber: expect.any(Number),
    exact: expect.any(Boolean)
  })
  expect(Date.now() - started).toBeLessThan(20_000)
}, 60_000)
