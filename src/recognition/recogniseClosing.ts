import type { AnchoredHead, RecognitionOutcome } from './answer.js'
import { answer, inHeadOf, lastVerifiedOf, verifiedRecordOf, recognisedSnapshotOf } from './answer.js'
import { checkAnswers, checkOf } from './checkAnswers.js'
import type { SetMemo } from './bindSet.js'
import type { BundleCheck, CheckedBundle } from './checkBundle.js'
import { backedBundle, bindBundle, checkBundleSignatures, partsOf } from './checkBundle.js'
import type { ClosedHeadDatum, FanoutProgressDatum } from './headDatum.js'
import type { CheckedMaterial } from './material.js'
import type { Bundle, BundleProblem } from './readBundle.js'
import { lovelaceInHead } from './sumOutputs.js'
import type { ClosingHead } from './types.js'

/** Commitment to no outputs: the generator of G1, compressed. */
const EMPTY_COMMITMENT =
  '97f1d3a73197d7942695638c4fa9ac0fc3688c4f9774b905a14e3a3f171bac586c55e83ff97a1aeffb3af00adb22c6bb'

/**
 * Recognises a head that is closed on the base ledger. Its datum contains the commitment to the outputs that it pays
 * out, so a set with this commitment is proven by the chain, without signatures. Otherwise the newest snapshot that the
 * parties signed is shown as the last verified one.
 */
export async function recogniseClosing(
  material: CheckedMaterial,
  head: AnchoredHead,
  datum: ClosedHeadDatum | FanoutProgressDatum
): Promise<RecognitionOutcome> {
  const closing = closingOf(datum, material.asOf.timeMs)
  const isEmpty = [...head.backing.values()].every((quantity) => quantity <= 0n)
  // A node that works out no accumulators writes this commitment for any outputs: with value left, it says nothing.
  if (datum.commitment === EMPTY_COMMITMENT && isEmpty) {
    const none = { available: {}, arriving: {}, leaving: {} }
    const inHead = inHeadOf(none, { mintedInside: [] }, material, head)
    return outcome({ inHead, evidence: { set: 'on-chain', backed: true } })
  }
  const candidates = withKnown(material)
  if (datum.state === 'closed' && material.strict !== true) {
    const proven = await checkAnswers(candidates, (bundle, endpoint) =>
      onChain(bundle, { ...checkOf(material, head, datum), endpoint })
    )
    if (proven.best !== null) {
      const { best } = proven
      return outcome({
        inHead: inHeadOf(best.parts, best, material, head),
        snapshot: recognisedSnapshotOf(best),
        evidence: {
          set: 'on-chain',
          version: best.settled ? 'settled' : 'equal',
          backed: best.backed,
          endpoints: proven.evidence.filter(({ endpoint }) => endpoint !== STORE)
        },
        deviations: ['U8']
      })
    }
  }
  const signed = await checkAnswers(material, (bundle) => bySignatures(bundle, { ...checkOf(material, head, datum) }))
  const { best } = signed
  const shown = best === null ? null : await verifiedRecordOf(best, material)
  return outcome(
    {
      lastVerified: lastVerifiedOf(shown === null ? material : { ...material, known: shown }),
      evidence: { rule: best?.rule ?? null, set: best === null ? null : 'recomputed', endpoints: signed.evidence }
    },
    shown
  )

  function outcome(
    parts: Omit<Parameters<typeof answer>[1], 'state' | 'head' | 'closing'>,
    record: RecognitionOutcome['record'] = null
  ): RecognitionOutcome {
    return { recognition: answer(material, { ...parts, state: 'HEAD_CLOSING', head, closing }), record }
  }
}

function closingOf(datum: ClosedHeadDatum | FanoutProgressDatum, nowMs: number): ClosingHead {
  const { deadlineMs } = datum
  if (datum.state === 'fanout-progress') return { phase: 'paying-out', deadlineMs, snapshotNumber: null }
  return { phase: nowMs > deadlineMs ? 'payable' : 'contestable', deadlineMs, snapshotNumber: datum.snapshotNumber }
}

