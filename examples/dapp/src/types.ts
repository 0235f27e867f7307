// Types of "rock, paper, scissors", written by layer-sdk blueprint.
export type Hand = bigint

export type Credential = { Key: [string] } | { Script: [string] }

export type Stake = { Inline: [Credential] } | { Pointer: [bigint, bigint, bigint] }

export type Address = { payment: Credential; stake: Stake | null }

export type Player = { address: Address; commitment: string; hand: Hand | null }

export type Game = { first: Player; second: Player | null; stake: bigint; joinBy: bigint; revealBy: bigint }

export type Move = { Join: { address: Address; commitment: string } } | { Reveal: { isSecond: boolean; hand: Hand; salt: string } } | "Claim"

export type Contracts = {
  "game.spend": {
    datum: Game
    redeemer: Move
    parameters: []
  }
}
