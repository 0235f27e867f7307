import type { Connector, ConnectorChannel, WireRecord } from '../../bridge/inner.js'
import { getOwn, isRecord } from '../../bridge/inner.js'
import { parseJson } from '../../codec/json.js'
import { startTimer } from '../../net/timers.js'
import type { RecordPosition } from '../records.js'
import { tagOf } from './nodeMessage.js'

/** Time limit for reading the history, ms, and bounds on the messages that are kept of it. */
const LIMIT_MS = 30_000
const MAX_MESSAGES = 10_000
const MAX_CHARACTERS = 32 * 1024 * 1024
const KEPT = /"(?:SnapshotConfirmed|HeadIsOpen|CommitRecorded|CommitApproved|CommitFinalized)"/

/**
 * Reads the node's history over a connection of its own, and returns the messages after a snapshot that change the
 * ledger. Null where the history does not reach back to that snapshot, or is too large.
 *
 * @throws the error of the connection
 */
export function readPast(
  connector: Connector,
  { headId, number }: RecordPosition,
  signal: AbortSignal
): Promise<readonly WireRecord[] | null> {
  const found: WireRecord[] = []
  let characters = 0
  let isBehind = false
  const collect = (message: WireRecord, size: number): void => {
    const snapshot = getOwn(message, 'snapshot')
    const at = isRecord(snapshot) ? getOwn(snapshot, 'number') : null
    const isStart =
      tagOf(message) === 'HeadIsOpen' ? number === 0 && getOwn(message, 'headId') === headId : at === number
    if (isBehind) {
      found.push(message)
      characters += size
    } else if (isStart && (!isRecord(snapshot) || getOwn(snapshot, 'headId') === headId)) isBehind = true
  }
  return new Promise((resolve, reject) => {
    let channel: ConnectorChannel | undefined
    let isOver = false
    const finish = (settle: () => void): void => {
      if (isOver) return
      isOver = true
      stopTimer()
      signal.removeEventListener('abort', abort)
      void channel?.close(true)
      settle()
    }
    const abort = (): void => finish(() => resolve(null))
    const stopTimer = startTimer(LIMIT_MS, abort)
    signal.addEventListener('abort', abort, { once: true })
    channel = connector.open(
      {
        onOpen: () => undefined,
        onInvalid: () => undefined,
        onActivity: () => undefined,
        onClose: (error) => finish(() => reject(error)),
        onMessage(text) {
          if (typeof text !== 'string' || isOver) return
          const isGreetings = text.includes('"headStatus"')
          if (!isGreetings && !KEPT.test(text)) return
          const message = tryParse(text)
          if (message === null) return
          if (isGreetings && tagOf(message) === 'Greetings') finish(() => resolve(isBehind ? found : null))
          else collect(message, text.length)
          if (found.length > MAX_MESSAGES || characters > MAX_CHARACTERS) abort()
        }
      },
      { history: true, noSnapshotUtxo: true, unfiltered: true }
    )
  })
}

function tryParse(text: string): WireRecord | null {
  try {
    const message = parseJson(text, 'A message of the node')
    return isRecord(message) ? message : null
  } catch {
    return null
  }
}