const STORE = 'store'

/** Returns the material with the stored snapshot as one more answer: the chain proves whichever fits. */
function withKnown(material: CheckedMaterial): CheckedMaterial {
  const { answers, known } = material
  return known == null
    ? material
    : { ...material, answers: [...answers, { endpoint: STORE, status: 200, body: known.bundle }] }
}

/** Endpoints that have shown unsigned outputs which do not have the commitment in the datum of a head. */
interface Guesses {
  readonly commitment: string
  readonly endpoints: Set<string>
}

/** Such endpoints by head, for each cache. */
const guessed = new WeakMap<SetMemo, Map<string, Guesses>>()

/**
 * Returns the endpoints that have shown wrong unsigned outputs for a commitment before. Computing a commitment is
 * costly, and an endpoint without keys could show another set each time, so each endpoint has one attempt per
 * commitment.
 */
function guessesOf(memo: SetMemo | undefined, { headId, commitment }: ClosedHeadDatum): Set<string> {
  if (memo === undefined) return new Set()
  const heads = guessed.get(memo) ?? new Map<string, Guesses>()
  guessed.set(memo, heads)
  const guesses = heads.get(headId)
  if (guesses?.commitment === commitment) return guesses.endpoints
  const endpoints = new Set<string>()
  heads.set(headId, { commitment, endpoints })
  return endpoints
}

/** Checks if a bundle (a snapshot with its signatures) has the commitment of the datum. */
async function onChain(
  bundle: Bundle,
  check: BundleCheck & { readonly datum: ClosedHeadDatum | FanoutProgressDatum; readonly endpoint: string }
): Promise<CheckedBundle | BundleProblem> {
  const { datum, memo, endpoint } = check
  const other = (detail: string): BundleProblem => ({ reason: 'accumulator', detail })
  if (datum.state !== 'closed') return other('Between two steps of the fanout no whole set is on the chain.')
  const steps = datum.version - bundle.version
  if (steps !== 0 && steps !== 1) return { reason: 'stale', detail: 'The snapshot is of an earlier version.' }
  // The number alone costs nothing to check: the commitment decides.
  if (bundle.number !== datum.snapshotNumber) return other('The head closes with another snapshot.')
  const settled = steps === 1
  const parts = partsOf(bundle, settled)
  const isSigned = !('reason' in (await checkBundleSignatures(bundle, check)))
  // The commitment does not say which outputs are pending: the signatures do, or the value of the head's output, which
  // a closed head holds to the last lovelace.
  if (!isSigned && lovelaceInHead(parts) !== check.backing.get('lovelace'))
    return other("The outputs are not worth as much as the head's output.")
  const guesses = guessesOf(memo, datum)
  if (!isSigned && guesses.has(endpoint))
    return other('The endpoint has shown other outputs without signatures before.')
  const bound = await bindBundle(bundle, check)
  if ('reason' in bound) return bound
  if (bound.value.commitment !== datum.commitment) {
    if (!isSigned) guesses.add(endpoint)
    return other('The head closes with other outputs.')
  }
  // A deposit that was not claimed before the close stays one.
  return backedBundle({ bundle, rule: null, settled, parts: settled ? parts : { ...parts, arriving: {} } }, check)
}

/** Checks a bundle of a closing head as the proposed standard does: the signatures, and the outputs that they cover. */
async function bySignatures(bundle: Bundle, check: BundleCheck): Promise<CheckedBundle | BundleProblem> {
  const signed = await checkBundleSignatures(bundle, check)
  if ('reason' in signed) return signed
  const bound = await bindBundle(bundle, check)
  if ('reason' in bound) return bound
  if (bound.value.hash !== signed.accumulatorHash)
    return { reason: 'accumulator', detail: 'The outputs are not those that the parties signed.' }
  return { bundle, rule: signed.rule, settled: false, parts: partsOf(bundle, false), mintedInside: [], backed: true }
}
