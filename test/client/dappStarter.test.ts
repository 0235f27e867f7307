import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join as pathOf } from 'node:path'
import type { Game, Player } from '../../examples/dapp/src/types'
import type { Secret, Table } from '../../examples/dapp/src/game'
import {
  claim,
  commit,
  contract,
  endingOf,
  isFair,
  join,
  newSecret,
  outcomeOf,
  reveal,
  seatOf,
  start,
  tablesOf,
  toAddress
} from '../../examples/dapp/src/game'
import { scalusEvaluator } from '../../src/adapters/scalus'
import { createHeadClient } from '../../src/client'
import type { HeadClient } from '../../src/client'
import { startDevNode } from '../../src/devnode'
import type { RunningDevNode } from '../../src/devnode'
import { decodeTransaction } from '../../src/tx'
import type { BuiltScriptTransaction, PaymentAmount, TxBuilder, UTxO } from '../../src/tx'
import { blueprintTypes } from '../../src/tx/inner'
import { nativeScriptFromJson, policyIdFromNativeScript } from '../../src/utils'
import { AppWallet, walletFromCip30 } from '../../src/wallet'
import { ROOT } from '../support/markdown'
import { QUICK } from './support'

// The contract of the starter examples/dapp, with the starter's own program: each rule has a move that breaks it.

const ADA = 1_000_000n
const STAKE = 5n * ADA
const HOUR_MS = 3_600_000
const ROCK = 0
const PAPER = 1
/** A native script without conditions. */
const ANYBODY = nativeScriptFromJson({ type: 'all', scripts: [] })
const TOKEN = `${policyIdFromNativeScript(ANYBODY)}cafe`
const evaluator = scalusEvaluator({ inThread: true })
let node: RunningDevNode
let heads: readonly [HeadClient, HeadClient]
let addresses: readonly [string, string]

beforeAll(async () => {
  node = await startDevNode({ port: 0, open: true, scriptEvaluator: evaluator, timings: QUICK })
  const words = node.phrase.trim().split(' ')
  const wallet = new AppWallet({ networkId: 0, key: { type: 'mnemonic', words } })
  const players = await Promise.all(
    [0, 1].map(async (accountIndex) => {
      const address = node.accounts[accountIndex]!.address
      // In three outputs: a player may join while the change of another transaction is on its way.
      for (let n = 0; n < 3; n++) await node.fundHead(address, 1_000n * ADA)
      const account = walletFromCip30(wallet.toCip30({ accountIndex }))
      const head = createHeadClient({ url: node.url, wallet: account, evaluator })
      await head.connect()
      return { head, address }
    })
  )
  heads = players.map(({ head }) => head) as unknown as typeof heads
  addresses = players.map(({ address }) => address) as unknown as typeof addresses
})
afterAll(async () => {
  await Promise.all(heads.map((head) => head.disconnect()))
  await node.stop()
})

const home = contract.address(0)
const slotAt = (timeMs: number): number => heads[0].context.ledger.slotAt(timeMs)!
const after = (ms: number): bigint => BigInt(Date.now() + ms)
const refOf = ({ input }: UTxO): string => `${input.txHash}#${input.index}`
const redeemerOf = ({ cborHex }: BuiltScriptTransaction): string => decodeTransaction(cborHex).redeemers[0]!.cborHex
const lovelaceOf = (who: 0 | 1): bigint => heads[who].getBalance({ address: addresses[who] })!.confirmed.lovelace

/** The newest state of a game: the output at the contract of a transaction. */
function tableOf(txId: string): Table {
  const found = tablesOf(heads[0].getUtxos({ address: home })!).find(({ utxo }) => utxo.input.txHash === txId)
  if (found === undefined) throw new Error(`no game of ${txId}`)
  return found
}

async function send(who: 0 | 1, builder: TxBuilder): Promise<string> {
  const { txId } = await heads[who].submit(await builder.build({}))
  await heads[1 - who]!.waitForTx(txId)
  return txId
}
/** A move that the contract refuses: the error names its output and its hash, and the output stays. */
async function refused(table: Table, built: Promise<BuiltScriptTransaction>): Promise<void> {
  const error = await built.then(
    () => null,
    (reason: unknown) => reason
  )
  expect(error).toMatchObject({ code: 'CLIENT_SCRIPT_FAILED', message: expect.stringContaining(contract.hash) })
  expect(heads[0].getUtxos({ address: home })!.map(refOf)).toContain(refOf(table.utxo))
}
const moveOf = async (
  who: 0 | 1,
  table: Table,
  redeemer: Parameters<typeof contract.redeemer>[0]
): Promise<TxBuilder> =>
  (await heads[who].newTx()).spendScript(table.utxo, {
    redeemer: contract.redeemer(redeemer),
    script: contract.script
  })

