import { scalusEvaluator } from '../../src/adapters/scalus.js'
import { addressToString, enterpriseAddress } from '../../src/codec/address.js'
import { scriptRef } from '../../src/tx/index.js'
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
  head = await startClientHead({ deposit: 10n * ADA, node: { scriptEvaluator: scalusEvaluator() } })
  const client = await head.client(0, { evaluator: scalusEvaluator() })
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
