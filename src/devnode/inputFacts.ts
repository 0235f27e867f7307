import { parseJson } from '../codec/json.js'
import type { Value } from '../codec/value.js'
import { addValue, LOVELACE } from '../codec/value.js'
import { remainingOf } from './chainPosts.js'
import type { ParsedInput } from './clientInput.js'
import { isObject } from './clientInput.js'
import type { HeadLedger } from './headLedger.js'
import type { HeadInput, NodeState } from './headTypes.js'
import { JsonText, toJson } from './jsonText.js'
import type { LedgerEntry } from './utxoSet.js'
import { UtxoView } from './utxoSet.js'

/** An input with what the pure machine cannot look up. */
export function withFacts(input: ParsedInput, state: NodeState, ledger: HeadLedger): HeadInput {
  switch (input.tag) {
    case 'SafeClose':
      return { tag: input.tag, assets: assetsInHead(state) }
    case 'PartialFanout':
      return { tag: input.tag, selection: selectOutputs(input.utxo, remainingOf(state.head, ledger)) }
    case 'SideLoadSnapshot':
      return { tag: input.tag, ...sideLoadFacts(input.snapshot, state) }
    case 'NewTx':
    case 'Decommit':
    case 'Recover':
      return input
    default:
      return { tag: input.tag }
  }
}

/** The non-ADA value that keeps SafeClose from closing, in Haskell's words; null when there is none. */
function assetsInHead({ head }: NodeState): string | null {
  if (head.status !== 'Open' || head.confirmed === null) return null
  const { utxo, utxoToCommit, utxoToDecommit } = head.confirmed.snapshot
  const value: Value = new Map()
  for (const view of [utxo, utxoToCommit, utxoToDecommit]) for (const entry of view?.entries ?? []) addValue(value, entry.value)
  value.delete(LOVELACE)
  if (value.size === 0) return null
  const assets = [...value].map(([unit, quantity]) => `(AssetId "${unit.slice(0, 56)}" "${unit.slice(56)}",${quantity})`)
  return `valueFromList [${assets.join(',')}]`
}

/** What a PartialFanout selects; null when it selects nothing or something that is not there. References do not count, only content. */
function selectOutputs(wanted: Readonly<Record<string, unknown>>, remaining: UtxoView): { utxo: UtxoView; all: boolean } | null {
  const byContent = new Map<string, LedgerEntry[]>()
  for (const entry of remaining.entries) {
    const parsed = parseJson(`{${entry.json()}}`) as Record<string, unknown>
    const key = contentKey(parsed[entry.ref])
    byContent.set(key, [...(byContent.get(key) ?? []), entry])
  }
  const selected: LedgerEntry[] = []
  for (const output of Object.values(wanted)) {
    const entry = byContent.get(contentKey(output))?.shift()
    if (entry === undefined) return null
    selected.push(entry)
  }
  return selected.length === 0 ? null : { utxo: new UtxoView(selected), all: selected.length === remaining.size }
}

function contentKey(output: unknown): string {
  if (!isObject(output)) return ''
  const { address, value, datumhash, inlineDatumRaw, referenceScript } = output
  const units: string[] = []
  for (const [policy, quantity] of Object.entries(isObject(value) ? value : {})) {
    if (!isObject(quantity)) units.push(`${policy}=${String(quantity)}`)
    else for (const [name, amount] of Object.entries(quantity)) units.push(`${policy}${name}=${String(amount)}`)
  }
  const script = referenceScript == null ? '' : JSON.stringify(referenceScript)
  return [address, units.sort().join(), datumhash ?? '', inlineDatumRaw ?? '', script].join('|')
}

/** Why a snapshot cannot be side-loaded (node-protocol, 3.2), or null; and the head it is of. */
function sideLoadFacts(
  snapshot: Readonly<Record<string, unknown>>,
  { head }: NodeState
): { headId: string | null; failure: JsonText | null } {
  const fail = (tag: string, facts: Record<string, number> = {}): JsonText => new JsonText(toJson({ tag, ...facts }))
  if (head.status !== 'Open') return { headId: null, failure: null }
  const confirmed = head.confirmed
  if (snapshot['tag'] === 'InitialSnapshot') {
    return { headId: String(snapshot['headId']), failure: confirmed === null ? null : fail('SideLoadInitialSnapshotMismatch') }
  }
  const requested = isObject(snapshot['snapshot']) ? snapshot['snapshot'] : {}
  const headId = String(requested['headId'])
  const number = Number(requested['number'])
  const version = Number(requested['version'])
  const lastSeenSn = confirmed?.snapshot.number ?? 0
  if (!(number >= lastSeenSn)) return { headId, failure: fail('SideLoadSnNumberInvalid', { requestedSn: number, lastSeenSn }) }
  if (version !== (confirmed?.snapshot.version ?? 0)) {
    return { headId, failure: fail('SideLoadSvNumberInvalid', { requestedSv: version, lastSeenSv: head.version }) }
  }
  const signatures = isObject(snapshot['signatures']) ? snapshot['signatures']['multiSignature'] : undefined
  const ours = confirmed?.signatures ?? []
  const same = number === lastSeenSn && Array.isArray(signatures) && signatures.join() === ours.join()
  if (same) return { headId, failure: null }
  const vkeys = head.head.parties.map((vkey) => ({ vkey }))
  const error = { tag: 'SideLoadInvalidMultisignature', multisig: JSON.stringify(signatures ?? null), vkeys }
  return { headId, failure: new JsonText(toJson(error)) }
}
