import type { BaseChain } from '../../chain/BaseChain.js'
import type { PreparedTx } from '../../rules/preparedTx.js'
import type { JsonValue } from '../../json/jsonText.js'

/** The error with which Ogmios answers one reason of the ledger. */
export interface RefusalRule {
  /** The ledger's constructor. */
  readonly name: string
  readonly code: number
  /**
   * Rank among several reasons: the one with the lowest is answered (Data/Ledger/PredicateFailure.hs,
   * predicateFailurePriority).
   */
  readonly priority: number
  readonly message: string
  readonly data?: (reason: string, tx: PreparedTx, chain: BaseChain) => JsonValue
}

// Parts of a reason, which is a text as the ledger's `show` writes it.

export const hashes = (pattern: RegExp, text: string): string[] => [
  ...new Set([...text.matchAll(pattern)].map(([, hash]) => hash!))
]
export const keyHashes = (reason: string): string[] => hashes(/KeyHash \{unKeyHash = "([0-9a-f]{56})"\}/g, reason)
export const scriptHashes = (reason: string): string[] => hashes(/ScriptHash "([0-9a-f]{56})"/g, reason)
/** Returns the hashes of the first set in a reason; the second set holds the allowed ones. */
export const dataHashes = (reason: string): string[] =>
  hashes(/SafeHash "([0-9a-f]{64})"/g, /fromList \[(.*?)\]/.exec(reason)?.[1] ?? '')
export const coins = (reason: string): bigint[] =>
  [...reason.matchAll(/Coin (\d+)/g)].map(([, lovelace]) => BigInt(lovelace!))
export const numbers = (reason: string): number[] =>
  [...reason.matchAll(/mismatch(?:Supplied|Expected) = (\d+)/g)].map(([, number]) => Number(number))

export function references(reason: string): JsonValue {
  const found = [...reason.matchAll(/SafeHash "([0-9a-f]{64})"\}\) \(TxIx \{unTxIx = (\d+)\}\)/g)]
  return found.map(([, id, index]) => ({ transaction: { id: id! }, index: Number(index) }))
}

export const deltaCoin = (reason: string): bigint => BigInt(/DeltaCoin \(?(-?\d+)/.exec(reason)?.[1] ?? 0)
