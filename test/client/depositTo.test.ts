import { scalusEvaluator } from '../../src/adapters/scalus.js'
import { addressToString, enterpriseAddress } from '../../src/codec/address.js'
import { RpcProvider } from '../../src/providers/index.js'
import { scriptRef, TxBuilder } from '../../src/tx/index.js'
import type { UTxO } from '../../src/types/utxo.js'
import { mkInt, plutusScriptHash } from '../../src/utils/index.js'
import { ADA, startClientHead } from './support'
import type { ClientHead } from './support'

/** PlutusV2, spending: succeeds when the redeemer equals the datum. */
const CODE = '510100002225333573466ebc00c008526161'
const LOCK = addressToString(enterpriseAddress(0, { kind: 'script', hash: plutusScriptHash(CODE, 'PlutusV2') }))
const MAINNET = addressToString(enterpriseAddress(1, { kind: 'key', hash: 'aa'.repeat(28) }))
const failure = (promise: Promise<unknown>): Promise<any> =>
  promise.then(
    () => null,
    (error: unknown) => error
  )

let head: ClientHead
afterEach(() => head.stop())

it('refuses what is no address, no datum, of another network, and what whole outputs cannot have', async () => {
  head = await startClientHead({ deposit: 0n })
  const client = await head.client()
  const utxos = head.node.baseUtxos(head.wallets[0]!.getAddressBech32())
  const refused = async (args: object, code: string): Promise<void> =>
    expect(await failure(client.deposit(args as never))).toMatchObject({ code })
  await refused({ amount: 5n * ADA, to: 'addr' }, 'INPUT_ADDRESS')
  await refused({ amount: 5n * ADA, to: MAINNET }, 'INPUT_ADDRESS')
  await refused({ amount: 5n * ADA, datum: 5 }, 'INPUT_ARGUMENT')
  await refused({ amount: 5n * ADA, datum: null }, 'INPUT_ARGUMENT')
  await refused({ utxos, to: LOCK }, 'INPUT_ARGUMENT')
  await refused({ utxos, datum: '182a' }, 'INPUT_ARGUMENT')
  expect(head.node.baseUtxos(head.wallets[0]!.getAddressBech32())).toEqual(utxos)
}, 30_000)

it('is refused on nodes that deposit whole outputs alone, before anything is sent', async () => {
  head = await startClientHead({ deposit: 0n, node: { profile: '0.22' } })
  const client = await head.client()
  const own = head.wallets[0]!.getAddressBech32()
  const before = head.node.baseUtxos(own)
  expect(await failure(client.deposit({ amount: 5n * ADA, to: LOCK }))).toMatchObject({
    code: 'BRIDGE_UNSUPPORTED_BY_NODE'
  })
  expect(head.node.baseUtxos(own)).toEqual(before)
}, 30_000)

it('brings exactly the amount to a script in the head, with its datum, and the script unlocks it there', async () => {
  head = await startClientHead({
    deposit: 10n * ADA,
    node: { scriptEvaluator: scalusEvaluator({ inThread: true }), evaluatorTimeoutMs: 60_000 }
  })
  const client = await head.client(0, { evaluator: scalusEvaluator({ inThread: true }) })
  const { utxo } = await client.deposit({ amount: 7n * ADA, to: LOCK, datum: mkInt(42) })
  expect(utxo.map(({ output }) => output)).toMatchObject([
    { address: LOCK, amount: [{ unit: 'lovelace', quantity: '7000000' }], inlineDatum: '182a' }
  ])
  expect(client.getUtxos({ address: LOCK })).toHaveLength(1)
  const script = scriptRef('PlutusV2', CODE)
  const tx = await (await client.newTx()).spendScript(utxo[0]!, { redeemer: '182a', script }).build({})
  await client.submit(tx)
  expect(client.getBalance()!.confirmed.lovelace).toBe(17n * ADA)
}, 60_000)

it('brings a deposit to another owner', async () => {
  head = await startClientHead({ deposit: 0n })
  const client = await head.client(0)
  const to = head.wallets[1]!.getAddressBech32()
  await client.deposit({ amount: 6n * ADA, to })
  expect(client.getBalance()!.confirmed.lovelace).toBe(0n)
  expect(head.node.headUtxos(to).map(({ output }) => output.amount[0]!.quantity)).toEqual(['6000000'])
}, 30_000)

