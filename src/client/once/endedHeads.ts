import { isLayerError } from '../../errors/base.js'
import { JournalMismatchError } from '../../errors/journal.js'
import type { JournalEntry } from '../../types/journal.js'
import type { ClientContext } from '../ClientContext.js'
import { EntryRecord } from '../EntryRecord.js'

/**
 * Checks that the journal belongs to the node's head, or to earlier heads that the node has seen end. Open payments of
 * an ended head that it never confirmed are built again in the present head.
 *
 * @throws {@link JournalMismatchError} when the journal belongs to a head that this node has not seen end
 */
export async function leaveEndedHead(context: ClientContext): Promise<void> {
  const { bridge, account } = context
  const { headId } = bridge.getSnapshot()
  if (headId === null) return
  const entries = account.records.all()
  const before = entries.filter((entry) => entry.headId !== headId)
  const open = before.filter(({ state }) => state === 'open')
  // Entries of this head show that the ones before it were held to the node already.
  const checked = before.length === entries.length ? before : open
  if (checked.length === 0) return
  const heads = [...new Set(checked.map((entry) => entry.headId))]
  const messages = await bridge.messagesAbout(heads).catch((error: unknown) => {
    if (isLayerError(error, 'BRIDGE_UNSUPPORTED_BY_CONNECTOR')) return []
    throw error
  })
  const ended = new Set(
    messages.flatMap((message) =>
      message.tag === 'HeadIsFinalized' || message.tag === 'HeadIsAborted' ? [message.headId] : []
    )
  )
  for (const entry of checked)
    if (!ended.has(entry.headId)) throw new JournalMismatchError('head', entry.id, headId, entry.headId)
  for (const entry of open) await moveToHead(context, entry, headId)
}

/**
 * Decides an open entry of an ended head by the history: records a confirmation, moves the entry to the present head,
 * or reports its outcome as unknown.
 */
async function moveToHead(context: ClientContext, { id, action, parts }: JournalEntry, headId: string): Promise<void> {
  const { records } = context.account
  const record = new EntryRecord(records, id, false)
  let isDecided = action === 'pay' || action === 'payMany'
  for (const [index, { txs, end }] of parts.entries()) {
    if (end !== null) continue
    for (const tx of txs) {
      const found = await context.bridge.findTransaction(tx.txId)
      if (found.status !== 'confirmed') {
        isDecided &&= found.isComplete
        continue
      }
      const { snapshotNumber, exact } = found
      const end = { txId: tx.txId, outcome: 'confirmed', snapshotNumber, exact, verified: false } as const
      record.confirm(index, end, BigInt(tx.fee))
    }
  }
  if (record.entry.state === 'confirmed') return
  if (isDecided) return record.moveTo(headId)
  const txId = parts.flatMap(({ txs }) => txs).at(-1)?.txId ?? ''
  await record.fail('failed', () => true)
  records.options.onSettled({ id, txId, outcome: 'unknown' })
}
