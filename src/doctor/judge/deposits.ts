import type { DepositFacts, HeadFacts, NodeFacts, SnapshotFacts } from '../facts/HeadFacts.js'
import { valueOrNull } from '../facts/HeadFacts.js'
import { EXPIRING_PART, LARGE_DRIFT, SHORT_DEPOSIT_PERIOD } from '../limits.js'
import type { Finding, PlannedStep } from '../types.js'
import { numberOf, finding, unknowns } from './finding.js'

/** State of a deposit in time, and when the next state begins, ms since the epoch. */
interface Window {
  readonly state: 'inactive' | 'active' | 'expiring' | 'expired' | 'recoverable'
  readonly next: number | null
}

/** Judges the deposits that are on the base ledger and not in the head. */
export function judgeDeposits(
  facts: HeadFacts,
  ownNode: NodeFacts,
  snapshot: SnapshotFacts | null,
  before: PlannedStep | null
): readonly Finding[] {
  return [...judgeOpen(facts, ownNode, snapshot, before), ...judgePeriod(facts, ownNode)]
}

function judgeOpen(
  { at, history }: HeadFacts,
  ownNode: NodeFacts,
  snapshot: SnapshotFacts | null,
  before: PlannedStep | null
): readonly Finding[] {
  if ('unread' in ownNode.deposits) return unknowns(['deposit-open'], ownNode.deposits.unread)
  const ids = ownNode.deposits.value
  if (ids.length === 0) return [finding('deposit-open', 'ok', 'No deposit is open.', { evidence: { open: 0 } })]
  const period = depositPeriodOf(ownNode)
  const depositsById = new Map(valueOrNull(history)?.deposits.map((each) => [each.txId, each]) ?? [])
  const approved = approvedIds(ownNode, snapshot, depositsById)
  const found: Finding[] = []
  const groups = new Map<Window['state'] | 'unknown' | 'approved', string[]>()
  for (const id of ids) {
    const deposit = depositsById.get(id)
    const isApproved = approved.has(id)
    const window = deposit === undefined || period === null ? null : windowOf(deposit, period, at)
    if (isApproved) found.push(approvedFinding(id, window))
    const group = isApproved ? 'approved' : (window?.state ?? 'unknown')
    groups.set(group, [...(groups.get(group) ?? []), id])
  }
  const next = nextTime(ids, depositsById, period, at)
  return [
    ...found,
    openFinding(ids, groups, next, before),
    ...lateFindings(groups, next),
    ...windowless(groups, history)
  ]
}

function openFinding(
  ids: readonly string[],
  groups: ReadonlyMap<string, readonly string[]>,
  next: number | null,
  before: PlannedStep | null
): Finding {
  const states = [...groups].map(([state, { length }]) => `${length} ${state}`)
  const blocks = before === 'close'
  return finding(
    'deposit-open',
    blocks ? 'block' : 'ok',
    blocks
      ? `A close now would leave ${numberOf(ids.length, 'deposit')} at the script.`
      : `On the base ledger and not in the head: ${numberOf(ids.length, 'deposit')} (${states.join(', ')}).`,
    { evidence: { open: ids.length, states, nextWindowAt: next }, refs: ids }
  )
}

function lateFindings(groups: ReadonlyMap<string, readonly string[]>, next: number | null): readonly Finding[] {
  const found: Finding[] = []
  const expiring = groups.get('expiring') ?? []
  if (expiring.length > 0)
    found.push(
      finding('deposit-expiring', 'warn', `About to expire: ${numberOf(expiring.length, 'deposit')}.`, {
        evidence: { nextWindowAt: next },
        refs: expiring
      })
    )
  const [expired, recoverable] = [groups.get('expired') ?? [], groups.get('recoverable') ?? []]
  if (expired.length + recoverable.length > 0)
    found.push(
      finding(
        'deposit-expired',
        'warn',
        `No longer included by the head: ${numberOf(expired.length + recoverable.length, 'deposit')}, of which ${recoverable.length} can be recovered now.`,
        { evidence: { recoverable: recoverable.length, nextWindowAt: next }, refs: [...recoverable, ...expired] }
      )
    )
  return found
}

function windowless(groups: ReadonlyMap<string, readonly string[]>, history: HeadFacts['history']): readonly Finding[] {
  const ids = groups.get('unknown') ?? []
  if (ids.length === 0) return []
  const reason = 'unread' in history ? history.unread : 'the history does not name their times'
  return unknowns(['deposit-expiring'], `${numberOf(ids.length, 'deposit')} without times: ${reason}`)
}

