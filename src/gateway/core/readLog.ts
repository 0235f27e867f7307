import { parseJson } from '../../codec/json.js'
import type { GatewayLog, LoggedRecord } from '../log/GatewayLog.js'
import type { BaseRecord, HeadStreams, OutRecord } from '../records.js'
import { LoggedHead } from './LoggedHead.js'
import { addRecord, NOTHING } from './sinceBase.js'
import type { SinceBase } from './sinceBase.js'

const PAGE = 500

/** The newest base of a head; null when there is none yet. */
export async function newestBase(log: GatewayLog, streams: HeadStreams): Promise<BaseRecord | null> {
  let newest: LoggedRecord | undefined
  for await (const logged of recordsAfter(log, streams.base, null)) newest = logged
  return newest === undefined ? null : (parseJson(newest.record) as BaseRecord)
}

/** The oldest base after which no record is missing: from there clients can resume. Null when there is none yet. */
export async function oldestUsableBase(log: GatewayLog, streams: HeadStreams): Promise<BaseRecord | null> {
  const { oldest } = await log.read(streams.out, null, 1)
  let newest: BaseRecord | null = null
  for await (const { record } of recordsAfter(log, streams.base, null)) {
    newest = parseJson(record) as BaseRecord
    if (oldest !== null && compareIds(newest.after, oldest) >= 0) return newest
  }
  return newest
}

/** Order of two ids of a stream: numbers, or numbers with a dash as those of Redis. */
export function compareIds(left: string, right: string): number {
  const [a = 0, b = 0] = left.split('-').map(Number)
  const [c = 0, d = 0] = right.split('-').map(Number)
  return a === c ? b - d : a - c
}

/** Records of a stream that are there now. */
export async function* recordsAfter(log: GatewayLog, stream: string, after: string | null): AsyncGenerator<LoggedRecord> {
  for (let from = after; ;) {
    const { records } = await log.read(stream, from, PAGE)
    yield* records
    if (records.length < PAGE) return
    from = records.at(-1)!.id
  }
}

/** What a new core takes over. */
export interface TakenOver {
  readonly head: LoggedHead
  /** Last command that was sent on; null: none that the log still has. */
  readonly lastCommand: string | null
  /** Transactions that were sent on and have no verdict. */
  readonly pending: ReadonlySet<string>
  /** What the log has after its newest base. */
  readonly sinceBase: SinceBase
}

/** State of the log at its end. Where records after the newest base are missing, the head is without a position: nobody knows its outputs. */
export async function takeOver(log: GatewayLog, streams: HeadStreams): Promise<TakenOver> {
  const head = new LoggedHead()
  const base = await newestBase(log, streams)
  let lastCommand: string | null = null
  const pending = new Set<string>()
  let sinceBase = NOTHING
  let isBaseOver = base === null
  let isMissing = false
  // From the oldest record on: a command may have been sent before the base.
  for await (const { id, record } of recordsAfter(log, streams.out, null)) {
    const out = parseJson(record) as OutRecord
    if (!isBaseOver && compareIds(id, base!.after) >= 0) {
      loadBase(head, base!)
      isBaseOver = true
    }
    if (isBaseOver && id !== base?.after) {
      isMissing = out.kind !== 'reset' && (isMissing || !follows(head, out))
      if (isMissing) head.load({ position: null, utxo: {}, greetings: head.greetings })
      if (!isMissing || out.kind !== 'snapshot') head.apply(out)
      sinceBase = addRecord(sinceBase, out, record)
    }
    if (out.kind === 'sending') lastCommand = out.command
    settle(out, pending)
  }
  if (!isBaseOver) loadBase(head, base!)
  return { head, lastCommand, pending, sinceBase }
}

/** Whether a record leads on from a state: a snapshot does from the one before it alone. */
export function follows({ position }: LoggedHead, record: OutRecord): boolean {
  return record.kind !== 'snapshot' || (position?.headId === record.headId && position.number === record.from)
}

// A reset says nothing of the connection; a base does.
function loadBase(head: LoggedHead, base: BaseRecord): void {
  head.load(base)
  head.connected = base.connected
}

function settle(out: OutRecord, pending: Set<string>): void {
  if (out.kind === 'sending' && out.txId !== null) pending.add(out.txId)
  else if (out.kind === 'verdict') pending.delete(out.txId)
  else if (out.kind === 'snapshot') for (const { txId } of out.txs) pending.delete(txId)
}
