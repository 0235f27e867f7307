import { LayerSdkError } from './base.js'

/**
 * A deposit cannot be recovered now, because the newest signed snapshot already includes it. If it were recovered, the
 * head could not sign a further snapshot, and after a close the outputs of this one could not be fanned out. Wait for
 * CommitFinalized, or close the head first.
 */
export class DepositInSnapshotError extends LayerSdkError<'CLIENT_DEPOSIT_IN_SNAPSHOT'> {
  override readonly name = 'DepositInSnapshotError'
  /** The action had no effect: it was not sent. */
  override readonly outcome = 'none'
  /** Hex, 64 characters. */
  readonly depositTxId: string
  /** Number of the snapshot that includes the deposit. */
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
