import { createGateway } from 'layer-sdk/gateway'
import { createHeadClient } from '../../src/client/index.js'
import type { DepositArgs, HeadClient } from '../../src/client/index.js'
import { parseAddress } from '../../src/codec/address.js'
import { bytesToHex } from '../../src/codec/hex.js'
import { PROFILES } from '../../src/devnode/settings/profiles.js'
import type { DevNodeProfile } from '../../src/devnode/index.js'
import { TxBuilder } from '../../src/tx/index.js'
import type { UTxO } from '../../src/types/utxo.js'
import { refOf } from '../../src/client/PendingView.js'
import { ChainCliWallet, witnessesOf } from '../../src/wallet/index.js'
import { bytes, decodeValue, encodeValue, int, put } from '../support/cborValue.js'
import type { CborValue } from '../support/cborValue.js'
import { fullRun } from '../support/scale.js'
import { mutantsOf } from './draftMutants.js'
import type { Mutant } from './draftMutants.js'
import { startRelay } from './relay.js'
import type { Relay } from './relay.js'
import { ADA, startClientHead } from './support.js'
import type { ClientHead } from './support.js'

let head: ClientHead
let relay: Relay
let alice: HeadClient
let signTx: jest.SpyInstance
const stops: (() => Promise<unknown>)[] = []
const addressOf = (index: number): string => head.wallets[index]!.getAddressBech32()
const failureOf = (promise: Promise<unknown>): Promise<any> =>
  promise.then(
    (value) => ({ resolved: value }),
    (error: unknown) => error
  )

afterEach(async () => {
  jest.restoreAllMocks()
  for (const stop of stops.splice(0).reverse()) await stop()
  await head.stop()
})

/**
 * A head whose first wallet holds three outputs on the base ledger, and a client of it over a relay that lies when told
 * to.
 */
async function start(profile: DevNodeProfile = 'master'): Promise<void> {
  head = await startClientHead({ deposit: 0n, node: { profile } })
  const own = addressOf(0)
  const utxos = head.node.baseUtxos(own)
  // Three outputs, whatever the node begins with.
  const { minFeeA, minFeeB } = await head.wallets[0]!.getProtocolParameters()
  const split = new TxBuilder({ minFeeA, minFeeB })
    .addInputs(utxos)
    .pay(own, 1_000n * ADA)
    .pay(own, 1_000n * ADA)
    .changeTo(own)
    .build()
  await head.wallets[0]!.submitTx(await head.wallets[0]!.signTx(split.cborHex))
  while (!head.node.baseUtxos(own).some(({ input }) => input.txHash === split.txId))
    await new Promise((resolve) => setTimeout(resolve, 5))
  relay = await startRelay(head.node.url)
  alice = createHeadClient({ url: relay.url, wallet: head.wallets[0]! })
  stops.push(
    () => relay.stop(),
    () => alice.disconnect()
  )
  await alice.connect()
  signTx = jest.spyOn(head.wallets[0]!, 'signTx')
}

/** The draft that the node makes of a request, honestly, and what a liar makes of it. */
async function mutants(args: DepositArgs): Promise<Mutant[]> {
  let honest: { cborHex: string } | undefined
  let asked: string[] = []
  const commit = jest.spyOn(alice.bridge, 'commit').mockImplementationOnce(async (request) => {
    commit.mockRestore()
    const given = (Array.isArray(request) ? request : (request as unknown as { utxo: UTxO[] }).utxo) as UTxO[]
    asked = given.map(refOf)
    honest = await alice.bridge.commit(request)
    throw new Error('drafted')
  })
  await failureOf(alice.deposit(args))
  const [address, own] = [addressOf(0), parseAddress(addressOf(0))]
  const other = head.node.baseUtxos(address).find((utxo) => !asked.includes(refOf(utxo)))!
  const { publicKeyHex: publicKey } = witnessesOf(await head.wallets[0]!.signTx(honest!.cborHex, true)).find(
    ({ keyHashHex }) => keyHashHex === own.payment!.hash
  )!
  signTx.mockClear()
  return mutantsOf(honest!.cborHex, {
    other,
    address: bytesToHex(own.bytes),
    keyHash: own.payment!.hash,
    publicKey,
    asked
  })
}

/** Has the relay answer with a draft of its own making. */
function draftOf(cborHex: string): void {
  relay.lie = (route, body) =>
    route.startsWith('POST /commit') ? JSON.stringify({ ...JSON.parse(body), cborHex, txId: undefined }) : body
}

// `npm test` tries every mutant on the first, and on each of the others a third of them; `npm run test:full` all on all.
describe.each([
  ['a part of an output', 0, (): DepositArgs => ({ amount: 5n * ADA })],
  [
    'an amount with change',
    1,
    (): DepositArgs => ({ utxos: head.node.baseUtxos(addressOf(0)).slice(0, 1), amount: 7n * ADA })
  ],
  ['a whole output', 2, (): DepositArgs => ({ utxos: head.node.baseUtxos(addressOf(0)).slice(0, 1) })],
  ['two whole outputs', 3, (): DepositArgs => ({ utxos: head.node.baseUtxos(addressOf(0)).slice(0, 2) })]
] as const)('a deposit of %s', (_name, part, argsOf) => {
  it('has the wallet sign no draft that differs in one way from the one asked for, and signs the honest one', async () => {
    await start()
    const args = argsOf()
    const all = await mutants(args)
    expect(all.length).toBeGreaterThan(110)
    const signed: string[] = []
    for (const { name, cborHex } of all.filter((_, index) => fullRun || part === 0 || index % 3 === part - 1)) {
      draftOf(cborHex)
      const error = await failureOf(alice.deposit(args))
      if (error?.code !== 'CLIENT_DRAFT_MISMATCH' || signTx.mock.calls.length > 0)
        signed.push(`${name}: ${error?.code ?? JSON.stringify(error)}`)
      signTx.mockClear()
    }
    expect(signed).toEqual([])
    relay.lie = (_route, body) => body
    await expect(alice.deposit(args)).resolves.toMatchObject({ depositTxId: expect.any(String) })
    expect(signTx).toHaveBeenCalledTimes(1)
  }, 120_000)
})