it('whole outputs with a datum are refused by name before anything is sent, and a blueprint deposits them', async () => {
  head = await startClientHead({ deposit: 0n })
  const client = await head.client(0)
  const wallet = head.wallets[0]!
  const own = wallet.getAddressBech32()
  const provider = new RpcProvider({ apiEndpoint: head.node.rpcUrl!, network: 'preprod' })
  const { cborHex, txId } = new TxBuilder(await provider.fetcher.fetchProtocolParameters())
    .addInputs(head.node.baseUtxos(own))
    .pay(own, 9n * ADA, { inlineDatum: '182a' })
    .changeTo(own)
    .build()
  await provider.submitter.submitTx(await wallet.signTx(cborHex, true))
  const isThere = (): boolean => head.node.baseUtxos(own).some(({ input }) => input.txHash === txId)
  while (!isThere()) await new Promise((done) => setTimeout(done, 10))
  const isCarrying = ({ output }: UTxO): boolean => output.inlineDatum !== undefined
  const carrying = head.node.baseUtxos(own).find(isCarrying)
  const plain = head.node.baseUtxos(own).find((utxo) => !isCarrying(utxo))
  const hashed = { ...plain!, output: { ...plain!.output, datumHash: 'aa'.repeat(32) } }
  const before = JSON.stringify(head.node.counters)
  for (const utxos of [[carrying!], [plain!, carrying!], [hashed]])
    expect(await failure(client.deposit({ utxos }))).toMatchObject({
      code: 'INPUT_ARGUMENT',
      argument: 'utxos',
      message: expect.stringContaining(`#${utxos.at(-1)!.input.index}`)
    })
  expect(JSON.stringify(head.node.counters)).toBe(before)
  const blueprint = new TxBuilder().spend([carrying!]).blueprint()
  const { utxo } = await client.deposit({ blueprint })
  expect(utxo.map(({ output }) => output)).toMatchObject([{ address: own, inlineDatum: '182a' }])
}, 30_000)

describe('a deposit of outputs that a script locks on the base ledger', () => {
  const script = scriptRef('PlutusV2', CODE)

  /** Locks 9 ada on the base ledger. */
  async function lockOnBase(): Promise<UTxO> {
    head = await startClientHead({
      deposit: 0n,
      node: { scriptEvaluator: scalusEvaluator({ inThread: true }), evaluatorTimeoutMs: 60_000 }
    })
    const wallet = head.wallets[1]!
    const provider = new RpcProvider({ apiEndpoint: head.node.rpcUrl!, network: 'preprod' })
    const own = wallet.getAddressBech32()
    const { cborHex } = new TxBuilder(await provider.fetcher.fetchProtocolParameters())
      .addInputs(head.node.baseUtxos(own))
      .pay(LOCK, 9n * ADA, { inlineDatum: '182a' })
      .changeTo(own)
      .build()
    await provider.submitter.submitTx(await wallet.signTx(cborHex, true))
    while (head.node.baseUtxos(LOCK).length === 0) await new Promise((done) => setTimeout(done, 10))
    return head.node.baseUtxos(LOCK)[0]!
  }

  it('refuses what is no blueprint, what it states itself, and a script that refuses', async () => {
    const locked = await lockOnBase()
    const client = await head.client()
    for (const args of [{ blueprint: 5 }, { blueprint: {} }])
      expect(await failure(client.deposit(args as never))).toMatchObject({ code: 'INPUT_ARGUMENT' })
    const wrong = await new TxBuilder().spendScript(locked, { redeemer: '182b', script }).scriptBlueprint()
    for (const more of [{ amount: ADA }, { utxos: [locked] }, { to: LOCK }, { datum: '00' }, { changeAddress: LOCK }])
      expect(await failure(client.deposit({ blueprint: wrong, ...more }))).toMatchObject({ code: 'INPUT_ARGUMENT' })
    expect(await failure(client.deposit({ blueprint: wrong }))).toMatchObject({ code: 'BRIDGE_REQUEST', status: 500 })
    expect(head.node.baseUtxos(LOCK)).toEqual([locked])
    const bare = new TxBuilder().spendScript(locked, { redeemer: '182b' }).scriptBlueprint()
    expect(await failure(bare)).toMatchObject({ code: 'CLIENT_SCRIPT_INPUT', reason: 'script-missing' })
    expect(await failure(new TxBuilder().scriptBlueprint())).toMatchObject({ code: 'INPUT_ARGUMENT' })
  }, 60_000)

  it('enters the head as it is, where the script unlocks it', async () => {
    const locked = await lockOnBase()
    const client = await head.client(0, { evaluator: scalusEvaluator({ inThread: true }) })
    const blueprint = await new TxBuilder().spendScript(locked, { redeemer: '182a', script }).scriptBlueprint()
    const { utxo } = await client.deposit({ blueprint })
    expect(utxo.map(({ output }) => output)).toMatchObject([{ address: LOCK, inlineDatum: '182a' }])
    expect(head.node.headUtxos(LOCK)).toHaveLength(1)
    expect(head.node.baseUtxos(LOCK)).toHaveLength(0)
  }, 60_000)

  it('enters the head as outputs of its own', async () => {
    const locked = await lockOnBase()
    const client = await head.client(0)
    const own = head.wallets[0]!.getAddressBech32()
    const blueprint = await new TxBuilder()
      .spendScript(locked, { redeemer: '182a', script })
      .pay(own, 6n * ADA)
      .changeTo(own)
      .scriptBlueprint()
    await client.deposit({ blueprint })
    expect(client.getBalance()!.confirmed.lovelace).toBe(6n * ADA)
  }, 60_000)
})
