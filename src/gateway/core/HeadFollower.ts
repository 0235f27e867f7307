import type { Snapshot, TxOutJson, UTxOObject, WireRecord } from '../../bridge/inner.js'
import { getOwn, isRecord } from '../../bridge/inner.js'
import { parseJson } from '../../codec/json.js'
import { now } from '../../net/timers.js'
import type { OutRecord, PendingDeposit, RecordPosition, SnapshotRecord } from '../records.js'
import { endsHead, greetingsAfter, keptGreetings } from './greetings.js'
import type { LoggedHead } from './LoggedHead.js'
import { Audiences, refusedBy, tagOf } from './nodeMessage.js'
import { outputsOf } from '../delta.js'
import { pendingDepositOf, readSnapshotRecord, snapshotRecord } from './snapshotRecord.js'

/** Dependencies of a {@link HeadFollower}. */
export interface FollowerContext {
  /** State of the head in the log, as the last core left it. */
  readonly head: LoggedHead
  /** Appends a record to the log; the state changes at once. */
  emit(record: OutRecord): void
  /** Sends GET to a route of the node. */
  get(path: string): Promise<{ status: number; text: string }>
  /** Reads the messages after a snapshot that change the ledger from the node's history; null: it begins later. */
  past(position: RecordPosition): Promise<readonly WireRecord[] | null>
  /** Called when the logged state equals that of the node: from then on commands are accepted. */
  onReady(): void
  /** Called when the node's state cannot be read: the connection has to restart. */
  onFailed(error: unknown): void
}

const NOT_FOUND = 404
/** Shortest time between two of the node's reports of progress on the chain that are passed on, ms. */
const REPORT_MS = 1_000
/** Messages that may wait while the snapshot is read. */
const MAX_WAITING = 10_000

/** Turns the node's messages into records of the log; reads the node's state where the messages do not suffice. */
export class HeadFollower {
  readonly #context: FollowerContext
  readonly audiences: Audiences = new Audiences()
  #toCommit: UTxOObject | null = null
  /** Messages that arrived while the state is read; null: each is applied at once. */
  #waiting: WireRecord[] | null = []
  #attempt = 0
  #reportedAt = -Infinity
  /** True when the next state that is read is to be logged as a whole, even if the log has it. */
  #isRenewal = false

  constructor(context: FollowerContext) {
    this.#context = context
  }

  /** Notes a new connection: the state is unknown until Greetings comes. */
  begin(): void {
    this.#attempt++
    this.#waiting = []
  }