it.each(Object.keys(PROFILES) as DevNodeProfile[])(
  'signs every honest draft of a node of version %s: an amount, a part of given outputs, whole outputs',
  async (profile) => {
    await start(profile)
    const own = addressOf(0)
    await alice.deposit({ amount: 5n * ADA })
    await alice.deposit({ utxos: head.node.baseUtxos(own), amount: 6n * ADA })
    const [whole] = head.node.baseUtxos(own)
    await alice.deposit({ utxos: [whole!] })
    const deposited = BigInt(whole!.output.amount[0]!.quantity) + 11n * ADA
    expect(head.node.headUtxos(own).reduce((sum, { output }) => sum + BigInt(output.amount[0]!.quantity), 0n)).toBe(
      deposited
    )
  }
)

it('has the wallet sign nothing when the node behind a gateway drafts another deposit, and deposits when it is honest', async () => {
  await start()
  const gateway = await createGateway({ port: 0, heads: [{ path: '/', upstream: relay.url }] })
  while ((await fetch(`${gateway.url}/health/ready`)).status !== 200)
    await new Promise((resolve) => setTimeout(resolve, 10))
  const [one, two, three] = head.node.baseUtxos(addressOf(0))
  const client = createHeadClient({ gateway: { url: gateway.url }, wallet: head.wallets[0]! })
  stops.splice(
    2,
    0,
    () => gateway.stop(),
    () => client.disconnect()
  )
  await client.connect()
  const args = { utxos: [one!] }
  const honest = await alice.bridge.commit([one!])
  const thief = await alice.bridge.commit([one!, two!, three!])
  expect(honest.cborHex).not.toBe(thief.cborHex)
  draftOf(thief.cborHex)
  expect(await failureOf(client.deposit(args))).toMatchObject({
    code: 'CLIENT_DRAFT_MISMATCH',
    outcome: 'none',
    differences: expect.arrayContaining([expect.objectContaining({ part: 'inputs' })])
  })
  expect(signTx).not.toHaveBeenCalled()
  relay.lie = (_route, body) => body
  await expect(client.deposit(args)).resolves.toMatchObject({ utxo: [expect.objectContaining({ input: one!.input })] })
})

describe('a wallet that cannot list its outputs', () => {
  it('signs no draft with more inputs than those asked for and one of the node', async () => {
    await start()
    const [one, two, three] = head.node.baseUtxos(addressOf(0))
    const wallet = new ChainCliWallet({ networkId: 0, skey: head.node.keys[0]!.skey })
    const sign = jest.spyOn(wallet, 'signTx')
    const client = await head.client(0, { url: relay.url, wallet } as never)
    draftOf((await alice.bridge.commit([one!, two!, three!])).cborHex)
    expect(await failureOf(client.deposit({ utxos: [one!] }))).toMatchObject({ code: 'CLIENT_DRAFT_MISMATCH' })
    expect(sign).not.toHaveBeenCalled()
    relay.lie = (_route, body) => body
    await expect(client.deposit({ utxos: [one!] })).resolves.toMatchObject({ depositTxId: expect.any(String) })
  })

  it('signs nothing on mainnet: one of its other outputs could pay as the node’s', async () => {
    await start()
    const wallet = new ChainCliWallet({ networkId: 1, skey: head.node.keys[0]!.skey })
    const sign = jest.spyOn(wallet, 'signTx')
    const client = await head.client(0, { url: relay.url, wallet } as never)
    const [one] = head.node.baseUtxos(addressOf(0))
    expect(await failureOf(client.deposit({ utxos: [one!] }))).toMatchObject({ code: 'CLIENT_WALLET_CAPABILITY' })
    expect(sign).not.toHaveBeenCalled()
  })
})

it('refuses the commit of nothing that opens a head before 2.0 when it is another transaction', async () => {
  head = await startClientHead({ open: false, node: { profile: '1.3' } })
  relay = await startRelay(head.node.url)
  stops.push(() => relay.stop())
  alice = await head.client(0, { url: relay.url } as never)
  const submitted: string[] = []
  relay.lie = (route, body) => {
    if (route.startsWith('POST /cardano-transaction')) submitted.push(route)
    if (!route.startsWith('POST /commit')) return body
    const tree = decodeValue(Buffer.from((JSON.parse(body) as { cborHex: string }).cborHex, 'hex')) as {
      items: CborValue[]
    }
    put(tree.items[0]!, 5, { kind: 'map', items: [bytes(`e0${'ab'.repeat(28)}`), int(1)] })
    return JSON.stringify({ ...JSON.parse(body), cborHex: encodeValue(tree as CborValue), txId: undefined })
  }
  expect(await failureOf(alice.open())).toMatchObject({ code: 'CLIENT_DRAFT_MISMATCH' })
  expect(submitted).toEqual([])
})
