import type { LayerPayload, Snapshot, UTxOObject } from '../../bridge/inner.js'
import { utxoFromJson } from '../../bridge/inner.js'
import type { UTxO } from '../../types/utxo.js'

/** Steps of a deposit; `ended`: finalized or recovered while messages were missed. */
export type FundsStep = 'recorded' | 'activated' | 'approved' | 'finalized' | 'expired' | 'recovered' | 'ended'
/** Steps of a decommit. */
export type DecommitStep = 'requested' | 'approved' | 'finalized' | 'refused'

/** A deposit as the node's messages show it. */
export interface DepositRow {
  readonly id: string
  readonly step: FundsStep
  /** Time of each step: ms since the Unix epoch. */
  readonly times: Readonly<Partial<Record<FundsStep, number>>>
  /** Time from which it can be recovered, ms since the Unix epoch; null until known. */
  readonly deadline: number | null
  /** Outputs of the deposit; empty until known. */
  readonly utxo: readonly UTxO[]
  /** First snapshot that names it (nodes from 2.4); null until one does. */
  readonly snapshot: number | null
}

/** A snapshot that brings a deposit into the head. */
export interface SnapshotDeposit {
  /** Number of the snapshot. */
  readonly number: number
  /** Id of the deposit: hex, 64 characters. */
  readonly depositTxId: string
}

/** A decommit as the node's messages show it. */
export interface DecommitRow {
  readonly id: string
  readonly step: DecommitStep
  readonly times: Readonly<Partial<Record<DecommitStep, number>>>
  readonly utxo: readonly UTxO[]
  /** Reason that the node gave for a refusal; null without one. */
  readonly reason: string | null
}

const MAX_ROWS = 500
const TX_ID = /^[0-9a-f]{64}$/

/** Collects deposits into the head and decommits out of it from the messages of a node. */
export class FundsLog {
  readonly #deposits = new Map<string, DepositRow>()
  readonly #decommits = new Map<string, DecommitRow>()
  /** By unit: quantity that entered the head, less the quantity that left it. */
  readonly #entered = new Map<string, bigint>()
  /** True when the log holds every deposit and decommit of the head since it opened. */
  complete = false
  #snapshotDeposit: SnapshotDeposit | null = null

  /** Number and deposit of the newest snapshot (nodes from 2.4); null while it names none. */
  get snapshotDeposit(): SnapshotDeposit | null {
    return this.#snapshotDeposit
  }

