import type { NodeFacts } from '../facts/HeadFacts.js'
import { valueOrNull } from '../facts/HeadFacts.js'
import type { FanoutCosts } from '../limits.js'
import { FANOUT_ENVELOPE_BYTES, fanoutCostsOf, MAX_REFS } from '../limits.js'
import type { ExitEstimate, Finding } from '../types.js'
import { numberOf, finding } from './finding.js'
import type { MeasuredOutput } from './measureOutputs.js'
import type { NodeVersionNumbers } from './outputs.js'

/** Largest transaction on mainnet, bytes: used where the limit of the base ledger is unknown. */
const MAINNET_TX_BYTES = 16_384
/**
 * Share of the execution limit above which a chunk (one fanout transaction) is too near to it: such a chunk may pass
 * the check of the node and still fail [R20].
 */
const SPARE = 0.99

/** One fanout transaction: it pays out the first of the remaining outputs, in the order of references. */
interface Chunk {
  readonly from: number
  readonly count: number
  readonly steps: number
}

/**
 * Estimates the fanout of a head, and judges if a chunk (one fanout transaction) comes too near to the execution limit.
 */
export function* judgeExit(
  outputs: readonly MeasuredOutput[],
  version: NodeVersionNumbers,
  maxTxSize: number | null,
  ownNode: NodeFacts
): Generator<undefined, { readonly exit: ExitEstimate; readonly finding: Finding }> {
  const costs = fanoutCostsOf(version)
  const most = (maxTxSize ?? MAINNET_TX_BYTES) - FANOUT_ENVELOPE_BYTES
  const sorted = yield* inOrder(outputs)
  const { chunks, reached } = yield* cut(sorted, costs, most)
  const blocked = sorted.slice(reached)
  const fewest = Math.ceil(sorted.length / Math.min(costs.maxOutputs, Math.max(1, sorted.length)))
  // The estimate of the steps is the careful end; bytes and curve points alone the other.
  const range = { least: Math.min(fewest, chunks.length), most: Math.max(fewest, chunks.length) }
  const period = periodOf(ownNode)
  const perChunk = chunks.map(({ count }) => count)
  const exit: ExitEstimate = {
    outputs: sorted.length,
    chunks: range,
    outputsPerChunk: {
      least: perChunk.reduce((min, count) => Math.min(min, count), perChunk[0] ?? 0),
      most: Math.min(costs.maxOutputs, sorted.length)
    },
    fees: {
      least: costs.closeFee.least + costs.feePerChunk.least * BigInt(range.least),
      most: costs.closeFee.most + costs.feePerChunk.most * BigInt(range.most)
    },
    fuel: costs.closeFee.most + costs.feePerChunk.most * BigInt(range.most),
    first: sorted.slice(0, Math.min(chunks[0]?.count ?? 0, MAX_REFS)).map(({ ref }) => ref),
    blocked: blocked.slice(0, MAX_REFS).map(({ ref }) => ref),
    blockedOmitted: Math.max(0, blocked.length - MAX_REFS),
    // Two periods to ReadyToFanout [R29], then a step after another.
    secondsToMoney:
      period === null
        ? null
        : {
            least: 2 * period + costs.secondsPerChunk.least * range.least,
            most: 2 * period + costs.secondsPerChunk.most * range.most
          }
  }
  return { exit, finding: judgeBudget(sorted, chunks, costs) }
}

/** Sorts references as the map of the node does: by the bytes of the id, then by the index. */
function* inOrder(outputs: readonly MeasuredOutput[]): Generator<undefined, MeasuredOutput[]> {
  const keyed = outputs.map((output) => {
    const at = output.ref.lastIndexOf('#')
    return { output, id: output.ref.slice(0, at), index: Number(output.ref.slice(at + 1)) }
  })
  // Runs are sorted in slices and merged, so that 100,000 references do not hold the thread up.
  let runs = []
  for (let from = 0; from < keyed.length; from += RUN) {
    runs.push(keyed.slice(from, from + RUN).sort(byReference))
    yield
  }
  while (runs.length > 1) {
    const merged = []
    for (let i = 0; i < runs.length; i += 2) merged.push(yield* merge(runs[i]!, runs[i + 1] ?? []))
    runs = merged
  }
  return (runs[0] ?? []).map(({ output }) => output)
}

const RUN = 2_000

interface Keyed {
  readonly output: MeasuredOutput
  readonly id: string
  readonly index: number
}

const byReference = (a: Keyed, b: Keyed): number => (a.id < b.id ? -1 : a.id > b.id ? 1 : a.index - b.index)

function* merge(left: readonly Keyed[], right: readonly Keyed[]): Generator<undefined, Keyed[]> {
  const all: Keyed[] = []
  let [i, j] = [0, 0]
  while (i < left.length || j < right.length) {
    const isLeft = j >= right.length || (i < left.length && byReference(left[i]!, right[j]!) <= 0)
    all.push(isLeft ? left[i++]! : right[j++]!)
    if (all.length % RUN === 0) yield
  }
  return all
}

/** Cuts outputs into chunks, each as long as fits; stops at an output that does not fit alone. */
function* cut(
  sorted: readonly MeasuredOutput[],
  costs: FanoutCosts,
  mostBytes: number
): Generator<undefined, { chunks: Chunk[]; reached: number }> {
  const chunks: Chunk[] = []
  let from = 0
  let [count, steps, bytes] = [0, costs.baseSteps, 0]
  for (const [i, { sizeBytes }] of sorted.entries()) {
    const outputSteps = costs.stepsPerOutput + costs.stepsPerByte * sizeBytes
    if (sizeBytes > mostBytes || costs.baseSteps + outputSteps > costs.stepsLimit) {
      if (count > 0) chunks.push({ from, count, steps })
      return { chunks, reached: i }
    }
    if (steps + outputSteps > costs.stepsLimit || bytes + sizeBytes > mostBytes || count >= costs.maxOutputs) {
      chunks.push({ from, count, steps })
      from = i
      count = 0
      steps = costs.baseSteps
      bytes = 0
    }
    count++
    steps += outputSteps
    bytes += sizeBytes
    if (i % RUN === RUN - 1) yield
  }
  if (count > 0) chunks.push({ from, count, steps })
  return { chunks, reached: sorted.length }
}

function judgeBudget(sorted: readonly MeasuredOutput[], chunks: readonly Chunk[], costs: FanoutCosts): Finding {
  const tight = chunks.find(({ steps }) => steps > costs.stepsLimit * SPARE)
  if (tight === undefined)
    return finding('exit-budget', 'ok', 'By estimate, no fanout transaction comes near the execution limit.', {
      evidence: { chunks: chunks.length }
    })
  const behind = sorted.length - tight.from
  return finding(
    'exit-budget',
    'warn',
    `By estimate, a fanout transaction comes within 1 % of the execution limit; ${numberOf(behind, 'output')} would wait.`,
    {
      evidence: { estimatedSteps: tight.steps, limit: costs.stepsLimit, outputs: tight.count, waiting: behind },
      refs: sorted.slice(tight.from, tight.from + tight.count).map(({ ref }) => ref)
    }
  )
}

/** Returns the contestation period of the head of a node, seconds; null while it is unknown. */
export function periodOf({ head, greetings }: NodeFacts): number | null {
  return valueOrNull(head)?.contestationPeriod ?? valueOrNull(greetings)?.contestationPeriod ?? null
}
