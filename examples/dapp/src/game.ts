// The game beside its contract: what a player locks, reads, and asks a transaction to do. Nothing here knows the page.
import { loadBlueprint } from 'layer-sdk/tx'
import type { TxBuilder, UTxO } from 'layer-sdk/tx'
import { addressInfo, buildBaseAddress, buildEnterpriseAddress, bytesToHex, hexToBytes } from 'layer-sdk/utils'
import plutus from '../contract/plutus.json'
import type { Address, Contracts, Game, Move, Player } from './types'

export const contract = loadBlueprint<Contracts>(plutus).get('game.spend')
export const HANDS = ['Rock', 'Paper', 'Scissors'] as const
/** Shortest time to reveal that a player agrees to, ms. */
const MIN_REVEAL_MS = 5_000

/** What a player keeps to themselves until they reveal. */
export interface Secret {
  /** Index in {@link HANDS}. */
  readonly hand: number
  /** Hex, 64 characters. */
  readonly salt: string
}

/** A game that the contract holds. */
export interface Table {
  readonly utxo: UTxO
  readonly game: Game
}

/** Slot of the head at a time, ms. */
export type SlotAt = (timeMs: number) => number

export const newSecret = (hand: number): Secret => ({
  hand,
  salt: bytesToHex(crypto.getRandomValues(new Uint8Array(32)))
})

/** The hash that hides a hand: of the player's key, the hand and the salt. The key in it makes copies worthless. */
export async function commit(address: string, { hand, salt }: Secret): Promise<string> {
  const hex = keyHashOf(address) + bytesToHex(Uint8Array.of(hand)) + salt
  return bytesToHex(new Uint8Array(await crypto.subtle.digest('SHA-256', new Uint8Array(hexToBytes(hex)))))
}

/** An address as scripts see it. */
export function toAddress(bech32: string): Address {
  const { payment, stake } = addressInfo(bech32)
  if (payment === undefined) throw new Error('A game is paid to an address that can hold outputs.')
  return { payment: credential(payment), stake: stake === undefined ? null : { Inline: [credential(stake)] } }
}

/** The bech32 text of an address that a key owns. */
export function toBech32({ payment, stake }: Address, networkId: 0 | 1): string {
  if (!('Key' in payment)) throw new Error('A script cannot play.')
  if (stake === null) return buildEnterpriseAddress(networkId, payment.Key[0])
  if (!('Inline' in stake)) throw new Error('Addresses with a pointer hold no outputs any more.')
  const [owner] = stake.Inline
  const staking =
    'Key' in owner ? { kind: 'key' as const, hash: owner.Key[0] } : { kind: 'script' as const, hash: owner.Script[0] }
  return buildBaseAddress(networkId, payment.Key[0], staking)
}

/** The games among outputs of the contract. Anybody can lock anything there: what has another form is left out. */
export function tablesOf(utxos: readonly UTxO[]): Table[] {
  return utxos.flatMap((utxo) => {
    try {
      return [{ utxo, game: contract.decodeDatum(utxo.output.inlineDatum ?? '') }]
    } catch {
      return []
    }
  })
}

/**
 * True where a joiner risks the stake and no more. The contract checks each move, but nobody checks how a game starts:
 * the joiner has to.
 */
export function isFair({ utxo, game }: Table, now: number): boolean {
  const { first, second, stake, joinBy, revealBy } = game
  const { amount, scriptRef } = utxo.output
  try {
    return (
      second === null &&
      first.hand === null &&
      first.commitment.length === 64 &&
      // An address that no output can have would make a draw impossible.
      JSON.stringify(toAddress(toBech32(first.address, 0))) === JSON.stringify(first.address) &&
      amount.length === 1 &&
      amount[0]?.quantity === String(stake) &&
      scriptRef === undefined &&
      Number(joinBy) > now &&
      Number(revealBy - joinBy) >= MIN_REVEAL_MS
    )
  } catch {
    return false
  }
}

/** Which player an address is: null for neither. */
export function seatOf({ first, second }: Game, address: string): 'first' | 'second' | null {
  const key = keyHashOf(address)
  if (keyOf(first) === key) return 'first'
  return second !== null && keyOf(second) === key ? 'second' : null
}

/** Locks the stake of the first player. */
export function start(
  builder: TxBuilder,
  {
    address,
    commitment,
    ...terms
  }: { address: string; commitment: string; stake: bigint; joinBy: bigint; revealBy: bigint }
): TxBuilder {
  const first: Player = { address: toAddress(address), commitment, hand: null }
  const inlineDatum = contract.datum({ first, second: null, ...terms })
  return builder.pay(contract.address(networkOf(address)), terms.stake, { inlineDatum })
}

