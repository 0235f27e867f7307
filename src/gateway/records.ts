import type { TxOutJson, UTxOObject } from '../bridge/inner.js'
import type { LogRetention } from './log/GatewayLog.js'

/** Names of the streams of one head in the log. */
export interface HeadStreams {
  /** Records of the core: {@link OutRecord}. */
  readonly out: string
  /** Records of the edges: {@link InRecord}. */
  readonly in: string
  /** State of the head as a whole, written from time to time: {@link BaseRecord}. */
  readonly base: string
  /** Answers to requests over HTTP: {@link ReplyRecord}. */
  readonly reply: string
  /** Lease of the core: the exclusive right to act as core of the head. */
  readonly lease: string
}

/** Streams of the head at a path, e.g. `/games`. */
export function headStreams(path: string): HeadStreams {
  return { out: `${path}:out`, in: `${path}:in`, base: `${path}:base`, reply: `${path}:reply`, lease: `${path}:core` }
}

/** Commands and requests that the stream `in` keeps for the next core. */
export const COMMANDS_KEPT: LogRetention = { records: 10_000, ms: 600_000 }

/** Identity of a snapshot of a head. */
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

/**
 * The deposit that a state includes although the base ledger has not yet moved it into the head; without members there
 * is none.
 */
export interface PendingDeposit {
  /** Id of the deposit: hex, 64 characters; null: there is none. Absent where the node names none (before 2.4). */
  readonly depositTxId?: string | null
  /** Keys of its outputs, which are among the state's outputs. Absent in records of earlier versions. */
  readonly arriving?: readonly string[]
}

/** A snapshot, as a change of the one logged before. S(n) stands for the outputs of snapshot n. */
export interface SnapshotRecord extends RecordPosition, PendingDeposit {
  readonly kind: 'snapshot'
  /** Number of the snapshot logged before: `spent` and `made` turn S(from) into S(number). */
  readonly from: number
  /**
   * SnapshotConfirmed as the node sent it, without `snapshot.utxo`; null where the record leads over several snapshots.
   */
  readonly message: Readonly<Record<string, unknown>> | null
  /** Keys of the outputs of S(from) that S(number) lacks, with their addresses. */
  readonly spent: Readonly<Record<string, string>>
  /** Outputs of S(number) that S(from) lacks, as the node writes them. */
  readonly made: Readonly<Record<string, TxOutJson>>
  /** Number of outputs in S(number). */
  readonly count: number
  /**
   * Messages of the node's history between the two snapshots, where the record leads over several: SnapshotConfirmed
   * without outputs, and those of deposits. Absent where the history does not reach back.
   */
  readonly missed?: readonly Readonly<Record<string, unknown>>[]
  /** One for each entry of `snapshot.confirmed`, in its order. */
  readonly txs: readonly TouchedTx[]
}

/**
 * A whole state, which replaces the one before: a first state, another head, the end of a head, or a state after a gap
 * that could not be closed.
 */
export interface ResetRecord extends PendingDeposit {
  readonly kind: 'reset'
  readonly reason: 'start' | 'resync' | 'otherHead' | 'ended'
  /** Snapshot of the state; null: there is no head, and `utxo` is empty. */
  readonly position: RecordPosition | null
  /** Outputs of that snapshot. */
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
  /** True: the node sends it only to the sender of a command. */
  readonly toSender?: true
}

/**
 * The core is about to send a command. If the core is lost then, only the head's state and the log show the outcome.
 */
export interface SendingRecord {
  readonly kind: 'sending'
  /** Id of the command in the stream `in`. */
  readonly command: string
  readonly txId: string | null
}

/**
 * Verdict (outcome) of a submission, except one that a snapshot confirms: that needs no record. `confirmed`: the
 * outputs of the head show the transaction, but its snapshot was missed.
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
 * End of a command that gets no verdict, or of a request: no core acts on it after this record. `refused`: it was not
 * sent to the node; `unknown`: the core ended while it was about to send it.
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
  /** Time at which the core had it, ms since the Unix epoch; used for metrics only. */
  readonly at?: number
}

/**
 * Whole state of the head after a record of `out`: an edge or core starts from such a base, and applies the records of
 * `out` behind `after`.
 */
export interface BaseRecord extends PendingDeposit {
  readonly kind: 'base'
  /** Id of the last record of `out` that the state includes. */
  readonly after: string
  readonly position: RecordPosition | null
  readonly utxo: UTxOObject
  readonly greetings: Readonly<Record<string, unknown>> | null
  readonly connected: boolean
  /** Progress with the commands up to here; absent in logs of earlier versions. */
  readonly commands?: CommandsState
}

/** Progress of the cores with the commands of the stream `in`. */
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
  /** Id of the transaction or deposit that it concerns; null: none. */
  readonly txId: string | null
}

/** A request for the node's HTTP interface. */
export interface RequestRecord {
  readonly kind: 'request'
  /** Identifies the answer, which has the same `ref`. */
  readonly ref: string
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly body?: string
}

/**
 * Request of an edge that cannot apply the records of `out`: the core then reads the whole state from the node and logs
 * it.
 */
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