  receive(message: WireRecord): void {
    const tag = tagOf(message)
    if (tag === 'Greetings') return this.#readState(keptGreetings(message))
    if (this.#waiting === null) this.#apply(message, tag)
    else if (this.#waiting.push(message) > MAX_WAITING)
      this.#context.onFailed(new Error(`more than ${MAX_WAITING} messages came while the snapshot was read`))
  }

  /** Reads the state again and logs it as a whole; without a connection, once there is one. */
  renew(): void {
    this.#isRenewal = true
    if (this.#waiting === null) this.#readState(null)
  }

  /** Reads the whole state over HTTP; messages that arrive meanwhile wait. */
  #readState(greetings: WireRecord | null): void {
    const attempt = ++this.#attempt
    this.#waiting ??= []
    this.#requestState().then(
      (state) => {
        if (attempt !== this.#attempt) return
        this.#adopt(state, greetings)
        const waiting = this.#waiting ?? []
        this.#waiting = null
        for (const message of waiting) this.receive(message)
        this.#context.onReady()
      },
      (error: unknown) => {
        if (attempt === this.#attempt) this.#context.onFailed(error)
      }
    )
  }

  async #requestState(): Promise<(NodeState & DepositState) | null> {
    const { status, text } = await this.#context.get('/snapshot')
    if (status === NOT_FOUND) return null
    if (status !== 200) throw new Error(`HTTP ${status}`)
    const state = readState(parseJson(text, 'The snapshot'))
    return { ...state, ...(await this.#depositOf(state)), ...(await this.#missedBefore(state)) }
  }

  /** Returns the messages between the logged snapshot and a later one of the same head, if some were missed. */
  async #missedBefore({ position: { headId, number } }: NodeState): Promise<Pick<NodeState, 'missed'>> {
    const { head, past } = this.#context
    const { position } = head
    if (position === null || position.headId !== headId || number <= position.number + 1) return {}
    const missed = await past(position).catch(() => null)
    return missed === null ? {} : { missed }
  }

  /** Returns the deposit that the snapshot names, and if it is final: the snapshot names it until the next one. */
  async #depositOf({ message }: NodeState): Promise<DepositState> {
    const deposit = message === undefined ? {} : pendingDepositOf(message.snapshot)
    if (typeof deposit.depositTxId !== 'string') return { deposit: {}, isFinal: false }
    const { status, text } = await this.#context.get('/commits').catch(() => ({ status: 0, text: '' }))
    const ids = status === 200 ? parseJson(text, 'The pending deposits') : []
    const isPending = Array.isArray(ids) && ids.includes(deposit.depositTxId)
    return isPending ? { deposit, isFinal: false } : { deposit: {}, isFinal: true }
  }

  #adopt(state: (NodeState & DepositState) | null, greetings: WireRecord | null): void {
    const { head, emit } = this.#context
    const next = greetings ?? head.greetings ?? {}
    const isRenewal = this.#isRenewal
    this.#isRenewal = false
    this.#toCommit = state?.message === undefined ? null : (state.message.snapshot.utxoToCommit ?? null)
    if (state === null) {
      if (head.position !== null || head.greetings === null || isRenewal)
        emit({
          kind: 'reset',
          reason: head.position === null ? 'start' : 'ended',
          position: null,
          utxo: {},
          greetings: next
        })
      else this.#emitGreetings(next)
      return
    }
    // A snapshot that names a final deposit would bring it once more.
    const isStale =
      state.isFinal && (head.deposit.arriving !== undefined || head.position?.number !== state.position.number)
    const caughtUp = head.position === null || isRenewal || isStale ? null : catchUp(head, head.position, state)
    if (caughtUp === null) {
      const reason =
        head.greetings === null ? 'start' : head.position?.headId === state.position.headId ? 'resync' : 'otherHead'
      return emit({
        kind: 'reset',
        reason,
        position: state.position,
        utxo: Object.fromEntries(state.utxo),
        greetings: next,
        ...state.deposit
      })
    }
    this.#emitGreetings(next)
    if (caughtUp !== 'equal') emit(caughtUp)
  }

  // Not a message of the node to clients that are connected already: the state for those to come.
  #emitGreetings(greetings: WireRecord): void {
    const { head, emit } = this.#context
    if (JSON.stringify(greetings, bigintText) === JSON.stringify(head.greetings, bigintText)) return
    emit({ kind: 'message', message: greetings, greetings, addresses: null, txIds: [] })
  }

  #apply(message: WireRecord, tag: string): void {
    const { head, emit } = this.#context
    if (tag === 'SnapshotConfirmed') return this.#applySnapshot(message)
    const greetings = greetingsAfter(head.greetings ?? {}, message)
    const report = tag === 'SyncedStatusReport'
    if (
      report &&
      now() - this.#reportedAt < REPORT_MS &&
      getOwn(greetings, 'chainSyncedStatus') === getOwn(head.greetings ?? {}, 'chainSyncedStatus')
    )
      return
    if (report) this.#reportedAt = now()
    const { depositTxId, arriving = [] } = head.deposit
    // Messages name it by its id alone.
    if (typeof depositTxId === 'string') this.audiences.noteDeposit(depositTxId, arriving, head.utxo)
    const { addresses, txIds, toSender } = this.audiences.audienceOf(message, head.utxo)
    const changed = greetings === head.greetings ? {} : { greetings }
    emit({ kind: 'message', message, ...changed, addresses, txIds, ...(toSender ? { toSender } : {}) })
    this.#settleRefused(message)
    if (endsHead(message)) emit({ kind: 'reset', reason: 'ended', position: null, utxo: {}, greetings })
    else if (tag === 'HeadIsOpen') this.#opened(message, greetings)
    else if (tag === 'SnapshotSideLoaded') this.#readState(null)
  }

  // A head opens empty, apart from the commits before it (nodes up to 1.3).
  #opened(message: WireRecord, greetings: WireRecord): void {
    const headId = getOwn(message, 'headId')
    if (typeof headId !== 'string') return this.#readState(null)
    // It waited while the state was read, which shows it already.
    if (this.#context.head.position?.headId === headId) return
    const utxo = getOwn(message, 'utxo')
    this.#toCommit = null
    const outputs = isRecord(utxo) ? (utxo as UTxOObject) : {}
    this.#context.emit({
      kind: 'reset',
      reason: 'otherHead',
      position: { headId, number: 0, version: 0 },
      utxo: outputs,
      greetings
    })
  }

  #applySnapshot(message: WireRecord): void {
    const { head, emit } = this.#context
    const snapshot = readSnapshotRecord(getOwn(message, 'snapshot'))
    const { position, utxo } = head
    if (snapshot === null || position?.headId !== snapshot.headId) return this.#readState(null)
    if (snapshot.number <= position.number) return
    const record = snapshotRecord(message, snapshot, { position, utxo, toCommit: this.#toCommit })
    if (record === null) return this.#readState(null)
    this.#toCommit = snapshot.utxoToCommit
    emit(record)
  }

  /** Writes verdicts on refused transactions: `confirmed` where the head's outputs show that a copy was accepted. */
  #settleRefused(message: WireRecord): void {
    const { head, emit } = this.#context
    for (const { txId, reason } of refusedBy(message)) {
      const outcome = holdsOutputsOf(txId, head.utxo) ? 'confirmed' : 'refused'
      emit({ kind: 'verdict', txId, outcome, message, reason })
    }
  }
}

