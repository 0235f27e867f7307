import { DEPOSIT_MESSAGES } from './depositMessages.js'
import type { ObjectOf } from './fields.js'
import { GATEWAY_MESSAGES } from './gatewayMessages.js'
import type { MessageRow } from './messageRow.js'
import { NETWORK_MESSAGES } from './networkMessages.js'
import {
  normalizeGreetings,
  normalizeHeadIsFinalized,
  normalizeInvalidInput,
  normalizeSnapshotConfirmed,
  normalizeTxInvalid,
  normalizeTxValid
} from './normalize.js'
import type { Normalize } from './normalize.js'

/** Members that several messages share. */
const CLOSING = {
  /** Number of the snapshot that the head was closed or contested with. */
  snapshotNumber: { type: 'number' },
  /** ISO 8601, up to 12 fractional digits. */
  contestationDeadline: { type: 'string' }
} as const

const CHAIN_POSITION = {
  /** Slot of the last block the node saw. */
  chainSlot: { type: 'number' },
  /** ISO 8601. */
  chainTime: { type: 'string' },
  /** Seconds behind; may be fractional or negative. */
  drift: { type: 'number' }
} as const

/** Messages about the head, its transactions and the inputs of clients: rows of `MESSAGES`. */
const HEAD_MESSAGES = {
  /**
   * Sent once per connection: the present state of the head. `env` and `networkInfo` from 1.0, `chainSyncedStatus` and
   * `currentSlot` from 1.3. Nodes from 1.0 to 2.1 put their **secret key** in `env.signingKey`: it is dropped before
   * anything else sees it. Without `tag` in 0.21.0.
   */
  Greetings: {
    normalize: normalizeGreetings as Normalize,
    fields: {
      /** The party whose node this is. */
      me: { type: 'party' },
      /** State of the head. */
      headStatus: { type: 'headStatus', check: 'essential' },
      /** Absent while the node is idle. */
      layerHeadId: { type: 'string', presence: 'optional', check: 'ifPresent', formerly: 'hydraHeadId' },
      /** Latest confirmed outputs, those being committed included. Absent while idle and with `noSnapshotUtxo`. */
      snapshotUtxo: { type: 'utxo', presence: 'optional', check: 'ifPresent' },
      /** Version of the node, e.g. `'2.3.0-ca8d19b'`. */
      layerNodeVersion: { type: 'string', presence: 'optional', check: 'ifPresent', formerly: 'hydraNodeVersion' },
      /** Configuration of the node (nodes from 1.0). */
      env: { type: 'environment', presence: 'optional' },
      /** Its network of peers (nodes from 1.0). */
      networkInfo: { type: 'networkInfo', presence: 'optional' },
      /** Nodes from 1.3. */
      chainSyncedStatus: { type: 'syncStatus', presence: 'optional', check: 'ifPresent' },
      /** Slot of the last block the node saw (nodes from 1.3). */
      currentSlot: { type: 'wholeNumber', presence: 'optional', check: 'ifPresent' }
    }
  },
  /**
   * All parties have signed a snapshot; only this makes its transactions final. Some nodes send `headId` in the
   * snapshot only.
   */
  SnapshotConfirmed: {
    headId: 'essential',
    normalize: normalizeSnapshotConfirmed as Normalize,
    fields: {
      /** The snapshot, with the transactions it confirms. */
      snapshot: { type: 'snapshot', check: 'essential' },
      /** Signatures of all parties. */
      signatures: { type: 'multiSignature' },
      /** From a gateway with the extension, instead of all outputs: the changes to those that this client follows. */
      delta: { type: 'delta', presence: 'optional', check: 'ifPresent' }
    }
  },
  /**
   * The node's ledger accepted a transaction. Nodes from 0.20 send `transactionId`, nodes up to 0.20 the whole
   * transaction; the decoder fills in the other one.
   */
  TxValid: {
    headId: 'unchecked',
    normalize: normalizeTxValid as Normalize,
    fields: {
      /** Transaction id: hex, 64 characters. */
      transactionId: { type: 'string', check: 'essential' },
      /** The transaction; old messages may carry its id alone. */
      transaction: { type: 'transaction', check: 'essential' }
    }
  },
  /** The ledger of this one node refused a transaction, after five tries in half a second. */
  TxInvalid: {
    headId: 'unchecked',
    normalize: normalizeTxInvalid as Normalize,
    fields: {
      /** The transaction; old messages may carry its id alone. */
      transaction: { type: 'transaction', check: 'essential' },
      /** `reason` is the text of the node's ledger. */
      validationError: { type: 'validationError', check: 'ifPresent' },
      /** Outputs it was validated against. */
      utxo: { type: 'utxo', presence: 'optional' }
    }
  },
  /** The head is open. Nodes up to 1.3 send `utxo`, nodes from 2.0 `parties`. */
  HeadIsOpen: {
    headId: 'essential',
    fields: {
      /** The parties of the head (nodes from 2.0). */
      parties: { type: 'parties', presence: 'optional' },
      /** Outputs the head opens with (nodes before 2.0). */
      utxo: { type: 'utxo', presence: 'optional', check: 'ifPresent' }
    }
  },
  /** The head is closed, with the snapshot `snapshotNumber`. */
  HeadIsClosed: { headId: 'essential', fields: CLOSING as typeof CLOSING },
  /** A later snapshot replaces the one that the head was closed with. */
  HeadIsContested: { headId: 'essential', fields: CLOSING as typeof CLOSING },
  /** The contestation period is over: the head can be fanned out. */
  ReadyToFanout: { headId: 'essential', fields: {} },
  /** Some of the head's outputs are on the base ledger. Their references are those inside the head. */
  HeadPartiallyFannedOut: {
    since: '2.4',
    headId: 'essential',
    fields: {
      /** Outputs that are on the base ledger. */
      distributedUTxO: { type: 'utxo' },
      /** Outputs that are not on the base ledger yet. */
      remainingUTxO: { type: 'utxo' },
      /**
       * `AutoFanningOut`: the node continues by itself; `AwaitingFanoutSelection`: it waits for PartialFanout or
       * Fanout.
       */
      fanoutMode: { type: 'fanoutMode' }
    }
  },
  /**
   * The head's last outputs are on the base ledger; the node is idle again. `utxo` is named `finalizedUTxO` from 2.2.
   */
  HeadIsFinalized: {
    headId: 'essential',
    normalize: normalizeHeadIsFinalized as Normalize,
    fields: {
      /** Outputs paid out on the base ledger. */
      utxo: { type: 'utxo', formerly: 'finalizedUTxO' }
    }
  },
  /** The `parties` may commit. From 2.0 a head opens at once. */
  HeadIsInitializing: { until: '1.3', headId: 'essential', fields: { parties: { type: 'parties' } } },
  /** A `party` committed the outputs `utxo`. */
  Committed: { until: '1.3', headId: 'unchecked', fields: { party: { type: 'party' }, utxo: { type: 'utxo' } } },
  /** The head was given up before it opened; `utxo` went back to its owners. */
  HeadIsAborted: { until: '1.3', headId: 'essential', fields: { utxo: { type: 'utxo' } } },
  /**
   * A head that is not this node's: its `contestationPeriod` (seconds), `parties`, and `participants` (key hashes on
   * chain, hex).
   */
  IgnoredHeadInitializing: {
    headId: 'unchecked',
    fields: { contestationPeriod: { type: 'number' }, parties: { type: 'parties' }, participants: { type: 'strings' } }
  },
  /**
   * The state of the head does not allow a command. `state` can be megabytes long. Every client gets the message; nodes
   * up to 0.20 store it.
   */
  CommandFailed: {
    fields: {
      /** The input, as the node echoes it. */
      clientInput: { type: 'input', check: 'essential' },
      /** State of the node, in its own form. */
      state: { type: 'unknown', presence: 'optional' }
    }
  },
  /** A command was refused, as every command is while the node catches up with the chain. */
  RejectedInputBecauseUnsynced: {
    since: '1.3',
    fields: {
      /** The input, as the node echoes it. */
      clientInput: { type: 'input', check: 'essential' },
      /** Seconds behind. */
      drift: { type: 'number' }
    }
  },
  /**
   * A transaction or decommit was refused because the node cannot hand its messages to its peers. The node did not send
   * it, so it may be submitted again.
   */
  RejectedInputBecauseBroadcastStalled: {
    since: 'master',
    fields: {
      /** The input, as the node echoes it. */
      clientInput: { type: 'input', check: 'essential' },
      /** Number of messages that wait. */
      pendingBroadcasts: { type: 'number' },
      /** `NoProgress` or `BacklogFull`; newer nodes may have others. */
      stallReason: { type: 'string' }
    }
  },
  /**
   * A snapshot was not adopted: `clientInput` is the SideLoadSnapshot, the `tag` of `requirementFailure` the reason.
   */
  SideLoadSnapshotRejected: {
    since: '1.3',
    fields: { clientInput: { type: 'input', check: 'essential' }, requirementFailure: { type: 'tagged' } }
  },
  /**
   * An input that the node could not read, or refused; only its sender gets it. Without `tag` since 0.21: its fields
   * identify it.
   */
  InvalidInput: {
    normalize: normalizeInvalidInput as Normalize,
    fields: {
      /** Text of the node's decoder. */
      reason: { type: 'string', check: 'ifPresent' },
      /** Text of the input. */
      input: { type: 'string', check: 'ifPresent' },
      /** From a gateway only: id of a transaction that it did not pass on to the node, hex, 64 characters. */
      txId: { type: 'string', presence: 'optional', check: 'ifPresent' }
    }
  },
  /**
   * Posting a transaction on chain failed. Often harmless, because two parties post the same one at once: the message
   * about the new state decides.
   */
  PostTxOnChainFailed: {
    fields: {
      /** Transaction that was to be posted: `tag` names it, e.g. `CollectComTx`. */
      postChainTx: { type: 'tagged' },
      /** Its error: `tag` names it. */
      postTxError: { type: 'tagged' }
    }
  },
  /** The node has caught up with the chain. */
  NodeSynced: { since: '1.3', fields: CHAIN_POSITION as typeof CHAIN_POSITION },
  /** The node has fallen behind the chain. */
  NodeUnsynced: { since: '1.3', fields: CHAIN_POSITION as typeof CHAIN_POSITION },
  /**
   * Regular report, many per second while the node catches up: `synced` says whether it has caught up with the chain.
   */
  SyncedStatusReport: {
    since: '1.3',
    until: '2.3',
    fields: {
      /** Slot of the last block the node saw. */
      chainSlot: { type: 'number' },
      /** ISO 8601. */
      chainTime: { type: 'string' },
      /** Seconds behind; may be fractional or negative. */
      drift: { type: 'number' },
      /** `InSync` when the node has caught up with the chain, else `CatchingUp`. */
      synced: { type: 'syncStatus', check: 'essential' }
    }
  },
  /** The node has adopted the snapshot `snapshotNumber` that it was given; pending transactions are dropped. */
  SnapshotSideLoaded: {
    since: '0.21',
    headId: 'ifPresent',
    fields: { snapshotNumber: { type: 'wholeNumber', check: 'ifPresent' } }
  },
  /** Answer to the input GetUTxO: the confirmed outputs, `utxo`. */
  GetUTxOResponse: { until: '0.20', headId: 'unchecked', fields: { utxo: { type: 'utxo' } } },
  /**
   * The node's log starts again from `checkpoint` (from 1.0), a state in the node's own form; older history is gone.
   */
  EventLogRotated: { since: '0.22', fields: { checkpoint: { type: 'unknown', presence: 'optional' } } }
} as const

