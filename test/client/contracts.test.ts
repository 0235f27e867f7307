import { scalusEvaluator } from '../../src/adapters/scalus'
import { parseAddress } from '../../src/codec/address'
import { hexToBytes } from '../../src/codec/hex'
import { createHeadClient } from '../../src/client'
import type { HeadClient } from '../../src/client'
import { SLOT_CONFIG } from '../../src/constants'
import { startDevNode } from '../../src/devnode'
import type { RunningDevNode } from '../../src/devnode'
import { RpcProvider } from '../../src/providers'
import { signersOf, TxBuilder } from '../../src/tx'
import type { BuildOptions, BuiltScriptTransaction, BuiltTransaction, Contract } from '../../src/tx'
import type { UTxO } from '../../src/types/utxo'
import { PlutusData } from '../../src/utils'
import { ChainCliWallet } from '../../src/wallet'
import { QUICK } from './support'
import { CONTRACTS } from '../support/sevenContracts'

const ADA = 1_000_000n
const evaluator = scalusEvaluator({ inThread: true })
const { constr, int, map, list } = PlutusData
const bytes = (hex: string): PlutusData => PlutusData.bytes(hexToBytes(hex))
const NAME = 'cafe'

/** A ledger, as a program sees it: it decides on parameters, slots and the way of sending. */
interface Ledger {
  newTx(): Promise<TxBuilder>
  utxosAt(address: string): Promise<readonly UTxO[]>
  /** Signs with the wallets that have to, and resolves once the outputs are there. */
  send(tx: BuiltTransaction | BuiltScriptTransaction): Promise<void>
  slotAt(timeMs: number): number
  readonly options: BuildOptions
}

let node: RunningDevNode
let wallets: readonly ChainCliWallet[]
let head: HeadClient
let alice: string
let bob: string
let ledgers: Readonly<Record<string, Ledger>>

const sign = async (tx: BuiltTransaction | BuiltScriptTransaction): Promise<string> => {
  const collateral = 'collateral' in tx ? tx.collateral : []
  const missing = new Set(signersOf(tx, [...tx.inputs, ...collateral]).missing)
  let signed = tx.cborHex
  for (const wallet of wallets)
    if (missing.has(keyOf(wallet.getAddressBech32()))) signed = await wallet.signTx(signed, true)
  return signed
}
const keyOf = (address: string): string => parseAddress(address).payment!.hash

beforeAll(async () => {
  node = await startDevNode({ port: 0, scriptEvaluator: evaluator, timings: QUICK })
  const { fetcher, submitter } = new RpcProvider({ apiEndpoint: node.rpcUrl!, network: 'preprod' })
  wallets = node.keys.slice(0, 2).map(({ skey }) => new ChainCliWallet({ networkId: 0, skey, fetcher, submitter }))
  ;[alice, bob] = wallets.map((wallet) => wallet.getAddressBech32()) as [string, string]
  head = createHeadClient({ url: node.url, wallet: wallets[0]!, evaluator })
  await head.connect()
  await head.open()
  await head.deposit({ amount: 300n * ADA })
  await head.deposit({ amount: 20n * ADA })
  const parameters = await fetcher.fetchProtocolParameters()
  const { zeroTime, zeroSlot, slotLength } = head.context.ledger.slotConfig ?? SLOT_CONFIG.PREPROD
  const slots = { zeroTime, zeroSlot, slotLength }
  const slotAt = (timeMs: number): number => zeroSlot + Math.floor((timeMs - zeroTime) / slotLength)
  const until = async (there: () => Promise<boolean>): Promise<void> => {
    while (!(await there())) await new Promise((resolve) => setTimeout(resolve, 5))
  }
  ledgers = {
    head: {
      newTx: () => head.newTx(),
      utxosAt: async (address) => head.getUtxos({ address })!,
      send: async (tx) => void (await head.submit(await sign(tx))),
      slotAt,
      options: {}
    },
    base: {
      newTx: async () => new TxBuilder(parameters).addInputs(await fetcher.fetchAddressUTxOs(alice)).changeTo(alice),
      utxosAt: (address) => fetcher.fetchAddressUTxOs(address),
      send: async (tx) => {
        const { txId } = tx
        await submitter.submitTx(await sign(tx))
        await until(async () => (await fetcher.fetchAddressUTxOs(alice)).some(({ input }) => input.txHash === txId))
      },
      slotAt,
      options: { evaluator, slots }
    }
  }
})
afterAll(async () => {
  await head.disconnect()
  await node.stop()
})

const lovelaceAt = async (ledger: Ledger, address: string): Promise<bigint> =>
  (await ledger.utxosAt(address)).reduce((sum, { output }) => sum + BigInt(output.amount[0]!.quantity), 0n)
