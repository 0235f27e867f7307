import { bytesToHex, hexToBytes } from '../../src/codec/hex.js'
import { nativeScriptHash } from '../../src/codec/nativeScript.js'
import { readTransaction } from '../../src/codec/transaction.js'
import { RpcProvider } from '../../src/providers/index.js'
import {
  cip25Metadata,
  cip68Datum,
  cip68Names,
  readCip25Metadata,
  readCip68Datum,
  TxBuilder
} from '../../src/tx/index.js'
import type { Amount, UTxO } from '../../src/types/utxo.js'
import { addressInfo } from '../../src/utils/index.js'
import { ADA, startClientHead } from './support.js'
import type { ClientHead } from './support.js'

const NAME = '6e6674'
// A deposit needs more than its outputs' own minimum.
const FIVE_ADA = { unit: 'lovelace', quantity: String(5n * ADA) }
const one = (...units: string[]): Amount[] => units.map((unit) => ({ unit, quantity: '1' }))
const ABOUT = { name: 'first', image: 'ipfs://bafy' }

let head: ClientHead
afterEach(() => head.stop())

const addressOf = (index: number): string => head.wallets[index]!.getAddressBech32()
const withUnit = (utxos: readonly UTxO[], unit: string): UTxO[] =>
  utxos.filter(({ output }) => output.amount.some((amount) => amount.unit === unit))
/** Where a unit is, and how many of it. */
const placesOf = (unit: string): Record<string, string> => {
  const found: Record<string, string> = {}
  for (const [index] of [0, 1].entries())
    for (const [ledger, utxos] of [
      ['base', head.node.baseUtxos(addressOf(index))],
      ['head', head.node.headUtxos(addressOf(index))]
    ] as const)
      for (const { output } of withUnit(utxos, unit))
        found[`${ledger} ${index}`] = output.amount.find((amount) => amount.unit === unit)!.quantity
  return found
}

it('an NFT and its reference token come from the base ledger, change hands in the head, and go back', async () => {
  head = await startClientHead({ deposit: 20n * ADA })
  const [alice, bob] = [await head.client(0), await head.client(1)]
  const { fetcher, submitter } = new RpcProvider({ apiEndpoint: head.node.rpcUrl!, network: 'preprod' })
  const script = `8200581c${addressInfo(addressOf(0)).payment!.hash}`
  const policyId = nativeScriptHash(hexToBytes(script))
  const names = cip68Names(NAME, 'nft')
  const [plain, token, reference] = [NAME, names.user, names.reference].map((name) => policyId + name) as [
    string,
    string,
    string
  ]
  const datum = cip68Datum(ABOUT)
  const built = new TxBuilder(await fetcher.fetchProtocolParameters())
    .addInputs(head.node.baseUtxos(addressOf(0)))
    .attachScript(script)
    .mint(plain, 1n)
    .mint(token, 1n)
    .mint(reference, 1n)
    .metadata(cip25Metadata({ [policyId]: { [NAME]: ABOUT } }))
    .pay(addressOf(0), [FIVE_ADA, ...one(plain, token)])
    .pay(addressOf(0), [FIVE_ADA, ...one(reference)], { inlineDatum: datum })
    .changeTo(addressOf(0))
    .build()
  const { bytes, auxiliaryData } = readTransaction(hexToBytes(built.cborHex))
  const metadata = bytesToHex(bytes.subarray(auxiliaryData!.start, auxiliaryData!.end))
  expect(readCip25Metadata(metadata)).toMatchObject({ [policyId]: { [NAME]: ABOUT } })
  await submitter.submitTx(await head.wallets[0]!.signTx(built.cborHex, true))
  while (placesOf(plain)['base 0'] === undefined) await new Promise((done) => setTimeout(done, 10))

  const own = head.node.baseUtxos(addressOf(0))
  // Of an output with a datum the node drafts a deposit by a blueprint alone.
  const blueprint = new TxBuilder().spend([...withUnit(own, plain), ...withUnit(own, reference)]).blueprint()
  await alice.deposit({ blueprint })
  for (const unit of [plain, token, reference]) expect(placesOf(unit)).toEqual({ 'head 0': '1' })
  const [described] = withUnit(alice.getUtxos()!, reference)
  expect(readCip68Datum(described!.output.inlineDatum!)).toMatchObject({ metadata: ABOUT })

  await alice.pay({ to: addressOf(1), amount: one(plain, token) })
  for (const unit of [plain, token]) expect(placesOf(unit)).toEqual({ 'head 1': '1' })
  expect(placesOf(reference)).toEqual({ 'head 0': '1' })

  while (withUnit(bob.getUtxos()!, plain).length === 0) await new Promise((done) => setTimeout(done, 5))
  await bob.withdraw({ utxos: withUnit(bob.getUtxos()!, plain), all: true })
  await alice.withdraw({ utxos: [described!] })
  for (const unit of [plain, token]) expect(placesOf(unit)).toEqual({ 'base 1': '1' })
  expect(placesOf(reference)).toEqual({ 'base 0': '1' })
  const [back] = withUnit(head.node.baseUtxos(addressOf(0)), reference)
  expect(readCip68Datum(back!.output.inlineDatum!)).toMatchObject({ metadata: ABOUT })
}, 60_000)
