import { addressToString } from '../../codec/address.js'
import type { Withdrawal } from '../../codec/transactionBody.js'
import type { Value } from '../../codec/value.js'
import { LOVELACE } from '../../codec/value.js'
import type { TxInput } from '../../types/utxo.js'

/**
 * The ledger's reasons in the words of its Haskell `show`, which is what the node puts into `validationError`. The text is free
 * and differs by ledger version; the constructor names are what people and programs look for.
 */
export const utxowFailure = (reason: string): string => `ConwayUtxowFailure (${reason})`
export const utxoFailure = (reason: string): string => utxowFailure(`UtxoFailure (${reason})`)
export const certsFailure = (reason: string): string => `ConwayCertsFailure (${reason})`

/** All failures of a transaction as one text: Haskell's NonEmpty list. */
export function showFailures(failures: readonly string[]): string {
  const [first = '', ...others] = failures
  return others.length === 0 ? first : `${first} :| [${others.join(',')}]`
}

export const showCoin = (lovelace: bigint): string => `Coin ${lovelace}`

export function showMismatch(supplied: string, expected: string): string {
  return `(Mismatch {mismatchSupplied = ${supplied}, mismatchExpected = ${expected}})`
}

export function showSet(items: Iterable<string>): string {
  return `(fromList [${[...items].join(',')}])`
}

export function showTxIn({ txHash, index }: TxInput): string {
  return `TxIn (TxId {unTxId = SafeHash "${txHash}"}) (TxIx {unTxIx = ${index}})`
}

export const showKeyHash = (hash: string): string => `KeyHash {unKeyHash = "${hash}"}`
export const showScriptHash = (hash: string): string => `ScriptHash "${hash}"`
export const showVKey = (vkeyHex: string): string => `VKey (VerKeyEd25519DSIGN "${vkeyHex}")`
export const showNetwork = (networkId: number): string => (networkId === 1 ? 'Mainnet' : 'Testnet')

export function showWithdrawals(withdrawals: readonly Withdrawal[]): string {
  return showSet(withdrawals.map(({ address, amount }) => `(RewardAccount "${addressToString(address)}",Coin ${amount})`))
}

/** `MaryValue (Coin n) (MultiAsset (fromList [(PolicyID {...},fromList [("name",n)])]))` */
export function showValue(value: Value): string {
  return `MaryValue (Coin ${value.get(LOVELACE) ?? 0n}) (MultiAsset ${showAssets(value)})`
}

/** The part of a value that is not ada, as a Haskell map of maps. */
export function showAssets(value: ReadonlyMap<string, bigint>): string {
  const policies = new Map<string, string[]>()
  for (const [unit, quantity] of value) {
    if (unit === LOVELACE) continue
    const names = policies.get(unit.slice(0, 56)) ?? []
    names.push(`("${unit.slice(56)}",${quantity})`)
    policies.set(unit.slice(0, 56), names)
  }
  return showSet([...policies].map(([policy, names]) => `(PolicyID {policyID = ScriptHash "${policy}"},fromList [${names.join(',')}])`))
}

function showSlot(slot: bigint | undefined): string {
  return slot === undefined ? 'SNothing' : `SJust (SlotNo ${slot})`
}

export function showInterval(start: bigint | undefined, end: bigint | undefined): string {
  return `(ValidityInterval {invalidBefore = ${showSlot(start)}, invalidHereafter = ${showSlot(end)}})`
}