const addressData = (address: string): PlutusData => {
  const { kind, hash } = parseAddress(address).payment!
  return constr(0, [constr(kind === 'key' ? 0 : 1, [bytes(hash)]), constr(1, [])])
}
const lovelaceData = (amount: bigint): PlutusData => map([[bytes(''), map([[bytes(''), int(amount)]])]])

/** Locks an output and returns it. */
async function lock(ledger: Ledger, contract: Contract, datum: PlutusData, lovelace = 5n * ADA): Promise<UTxO> {
  const address = contract.address(0)
  const tx = (await ledger.newTx()).pay(address, lovelace, { inlineDatum: datum.toCbor() }).build()
  await ledger.send(tx)
  return (await ledger.utxosAt(address)).find(({ input }) => input.txHash === tx.txId)!
}

type Extend = (builder: TxBuilder, ledger: Ledger) => TxBuilder
const same: Extend = (builder) => builder

async function unlock(
  ledger: Ledger,
  { contract, locked, redeemer }: { contract: Contract; locked: UTxO; redeemer: PlutusData },
  extend: Extend = same
): Promise<BuiltScriptTransaction> {
  const builder = (await ledger.newTx()).spendScript(locked, { redeemer, script: contract.script })
  return extend(builder, ledger).build(ledger.options)
}

const refused = async (tx: Promise<BuiltScriptTransaction>): Promise<void> =>
  expect(
    await tx.then(
      () => null,
      (error: unknown) => error
    )
  ).toMatchObject({ code: 'CLIENT_SCRIPT_FAILED' })
const NOTHING = constr(0, [])
const OTHER = constr(1, [])