function approvedFinding(id: string, window: Window | null): Finding {
  const isLate = window !== null && (window.state === 'expired' || window.state === 'recoverable')
  return finding(
    'deposit-approved',
    isLate ? 'block' : 'ok',
    isLate
      ? 'A signed snapshot names a deposit that has expired: to recover it wedges the head.'
      : 'A deposit is in a signed snapshot and will be in the head with the next step of the base ledger.',
    { evidence: { window: window?.state ?? 'unknown', nextWindowAt: window?.next ?? null }, refs: [id] }
  )
}

/** Returns the deposits that a signed snapshot includes. */
function approvedIds(
  ownNode: NodeFacts,
  snapshot: SnapshotFacts | null,
  depositsById: ReadonlyMap<string, DepositFacts>
): ReadonlySet<string> {
  if (snapshot === null || snapshot.toCommit.length === 0) return new Set()
  // Of an older version than the head's, it names a deposit that is in the head already.
  const version = valueOrNull(ownNode.head)?.version
  if (version != null && snapshot.version !== null && version > snapshot.version) return new Set()
  if (snapshot.depositTxId !== null) return new Set([snapshot.depositTxId])
  // Before 2.4 the snapshot names no deposit: the node does, and its messages.
  const current = valueOrNull(ownNode.head)?.depositTxId
  if (current != null) return new Set([current])
  return new Set([...depositsById.values()].filter(({ approved }) => approved).map(({ txId }) => txId))
}

/**
 * Returns the state of a deposit in time by the rule of the node (HeadLogic.hs:909): active from its activation on,
 * expired from one deposit period before its deadline on.
 */
function windowOf(deposit: DepositFacts, period: number, at: number): Window | null {
  const { recoverableAt, activatedAt, recordedAt } = deposit
  if (recoverableAt === null) return null
  const expiresAt = recoverableAt - period * 1_000
  if (at >= recoverableAt) return { state: 'recoverable', next: null }
  if (at > expiresAt) return { state: 'expired', next: recoverableAt }
  const begin = activatedAt ?? recordedAt
  if (activatedAt === null) return { state: 'inactive', next: null }
  const isLate = begin !== null && expiresAt - at < (expiresAt - begin) / EXPIRING_PART
  return { state: isLate ? 'expiring' : 'active', next: expiresAt }
}

function nextTime(
  ids: readonly string[],
  depositsById: ReadonlyMap<string, DepositFacts>,
  period: number | null,
  at: number
): number | null {
  if (period === null) return null
  const times = ids.flatMap((id) => {
    const deposit = depositsById.get(id)
    const next = deposit === undefined ? null : (windowOf(deposit, period, at)?.next ?? null)
    return next === null ? [] : [next]
  })
  return times.length === 0 ? null : Math.min(...times)
}

function judgePeriod({ metrics, history }: HeadFacts, ownNode: NodeFacts): readonly Finding[] {
  const period = depositPeriodOf(ownNode)
  if (period === null) return unknowns(['deposit-period-short'], 'the node states no deposit period')
  if (period >= SHORT_DEPOSIT_PERIOD)
    return [finding('deposit-period-short', 'ok', `The deposit period is ${period} s.`, { evidence: { period } })]
  const drifts = [valueOrNull(metrics)?.drift ?? null, valueOrNull(history)?.maxDrift ?? null].filter(
    (each) => each !== null
  )
  const drift = drifts.length === 0 ? null : Math.max(...drifts)
  if (drift === null) {
    const reason = 'unread' in metrics ? metrics.unread : 'the metrics name no drift'
    return unknowns(['deposit-period-short'], `the deposit period is ${period} s, and ${reason}`)
  }
  const evidence = { period, drift }
  return [
    drift > LARGE_DRIFT
      ? finding('deposit-period-short', 'warn', `A deposit period of ${period} s with a drift of ${drift} s.`, {
          evidence
        })
      : finding('deposit-period-short', 'ok', `The deposit period is ${period} s, the drift at most ${drift} s.`, {
          evidence
        })
  ]
}

function depositPeriodOf({ greetings, config }: NodeFacts): number | null {
  return valueOrNull(greetings)?.depositPeriod ?? valueOrNull(config)?.depositPeriod ?? null
}
