import { addressToString } from '../../codec/address.js'
import type { BodyWithdrawal } from '../../codec/transactionBody.js'
import type { Value } from '../../codec/value.js'
import { LOVELACE } from '../../codec/value.js'
import type { TxInput } from '../../types/utxo.js'
import type { ScriptNeed } from './resolvedScripts.js'
import type { RedeemerTag } from '../../codec/redeemer.js'
import type { Redeemer } from './txScripts.js'
import type { LedgerEntry } from './utxoSet.js'

/**
 * The ledger's reasons in the words of its Haskell `show`, the text that the node puts into `validationError`. The text
 * is free and differs by ledger version; people and programs search it for the constructor names.
 */
export const utxowFailure = (reason: string): string => `ConwayUtxowFailure (${reason})`
export const utxoFailure = (reason: string): string => utxowFailure(`UtxoFailure (${reason})`)
export const certsFailure = (reason: string): string => `ConwayCertsFailure (${reason})`

/** All failures of a transaction as one text: Haskell's NonEmpty list. */
export function showFailures(failures: readonly string[]): string {
  return failures.length > 1 ? showNonEmpty(failures) : (failures[0] ?? '')
}

/** Failures of the base ledger, as the node repeats them. */
export function validationError(reasons: readonly string[]): string {
  return `TxValidationErrorInCardanoMode (ShelleyTxValidationError ShelleyBasedEraConway (ApplyTxError (${showFailures(reasons)})))`
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

export const showAccount = ({ address }: BodyWithdrawal): string => `RewardAccount "${addressToString(address)}"`

export function showWithdrawals(withdrawals: readonly BodyWithdrawal[]): string {
  return showSet(withdrawals.map((each) => `(${showAccount(each)},Coin ${each.amount})`))
}

/** Haskell's NonEmpty list. */
export function showNonEmpty(items: readonly string[]): string {
  const [first = '', ...others] = items
  return `${first} :| [${others.join(',')}]`
}

/** A number as a constructor's argument: in brackets below zero. */
export const showSigned = (value: bigint): string => (value < 0n ? `(${value})` : String(value))

export function showExUnits({ mem, cpu }: { readonly mem: bigint; readonly cpu: bigint }): string {
  return `OrdExUnits {unOrdExUnits = WrapExUnits {unWrapExUnits = ExUnits' {exUnitsMem' = ${mem}, exUnitsSteps' = ${cpu}}}}`
}

export const showOutput = ({ output, value }: Pick<LedgerEntry, 'output' | 'value'>): string =>
  `(Addr "${output.address}",${showValue(value)})`

const PURPOSES: Readonly<Record<RedeemerTag, string>> = {
  spend: 'ConwaySpending',
  mint: 'ConwayMinting',
  cert: 'ConwayCertifying',
  reward: 'ConwayRewarding',
  vote: 'ConwayVoting',
  propose: 'ConwayProposing'
}

/** Shows the purpose of a redeemer by its tag and index. */
export const showPurposeIndex = ({ tag, index }: Pick<Redeemer, 'tag' | 'index'>): string =>
  `${PURPOSES[tag]} (AsIx {unAsIx = ${index}})`

/** Shows the purpose of a redeemer by the item that its script guards. */
export function showPurposeItem({ tag, item }: ScriptNeed): string {
  const shown =
    'input' in item
      ? showTxIn(item.input)
      : 'policy' in item
        ? `PolicyID {policyID = ${showScriptHash(item.policy)}}`
        : showAccount(item.withdrawal)
  return `${PURPOSES[tag]} (AsItem {unAsItem = ${shown}})`
}

const CONTROL_NAMES =
  'NUL SOH STX ETX EOT ENQ ACK a b t n v f r SO SI DLE DC1 DC2 DC3 DC4 NAK SYN ETB CAN EM SUB ESC FS GS RS US'.split(
    ' '
  )

/** Bytes as Haskell shows them: each as the character of its number, in quotes. */
export function showBytes(bytes: Uint8Array): string {
  let shown = ''
  let last = ''
  for (const byte of bytes) {
    const character = String.fromCharCode(byte)
    let next = character
    if (byte < 32) next = `\\${CONTROL_NAMES[byte]!}`
    else if (byte === 127) next = '\\DEL'
    else if (byte > 127) next = `\\${byte}`
    else if (character === '"' || character === '\\') next = `\\${character}`
    // A digit would be read as part of the number before it, and an H after \SO as part of the name.
    const isAmbiguous = (/^\\\d+$/.test(last) && /^\d/.test(next)) || (last === '\\SO' && next === 'H')
    shown += (isAmbiguous ? '\\&' : '') + next
    last = next
  }
  return `"${shown}"`
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
  return showSet(
    [...policies].map(
      ([policy, names]) => `(PolicyID {policyID = ScriptHash "${policy}"},fromList [${names.join(',')}])`
    )
  )
}

function showSlot(slot: bigint | undefined): string {
  return slot === undefined ? 'SNothing' : `SJust (SlotNo ${slot})`
}

export function showInterval(start: bigint | undefined, end: bigint | undefined): string {
  return `(ValidityInterval {invalidBefore = ${showSlot(start)}, invalidHereafter = ${showSlot(end)}})`
}
