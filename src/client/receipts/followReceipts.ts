import { HistoryGapError } from '../../errors/receipts.js'
import type { UTxO } from '../../types/utxo.js'
import type { ClientContext } from '../ClientContext.js'
import { unspentAt } from '../confirmedOutputs.js'
import { isVerifying } from '../ownTx.js'
import { formatCursor, parseCursor } from './cursor.js'
import type { CursorPlace } from './cursor.js'
import { LedgerFollower } from './LedgerFollower.js'
import { ReceiptReader } from './ReceiptReader.js'
import { watchedAddresses } from './paymentReceipt.js'
import type { Receipt } from './types.js'

/** Checked arguments of `receipts()`. */
export interface ReceiptFollowing {
  readonly addresses: readonly string[]
  /** Addresses of the same owner. */
  readonly own: readonly string[]
  readonly after: string | null
  readonly withOwn: boolean
  /** False: ends once the past has been read. */
  readonly follow: boolean
  readonly signal: AbortSignal | undefined
}

/** Yields the receipts of some addresses, in the order of the ledger, as long as the caller reads them. */
export async function* followReceipts(
  context: ClientContext,
  options: ReceiptFollowing
): AsyncGenerator<Receipt, void, void> {
  const { addresses, own, after, withOwn, follow, signal } = options
  const reader = new ReceiptReader({
    watched: watchedAddresses(addresses, own),
    withOwn,
    after: after === 'now' ? 'present' : after === null ? null : parseCursor(after),
    gap: (last, knownPlace) => gapError(context, addresses, last, knownPlace)
  })
  const follower = new LedgerFollower(context, reader)
  const stop = (): void => follower.stop()
  signal?.addEventListener('abort', stop, { once: true })
  follower.start()
  try {
    while (signal?.aborted !== true) {
      const receipt = reader.queue.shift()
      if (receipt !== undefined) yield Object.freeze({ ...receipt, verified: isShown(context, receipt) })
      else if (!follow && follower.isAtPresent) return
      else await follower.more()
    }
  } finally {
    signal?.removeEventListener('abort', stop)
    follower.stop()
  }
}

/**
 * True when signed outputs show a receipt: with `verify`, the head's outputs are signed by all parties, and contain
 * each output that is not spent yet.
 */
function isShown(context: ClientContext, { verified, txId, index, kind, utxo }: Receipt): boolean {
  if (!isVerifying(context)) return false
  const { input } = utxo
  const ref = kind === 'deposit' ? `${input.txHash}#${input.index}` : `${txId}#${index}`
  return verified || context.bridge.isUnspent(ref) === true
}

function gapError(
  { bridge }: ClientContext,
  addresses: readonly string[],
  last: CursorPlace | null,
  knownPlace: CursorPlace
): HistoryGapError {
  const unspent: UTxO[] = []
  let isKnown = true
  for (const address of addresses) {
    const utxos = unspentAt(bridge, address)
    if (utxos === null) isKnown = false
    else unspent.push(...utxos)
  }
  return new HistoryGapError({
    cursor: formatCursor(knownPlace),
    after: last === null ? null : { headId: last.headId, snapshotNumber: last.snapshotNumber },
    known: { headId: knownPlace.headId, snapshotNumber: knownPlace.snapshotNumber },
    unspent: isKnown ? unspent : null
  })
}
