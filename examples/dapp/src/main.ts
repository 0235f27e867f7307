// One page of a player: what it shows follows the head, and each button sends one transaction.
import { createHeadClient } from 'layer-sdk/client'
import { scalusEvaluator } from 'layer-sdk/scalus'
import type { TxBuilder } from 'layer-sdk/tx'
import { ada, formatAda } from 'layer-sdk/utils'
import type { Secret, Table } from './game'
import {
  claim,
  commit,
  contract,
  endingOf,
  HANDS,
  isFair,
  join,
  newSecret,
  reveal,
  seatOf,
  start,
  tablesOf
} from './game'
import { openWallet } from './wallet'

const { HEAD_URL: url, HEAD_LOCAL: isLocal } = import.meta.env
const player = new URLSearchParams(location.search).get('player') === '2' ? 2 : 1
const element = (id: string): any => document.getElementById(id)

// A page has no worker threads. The library runs here, with the head's own parameters.
const evaluator = scalusEvaluator({ inThread: true })
const wallet = await openWallet(player).catch(fail)
const address = await wallet.getChangeAddress()
const networkId = address.startsWith('addr_test') ? 0 : 1
const home = contract.address(networkId)
const head = createHeadClient({ url, wallet, evaluator })
await head.connect().catch(fail)

const slotAt = (timeMs: number): number => {
  const slot = head.context.ledger.slotAt(timeMs)
  if (slot === null) throw new Error('The time of this head is not known.')
  return slot
}
/** The head's own view: a game counts once a snapshot holds it. */
const tables = head.store((client) => client.getUtxos({ address: home, view: 'confirmed' }) ?? [])
const refOf = ({ utxo }: Table): string => `${utxo.input.txHash}#${utxo.input.index}`
const followed = new Map<string, Table>()
/** One row for each open game, the same as long as it is there: a press on its button is not lost. */
const rows = new Map<string, HTMLLIElement>()
let mine: Table | null = null
let isBusy = false

element('who').textContent = isLocal ? `Player ${player}` : 'In a head'
element('other').hidden = !isLocal
const link = element('other').querySelector('a')
link.href = `?player=${3 - player}`
link.textContent = `player ${3 - player}`
head
  .store((client) => client.getBalance()?.confirmed.lovelace ?? 0n)
  .subscribe((lovelace) => {
    element('balance').textContent = `${formatAda(lovelace)} ada`
  })
tables.subscribe(show)
setInterval(show, 500)

// A player who has lost does not reveal: what ends the game may come from the other.
head.watchTxs({
  onChange({ txId, state, sent }) {
    if (state === 'confirmed' && (sent === null || home in sent)) void showEnding(txId).catch(report)
  }
})

element('start').onsubmit = (event: Event) => {
  event.preventDefault()
  void act(async () => {
    const stake = ada(element('stake').value)
    const now = Date.now()
    const time = 1_000 * Number(element('seconds').value)
    const commitment = await hide(newSecret(chosenHand()))
    const terms = { stake, joinBy: BigInt(now + time), revealBy: BigInt(now + 2 * time) }
    return start(await head.newTx(), { address, commitment, ...terms })
  })
}

element('reveal').onclick = () =>
  act(async () => {
    const secret = mine && secretOf(mine)
    if (mine === null || secret === null)
      throw new Error('This browser does not know the hand: reveal in the one that chose it.')
    return reveal(await head.newTx(), mine, { address, secret, slotAt })
  })

element('claim').onclick = () => act(async () => claim(await head.newTx(), mine!, { slotAt }))

element('again').onclick = () => {
  element('result').hidden = true
  show()
}

function joinTable(table: Table): void {
  void act(async () => {
    const coin = head.getUtxos({ address })?.find(({ output }) => output.amount.length === 1)
    if (coin === undefined) throw new Error('This wallet has no ada in the head.')
    const commitment = await hide(newSecret(chosenHand()))
    return join(await head.newTx(), table, { coin, commitment, slotAt })
  })
}

/** Builds, signs and sends one transaction, and waits until a snapshot holds it. */
async function act(make: () => Promise<TxBuilder>): Promise<void> {
  if (isBusy) return
  isBusy = true
  element('error').textContent = ''
  show()
  try {
    await head.submit(await (await make()).build({}))
  } catch (error) {
    report(error)
  } finally {
    isBusy = false
    show()
  }
}

/** Keeps the secret in this browser, before its hash goes anywhere: without it the stake is lost. */
async function hide(secret: Secret): Promise<string> {
  const commitment = await commit(address, secret)
  localStorage.setItem(`hand:${commitment}`, JSON.stringify(secret))
  return commitment
}

function secretOf({ game }: Table): Secret | null {
  const seat = seatOf(game, address)
  return JSON.parse(localStorage.getItem(`hand:${seat && game[seat]?.commitment}`) ?? 'null')
}