interface Hands {
  readonly secrets: readonly [Secret, Secret]
}
const secretsOf = (one: number, two: number): Hands => ({ secrets: [newSecret(one), newSecret(two)] })

async function startGame(secret: Secret, joinMs = HOUR_MS): Promise<Table> {
  const commitment = await commit(addresses[0], secret)
  const terms = { stake: STAKE, joinBy: after(joinMs), revealBy: after(joinMs + HOUR_MS) }
  return tableOf(await send(0, start(await heads[0].newTx(), { address: addresses[0], commitment, ...terms })))
}
const coinOf = (who: 0 | 1): UTxO => heads[who].getUtxos({ address: addresses[who] })!.at(-1)!
async function joinGame(table: Table, secret: Secret): Promise<Table> {
  const terms = { coin: coinOf(1), commitment: await commit(addresses[1], secret), slotAt }
  return tableOf(await send(1, join(await heads[1].newTx(), table, terms)))
}
async function joined(one: number, two: number): Promise<Hands & { table: Table }> {
  const { secrets } = secretsOf(one, two)
  return { secrets, table: await joinGame(await startGame(secrets[0]), secrets[1]) }
}
const show = async (who: 0 | 1, table: Table, secret: Secret): Promise<TxBuilder> =>
  reveal(await heads[who].newTx(), table, { address: addresses[who], secret, slotAt })

/** A state that play leads to, with times of its own: the contract does not check how a game starts. */
async function laid(change: Partial<Game> & { hands?: readonly [bigint | null, bigint | null] }): Promise<Table> {
  const { hands = [null, null], ...rest } = change
  const player = (who: 0 | 1): Player => ({
    address: toAddress(addresses[who]),
    commitment: 'ab'.repeat(32),
    hand: hands[who]
  })
  const game = { first: player(0), second: player(1), stake: STAKE, joinBy: after(-2_000), revealBy: after(-1_000) }
  const state: Game = { ...game, ...rest }
  const amount = state.second === null ? STAKE : 2n * STAKE
  const tx = (await heads[0].newTx()).pay(home, amount, { inlineDatum: contract.datum(state) })
  return tableOf(await send(0, tx))
}

