import { stringifyJson } from '../../codec/json.js'
import type { AppendOptions, GatewayLog, LogRetention } from '../log/GatewayLog.js'
import type { BaseRecord, HeadStreams, LoggedOutRecord, OutRecord } from '../records.js'
import { Commands } from './Commands.js'
import type { LoggedHead } from './LoggedHead.js'
import { addRecord, NOTHING } from './sinceBase.js'
import type { SinceBase } from './sinceBase.js'

/** Records of `out` that are kept. */
const OUT_KEEP: LogRetention = { records: 3_000, ms: 600_000, bytes: 268_435_456 }
/** Base records (whole states) that are kept: enough for clients to resume from any record of `out` that is kept. */
const BASE_KEEP: LogRetention = { records: 8, ms: 600_000, bytes: 67_108_864 }
/**
 * Amounts after which a base record is written. The record that the last base names must still be in `out` then,
 * because a reader needs all records after a base.
 */
const BASE_AFTER: SinceBase = { snapshots: 500, records: 1_000, bytes: 67_108_864 }

/** Dependencies of an {@link OutWriter}. */
export interface WriterContext {
  readonly log: GatewayLog
  readonly streams: HeadStreams
  readonly fence: NonNullable<AppendOptions['fence']>
  /** State of the head: each record is applied to it as it is emitted. */
  readonly head: LoggedHead
  /**
   * Progress of the earlier cores with the commands; each record is applied to it as well.
   * @default no command was sent
   */
  readonly commands?: Commands
  /** Amounts in the log after its newest base: an earlier core may have ended before it wrote the next one. */
  readonly sinceBase: SinceBase
  /** Called when an append has failed: no further record is written. */
  onFailed(error: unknown): void
}

/** Appends the records of one core in their order, each under the fence (number) of its lease. */
export class OutWriter {
  readonly #context: WriterContext
  #last: Promise<void> = Promise.resolve()
  #failed = false
  #sinceBase: SinceBase
  readonly #commands: Commands

  constructor(context: WriterContext) {
    this.#context = context
    this.#sinceBase = context.sinceBase
    this.#commands = context.commands ?? new Commands()
  }

  /**
   * Applies a record and appends it. `then` runs when the record is in the log; never when it could not be appended.
   */
  emit(record: OutRecord, then?: () => void): void {
    const { head } = this.#context
    head.apply(record)
    this.#commands.apply(record)
    const logged: LoggedOutRecord = { ...record, at: Date.now() }
    const text = stringifyJson(logged)
    this.#sinceBase = addRecord(this.#sinceBase, record, text)
    const base: Omit<BaseRecord, 'after'> | null = this.#needsBase(record)
      ? {
          kind: 'base',
          position: head.position,
          utxo: Object.fromEntries(head.utxo),
          greetings: head.greetings,
          connected: head.connected,
          ...head.deposit,
          commands: this.#commands.state()
        }
      : null
    this.#last = this.#last.then(() => this.#append(text, base, then))
  }

  /** Transactions that were sent and have no verdict. */
  get unsettled(): ReadonlySet<string> {
    return this.#commands.txIds
  }

  /** Resolves when all that was emitted has been appended, or given up. */
  async idle(): Promise<void> {
    for (let last: Promise<void> | null = null; last !== this.#last;) {
      last = this.#last
      await last
    }
  }

  async #append(text: string, base: Omit<BaseRecord, 'after'> | null, then: (() => void) | undefined): Promise<void> {
    if (this.#failed) return
    const { log, streams, fence, onFailed } = this.#context
    try {
      const { id } = await log.append(streams.out, text, { fence, keep: OUT_KEEP })
      if (base !== null)
        await log.append(streams.base, stringifyJson({ ...base, after: id }), { fence, keep: BASE_KEEP })
    } catch (error) {
      // Fenced off, or the log is gone: only records in the log count, and the next core begins from them.
      this.#failed = true
      return onFailed(error)
    }
    then?.()
  }

  #needsBase(record: OutRecord): boolean {
    const { snapshots, records, bytes } = this.#sinceBase
    const isDue = snapshots >= BASE_AFTER.snapshots || records >= BASE_AFTER.records || bytes >= BASE_AFTER.bytes
    if (!isDue && record.kind !== 'reset') return false
    this.#sinceBase = NOTHING
    return true
  }
}