describe.each(['head', 'base'])('seven contracts through TxBuilder, on the ledger: %s', (name) => {
  let ledger: Ledger
  beforeAll(() => {
    ledger = ledgers[name]!
  })
  const mine: Extend = (builder) => builder.requireSigner(keyOf(alice))

  it('hello world: opens for its owner with the greeting', async () => {
    const greeting = bytes(Buffer.from('Hello, World!').toString('hex'))
    const contract = CONTRACTS.get('helloWorld.spend').apply(greeting)
    const locked = await lock(ledger, contract, bytes(keyOf(alice)))
    await refused(unlock(ledger, { contract, locked, redeemer: bytes('00') }, mine))
    await refused(unlock(ledger, { contract, locked, redeemer: greeting }))
    await ledger.send(await unlock(ledger, { contract, locked, redeemer: greeting }, mine))
    expect(await lovelaceAt(ledger, contract.address(0))).toBe(0n)
  })

  it('vesting: opens for the beneficiary once the time has come', async () => {
    const contract = CONTRACTS.get('vesting.spend')
    const from: (timeMs: number) => Extend =
      (timeMs) =>
      (builder, { slotAt }) =>
        mine(builder, ledger)
          .validFrom(slotAt(timeMs))
          .validTo(slotAt(timeMs) + 600)
    const past = Date.now() - 60_000
    const early = await lock(ledger, contract, constr(0, [bytes(keyOf(alice)), int(BigInt(Date.now() + 3_600_000))]))
    const due = await lock(ledger, contract, constr(0, [bytes(keyOf(alice)), int(BigInt(past - 60_000))]))
    await refused(unlock(ledger, { contract, locked: early, redeemer: NOTHING }, from(past)))
    await refused(
      unlock(ledger, { contract, locked: due, redeemer: NOTHING }, (builder, { slotAt }) =>
        builder.validFrom(slotAt(past)).validTo(slotAt(past) + 600)
      )
    )
    await ledger.send(await unlock(ledger, { contract, locked: due, redeemer: NOTHING }, from(past)))
    expect(await ledger.utxosAt(contract.address(0))).toEqual([early])
  })

  it('gift card: the card is minted once, and its holder opens the gift by burning it', async () => {
    const [once] = [...(await ledger.utxosAt(alice))].sort((a, b) =>
      Number(BigInt(a.output.amount[0]!.quantity) - BigInt(b.output.amount[0]!.quantity))
    )
    const { txHash, index } = once!.input
    const card = CONTRACTS.get('giftCard.mint').apply(constr(0, [bytes(txHash), int(index)]))
    const burned = map([[bytes(card.hash), map([[bytes(NAME), int(-1)]])]])
    const gift = CONTRACTS.get('giftCard.spend').apply(burned)
    const mint = async (quantity: bigint, redeemer: PlutusData, spend = true): Promise<BuiltScriptTransaction> => {
      const builder = (await ledger.newTx()).pay(gift.address(0), 5n * ADA, { inlineDatum: NOTHING.toCbor() })
      if (spend) builder.spend([once!])
      return builder
        .mintScript(card.hash, { [NAME]: quantity }, { redeemer, script: card.script })
        .build(ledger.options)
    }
    await refused(mint(1n, OTHER))
    const minted = await mint(1n, NOTHING)
    await ledger.send(minted)
    await refused(mint(1n, NOTHING, false))
    const locked = (await ledger.utxosAt(gift.address(0))).find(({ input }) => input.txHash === minted.txId)!
    await refused(unlock(ledger, { contract: gift, locked, redeemer: NOTHING }))
    const opened = await unlock(ledger, { contract: gift, locked, redeemer: NOTHING }, (builder) =>
      builder.mintScript(card.hash, { [NAME]: -1n }, { redeemer: OTHER, script: card.script })
    )
    await ledger.send(opened)
    expect(await lovelaceAt(ledger, gift.address(0))).toBe(0n)
    expect(
      (await ledger.utxosAt(alice)).some(({ output }) => output.amount.some(({ unit }) => unit === card.hash + NAME))
    ).toBe(false)
  })

  it('swap: opens to who pays the price to the seller in the first output', async () => {
    const contract = CONTRACTS.get('swap.spend')
    const locked = await lock(ledger, contract, constr(0, [addressData(bob), lovelaceData(3n * ADA)]))
    const before = await lovelaceAt(ledger, bob)
    const paying: (to: string, amount: bigint) => Extend = (to, amount) => (builder) => builder.pay(to, amount)
    await refused(unlock(ledger, { contract, locked, redeemer: NOTHING }, paying(bob, 3n * ADA - 1n)))
    await refused(unlock(ledger, { contract, locked, redeemer: NOTHING }, paying(alice, 3n * ADA)))
    await ledger.send(await unlock(ledger, { contract, locked, redeemer: NOTHING }, paying(bob, 3n * ADA)))
    expect((await lovelaceAt(ledger, bob)) - before).toBe(3n * ADA)
  })

  it('escrow: completed by both, cancelled by the first', async () => {
    const contract = CONTRACTS.get('escrow.spend')
    const datum = constr(0, [bytes(keyOf(alice)), bytes(keyOf(bob))])
    const both: Extend = (builder) => mine(builder, ledger).requireSigner(keyOf(bob))
    const first = await lock(ledger, contract, datum)
    const second = await lock(ledger, contract, datum)
    await refused(unlock(ledger, { contract, locked: first, redeemer: NOTHING }, mine))
    await refused(
      unlock(ledger, { contract, locked: first, redeemer: OTHER }, (builder) => builder.requireSigner(keyOf(bob)))
    )
    await ledger.send(await unlock(ledger, { contract, locked: first, redeemer: NOTHING }, both))
    await ledger.send(await unlock(ledger, { contract, locked: second, redeemer: OTHER }, mine))
    expect(await lovelaceAt(ledger, contract.address(0))).toBe(0n)
  })

  it('state machine: each step counts one further, at the same address', async () => {
    const contract = CONTRACTS.get('counter.spend')
    const address = contract.address(0)
    const state = (count: number): PlutusData => constr(0, [addressData(address), int(count)])
    const to: (count: number, at?: string) => Extend =
      (count, at = address) =>
      (builder) =>
        builder.pay(at, 5n * ADA, { inlineDatum: state(count).toCbor() })
    let locked = await lock(ledger, contract, state(0))
    await refused(unlock(ledger, { contract, locked, redeemer: NOTHING }, to(2)))
    await refused(unlock(ledger, { contract, locked, redeemer: NOTHING }, to(1, alice)))
    for (let count = 1; count <= 5; count++) {
      await ledger.send(await unlock(ledger, { contract, locked, redeemer: NOTHING }, to(count)))
      ;[locked] = (await ledger.utxosAt(address)) as [UTxO]
      expect(locked.output.inlineDatum).toBe(state(count).toCbor())
    }
  })

  it('minting policy: mints and burns for its owner', async () => {
    const contract = CONTRACTS.get('policy.mint').apply(bytes(keyOf(alice)))
    const mint = async (quantity: bigint, extend: Extend): Promise<BuiltScriptTransaction> =>
      extend(await ledger.newTx(), ledger)
        .mintScript(contract.hash, { [NAME]: quantity }, { redeemer: NOTHING, script: contract.script })
        .build(ledger.options)
    await refused(mint(3n, same))
    await ledger.send(await mint(3n, mine))
    await ledger.send(await mint(-1n, mine))
    const held = (await ledger.utxosAt(alice)).flatMap(({ output }) => output.amount)
    expect(held.filter(({ unit }) => unit === contract.hash + NAME).map(({ quantity }) => quantity)).toEqual(['2'])
  })
})

it('a list of Plutus data is not the constructor that the contracts read', async () => {
  const ledger = ledgers['head']!
  const contract = CONTRACTS.get('vesting.spend')
  const locked = await lock(ledger, contract, list([bytes(keyOf(alice)), int(0)]))
  await refused(unlock(ledger, { contract, locked, redeemer: NOTHING }))
})
