import { stringifyJson } from '../codec/json.js'
import type { CheckedBundle } from './checkBundle.js'
import { isOlder, partsOf } from './checkBundle.js'
import type { ReadHeadOutput } from './headDatum.js'
import { judgeWalletDeposits } from './judgeWalletDeposits.js'
import type { CheckedMaterial } from './material.js'
import { carriedDeposit } from './carriedDeposit.js'
import type { Bundle } from './readBundle.js'
import { mapInSteps } from './inSteps.js'
import { readBundle } from './readBundle.js'
import type { VerifiedRecord } from './store.js'
import type { HeadParts } from './sumOutputs.js'
import { sumInHead } from './sumOutputs.js'
import type { InHead, LastVerified, Recognition, RecognitionEvidence, RecognisedSnapshot } from './types.js'

/** An answer, and the record that a store should keep because of it. */
export interface RecognitionOutcome {
  readonly recognition: Recognition
  /** The newest verified snapshot; null when it is no newer than the known one. */
  readonly record: VerifiedRecord | null
}

/** Content of the head's output, with its reference. */
export interface AnchoredHead extends ReadHeadOutput {
  readonly ref: string
}

/** Returns the snapshot of a checked bundle (a snapshot with its signatures). */
export function recognisedSnapshotOf({ bundle, rule, settled }: CheckedBundle): RecognisedSnapshot {
  return { number: bundle.number, version: bundle.version, rule, settled }
}

/** Returns the record of a bundle (a snapshot with its signatures); null when the known record is as new. */
export async function verifiedRecordOf(
  { bundle, rule, settled, mintedInside }: CheckedBundle,
  { known, headId }: CheckedMaterial
): Promise<VerifiedRecord | null> {
  const { version, number } = bundle
  if (known != null && known.settled === settled && !isOlder(known, { version, number })) return null
  return { headId, version, number, rule, settled, mintedInside, bundle: await textOf(bundle) }
}

/** Returns a bundle as JSON text. The outputs, which may be thousands, are written in steps. */
async function textOf({ signed, utxo, signatures }: Bundle): Promise<string> {
  const member = ([name, value]: readonly [string, unknown]): string =>
    `${JSON.stringify(name)}:${stringifyJson(value)}`
  const outputs = await mapInSteps(Object.entries(utxo), member)
  const signedFields = Object.entries(signed).filter(([, value]) => value !== undefined)
  const members = [...signedFields.map(member), `"utxo":{${outputs.join(',')}}`]
  return `{"snapshot":{${members.join(',')}},${member(['signatures', signatures])}}`
}

/** Returns the amounts of the newest snapshot that was verified before; null without one. */
export function lastVerifiedOf({ known, wallet }: CheckedMaterial): LastVerified | null {
  if (known == null) return null
  const bundle = readBundle({ endpoint: 'store', status: 200, body: known.bundle })
  if (!('tag' in bundle) || bundle.tag !== 'ConfirmedSnapshot') return null
  const { rule, settled, mintedInside } = known
  return {
    snapshot: { number: bundle.number, version: bundle.version, rule, settled },
    inHead: sumInHead(partsOf(bundle, settled), wallet, mintedInside)
  }
}

/**
 * Returns the wallet's amounts in a head. If the head is known only by a stranger's hint and its script is unknown, the
 * outputs are listed but not summed, since the owner of the script may be able to withdraw them.
 */
export function inHeadOf(
  parts: HeadParts,
  { mintedInside, backed = true }: { readonly mintedInside: readonly string[]; readonly backed?: boolean },
  material: CheckedMaterial,
  head: AnchoredHead
): InHead {
  const found = { ...sumInHead(parts, material.wallet, mintedInside), backed }
  const isStrange = material.headIdFrom === 'hint' && anchorOf(head, material)?.script === 'unknown'
  if (!isStrange) return found
  const none = { available: [], arriving: [], leaving: [] }
  return { ...found, ...none, byAddress: Object.fromEntries(material.wallet.all.map((address) => [address, none])) }
}

/** Parts of an answer that depend on its state. */
export interface AnswerParts extends Partial<
  Pick<Recognition, 'reason' | 'detail' | 'snapshot' | 'lastVerified' | 'closing'>
> {
  readonly state: Recognition['state']
  readonly inHead?: InHead | null
  readonly head?: AnchoredHead
  readonly evidence?: Partial<RecognitionEvidence>
  readonly deviations?: readonly string[]
  /** Verified snapshot with a pending deposit that is still one on the base ledger. */
  readonly arriving?: Pick<Bundle, 'depositTxId' | 'toCommit'> | null
}

/** Makes an answer from its parts; the deposits are in it whatever the state. */
export function answer(material: CheckedMaterial, parts: AnswerParts): Recognition {
  const { headId, wallet, asOf, deposits = [], headIdFrom = 'configured', strict = false } = material
  const { head, evidence = {}, deviations = [], arriving = null } = parts
  const period =
    material.depositPeriodMs ??
    (head !== undefined && 'depositPeriodMs' in head.datum ? head.datum.depositPeriodMs : null)
  const { listed, folded } = judgeWalletDeposits({
    outputs: deposits,
    wallet,
    asOf,
    periodOf: (id) => (id === headId ? period : null),
    inSnapshot: arriving === null ? null : carriedDeposit(deposits, headId, arriving),
    own: material.depositTxIds,
    dustLimit: material.dustLimit
  })
  return {
    headId,
    state: parts.state,
    reason: parts.reason ?? null,
    detail: parts.detail ?? null,
    inHead: parts.inHead ?? null,
    snapshot: parts.snapshot ?? null,
    lastVerified: parts.lastVerified ?? null,
    deposits: listed,
    foldedDeposits: folded,
    closing: parts.closing ?? null,
    asOf,
    headIdFrom,
    joined: headIdFrom !== 'hint',
    evidence: {
      anchor: head === undefined ? null : anchorOf(head, material),
      datum: head === undefined ? null : { state: head.datum.state, fields: head.datum.fields },
      parties: head === undefined ? null : material.parties === undefined ? 'datum' : 'pinned',
      signatures: evidence.rule == null ? null : head!.datum.parties.length,
      rule: null,
      set: null,
      version: null,
      backed: null,
      endpoints: [],
      ...evidence,
      deviations: strict ? [] : deviations
    }
  }
}

function anchorOf({ ref, scriptHash }: AnchoredHead, { scripts }: CheckedMaterial): RecognitionEvidence['anchor'] {
  const isKnown = scriptHash !== null && scripts?.includes(scriptHash) === true
  return { ref, scriptHash, script: scripts === undefined ? null : isKnown ? 'known' : 'unknown' }
}