const chosenHand = (): number => Number(document.querySelector<HTMLInputElement>('[name=hand]:checked')?.value)

function show(): void {
  const all = tablesOf(tables.get())
  mine = all.find(({ game }) => seatOf(game, address) !== null) ?? null
  if (mine !== null) followed.set(refOf(mine), mine)
  const hasResult = !element('result').hidden
  element('lobby').hidden = mine !== null || hasResult
  element('table').hidden = mine === null || hasResult
  if (mine === null) showOpen(all.filter((table) => isFair(table, Date.now())))
  else showTable(mine)
  for (const button of document.querySelectorAll('button')) button.disabled = isBusy
}

function showOpen(open: readonly Table[]): void {
  element('none').hidden = open.length > 0
  for (const [ref, row] of rows) {
    if (open.some((table) => refOf(table) === ref)) continue
    row.remove()
    rows.delete(ref)
  }
  for (const table of open) {
    const row = rows.get(refOf(table)) ?? addRow(table)
    const { stake, joinBy } = table.game
    row.querySelector('span')!.textContent = `${formatAda(stake)} ada, ${secondsTo(joinBy)} s to join`
  }
}

function addRow(table: Table): HTMLLIElement {
  const row = document.createElement('li')
  const button = document.createElement('button')
  button.textContent = 'Join'
  button.onclick = () => joinTable(table)
  row.append(document.createElement('span'), button)
  rows.set(refOf(table), row)
  element('open').append(row)
  return row
}

function showTable(table: Table): void {
  const { game } = table
  const seat = seatOf(game, address)!
  const [own, other] = seat === 'first' ? [game.first, game.second] : [game.second!, game.first]
  const secret = secretOf(table)
  const left = secondsTo(game.second === null ? game.joinBy : game.revealBy)
  element('pot').textContent = `${formatAda(BigInt(table.utxo.output.amount[0]?.quantity ?? 0))} ada`
  element('yours').textContent =
    secret === null ? 'Unknown' : `${HANDS[secret.hand]}${own.hand === null ? ', hidden' : ''}`
  element('theirs').textContent = other === null ? 'Not here yet' : other.hand === null ? 'Hidden' : nameOf(other.hand)
  const isOver = game.second !== null && left === 0
  element('reveal').hidden = game.second === null || own.hand !== null || isOver
  element('claim').hidden = game.second !== null && !isOver
  element('claim').textContent = game.second === null ? 'Take the stake back' : 'Claim the pot'
  element('state').textContent = stateOf(table, left, own.hand !== null)
}

function stateOf({ game }: Table, left: number, hasRevealed: boolean): string {
  if (game.second === null) return left > 0 ? `Waiting for an opponent: ${left} s.` : 'Nobody came.'
  if (left === 0) return 'The time to reveal is over.'
  return hasRevealed ? `Waiting for the opponent to reveal: ${left} s.` : `Both have chosen. Reveal within ${left} s.`
}

/** Shows the end of a game of this player. */
async function showEnding(txId: string): Promise<void> {
  const decoded = (await head.getTransaction(txId))?.decoded
  const table = decoded?.inputs.map(({ txHash, index }) => followed.get(`${txHash}#${index}`)).find((each) => each)
  const redeemer = decoded?.redeemers.find(({ purpose }) => purpose === 'spend')
  if (table === undefined || redeemer === undefined) return
  const ending = endingOf(table.game, redeemer.cborHex)
  if (ending === null) return
  followed.delete(refOf(table))
  const seat = seatOf(table.game, address)
  const { first, second, stake } = ending.game
  const hands = [first.hand, second?.hand ?? null].map((hand) => (hand === null ? 'a hidden hand' : nameOf(hand)))
  const sum = second === null || ending.winner === 'draw' ? stake : 2n * stake
  element('result-title').textContent =
    second === null
      ? 'Nobody joined'
      : ending.winner === 'draw'
        ? 'A draw'
        : ending.winner === seat
          ? 'You won'
          : 'You lost'
  element('result-text').textContent = [
    second === null ? '' : `${hands.join(' against ')}.`,
    ending.played || second === null ? '' : 'The time to reveal ran out.',
    ending.winner === seat || ending.winner === 'draw'
      ? `${formatAda(sum)} ada came to you.`
      : `${formatAda(stake)} ada went to the other.`
  ]
    .filter((text) => text !== '')
    .join(' ')
  element('result').hidden = false
  show()
}

const nameOf = (hand: bigint): string => HANDS[Number(hand)] ?? 'Unknown'
const secondsTo = (time: bigint): number => Math.max(0, Math.ceil((Number(time) - Date.now()) / 1_000))

/** Shows the sentence of an error; the lines below it are for who looks for the cause. */
function report(error: unknown): void {
  element('error').textContent = (error as Error).message.split('\n')[0]
}

/** Ends a page that cannot start. */
function fail(error: unknown): never {
  report(error)
  throw error
}
