import { LayerSdkError } from './base.js'

/**
 * The newest snapshot that all parties have signed brings this deposit into the head: recovered, it would be missing
 * there. The head could sign no other snapshot, and a close with this one could not be fanned out.
 */
export class DepositInSnapshotError extends LayerSdkError<'CLIENT_DEPOSIT_IN_SNAPSHOT'> {
  override readonly name = 'DepositInSnapshotError'
  /** The action had no effect: it was not sent. */
  override readonly outcome = 'none'
  /** Hex, 64 characters. */
  readonly depositTxId: string
  /** Number of the snapshot. */
  readonly snapshotNumber: number
  constructor(depositTxId: string, snapshotNumber: number) {
    super(
      'CLIENT_DEPOSIT_IN_SNAPSHOT',
      'The deposit cannot be recovered while a signed snapshot brings it into the head.',
      {
        expected: 'the deposit to be in the head (CommitFinalized), or the head to be closed first',
        got: `deposit ${depositTxId} in snapshot ${snapshotNumber}`
      }
    )
    this.depositTxId = depositTxId
    this.snapshotNumber = snapshotNumber
  }
}