describe('the contract of the starter dapp', () => {
  it('is the code of its source, and its types are those of its blueprint', () => {
    const read = (path: string): string => readFileSync(pathOf(ROOT, 'examples', 'dapp', path), 'utf8')
    // A process of its own: this one runs no ES modules.
    const code = "import { blueprint } from './contract/blueprint.mjs'; console.log(JSON.stringify(blueprint, null, 2))"
    const args = ['--input-type=module', '-e', code]
    const written = execFileSync(process.execPath, args, { cwd: pathOf(ROOT, 'examples', 'dapp'), encoding: 'utf8' })
    expect(read('contract/plutus.json')).toBe(written)
    expect(read('src/types.ts')).toBe(blueprintTypes(written))
  })

  it.each([
    [ROCK, PAPER, [-STAKE, STAKE]],
    [2, PAPER, [STAKE, -STAKE]],
    [ROCK, 2, [STAKE, -STAKE]],
    [PAPER, PAPER, [0n, 0n]]
  ])(
    'pays the pot to the winner, whoever reveals last: %s against %s',
    async (one, two, change) => {
      for (const order of [
        [0, 1],
        [1, 0]
      ] as const) {
        const before = [lovelaceOf(0), lovelaceOf(1)]
        const { secrets, table } = await joined(one, two)
        const half = tableOf(await send(order[0], await show(order[0], table, secrets[order[0]])))
        expect(outcomeOf(half.game)).toBeNull()
        const last = await (await show(order[1], half, secrets[order[1]])).build({})
        const ending = endingOf(half.game, redeemerOf(last))
        await heads[order[1]].submit(last)
        await heads[order[0]].waitForTx(last.txId)
        expect([lovelaceOf(0) - before[0]!, lovelaceOf(1) - before[1]!]).toEqual(change)
        const winner = change[0] === 0n ? 'draw' : change[0]! > 0n ? 'first' : 'second'
        expect(ending).toMatchObject({ winner, played: true })
        expect([ending!.game.first.hand, ending!.game.second!.hand]).toEqual([BigInt(one), BigInt(two)])
      }
    },
    120_000
  )

  it('refuses another hand, another salt, a hand that is none and the hand of another key', async () => {
    const { secrets, table } = await joined(ROCK, PAPER)
    await refused(table, (await show(0, table, { ...secrets[0], hand: 2 })).build({}))
    await refused(table, (await show(0, table, newSecret(ROCK))).build({}))
    await refused(table, (await show(1, table, secrets[0])).build({}))
    const odd: Secret = newSecret(3)
    const other = await joinGame(await startGame(odd), secrets[1])
    await refused(other, (await show(0, other, odd)).build({}))
  })

  it('gives nothing for a copied commitment: its key is in it', async () => {
    const secret = newSecret(ROCK)
    const table = await startGame(secret)
    const commitment = table.game.first.commitment
    const copy = tableOf(await send(1, join(await heads[1].newTx(), table, { coin: coinOf(1), commitment, slotAt })))
    const half = tableOf(await send(0, await show(0, copy, secret)))
    await refused(half, (await show(1, half, secret)).build({}))
  })

  it('refuses a pot that goes elsewhere, is smaller, or bears another state', async () => {
    const { secrets, table } = await joined(ROCK, PAPER)
    const salt = secrets[0].salt
    const shown: Game = { ...table.game, first: { ...table.game.first, hand: 0n } }
    const inlineDatum = contract.datum(shown)
    const to = async (address: string, amount: bigint, datum = inlineDatum): Promise<BuiltScriptTransaction> =>
      (await moveOf(0, table, { Reveal: { isSecond: false, hand: 0n, salt } }))
        .pay(address, amount, { inlineDatum: datum })
        .validTo(slotAt(Date.now() + 60_000))
        .build({})
    await refused(table, to(addresses[0], 2n * STAKE))
    await refused(table, to(home, 2n * STAKE - 1n))
    await refused(table, to(home, 2n * STAKE, contract.datum({ ...shown, revealBy: after(1_000) })))
    await refused(table, to(home, 2n * STAKE, contract.datum({ ...shown, second: shown.first })))
    const beside = async (amount: PaymentAmount, extras: object = {}): Promise<BuiltScriptTransaction> =>
      (await moveOf(0, table, { Reveal: { isSecond: false, hand: 0n, salt } }))
        .pay(home, amount, { inlineDatum, ...extras })
        .validTo(slotAt(Date.now() + 60_000))
        .attachScript(ANYBODY)
        .mint(TOKEN, 1n)
        .build({})
    // Both would make the next move dearer: tokens that a payment has to carry, and a script with its fee.
    const lovelace = { unit: 'lovelace', quantity: String(2n * STAKE) }
    await refused(table, beside([lovelace, { unit: TOKEN, quantity: '1' }]))
    await refused(table, beside([lovelace], { scriptRef: { language: 'native', cborHex: ANYBODY } }))
    expect((await beside([lovelace])).redeemers).toHaveLength(1)
    const half = tableOf(await send(0, await show(0, table, secrets[0])))
    // Who has shown a hand cannot do so again: each time would keep the other's move from the output.
    await refused(half, (await show(0, half, secrets[0])).build({}))
    const last = async (address: string, amount: bigint): Promise<BuiltScriptTransaction> =>
      (await moveOf(1, half, { Reveal: { isSecond: true, hand: 1n, salt: secrets[1].salt } }))
        .pay(address, amount)
        .validTo(slotAt(Date.now() + 60_000))
        .build({})
    await refused(half, last(addresses[0], 2n * STAKE))
    await refused(half, last(addresses[1], 2n * STAKE - 1n))
    expect((await last(addresses[1], 2n * STAKE)).redeemers).toHaveLength(1)
  }, 60_000)

  it('refuses to join twice, too late, with less, for another address, or with a commitment that is no hash', async () => {
    const table = await startGame(newSecret(ROCK))
    const commitment = 'cd'.repeat(32)
    const terms = { coin: coinOf(1), commitment, slotAt }
    await refused(table, join(await heads[1].newTx(), table, { ...terms, commitment: 'cd' }).build({}))
    await refused(
      table,
      join(await heads[1].newTx(), table, terms)
        .validTo(slotAt(Number(table.game.joinBy)) + 1)
        .build({})
    )
    const poor = { ...table, game: { ...table.game, stake: STAKE - 1n } }
    await refused(table, join(await heads[1].newTx(), poor, terms).build({}))
    // Player two spends, and names the address of another.
    const foreign = node.keys[2]!.address
    const second: Player = { address: toAddress(foreign), commitment, hand: null }
    const named = (await moveOf(1, table, { Join: { address: second.address, commitment } }))
      .pay(home, 2n * STAKE, { inlineDatum: contract.datum({ ...table.game, second }) })
      .validTo(slotAt(Date.now() + 60_000))
    await refused(table, named.build({}))
    const full = tableOf(await send(1, join(await heads[1].newTx(), table, terms)))
    await refused(full, join(await heads[1].newTx(), full, { ...terms, coin: coinOf(1) }).build({}))
    const shown = await laid({ second: null, joinBy: after(HOUR_MS), revealBy: after(2 * HOUR_MS), hands: [0n, null] })
    await refused(shown, join(await heads[1].newTx(), shown, { ...terms, coin: coinOf(1) }).build({}))
  }, 60_000)

  it('gives the stake back to who waits alone, and to nobody else', async () => {
    const before = lovelaceOf(0)
    const table = await startGame(newSecret(ROCK))
    await refused(table, (await moveOf(1, table, 'Claim')).build({}))
    const tx = await claim(await heads[0].newTx(), table, { slotAt }).build({})
    expect(endingOf(table.game, redeemerOf(tx))).toMatchObject({ winner: 'first', played: false })
    await heads[0].submit(tx)
    expect(lovelaceOf(0)).toBe(before)
  })

  it('gives the pot after its time to who has revealed, and shares it where nobody has', async () => {
    for (const [hands, change, winner] of [
      [[0n, null], [STAKE, -STAKE], 'first'],
      [[null, 1n], [-STAKE, STAKE], 'second'],
      [[null, null], [0n, 0n], 'draw']
    ] as const) {
      const before = [lovelaceOf(0), lovelaceOf(1)]
      const table = await laid({ hands })
      // Laid by player one alone: both stakes are theirs so far.
      const tx = await claim(await heads[1].newTx(), table, { slotAt }).build({})
      expect(endingOf(table.game, redeemerOf(tx))).toMatchObject({ winner, played: false })
      await heads[1].submit(tx)
      await heads[0].waitForTx(tx.txId)
      expect([lovelaceOf(0) - before[0]! + STAKE, lovelaceOf(1) - before[1]! - STAKE]).toEqual(change)
    }
  }, 60_000)

  it('refuses a claim before the time, by another receiver, and a hand after the time', async () => {
    const { table } = await joined(ROCK, PAPER)
    await refused(table, claim(await heads[0].newTx(), table, { slotAt: (time) => slotAt(time) - 4_000 }).build({}))
    const due = await laid({ hands: [0n, null] })
    const slot = slotAt(Date.now())
    const stolen = (await moveOf(1, due, 'Claim'))
      .pay(addresses[1], 2n * STAKE)
      .validFrom(slot)
      .validTo(slot + 60)
    await refused(due, stolen.build({}))
    const both = await laid({})
    const halved = (await moveOf(0, both, 'Claim')).pay(addresses[0], STAKE).pay(addresses[1], STAKE - 1n)
    await refused(
      both,
      halved
        .validFrom(slot)
        .validTo(slot + 60)
        .build({})
    )
    const open = (await moveOf(0, due, 'Claim')).pay(addresses[0], 2n * STAKE)
    await refused(due, open.build({}))
    const secret = newSecret(PAPER)
    const second: Player = {
      address: toAddress(addresses[1]),
      commitment: await commit(addresses[1], secret),
      hand: null
    }
    const late = await laid({ second, hands: [0n, null] })
    const shown = await show(1, late, secret)
    await refused(late, shown.validTo(slot + 60).build({}))
  }, 60_000)

  it('counts a payment for one game alone', async () => {
    const [one, two] = [await laid({ hands: [0n, null] }), await laid({ hands: [0n, null] })]
    const both = claim(await heads[0].newTx(), one, { slotAt }).spendScript(two.utxo, {
      redeemer: contract.redeemer('Claim'),
      script: contract.script
    })
    await refused(one, both.build({}))
  })

  it('shows as fair what risks a stake alone', async () => {
    const table = await startGame(newSecret(ROCK))
    const now = Date.now()
    const unfair = (change: Partial<Game>): boolean => isFair({ ...table, game: { ...table.game, ...change } }, now)
    expect(isFair(table, now)).toBe(true)
    const { first } = table.game
    const stake = { Pointer: [1n, 2n, 3n] as [bigint, bigint, bigint] }
    expect([
      unfair({ second: first }),
      unfair({ first: { ...first, hand: 0n } }),
      unfair({ first: { ...first, commitment: 'ab' } }),
      unfair({ first: { ...first, address: { ...first.address, stake } } }),
      unfair({ first: { ...first, address: { payment: { Key: ['ab'] }, stake: null } } }),
      unfair({ first: { ...first, address: { payment: { Script: ['ab'.repeat(28)] }, stake: null } } }),
      unfair({ stake: STAKE + 1n }),
      unfair({ joinBy: BigInt(now) }),
      unfair({ revealBy: table.game.joinBy })
    ]).toEqual(Array(9).fill(false))
    expect([seatOf(table.game, addresses[0]), seatOf(table.game, addresses[1])]).toEqual(['first', null])
    const other = { ...table.utxo, output: { ...table.utxo.output, inlineDatum: '182a' } }
    expect(tablesOf([other, table.utxo])).toHaveLength(1)
  })
})
