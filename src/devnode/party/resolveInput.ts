import { stringifyJson } from '../../codec/json.js'
import type { Value } from '../../codec/value.js'
import { addValue, LOVELACE } from '../../codec/value.js'
import { remainingOf } from '../head/remaining.js'
import type { ParsedInput, ParsedSnapshot, UtxoJson } from '../wire/json/clientInput.js'
import type { HeadLedger } from '../head/headLedger.js'
import type { ProfileFeatures } from '../settings/profiles.js'
import type { HeadInput, NodeState } from '../head/types.js'
import type { JsonValue } from '../json/jsonText.js'
import { JsonText, toJson } from '../json/jsonText.js'
import { contentKey, entryKey } from '../rules/utxoContent.js'
import type { LedgerEntry } from '../rules/utxoSet.js'
import { UtxoView } from '../rules/utxoSet.js'

/** Ledger and state that an input is resolved against. */
interface InputSurroundings {
  readonly features: ProfileFeatures
  readonly ledger: HeadLedger
  readonly state: NodeState
}

/** Returns an input with the data that the state machine, which is pure, cannot look up. */
export function resolveInput(input: ParsedInput, { features, ledger, state }: InputSurroundings): HeadInput {
  switch (input.tag) {
    case 'SafeClose':
      return { tag: input.tag, assets: assetsInHead(state) }
    case 'Fanout':
      return { tag: input.tag, full: remainingOf(state.head, ledger) }
    case 'PartialFanout':
      return { tag: input.tag, selection: selectOutputs(input.utxo, remainingOf(state.head, ledger)) }
    case 'SideLoadSnapshot':
      return { tag: input.tag, ...sideLoadDetails(input.snapshot, state, features) }
    case 'NewTx':
    case 'Decommit':
    case 'Recover':
      return input
    default:
      return { tag: input.tag }
  }
}

/** Returns the non-ada value that keeps SafeClose from closing, as Haskell shows it; null when there is none. */
function assetsInHead({ head }: NodeState): string | null {
  if (head.status !== 'Open' || head.confirmed === null) return null
  const { utxo, utxoToCommit, utxoToDecommit } = head.confirmed.snapshot
  const value: Value = new Map()
  for (const view of [utxo, utxoToCommit, utxoToDecommit])
    for (const entry of view?.entries ?? []) addValue(value, entry.value)
  value.delete(LOVELACE)
  if (value.size === 0) return null
  const assets = [...value].map(
    ([unit, quantity]) => `(AssetId "${unit.slice(0, 56)}" "${unit.slice(56)}",${quantity})`
  )
  return `valueFromList [${assets.join(',')}]`
}

/**
 * Returns the outputs that a PartialFanout selects; null when it selects none, or one that is not in the head. Outputs
 * are compared by content, not by reference.
 */
function selectOutputs(
  selection: Readonly<Record<string, unknown>>,
  remaining: UtxoView
): { utxo: UtxoView; all: boolean; full: UtxoView } | null {
  const byContent = new Map<string, LedgerEntry[]>()
  for (const entry of remaining.entries) {
    const key = entryKey(entry)
    byContent.set(key, [...(byContent.get(key) ?? []), entry])
  }
  const selected: LedgerEntry[] = []
  for (const output of Object.values(selection)) {
    const entry = byContent.get(contentKey(output))?.shift()
    if (entry === undefined) return null
    selected.push(entry)
  }
  return selected.length === 0
    ? null
    : { utxo: new UtxoView(selected), all: selected.length === remaining.size, full: remaining }
}

/**
 * Returns the head that a side-loaded snapshot is of, and the reason why it is refused, or null (docs/protocol.md,
 * messages).
 */
function sideLoadDetails(
  { headId, confirmed: requested }: ParsedSnapshot,
  { head }: NodeState,
  { depositIdInSnapshots }: Pick<ProfileFeatures, 'depositIdInSnapshots'>
): { headId: string; failure: JsonText | null } {
  const failed = (tag: string, details: Record<string, JsonValue> = {}): { headId: string; failure: JsonText } => {
    return { headId, failure: new JsonText(toJson({ tag, ...details })) }
  }
  const accepted = { headId, failure: null }
  if (head.status !== 'Open') return accepted
  const ours = head.confirmed?.snapshot
  if (requested === null) return ours === undefined ? accepted : failed('SideLoadInitialSnapshotMismatch')
  const { number, version, signatures } = requested
  const { number: lastSeenSn = 0, version: lastSeenSv = 0 } = ours ?? {}
  if (number < lastSeenSn) return failed('SideLoadSnNumberInvalid', { requestedSn: number, lastSeenSn })
  if (version !== lastSeenSv) return failed('SideLoadSvNumberInvalid', { requestedSv: version, lastSeenSv })
  const { utxoToCommit: requestedSc, utxoToDecommit: requestedSd } = requested
  const { utxoToCommit: lastSeenSc = null, utxoToDecommit: lastSeenSd = null } = ours ?? {}
  if (!isSameUtxo(requestedSc, lastSeenSc))
    return failed('SideLoadUTxOToCommitInvalid', { requestedSc: jsonOf(requestedSc), lastSeenSc })
  const { depositTxId: requestedDeposit } = requested
  const { depositTxId: lastSeenDeposit = null } = ours ?? {}
  if (depositIdInSnapshots && requestedDeposit !== lastSeenDeposit)
    return failed('SideLoadDepositTxIdInvalid', { requestedDeposit, lastSeenDeposit })
  if (!isSameUtxo(requestedSd, lastSeenSd))
    return failed('SideLoadUTxOToDecommitInvalid', { requestedSd: jsonOf(requestedSd), lastSeenSd })
  // The parties sign the outputs too: one digit lost on the way, and their signatures are of something else.
  const signed = number === lastSeenSn && signatures.join() === (head.confirmed?.signatures ?? []).join()
  if (signed && isSameUtxo(requested.utxo, ours?.utxo ?? null)) return accepted
  const vkeys = head.head.parties.map((vkey) => ({ vkey }))
  return failed('SideLoadInvalidMultisignature', { multisig: JSON.stringify(signatures), vkeys })
}

const jsonOf = (value: unknown): JsonText => new JsonText(stringifyJson(value))

/** True when a UTxO that a client sent is equal to `localUtxo`. */
function isSameUtxo(sent: UtxoJson, localUtxo: UtxoView | null): boolean {
  const entries = localUtxo?.entries ?? []
  return (
    Object.keys(sent).length === entries.length &&
    entries.every((entry) => contentKey(sent[entry.ref]) === entryKey(entry))
  )
}
