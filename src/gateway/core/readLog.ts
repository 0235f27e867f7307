import type { GatewayLog, LoggedRecord } from '../log/GatewayLog.js'
import { readBaseRecord, readOutRecord } from '../log/readRecords.js'
import type { BaseRecord, HeadStreams, OutRecord } from '../records.js'
import { Commands } from './Commands.js'
import { LoggedHead } from './LoggedHead.js'
import { compareIds } from './logIds.js'
import { addRecord, NOTHING } from './sinceBase.js'
import type { SinceBase } from './sinceBase.js'

const PAGE = 500

/** Receives the stream and id of a record that cannot be read and is therefore skipped. */
export type OnUnreadable = (stream: string, id: string) => void

/** Returns the newest base record (whole state) of a head; null when there is none yet. */
export async function newestBase(
  log: GatewayLog,
  streams: HeadStreams,
  onUnreadable?: OnUnreadable
): Promise<BaseRecord | null> {
  let newest: BaseRecord | null = null
  for await (const base of bases(log, streams, onUnreadable)) newest = base
  return newest
}

/**
 * Returns the oldest base record (whole state) after which `out` misses no record: from there on clients can resume.
 * Null when there is none yet.
 */
export async function oldestUsableBase(
  log: GatewayLog,
  streams: HeadStreams,
  onUnreadable?: OnUnreadable
): Promise<BaseRecord | null> {
  const { oldest } = await log.read(streams.out, null, 1)
  let newest: BaseRecord | null = null
  for await (const base of bases(log, streams, onUnreadable)) {
    newest = base
    if (oldest !== null && compareIds(newest.after, oldest) >= 0) return newest
  }
  return newest
}

async function* bases(log: GatewayLog, streams: HeadStreams, onUnreadable?: OnUnreadable): AsyncGenerator<BaseRecord> {
  let newest: string | null = null
  for await (const { id, record } of recordsAfter(log, streams.base, null)) {
    const base = readBaseRecord(record)
    if (base !== null && !isReached(base, newest)) ({ newest } = await log.read(streams.out, null, 1))
    // One that names a record to come is none of this log.
    if (base === null || !isReached(base, newest)) onUnreadable?.(streams.base, id)
    else yield base
  }
}

function isReached({ after }: BaseRecord, newest: string | null): boolean {
  return newest !== null && compareIds(after, newest) <= 0
}

/** Yields the records of a stream after an id, up to the newest one. */
export async function* recordsAfter(
  log: GatewayLog,
  stream: string,
  after: string | null
): AsyncGenerator<LoggedRecord> {
  for (let from = after; ;) {
    const { records } = await log.read(stream, from, PAGE)
    yield* records
    if (records.length < PAGE) return
    from = records.at(-1)!.id
  }
}

/** State in the log, from which a new core continues. */
export interface CoreState {
  readonly head: LoggedHead
  /** Progress of the earlier cores with the commands. */
  readonly commands: Commands
  /**
   * True when the log does not show which commands were sent: its base is of a version that does not state it, and the
   * records are gone.
   */
  readonly isCommandLost: boolean
  /** Amounts in the log after its newest base. */
  readonly sinceBase: SinceBase
}

/**
 * Returns the state at the end of the log. Where records after the newest base are missing, or cannot be read, the head
 * has no position: its outputs are unknown.
 */
export async function readCoreState(
  log: GatewayLog,
  streams: HeadStreams,
  onUnreadable?: OnUnreadable
): Promise<CoreState> {
  const base = await newestBase(log, streams, onUnreadable)
  const head = new LoggedHead()
  const commands = new Commands()
  let sinceBase = NOTHING
  let isBaseOver = base === null
  let isMissing = false
  const passBase = (): void => {
    if (isBaseOver) return
    loadBase(head, base!)
    if (base!.commands !== undefined) commands.load(base!.commands)
    isBaseOver = true
  }
  // From the oldest record on: a command may have been sent before the base.
  for await (const { id, record } of recordsAfter(log, streams.out, null)) {
    const out = readOutRecord(record)
    if (out === null) onUnreadable?.(streams.out, id)
    if (isBaseOver || compareIds(id, base!.after) > 0) {
      passBase()
      isMissing = out?.kind !== 'reset' && (isMissing || out === null || !follows(head, out))
      if (isMissing) head.load({ position: null, utxo: {}, greetings: head.greetings })
      if (out !== null && (!isMissing || out.kind !== 'snapshot')) head.apply(out)
      if (out !== null) sinceBase = addRecord(sinceBase, out, record)
    }
    if (out !== null) commands.apply(out)
  }
  passBase()
  const isCommandLost = commands.last === null && base !== null && base.commands === undefined
  return { head, commands, isCommandLost, sinceBase }
}

/** Returns true when a record can be applied to a state: a snapshot only to the state directly before it. */
export function follows({ position }: LoggedHead, record: OutRecord): boolean {
  return record.kind !== 'snapshot' || (position?.headId === record.headId && position.number === record.from)
}

// A reset does not state the connection; a base does.
function loadBase(head: LoggedHead, base: BaseRecord): void {
  head.load(base)
  head.connected = base.connected
}
