import { InvalidArgumentError } from '../../errors/input.js'
import { runInTasks } from '../../net/nextTask.js'
import { now } from '../../net/timers.js'
import { readHeadFacts } from '../facts/readHeadFacts.js'
import type { HeadFacts, NodeFacts, SnapshotFacts } from '../facts/HeadFacts.js'
import { valueOrNull } from '../facts/HeadFacts.js'
import type { Diagnosis, DiagnoseOptions, ExitEstimate, Finding, FindingSeverity, PlannedStep } from '../types.js'
import { compareNodes, judgeCostModels, judgePeers } from './compareNodes.js'
import { judgeDecommits } from './decommits.js'
import { judgeDeposits } from './deposits.js'
import { judgeExit } from './exit.js'
import { numberOf, finding, unknowns } from './finding.js'
import { judgeFuel } from './fuel.js'
import { measureOutputs } from './measureOutputs.js'
import { judgePeriodLength, judgeRest, judgeSync, judgeVersions, versionOf } from './nodes.js'
import { judgeCount, judgeOutputs, judgeTokens, OUTPUT_CODES } from './outputs.js'

/** Time after which the work pauses for other tasks, ms. */
const SLICE_MS = 8

/**
 * Judges the facts of a head. It reads no other source, and uses the time in the facts as the present; many outputs are
 * judged in slices, so that other tasks can run. The worst findings come first. A finding that lacks facts is
 * `'unknown'`, never `'ok'`.
 *
 * @throws {@link HeadFactsError} on a value that does not hold facts of a head, or is of a newer version
 * @example
 * ```ts no-run
 * import { readFileSync } from 'node:fs'
 * import { diagnose, readHeadFacts } from 'layer-sdk/doctor'
 * const facts = readHeadFacts(readFileSync('facts.json', 'utf8'))
 * for (const { severity, code, what } of (await diagnose(facts)).findings) console.log(severity, code, what)
 * ```
 */
export async function diagnose(facts: HeadFacts, options: DiagnoseOptions = {}): Promise<Diagnosis> {
  const { signal, before = null } = options
  if (before !== null && before !== 'close' && before !== 'decommit')
    throw new InvalidArgumentError('before', "'close' or 'decommit'", before)
  signal?.throwIfAborted()
  return runInTasks(paced(judgeFacts(readHeadFacts(facts), before)), signal)
}

/** Yields only when the time of a slice is used up, so that small heads are judged in one task. */
function* paced<T>(steps: Generator<undefined, T>): Generator<undefined, T> {
  let since = now()
  for (;;) {
    const step = steps.next()
    if (step.done === true) return step.value
    if (now() - since < SLICE_MS) continue
    yield
    since = now()
  }
}

function* judgeFacts(facts: HeadFacts, before: PlannedStep | null): Generator<undefined, Diagnosis> {
  const ownNode = facts.nodes[0]!
  const base = valueOrNull(facts.base)
  const version = versionOf(ownNode)
  const snapshot = valueOrNull(ownNode.snapshot)
  const found: Finding[] = []
  let exit: ExitEstimate | null = null
  let networkId: number | null = null
  let outputs = null
  if (snapshot === null) found.push(...withoutSnapshot(ownNode))
  else {
    const all = [...snapshot.utxo, ...pendingOf(ownNode, snapshot)]
    const measured = yield* measureOutputs(all, base === null ? null : BigInt(base.coinsPerByte))
    ;({ networkId, outputs } = measured)
    found.push(judgeCount(snapshot, version), ...judgeTokens(facts, snapshot))
    found.push(...judgeOutputs(measured, facts.base, ownNode.parameters))
    const estimate = yield* judgeExit(outputs, version, base?.maxTxSize ?? null, ownNode)
    exit = estimate.exit
    found.push(estimate.finding, ...pendingTxs(ownNode, before))
  }
  yield
  if (snapshot !== null || 'unread' in ownNode.snapshot) {
    found.push(...judgeDeposits(facts, ownNode, snapshot, before), ...judgeDecommits(facts, ownNode, snapshot, before))
    found.push(...judgePeers(facts))
  }
  found.push(...judgeFuel(facts, ownNode, exit), ...judgeVersions(facts.nodes), ...judgeSync(facts))
  found.push(...compareNodes(facts.nodes), ...judgeCostModels(facts))
  found.push(...judgePeriodLength(ownNode, networkId), ...judgeRest(facts, outputs))
  return { findings: inOrder(found), exit }
}

/** Returns the outputs that a pending decommit or deposit moves, and that the fanout has to pay out as things are. */
function pendingOf(ownNode: NodeFacts, snapshot: SnapshotFacts): SnapshotFacts['utxo'] {
  const version = valueOrNull(ownNode.head)?.version ?? null
  const isApplied = version !== null && snapshot.version !== null && version > snapshot.version
  return isApplied ? snapshot.toCommit : snapshot.toDecommit
}

function withoutSnapshot({ snapshot }: NodeFacts): readonly Finding[] {
  if ('unread' in snapshot) return unknowns(OUTPUT_CODES, snapshot.unread)
  return [finding('outputs-limit', 'ok', 'There is no head, or it has been paid out.')]
}

function pendingTxs({ head }: NodeFacts, before: PlannedStep | null): readonly Finding[] {
  if ('unread' in head) return unknowns(['unconfirmed-transactions'], head.unread)
  const { unconfirmed } = head.value
  const evidence = { unconfirmed }
  return [
    unconfirmed > 0 && before === 'close'
      ? finding('unconfirmed-transactions', 'warn', `A close drops ${numberOf(unconfirmed, 'transaction')}.`, {
          evidence
        })
      : finding('unconfirmed-transactions', 'ok', `In no snapshot yet: ${numberOf(unconfirmed, 'transaction')}.`, {
          evidence
        })
  ]
}

const WORST_FIRST: readonly FindingSeverity[] = ['block', 'warn', 'unknown', 'ok']

/** Sorts findings by weight; within one weight they stay in the order of the judges. */
export function inOrder(findings: readonly Finding[]): Finding[] {
  return [...findings].sort((a, b) => WORST_FIRST.indexOf(a.severity) - WORST_FIRST.indexOf(b.severity))
}
