import type { AccumulatorValue } from '../accumulator/inner.js'
import { asVerificationError } from '../accumulator/inner.js'
import type { VerificationReason } from '../errors/verification.js'
import type { Refutation, VerificationRule } from '../verify/index.js'
import { verificationRule, verifySnapshot } from '../verify/index.js'
import type { BindOptions } from './bindSet.js'
import { commitTo, overlaps, readSets } from './bindSet.js'
import type { HeadDatum, OpenHeadDatum } from './headDatum.js'
import { pauseFor } from './inSteps.js'
import type { Bundle, BundleProblem } from './readBundle.js'
import type { HeadParts } from './sumOutputs.js'
import { excessOf } from './sumOutputs.js'
import type { RecognitionReason } from './types.js'

/** Facts of the head that a bundle (a snapshot with its signatures) is checked against. */
export interface BundleCheck extends BindOptions {
  readonly datum: HeadDatum
  readonly backing: ReadonlyMap<string, bigint>
  /** True: only the proposed standard applies, without the additions of this package. */
  readonly strict: boolean
  /** `hydraNodeVersion` of the endpoint's node, if the caller knows it. */
  readonly nodeVersion?: string | undefined
  /** The newest snapshot that was verified before. */
  readonly newest: { readonly version: number; readonly number: number } | null
}

/** A bundle that has passed the checks: its outputs are proven. */
export interface CheckedBundle {
  readonly bundle: Bundle
  /** Rule that its signatures follow; null where the chain itself proves the outputs. */
  readonly rule: VerificationRule | null
  readonly settled: boolean
  readonly parts: HeadParts
  readonly mintedInside: readonly string[]
  /** True: the head's output covers the outputs in the head. */
  readonly backed: boolean
}

/** Reason of recognition for each reason of a verdict on signatures. */
const REASONS: Readonly<Partial<Record<VerificationReason, RecognitionReason>>> = {
  signature: 'signature',
  'party-order': 'signature',
  parties: 'parties',
  initial: 'initial',
  'too-large': 'too-large',
  accumulator: 'accumulator',
  'unknown-rule': 'newer-version'
}

/** Number of fields of the one form of the datum that the proposed standard knows, with one rule for it. */
const LETTER_FIELDS = 8

const NEWER = 'The node signs by rules that this package does not know: update the package.'

function fault(reason: RecognitionReason, detail: string): BundleProblem {
  return { reason, detail }
}

function faultOf(verdict: Pick<Refutation, 'reason' | 'detail'>): BundleProblem {
  return fault(REASONS[verdict.reason] ?? 'malformed', verdict.detail.split('\n')[0]!)
}

/**
 * Checks the signatures of a bundle over the accumulator that it states. This needs no costly work on a pairing curve,
 * so that only a snapshot that the parties signed can cause such work.
 */
export async function checkBundleSignatures(
  bundle: Bundle,
  { datum, nodeVersion, strict }: Pick<BundleCheck, 'datum' | 'nodeVersion' | 'strict'>
): Promise<{ readonly rule: VerificationRule; readonly accumulatorHash: string } | BundleProblem> {
  if (bundle.headId !== datum.headId) return fault('other-head', 'The snapshot is of another head.')
  const { parties } = datum
  let first: BundleProblem | undefined
  const rules = strict && datum.fields === LETTER_FIELDS ? datum.rules.slice(0, 1) : datum.rules
  for (const rule of rules) {
    const snapshot = bundle.signed as unknown as Parameters<typeof verifySnapshot>[0]['snapshot']
    const signatures = bundle.signatures as readonly string[]
    const verdict = await verifySnapshot({ snapshot, signatures, parties, rule })
    if (verdict.ok) return { rule, accumulatorHash: verdict.accumulatorHash! }
    first ??= faultOf(verdict)
  }
  const isNewer = bundle.hasUnknownMembers || isUnknownVersion(nodeVersion)
  return first!.reason === 'signature' && isNewer ? fault('newer-version', NEWER) : first!
}

function isUnknownVersion(nodeVersion: string | undefined): boolean {
  if (nodeVersion === undefined) return false
  try {
    verificationRule(nodeVersion)
    return false
  } catch (error) {
    return asVerificationError(error, 'input', 'The version').reason === 'unknown-rule'
  }
}

