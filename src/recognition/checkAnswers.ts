import type { BundleCheck, CheckedBundle } from './checkBundle.js'
import { isOlder, sizeOf } from './checkBundle.js'
import type { AnchoredHead } from './answer.js'
import { pauseFor } from './inSteps.js'
import type { HeadDatum } from './headDatum.js'
import type { CheckedMaterial } from './material.js'
import type { Bundle, BundleProblem, EndpointAnswer } from './readBundle.js'
import { readBundle } from './readBundle.js'
import type { EndpointEvidence, RecognitionReason } from './types.js'

/** Order in which reasons count when several endpoints fail: the one that says most comes first. */
const WORST_FIRST: readonly RecognitionReason[] = [
  'newer-version',
  'source-behind',
  'stale',
  'rollback',
  'unbacked',
  'accumulator',
  'signature',
  'parties',
  'other-head',
  'initial',
  'malformed',
  'too-large',
  'refused',
  'unreachable'
]

/** Returns the facts that a bundle (a snapshot with its signatures) of this head is checked against. */
export function checkOf<Datum extends HeadDatum>(
  { strict = false, nodeVersion, known, memo, accelerator }: CheckedMaterial,
  { backing }: AnchoredHead,
  datum: Datum
): BundleCheck & { readonly datum: Datum } {
  return { datum, backing, strict, nodeVersion, newest: known ?? null, memo, accelerator }
}

/** Results of all endpoints: the newest snapshot that passed the checks, or the reason that says most. */
export interface CheckedAnswers {
  readonly best: CheckedBundle | null
  /** True: an endpoint shows the initial snapshot. */
  readonly initial: boolean
  readonly problem: BundleProblem | null
  readonly evidence: readonly EndpointEvidence[]
}

/** Checks the answers of all endpoints, one after another. */
export async function checkAnswers(
  { answers, headId }: CheckedMaterial,
  check: (bundle: Bundle, endpoint: string) => Promise<CheckedBundle | BundleProblem>
): Promise<CheckedAnswers> {
  let best: CheckedBundle | null = null
  let initial = false
  const problems: BundleProblem[] = []
  const evidence: EndpointEvidence[] = []
  for (const each of answers) {
    const read = readBundle(each)
    const isInitial = 'tag' in read && read.tag === 'InitialSnapshot'
    const result = await resultOf(read, each.endpoint)
    if (isInitial && result === null) initial = true
    else if (result !== null && 'reason' in result) problems.push(result)
    else if (result !== null && (best === null || isOlder(best.bundle, result.bundle))) best = result
    evidence.push(evidenceOf(each, 'tag' in read && read.tag === 'ConfirmedSnapshot' ? read.number : null, result))
  }
  if (answers.length === 0) problems.push({ reason: 'unreachable', detail: 'No endpoint of the head is known.' })
  const [problem = null] = problems.sort((a, b) => WORST_FIRST.indexOf(a.reason) - WORST_FIRST.indexOf(b.reason))
  return { best, initial, problem, evidence }

  async function resultOf(
    read: ReturnType<typeof readBundle>,
    endpoint: string
  ): Promise<CheckedBundle | BundleProblem | null> {
    if (!('tag' in read)) return read
    if (read.headId !== headId) return { reason: 'other-head', detail: 'The snapshot is of another head.' }
    if (read.tag === 'InitialSnapshot') return null
    const size = sizeOf(read)
    await pauseFor(size)
    const result = await check(read, endpoint)
    await pauseFor(size)
    return result
  }
}

function evidenceOf(
  { endpoint }: EndpointAnswer,
  number: number | null,
  result: CheckedBundle | BundleProblem | null
): EndpointEvidence {
  if (result === null) return { endpoint, ok: true, reason: null, detail: null, number: 0 }
  return 'reason' in result
    ? { endpoint, ok: false, reason: result.reason, detail: result.detail, number }
    : { endpoint, ok: true, reason: null, detail: null, number }
}