  /** Deposits, the newest first. */
  get deposits(): readonly DepositRow[] {
    return [...this.#deposits.values()].reverse()
  }

  /** Decommits, the newest first. */
  get decommits(): readonly DecommitRow[] {
    return [...this.#decommits.values()].reverse()
  }

  /** By unit: quantity that entered the head, less the quantity that left it. */
  get entered(): ReadonlyMap<string, bigint> {
    return this.#entered
  }

  /** Applies a message. Returns true when it changed the log. */
  apply(payload: LayerPayload): boolean {
    const at = Date.parse(payload.timestamp)
    switch (payload.tag) {
      case 'HeadIsInitializing':
      case 'HeadIsOpen':
        return this.#onOpen(payload)
      case 'SnapshotConfirmed':
        return this.#onSnapshot(payload.snapshot, at)
      case 'GatewaySnapshot':
        // Its deposit may be final for long.
        return this.#setSnapshotDeposit(payload)
      case 'Committed':
        this.#count(outputsOf(payload.utxo), 1n)
        return true
      case 'CommitRecorded':
        return this.#deposit(payload.pendingDeposit, 'recorded', at, {
          utxo: outputsOf(payload.utxoToCommit),
          deadline: timeOf(payload.deadline)
        })
      case 'DepositActivated':
        return this.#deposit(payload.depositTxId, 'activated', at, { deadline: timeOf(payload.deadline) })
      case 'DepositExpired':
        return this.#deposit(payload.depositTxId, 'expired', at, { deadline: timeOf(payload.deadline) })
      case 'CommitApproved':
        return this.#onCommitApproved(payload.utxoToCommit, at)
      case 'CommitFinalized':
        return this.#onCommitFinalized(payload.depositTxId, at)
      case 'CommitRecovered':
        return this.#deposit(payload.recoveredTxId, 'recovered', at, { utxo: outputsOf(payload.recoveredUTxO) })
      case 'DecommitRequested':
        return this.#decommit(payload.decommitTx.txId, 'requested', at, { utxo: outputsOf(payload.utxoToDecommit) })
      case 'DecommitApproved':
        return this.#decommit(payload.decommitTxId, 'approved', at, { utxo: outputsOf(payload.utxoToDecommit) })
      case 'DecommitInvalid':
        return this.#decommit(payload.decommitTx.txId, 'refused', at, {
          reason: decommitReason(payload.decommitInvalidReason)
        })
      case 'DecommitFinalized':
        return this.#onDecommitFinalized(payload.decommitTxId, at)
      default:
        return false
    }
  }

  /** Notes that messages were missed: pending deposits and decommits may have ended meanwhile. */
  markGap(): void {
    this.complete = false
  }

  /** Deposits that are not over. */
  get pendingIds(): readonly string[] {
    return [...this.#deposits.values()].filter(({ step }) => !isOver(step)).map(({ id }) => id)
  }

  /**
   * Applies the node's own list of pending deposits: adds those that are new, and marks as ended those of `before`
   * (pending when the list was requested) that it lacks.
   */
  setPending(ids: readonly string[], before: readonly string[]): void {
    const pending = new Set(ids)
    for (const id of ids) if (!this.#deposits.has(id)) this.#deposits.set(id, newDeposit(id, 'recorded'))
    for (const id of before) {
      const row = this.#deposits.get(id)
      if (row !== undefined && !pending.has(id) && !isOver(row.step)) this.#deposits.set(id, { ...row, step: 'ended' })
    }
  }

  #onOpen(payload: LayerPayload & { tag: 'HeadIsOpen' | 'HeadIsInitializing' }): boolean {
    // Before 2.0 commits come between the two.
    if (payload.tag === 'HeadIsOpen' && payload.utxo !== undefined) return true
    this.#entered.clear()
    this.#decommits.clear()
    this.#snapshotDeposit = null
    this.complete = true
    return true
  }

  #onSnapshot(snapshot: Snapshot, at: number): boolean {
    const isChange = this.#setSnapshotDeposit(snapshot)
    const id = this.#snapshotDeposit?.depositTxId
    const row = id === undefined ? undefined : this.#deposits.get(id)
    if (id === undefined || (row !== undefined && (row.snapshot !== null || isOver(row.step)))) return isChange
    // A confirmed snapshot has the signatures of all parties.
    return this.#deposit(id, 'approved', at, {
      utxo: outputsOf(snapshot.utxoToCommit ?? undefined),
      snapshot: snapshot.number
    })
  }

  #setSnapshotDeposit({ number, depositTxId }: { number: number; depositTxId?: unknown }): boolean {
    const before = this.#snapshotDeposit
    this.#snapshotDeposit = typeof depositTxId === 'string' && TX_ID.test(depositTxId) ? { number, depositTxId } : null
    return before !== null || this.#snapshotDeposit !== null
  }

  #onCommitApproved(utxoToCommit: UTxOObject, at: number): boolean {
    const keys = Object.keys(utxoToCommit)
    const row = [...this.#deposits.values()].find(
      ({ utxo, step }) =>
        !isOver(step) && utxo.length === keys.length && utxo.every((each) => keys.includes(refOf(each)))
    )
    return row !== undefined && this.#deposit(row.id, 'approved', at)
  }

  #onCommitFinalized(id: string, at: number): boolean {
    const before = this.#deposits.get(id)
    if (before?.step === 'finalized') return false
    if (before === undefined || before.utxo.length === 0) this.complete = false
    this.#count(before?.utxo ?? [], 1n)
    return this.#deposit(id, 'finalized', at)
  }

  #onDecommitFinalized(id: string | undefined, at: number): boolean {
    // One at a time: where no id is sent it is the one under way.
    const row =
      id === undefined
        ? this.decommits.find(({ step }) => step === 'requested' || step === 'approved')
        : this.#decommits.get(id)
    if (row === undefined) this.complete = false
    if (row === undefined || row.step === 'finalized') return false
    this.#count(row.utxo, -1n)
    return this.#decommit(row.id, 'finalized', at)
  }

  #deposit(
    id: string,
    step: FundsStep,
    at: number,
    changes: Partial<Pick<DepositRow, 'utxo' | 'deadline' | 'snapshot'>> = {}
  ): boolean {
    const before = this.#deposits.get(id) ?? newDeposit(id, step)
    const deadline = changes.deadline ?? before.deadline
    const utxo = changes.utxo !== undefined && changes.utxo.length > 0 ? changes.utxo : before.utxo
    this.#deposits.set(id, {
      id,
      step: isOver(before.step) ? before.step : step,
      times: { ...before.times, [step]: at },
      deadline,
      utxo,
      snapshot: changes.snapshot ?? before.snapshot
    })
    trim(this.#deposits)
    return true
  }

  #decommit(
    id: string,
    step: DecommitStep,
    at: number,
    changes: Partial<Pick<DecommitRow, 'utxo' | 'reason'>> = {}
  ): boolean {
    const before = this.#decommits.get(id) ?? { id, step, times: {}, utxo: [], reason: null }
    this.#decommits.set(id, {
      ...before,
      step,
      times: { ...before.times, [step]: at },
      utxo: changes.utxo ?? before.utxo,
      reason: changes.reason ?? before.reason
    })
    trim(this.#decommits)
    return true
  }

  #count(outputs: readonly UTxO[], sign: bigint): void {
    for (const { output } of outputs) {
      for (const { unit, quantity } of output.amount)
        this.#entered.set(unit, (this.#entered.get(unit) ?? 0n) + sign * BigInt(quantity))
    }
  }
}

/** Returns true when a deposit has ended. */
export const isOver = (step: FundsStep): boolean => step === 'finalized' || step === 'recovered' || step === 'ended'

const newDeposit = (id: string, step: FundsStep): DepositRow => ({
  id,
  step,
  times: {},
  deadline: null,
  utxo: [],
  snapshot: null
})

const refOf = ({ input }: UTxO): string => `${input.txHash}#${input.index}`

function trim(rows: Map<string, unknown>): void {
  for (const id of rows.keys()) {
    if (rows.size <= MAX_ROWS) return
    rows.delete(id)
  }
}

function timeOf(iso: string | undefined): number | null {
  const time = Date.parse(String(iso ?? ''))
  return Number.isNaN(time) ? null : time
}

// A proxy may alter parts that the bridge does not use: unreadable outputs are shown as none.
function outputsOf(utxo: UTxOObject | undefined): UTxO[] {
  try {
    return utxoFromJson(utxo ?? {})
  } catch {
    return []
  }
}

function decommitReason(
  why: { tag?: unknown; validationError?: { reason?: unknown }; otherDecommitTxId?: unknown } | undefined
): string {
  if (typeof why?.validationError?.reason === 'string') return why.validationError.reason
  if (typeof why?.otherDecommitTxId === 'string') return `Another decommit is under way: ${why.otherDecommitTxId}`
  return typeof why?.tag === 'string' ? why.tag : 'No reason given'
}