/** Checks all of a bundle of an open head. */
export async function checkOpenBundle(
  bundle: Bundle,
  check: BundleCheck & { readonly datum: OpenHeadDatum }
): Promise<CheckedBundle | BundleProblem> {
  const signed = await checkBundleSignatures(bundle, check)
  if ('reason' in signed) return signed
  const { datum, strict } = check
  const { version, number } = bundle
  if (version > datum.version)
    return fault('source-behind', `The snapshot is of version ${version}, and the chain source has ${datum.version}.`)
  const settles = version + 1 === datum.version && signed.accumulatorHash === datum.accumulatorHash && isStep(bundle)
  if (version !== datum.version && (strict || !settles))
    return fault('stale', `The snapshot is of version ${version}; the head is at version ${datum.version}.`)
  if (isOlder({ version, number }, check.newest))
    return fault('rollback', `Snapshot ${number} is older than one that was verified before.`)
  const bound = await bindBundle(bundle, check)
  if ('reason' in bound) return bound
  if (bound.value.hash !== signed.accumulatorHash)
    return fault('accumulator', 'The outputs are not those that the parties signed.')
  const settled = version !== datum.version
  return backedBundle({ bundle, rule: signed.rule, settled, parts: partsOf(bundle, settled) }, check)
}

/**
 * Returns true when either a deposit or a decommit is pending, and not both: one step on the base ledger carries out
 * exactly that.
 */
function isStep({ toCommit, toDecommit }: Bundle): boolean {
  return Object.keys(toCommit).length > 0 !== Object.keys(toDecommit).length > 0
}

/** Returns true when a snapshot is older than `newest`: by version, then by number. */
export function isOlder(
  { version, number }: { readonly version: number; readonly number: number },
  newest: BundleCheck['newest']
): boolean {
  return newest !== null && (version < newest.version || (version === newest.version && number < newest.number))
}

/** Computes the commitment to all outputs of a bundle; an output in two of its sets is a fault. */
export async function bindBundle(
  bundle: Bundle,
  options: BindOptions
): Promise<{ readonly value: AccumulatorValue } | BundleProblem> {
  try {
    const { utxo, toCommit, toDecommit } = await readSets(bundle)
    if (overlaps(utxo, toCommit, toDecommit)) return fault('accumulator', 'An output stands in two of the sets.')
    const value = await commitTo([utxo, toCommit, toDecommit], options)
    await pauseFor(sizeOf(bundle))
    return { value }
  } catch (error) {
    const failure = asVerificationError(error, 'input', 'The snapshot')
    if (failure.reason === 'accelerator') throw failure
    return faultOf({ reason: failure.reason, detail: failure.message })
  }
}

/** Returns the number of outputs in a bundle. */
export function sizeOf({ utxo, toCommit, toDecommit }: Bundle): number {
  return [utxo, toCommit, toDecommit].reduce((sum, set) => sum + Object.keys(set).length, 0)
}

/**
 * Returns the outputs of a snapshot by the sum that they count for; `settled`: its pending deposit or decommit has been
 * carried out on the base ledger.
 */
export function partsOf({ utxo, toCommit, toDecommit }: Bundle, settled: boolean): HeadParts {
  return settled
    ? { available: { ...utxo, ...toCommit }, arriving: {}, leaving: {} }
    : { available: utxo, arriving: toCommit, leaving: toDecommit }
}

/** Compares the outputs of a bundle with the value of the head's output. */
export function backedBundle(
  checked: Omit<CheckedBundle, 'mintedInside' | 'backed'>,
  { backing, strict }: Pick<BundleCheck, 'backing' | 'strict'>
): CheckedBundle | BundleProblem {
  const { unbacked, mintedInside } = excessOf(checked.parts, backing)
  const backed = unbacked.length + mintedInside.length === 0
  if (strict) return { ...checked, mintedInside: [], backed }
  return unbacked.length > 0
    ? fault('unbacked', `The outputs in the head are worth more ${unbacked[0]!} than the head's output holds.`)
    : { ...checked, mintedInside, backed: true }
}
