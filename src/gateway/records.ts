import type { TxOutJson, UTxOObject } from '../bridge/inner.js'
import type { LogRetention } from './log/GatewayLog.js'

/** Names of the streams of one head in the log. */
export interface HeadStreams {
  /** From the core: {@link OutRecord}. */
  readonly out: string
  /** From the edges: {@link InRecord}. */
  readonly in: string
  /** The head's outputs from time to time: {@link BaseRecord}. */
  readonly base: string
  /** Answers to requests over HTTP: {@link ReplyRecord}. */
  readonly reply: string
  /** Lease of the core. */
  readonly lease: string
}

/** Streams of the head at a path, e.g. `/games`. */
export function headStreams(path: string): HeadStreams {
  return { out: `${path}:out`, in: `${path}:in`, base: `${path}:base`, reply: `${path}:reply`, lease: `${path}:core` }
}

/** Commands and requests that the stream `in` keeps for the next core. */
export const COMMANDS_KEPT: LogRetention = { records: 10_000, ms: 600_000 }

/** A snapshot of a head. */
export interface RecordPosition {
  readonly headId: string
  readonly number: number
  readonly version: number
}

/** Addresses of the outputs that one transaction spends and makes, as far as they are known. */
export interface TouchedTx {
  readonly txId: string
  readonly spendsFrom: readonly string[]
  readonly pays: readonly string[]
}

/** The pending deposit of a state, until the base ledger has moved it into the head; without members there is none. */
export interface PendingDeposit {
  /** Id of the deposit: hex, 64 characters; null: there is none. Absent where the node names none (before 2.4). */
  readonly depositTxId?: string | null
  /** Keys of its outputs, which are in S. Absent in records of earlier versions. */
  readonly arriving?: readonly string[]
}

/** A snapshot and its changes. */
export interface SnapshotRecord extends RecordPosition, PendingDeposit {
  readonly kind: 'snapshot'
  /** Number logged before: `spent` and `made` lead from S(from) to S(number). */
  readonly from: number
  /**
   * SnapshotConfirmed as the node sent it, without `snapshot.utxo`; null where the record leads over several snapshots.
   */
  readonly message: Readonly<Record<string, unknown>> | null
  /** Keys of S(from) that S(number) has not, with their addresses. */
  readonly spent: Readonly<Record<string, string>>
  /** Outputs of S(number) that S(from) has not, as on the wire. */
  readonly made: Readonly<Record<string, TxOutJson>>
  /** Size of S(number). */
  readonly count: number
  /**
   * Messages of the node's history that led here, where the record leads over several snapshots: SnapshotConfirmed
   * without outputs, and those of deposits. Absent where the history does not reach back.
   */
  readonly missed?: readonly Readonly<Record<string, unknown>>[]
  /** One for each entry of `snapshot.confirmed`, in its order. */
  readonly txs: readonly TouchedTx[]
}

/** The state restarts: a first state, another head, the end of a head, or a gap that could not be closed. */
export interface ResetRecord extends PendingDeposit {
  readonly kind: 'reset'
  readonly reason: 'start' | 'resync' | 'otherHead' | 'ended'
  /** Null: there is no head, and S is empty. */
  readonly position: RecordPosition | null
  /** S of the position. */
  readonly utxo: UTxOObject
  /** Greetings without `snapshotUtxo`. */
  readonly greetings: Readonly<Record<string, unknown>>
}

/** Any other message of the node. */
export interface MessageRecord {
  readonly kind: 'message'
  readonly message: Readonly<Record<string, unknown>>
  /** Greetings from now on; absent: unchanged. */
  readonly greetings?: Readonly<Record<string, unknown>>
  /** Addresses of its receivers; null: all clients receive it. */
  readonly addresses: readonly string[] | null
  /** Transactions and deposits that it names: their senders receive it as well. */
  readonly txIds: readonly string[]
  /** A node sends it to the sender of a command alone. */
  readonly toSender?: true
}

/** The core sends a command now: if the core is lost, state and log alone show the outcome. */
export interface SendingRecord {
  readonly kind: 'sending'
  /** Id of the command in the stream `in`. */
  readonly command: string
  readonly txId: string | null
}

/**
 * End of a submission other than by a snapshot, which is its own verdict. `confirmed`: the head's outputs show it, the
 * snapshot was missed.
 */
export interface VerdictRecord {
  readonly kind: 'verdict'
  /** Id of the command in the stream `in` that was refused without being sent. */
  readonly command?: string
  readonly txId: string
  readonly outcome: 'confirmed' | 'refused' | 'unknown'
  /** The node's message of a refusal; null when there is none. */
  readonly message: Readonly<Record<string, unknown>> | null
  readonly reason: string
}

/**
 * End of a command that has no verdict of its own, or of a request: no core acts on it after this. `refused`: it was
 * not sent to the node; `unknown`: the core ended in between.
 */
export interface TakenRecord {
  readonly kind: 'taken'
  /** Id of the command or request in the stream `in`. */
  readonly command: string
  readonly outcome: 'sent' | 'refused' | 'unknown'
  readonly reason: string
}

/** The connection to the node came or went. */
export interface UpstreamRecord {
  readonly kind: 'upstream'
  readonly connected: boolean
}

/** A record of the stream `out`. */
export type OutRecord =
  SnapshotRecord | ResetRecord | MessageRecord | SendingRecord | VerdictRecord | TakenRecord | UpstreamRecord

/** A record of `out` as the log holds it. */
export type LoggedOutRecord = OutRecord & {
  /** When the core had it, ms since the Unix epoch: metrics alone are made of it. */
  readonly at?: number
}

/** S at a record of `out`: an edge starts from the newest one and reads on after `after`. */
export interface BaseRecord extends PendingDeposit {
  readonly kind: 'base'
  /** Id of the last record of `out` that is contained. */
  readonly after: string
  readonly position: RecordPosition | null
  readonly utxo: UTxOObject
  readonly greetings: Readonly<Record<string, unknown>> | null
  readonly connected: boolean
  /** Commands up to here; absent in logs of earlier versions. */
  readonly commands?: CommandsState
}

/** How far the cores of a log have come with its commands. */
export interface CommandsState {
  /** Id of the last command or request in `in` that has a record in `out`; null: none yet. */
  readonly last: string | null
  /** Transactions that were sent and have no verdict. */
  readonly txIds: readonly string[]
  /** Ids of other commands and requests that were about to be sent, and have no {@link TakenRecord}. */
  readonly open: readonly string[]
}

/** A command for the node. */
export interface CommandRecord {
  readonly kind: 'command'
  /** The node's input. */
  readonly input: Readonly<Record<string, unknown>>
  /** Id of its transaction or deposit. */
  readonly txId: string | null
}

/** A request for the node's HTTP interface. */
export interface RequestRecord {
  readonly kind: 'request'
  /** Names the answer. */
  readonly ref: string
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly body?: string
}

/** An edge cannot follow the records of `out`: the core reads the node's state again, and writes it. */
export interface RenewRecord {
  readonly kind: 'renew'
}

/** A record of the stream `in`. */
export type InRecord = CommandRecord | RequestRecord | RenewRecord

/** Answer to a {@link RequestRecord}. */
export interface ReplyRecord {
  readonly kind: 'reply'
  readonly ref: string
  /** HTTP status of the node; 0: the node could not be reached. */
  readonly status: number
  readonly text: string
}
