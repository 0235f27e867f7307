import { createHeadClient } from '../../src/client/index.js'
import { BridgeRequestError } from '../../src/errors/operation'
import { refOf } from '../../src/client/PendingView.js'
import type { UTxO } from '../../src/types/utxo.js'
import { buildSweep } from '../../src/tx/index.js'
import { DevNode } from '../../src/devnode/index.js'
import { startGateway } from './gatewayServer.js'
import { startRelay } from './relay.js'
import { ADA, startClientHead } from './support.js'
import type { ClientHead } from './support.js'

let head: ClientHead
const stops: (() => Promise<unknown>)[] = []
afterEach(async () => {
  jest.restoreAllMocks()
  for (const stop of stops.splice(0).reverse()) await stop()
  await head.stop()
})

const UNIT = `${'ab'.repeat(28)}01`
const addressOf = (index: number): string => head.wallets[index]!.getAddressBech32()
const failureOf = (promise: Promise<unknown>): Promise<any> =>
  promise.then(
    (value) => ({ resolved: value }),
    (error: unknown) => error
  )
const inHead = (): bigint =>
  head.node.headUtxos(addressOf(0)).reduce((sum, { output }) => sum + BigInt(output.amount[0]!.quantity), 0n)

/** References that each request of a draft asks to spend. */
function watchRequests(bridge: { commit: (request: never) => Promise<unknown> }): string[][] {
  const asked: string[][] = []
  const commit = bridge.commit.bind(bridge)
  jest.spyOn(bridge, 'commit').mockImplementation((request: any) => {
    asked.push(((Array.isArray(request) ? request : request.utxo) as UTxO[]).map(refOf))
    return commit(request as never)
  })
  return asked
}

it.each(['2.3', '0.22'] as const)(
  'makes parallel deposits from one output, each from the change of the other (node %s)',
  async (profile) => {
    head = await startClientHead({ deposit: 0n, node: { profile } })
    const alice = await head.client(0)
    const { minFeeA, minFeeB } = await head.wallets[0]!.getProtocolParameters()
    const all = buildSweep({
      utxos: head.node.baseUtxos(addressOf(0)),
      to: addressOf(0),
      parameters: { minFeeA, minFeeB }
    })
    await head.wallets[0]!.submitTx(await head.wallets[0]!.signTx(all.cborHex))
    while (head.node.baseUtxos(addressOf(0)).length > 1) await new Promise((resolve) => setTimeout(resolve, 2))
    const asked = watchRequests(alice.bridge as never)
    await Promise.all([5n, 6n, 7n].map((ada) => alice.deposit({ amount: ada * ADA, timeout: 30_000 })))
    expect(inHead()).toBe(18n * ADA)
    expect(new Set(asked.flat()).size).toBe(asked.flat().length)
  },
  60_000
)

it('refuses an output that another deposit has, and waits for nothing when all that is there does not suffice', async () => {
  head = await startClientHead({ deposit: 0n })
  const alice = await head.client(0)
  const [one] = head.node.baseUtxos(addressOf(0))
  const first = alice.deposit({ utxos: [one!] })
  expect(await failureOf(alice.deposit({ utxos: [one!] }))).toMatchObject({
    code: 'CLIENT_INPUT_RESERVED',
    input: refOf(one!)
  })
  expect(await failureOf(alice.deposit({ utxos: [one!], amount: ADA }))).toMatchObject({
    code: expect.stringMatching(/^(CLIENT_INPUT_RESERVED|TX_)/)
  })
  await first
  expect(await failureOf(alice.deposit({ amount: 10_000_000n * ADA, timeout: 20_000 }))).toMatchObject({
    code: 'TX_INSUFFICIENT_FUNDS'
  })
})

it('frees the outputs of a deposit whose draft was refused', async () => {
  head = await startClientHead({ deposit: 0n })
  const alice = await head.client(0)
  jest
    .spyOn(alice.bridge, 'commit')
    .mockRejectedValueOnce(new BridgeRequestError('POST /commit', { status: 400, reason: 'no' }))
  expect(await failureOf(alice.deposit({ amount: 5n * ADA }))).toMatchObject({ code: 'BRIDGE_REQUEST' })
  await alice.deposit({ amount: 5n * ADA, timeout: 20_000 })
  expect(inHead()).toBe(5n * ADA)
})

