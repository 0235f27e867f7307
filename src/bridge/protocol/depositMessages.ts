/** Members that messages about deposits share. */
const DEPOSIT = {
  /** Transaction id of the deposit: hex, 64 characters. */
  depositTxId: { type: 'string' },
  /** ISO 8601. */
  deadline: { type: 'string' },
  /** ISO 8601. */
  chainTime: { type: 'string' }
} as const

/** Messages about deposits (commits) and withdrawals (decommits): rows of `MESSAGES`. */
export const DEPOSIT_MESSAGES = {
  /**
   * A deposit of `utxoToCommit` is on chain: `pendingDeposit` is its transaction id, `deadline` (ISO 8601) when it can
   * be recovered.
   */
  CommitRecorded: {
    headId: 'unchecked',
    fields: {
      utxoToCommit: { type: 'utxo' },
      pendingDeposit: { type: 'string' },
      deadline: { type: 'string', presence: 'optional' }
    }
  },
  /** The head can now add a deposit to its outputs. */
  DepositActivated: { since: '0.22', headId: 'unchecked', fields: DEPOSIT as typeof DEPOSIT },
  /** A deposit can no longer be added to the head: it can be recovered after its deadline. */
  DepositExpired: { since: '0.22', headId: 'unchecked', fields: DEPOSIT as typeof DEPOSIT },
  /** All parties have signed the snapshot that adds `utxoToCommit`. */
  CommitApproved: { headId: 'unchecked', fields: { utxoToCommit: { type: 'utxo' } } },
  /**
   * The outputs of the deposit `depositTxId` (hex, 64 characters) are in the head. The field is named `theDeposit` in
   * 0.20.
   */
  CommitFinalized: { headId: 'unchecked', fields: { depositTxId: { type: 'string', formerly: 'theDeposit' } } },
  /** The deposit `recoveredTxId` (hex, 64 characters) was undone: `recoveredUTxO` is back on the base ledger. */
  CommitRecovered: {
    headId: 'unchecked',
    fields: { recoveredUTxO: { type: 'utxo' }, recoveredTxId: { type: 'string' } }
  },
  /**
   * A commit was ignored, because the deposits that the node knows (`depositUTxO`) differ from those that the snapshot
   * adds (`snapshotUTxO`).
   */
  CommitIgnored: {
    until: '0.20',
    headId: 'unchecked',
    fields: { depositUTxO: { type: 'utxos' }, snapshotUTxO: { type: 'utxo', presence: 'nullable' } }
  },
  /** `decommitTx` requests that its outputs, `utxoToDecommit`, leave the head. */
  DecommitRequested: {
    headId: 'unchecked',
    fields: { decommitTx: { type: 'transaction', check: 'ifPresent' }, utxoToDecommit: { type: 'utxo' } }
  },
  /** `decommitTx` was refused; `decommitInvalidReason` says why. */
  DecommitInvalid: {
    headId: 'unchecked',
    fields: {
      decommitTx: { type: 'transaction', check: 'ifPresent' },
      decommitInvalidReason: { type: 'decommitInvalidReason' }
    }
  },
  /** All parties agree to withdraw `utxoToDecommit`; `decommitTxId`: hex, 64 characters. */
  DecommitApproved: {
    headId: 'unchecked',
    fields: { decommitTxId: { type: 'string' }, utxoToDecommit: { type: 'utxo' } }
  },
  /** The withdrawn outputs are on the base ledger. Nodes of 0.20 send `decommitTxId`, later ones `distributedUTxO`. */
  DecommitFinalized: {
    headId: 'unchecked',
    fields: {
      distributedUTxO: { type: 'utxo', presence: 'optional' },
      // Announced for nodes newer than 2.3.0.
      decommitTxId: { type: 'string', presence: 'optional', formerly: 'finalizedDecommitTxId' }
    }
  }
} as const
