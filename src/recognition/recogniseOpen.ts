import type { AnchoredHead, RecognitionOutcome } from './answer.js'
import { answer, inHeadOf, lastVerifiedOf, verifiedRecordOf, recognisedSnapshotOf } from './answer.js'
import { checkAnswers, checkOf } from './checkAnswers.js'
import { checkOpenBundle } from './checkBundle.js'
import type { OpenHeadDatum } from './headDatum.js'
import type { CheckedMaterial } from './material.js'
import type { BundleProblem } from './readBundle.js'

/** Accumulator of no outputs: blake2b-256 of the generator of G1. */
const EMPTY_ACCUMULATOR = '34758143d508cf8e757b5298b216d453759175423c5987685c8c043713bebc31'

/** Recognises an open head from the answers of its endpoints: the newest snapshot that passes all checks. */
export async function recogniseOpen(
  material: CheckedMaterial,
  head: AnchoredHead,
  datum: OpenHeadDatum
): Promise<RecognitionOutcome> {
  const results = await checkAnswers(material, (bundle) => checkOpenBundle(bundle, checkOf(material, head, datum)))
  const { best, evidence, problem } = results
  if (best !== null) {
    const { bundle, rule, settled, parts, mintedInside } = best
    const recognition = answer(material, {
      state: 'VERIFIED_IN_HEAD',
      inHead: inHeadOf(parts, best, material, head),
      snapshot: recognisedSnapshotOf(best),
      head,
      evidence: {
        set: 'recomputed',
        version: settled ? 'settled' : 'equal',
        backed: best.backed,
        rule,
        endpoints: evidence
      },
      deviations: [
        ...(settled ? ['U1'] : []),
        ...(rule === datum.rules[0] && datum.fields === 8 ? [] : ['U3']),
        ...(mintedInside.length > 0 ? ['U6'] : [])
      ],
      arriving: settled ? null : bundle
    })
    return { recognition, record: await verifiedRecordOf(best, material) }
  }
  const isInitial = results.initial && datum.version === 0 && datum.accumulatorHash === EMPTY_ACCUMULATOR
  if (isInitial && material.known == null) {
    const none = { available: {}, arriving: {}, leaving: {} }
    const recognition = answer(material, {
      state: 'VERIFIED_IN_HEAD',
      inHead: inHeadOf(none, { mintedInside: [] }, material, head),
      snapshot: { number: 0, version: 0, rule: null, settled: false },
      head,
      evidence: { set: 'recomputed', version: 'equal', backed: true, endpoints: evidence }
    })
    return { recognition, record: null }
  }
  const { reason, detail } =
    problem ?? (isInitial ? rolledBack() : { reason: 'initial' as const, detail: 'The head is not empty any more.' })
  const recognition = answer(material, {
    state: 'UNVERIFIABLE',
    reason,
    detail,
    lastVerified: lastVerifiedOf(material),
    head,
    evidence: { endpoints: evidence }
  })
  return { recognition, record: null }
}

function rolledBack(): BundleProblem {
  return { reason: 'rollback', detail: 'The initial snapshot is older than one that was verified before.' }
}
