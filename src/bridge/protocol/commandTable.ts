import type { Fields, Flat, ObjectOf } from './fields.js'
import type { MessageTag } from './messageTable.js'
import type { LayerHeadStatus } from './types.js'
import type { NodeVersion } from './versions.js'

/** A command: an input that a client sends to its node. */
export interface CommandRow {
  /** First version that accepts it; left out: all versions that the package supports. */
  readonly since?: NodeVersion
  /** Last version that accepts it. */
  readonly until?: NodeVersion
  /**
   * Its fields besides the tag: at most one field. An essential field must be present when the node echoes the command.
   */
  readonly fields?: Fields
  /** States of the head in which the node accepts it; `any` where the state does not decide. */
  readonly states: readonly LayerHeadStatus[] | 'any'
  /** Reason of its refusal, where the state of the head is not the reason. */
  readonly refusal?: string
  /** Messages that it causes. */
  readonly brings: readonly MessageTag[]
}

/**
 * Every command of the node. From this table come {@link LayerInput}, the encoder, the text of a refusal, the command
 * that a `waitFor` waits for, and the table of docs/protocol.md, which shows the comments.
 */
export const COMMANDS = {
  /** Opens a head; up to 1.3 the head is `Initializing` first. */
  Init: { states: ['Idle'], brings: ['HeadIsInitializing', 'HeadIsOpen'] },
  /** Aborts a head that is initializing. */
  Abort: { until: '1.3', states: ['Initializing'], brings: ['HeadIsAborted'] },
  /** Submits `transaction` to the head; `TxValid` or `TxInvalid` follows. */
  NewTx: {
    fields: { transaction: { type: 'transaction', check: 'essential' } },
    states: ['Open'],
    brings: ['TxValid', 'SnapshotConfirmed']
  },
  /** Answers with the confirmed outputs. */
  GetUTxO: { until: '0.20', states: 'any', brings: ['GetUTxOResponse'] },
  /**
   * Recovers the deposit with the transaction id `recoverTxId`; up to 0.22 in `Open` only. A deposit that the node does
   * not know is ignored without a message.
   */
  Recover: {
    fields: { recoverTxId: { type: 'txId', check: 'essential' } },
    states: 'any',
    brings: ['CommitRecovered']
  },
  /** Withdraws the outputs of `decommitTx` from the head. */
  Decommit: {
    fields: { decommitTx: { type: 'transaction', check: 'essential' } },
    states: ['Open'],
    brings: ['SnapshotConfirmed', 'DecommitRequested', 'DecommitApproved', 'DecommitFinalized']
  },
  /** Closes the head. */
  Close: { states: ['Open'], brings: ['HeadIsClosed', 'ReadyToFanout'] },
  /** Closes the head; answers `InvalidInput` while it holds tokens. */
  SafeClose: { since: '1.2', states: ['Open'], brings: ['HeadIsClosed', 'ReadyToFanout'] },
  /** Contests the closing. No version accepts it: nodes contest by themselves. */
  Contest: { states: [], refusal: 'no node takes it: contesting is automatic', brings: ['HeadIsContested'] },
  /**
   * Pays out all outputs on the base ledger. Before the deadline it is not refused, but posting it fails: wait for
   * `ReadyToFanout`.
   */
  Fanout: { states: ['FanoutPossible'], brings: ['HeadIsFinalized'] },
  /** Pays out only `utxoToFanout` on the base ledger; while the head is fanning out, as its next step. */
  PartialFanout: {
    since: '2.4',
    fields: { utxoToFanout: { type: 'utxo' } },
    states: ['FanoutPossible', 'FanningOut'],
    brings: ['HeadPartiallyFannedOut', 'HeadIsFinalized']
  },
  /**
   * Gives the node a `snapshot` that all parties have signed, unchanged from GET /snapshot. A snapshot of another head
   * is ignored without a message.
   */
  SideLoadSnapshot: {
    since: '0.21',
    fields: { snapshot: { type: 'confirmedSnapshot' } },
    states: ['Open'],
    brings: ['SnapshotSideLoaded']
  }
} as const

/** Does not compile when a row of the table is not a {@link CommandRow}. */
type Checked<Table extends Readonly<Record<string, CommandRow>>> = Table
/** Tag of a command. */
export type CommandTag = keyof Checked<typeof COMMANDS>

/** Fields of a command besides its tag: the types of its `fields`. */
export type CommandFields<Tag extends CommandTag> = (typeof COMMANDS)[Tag] extends { fields: infer F }
  ? ObjectOf<F>
  : unknown

/** The input of each command: its `tag`, and its fields. */
export type Inputs = { [Tag in CommandTag]: Flat<{ tag: Tag } & CommandFields<Tag>> }

const ROWS: Readonly<Record<string, CommandRow>> = COMMANDS

/** Returns the row of a command; undefined for a tag that this version of the package does not know. */
export function commandRow(tag: string): CommandRow | undefined {
  return Object.hasOwn(ROWS, tag) ? ROWS[tag] : undefined
}