/**
 * Every message that a node sends, of all versions, in its public form. From this table come the types of the payloads,
 * the decoder, and the table of docs/protocol.md, which shows the comments of the rows. A field is checked when the
 * bridge itself uses it; any other field passes on as it came, so that a message stays readable when a proxy omits a
 * field.
 */
export const MESSAGES: typeof HEAD_MESSAGES &
  typeof DEPOSIT_MESSAGES &
  typeof NETWORK_MESSAGES &
  typeof GATEWAY_MESSAGES = {
  ...HEAD_MESSAGES,
  ...DEPOSIT_MESSAGES,
  ...NETWORK_MESSAGES,
  ...GATEWAY_MESSAGES
}

/** Does not compile when a row of the table is not a {@link MessageRow}. */
type Checked<Table extends Readonly<Record<string, MessageRow>>> = Table
/** Tag of a message. */
export type MessageTag = keyof Checked<typeof MESSAGES>

/** Fields of a message besides its tag, its time, and the id of its head. */
export type MessageFields<Tag extends MessageTag> = ObjectOf<(typeof MESSAGES)[Tag]['fields']>

const ROWS: Readonly<Record<string, MessageRow>> = MESSAGES

/** Returns the row of a message; undefined for a tag that this version of the package does not know. */
export function messageRow(tag: string): MessageRow | undefined {
  return Object.hasOwn(ROWS, tag) ? ROWS[tag] : undefined
}