it.each(['2.3', '0.22'] as const)(
  'gives a deposit of tokens without lovelace the least that it has to hold, within the limit (node %s)',
  async (profile) => {
    const { address } = new DevNode().keys[0]!
    const amount = [
      { unit: 'lovelace', quantity: String(100n * ADA) },
      { unit: UNIT, quantity: '9' }
    ]
    head = await startClientHead({ deposit: 0n, node: { profile, genesis: [{ address, amount }] } })
    const alice = await head.client(0)
    const tokens = [{ unit: UNIT, quantity: '4' }]
    expect(await failureOf(alice.deposit({ amount: tokens, maxMinLovelace: ADA }))).toMatchObject({
      code: 'CLIENT_COST_LIMIT',
      limit: 'maxMinLovelace'
    })
    const { utxo } = await alice.deposit({ amount: tokens })
    const held = Object.fromEntries(utxo[0]!.output.amount.map(({ unit, quantity }) => [unit, BigInt(quantity)]))
    expect(held[UNIT]).toBe(4n)
    expect(held['lovelace']).toBeGreaterThan(ADA)
    expect(held['lovelace']).toBeLessThan(3n * ADA)
  }
)

it('spends no retry when a gateway drafts whole outputs only', async () => {
  head = await startClientHead({ deposit: 0n })
  const gateway = await startGateway(head.node, 'T')
  const client = createHeadClient({ gateway: { url: gateway.url, token: 'T' }, wallet: head.wallets[0]! })
  stops.push(
    () => gateway.stop(),
    () => client.disconnect()
  )
  await client.connect()
  // One draft that runs out before it is submitted is what a single retry is for.
  const tooLate = new BridgeRequestError('POST /cardano-transaction', {
    status: 400,
    reason: 'OutsideValidityIntervalUTxO'
  })
  const submit = jest.spyOn(client.bridge, 'submitCardanoTransaction').mockRejectedValueOnce(tooLate)
  await client.deposit({ amount: 30n * ADA, retries: 1 })
  expect(submit).toHaveBeenCalledTimes(2)
  expect(inHead()).toBe(30n * ADA)
})

describe.each([408, 502, 504])('an answer %i of a proxy to the submission', (status) => {
  it('leaves the outcome of a deposit unknown: the base ledger may have it', async () => {
    head = await startClientHead({ deposit: 0n })
    const relay = await startRelay(head.node.url)
    const alice = await head.client(0, { url: relay.url } as never)
    stops.push(() => relay.stop())
    relay.instead = (route) =>
      route.startsWith('POST /cardano-transaction') ? { status, body: '<html>proxy</html>' } : undefined
    expect(await failureOf(alice.deposit({ amount: 5n * ADA }))).toMatchObject({ code: 'CLIENT_OUTCOME_UNKNOWN' })
    await alice.disconnect()
  })
})

it('does not count a pending deposit as in the head, though its outputs show there, after a gap', async () => {
  head = await startClientHead({ deposit: 0n, node: { timings: { depositDelayMs: 400 } } })
  const alice = await head.client(0)
  let depositTxId = ''
  let isOver = false
  const done = alice
    .deposit({ amount: 5n * ADA, onProgress: ({ state, txId }) => state === 'submitted' && (depositTxId = txId!) })
    .finally(() => (isOver = true))
  while (depositTxId === '') await new Promise((resolve) => setTimeout(resolve, 2))
  // As between approval and increment: the node's snapshot shows the outputs, and the deposit is pending still.
  const isUnspent = jest.spyOn(alice.bridge, 'isUnspent').mockReturnValue(true)
  const pending = jest.spyOn(alice.bridge, 'pendingDeposits').mockResolvedValue([depositTxId])
  jest.spyOn(alice.bridge, 'messagesAbout').mockResolvedValue([])
  head.node.dropConnections()
  while (pending.mock.calls.length === 0) await new Promise((resolve) => setTimeout(resolve, 2))
  await new Promise((resolve) => setTimeout(resolve, 30))
  expect(isOver).toBe(false)
  expect(isUnspent).toHaveBeenCalledTimes(0)
  jest.restoreAllMocks()
  head.node.dropConnections()
  await done
  expect(inHead()).toBe(5n * ADA)
})