/** Returns true when the set holds outputs of a transaction, which means that it was confirmed. */
export function holdsOutputsOf(txId: string, utxo: ReadonlyMap<string, TxOutJson>): boolean {
  // Nearly every transaction keeps its first outputs for a while; the others cost a walk over the keys.
  for (let index = 0; index < 4; index++) if (utxo.has(`${txId}#${index}`)) return true
  for (const key of utxo.keys()) if (key.startsWith(`${txId}#`)) return true
  return false
}

/** Pending deposit of a state; `isFinal` is true once the base ledger has moved it into the head. */
interface DepositState {
  /** Empty where there is no deposit, or it is final. */
  readonly deposit: PendingDeposit
  readonly isFinal: boolean
}

interface NodeState {
  readonly position: RecordPosition
  readonly utxo: Map<string, TxOutJson>
  /** Messages of the history since the log's state, where it is several snapshots behind. */
  readonly missed?: readonly WireRecord[]
  /** Absent before the first snapshot. */
  readonly message?: { readonly wire: WireRecord; readonly snapshot: Snapshot }
}

function readState(body: unknown): NodeState {
  if (!isRecord(body)) throw new Error('no snapshot')
  const headId = getOwn(body, 'headId')
  if (getOwn(body, 'tag') === 'InitialSnapshot' && typeof headId === 'string') {
    const initial = getOwn(body, 'initialUTxO')
    return {
      position: { headId, number: 0, version: 0 },
      utxo: new Map(Object.entries((isRecord(initial) ? initial : {}) as UTxOObject))
    }
  }
  const snapshot = readSnapshotRecord(getOwn(body, 'snapshot'))
  if (snapshot?.utxo === undefined) throw new Error('no snapshot')
  const { number, version = 0 } = snapshot
  const wire = {
    tag: 'SnapshotConfirmed',
    headId: snapshot.headId,
    snapshot: body['snapshot'],
    signatures: body['signatures']
  }
  return {
    position: { headId: snapshot.headId, number, version },
    utxo: outputsOf(snapshot),
    message: { wire, snapshot }
  }
}

/**
 * Returns the record that turns the logged state into the state of the node; `equal` where they are the same, null
 * where the node has another head, an earlier state or one that no record leads to.
 */
function catchUp(head: LoggedHead, position: RecordPosition, state: NodeState): SnapshotRecord | 'equal' | null {
  if (position.headId !== state.position.headId || state.position.number < position.number) return null
  if (state.position.number === position.number) return isSame(head.utxo, state.utxo) ? 'equal' : null
  if (state.message === undefined) return null
  const { wire, snapshot } = state.message
  const record = snapshotRecord(wire, snapshot, { position, utxo: head.utxo, toCommit: null })
  return record === null || state.missed === undefined ? record : { ...record, missed: state.missed }
}

function isSame(left: ReadonlyMap<string, unknown>, right: ReadonlyMap<string, unknown>): boolean {
  if (left.size !== right.size) return false
  for (const key of left.keys()) if (!right.has(key)) return false
  return true
}

const bigintText = (_: string, value: unknown): unknown => (typeof value === 'bigint' ? value.toString() : value)