/** Adds the stake of the second player, who spends one of their outputs: `coin`. */
export function join(
  builder: TxBuilder,
  { utxo, game }: Table,
  { coin, commitment, slotAt }: { coin: UTxO; commitment: string; slotAt: SlotAt }
): TxBuilder {
  const address = toAddress(coin.output.address)
  const next: Game = { ...game, second: { address, commitment, hand: null } }
  return move(builder.spend([coin]), utxo, { Join: { address, commitment } })
    .pay(utxo.output.address, 2n * game.stake, { inlineDatum: contract.datum(next) })
    .validTo(slotAt(Number(game.joinBy)))
}

/** Shows a hand; the second player to do so pays the pot out. */
export function reveal(
  builder: TxBuilder,
  { utxo, game }: Table,
  { address, secret, slotAt }: { address: string; secret: Secret; slotAt: SlotAt }
): TxBuilder {
  const isSecond = seatOf(game, address) === 'second'
  const hand = BigInt(secret.hand)
  const shown = show(game, isSecond, hand)
  const moved = move(builder, utxo, { Reveal: { isSecond, hand, salt: secret.salt } })
  if (outcomeOf(shown) === null) moved.pay(utxo.output.address, 2n * game.stake, { inlineDatum: contract.datum(shown) })
  else payOut(moved, shown, utxo)
  return moved.validTo(slotAt(Number(game.revealBy)))
}

/** Takes back what is due: the stake that nobody has matched, or the pot after the time to reveal. */
export function claim(builder: TxBuilder, { utxo, game }: Table, { slotAt }: { slotAt: SlotAt }): TxBuilder {
  const moved = move(builder, utxo, 'Claim')
  if (game.second === null) return moved.requireSigner(keyOf(game.first))
  payOut(moved, game, utxo)
  // The first slot that begins at that time or later.
  const slot = slotAt(Number(game.revealBy) - 1) + 1
  return moved.validFrom(slot).validTo(slot + 3_600)
}

/** Who gets the pot once both hands are shown; null before. */
export function outcomeOf({ first, second }: Game): 'first' | 'second' | 'draw' | null {
  if (second === null || first.hand === null || second.hand === null) return null
  const lead = (first.hand - second.hand + 3n) % 3n
  return lead === 0n ? 'draw' : lead === 1n ? 'first' : 'second'
}

/** What became of a game by the move that ended it. */
export interface Ending {
  readonly winner: 'first' | 'second' | 'draw'
  /** False where the time ran out. */
  readonly played: boolean
  /** Hands as far as they were shown. */
  readonly game: Game
}

/** Reads the end of a game from the redeemer of the transaction that spent it; null where it goes on. */
export function endingOf(game: Game, redeemer: string): Ending | null {
  const ended = contract.decodeRedeemer(redeemer)
  if (ended === 'Claim') return { winner: overdueOf(game), played: false, game }
  if (!('Reveal' in ended)) return null
  const shown = show(game, ended.Reveal.isSecond, ended.Reveal.hand)
  const winner = outcomeOf(shown)
  return winner === null ? null : { winner, played: true, game: shown }
}

const networkOf = (address: string): 0 | 1 => (addressInfo(address).networkId === 1 ? 1 : 0)
const keyHashOf = (address: string): string => addressInfo(address).payment?.hash ?? ''
const keyOf = ({ address: { payment } }: Player): string => ('Key' in payment ? payment.Key[0] : '')
const credential = ({ kind, hash }: { kind: 'key' | 'script'; hash: string }) =>
  kind === 'key' ? { Key: [hash] as [string] } : { Script: [hash] as [string] }

const move = (builder: TxBuilder, utxo: UTxO, redeemer: Move): TxBuilder =>
  builder.spendScript(utxo, { redeemer: contract.redeemer(redeemer), script: contract.script })

function show(game: Game, isSecond: boolean, hand: bigint): Game {
  if (isSecond) return { ...game, second: game.second && { ...game.second, hand } }
  return { ...game, first: { ...game.first, hand } }
}

/** Who gets the pot when the time is over. */
function overdueOf({ first, second }: Game): 'first' | 'second' | 'draw' {
  if (second === null || first.hand !== null) return 'first'
  return second.hand !== null ? 'second' : 'draw'
}

function payOut(builder: TxBuilder, game: Game, { output }: UTxO): void {
  const winner = outcomeOf(game) ?? overdueOf(game)
  const pay = (player: Player | null, amount: bigint) =>
    player && builder.pay(toBech32(player.address, networkOf(output.address)), amount)
  if (winner !== 'draw') return void pay(game[winner], 2n * game.stake)
  pay(game.first, game.stake)
  pay(game.second, game.stake)
}
