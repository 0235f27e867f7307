import { stringifyJson } from '../../codec/json.js'
import { BridgeDisconnectedError, BridgeTimeoutError } from '../../errors/bridge.js'
import { startTimer } from '../../net/timers.js'
import type { StopTimer } from '../../net/timers.js'
import type { Connector, ConnectorChannel } from '../connection/Connector.js'
import { decodePayload } from '../protocol/decode.js'
import type { LedgerReading, LedgerReadingEnd } from './LedgerReading.js'

/** Longest silence of a node that replays its history, ms. */
const SILENCE_MS = 30_000
/** Messages that can change a ledger, or end the replay. */
const CONCERNS =
  /"(?:SnapshotConfirmed|HeadIsOpen|CommitRecorded|CommitApproved|CommitFinalized|SnapshotSideLoaded|EventLogRotated)"/

/**
 * Reads the ledger's past from the node's history, over a connection of its own, from the oldest message to Greetings.
 * While the receiver has no room it pauses the connection; where the runtime cannot pause, it ends the reading.
 *
 * @throws {@link BridgeTimeoutError} after 30 s of silence, {@link BridgeDisconnectedError} when the signal ends it,
 * the error of the connection, or that of the receiver
 */
export function readNodeLedger(connector: Connector, reading: LedgerReading): Promise<LedgerReadingEnd> {
  const { signal, decoder } = reading
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(new BridgeDisconnectedError('Reading the history'))
    let channel: ConnectorChannel | undefined
    let isOver = false
    let isPaused = false
    let stopTimer: StopTimer = () => undefined
    const finish = (settle: () => void): void => {
      if (isOver) return
      isOver = true
      stopTimer()
      signal.removeEventListener('abort', onAbort)
      void channel?.close(true)
      settle()
    }
    const fail = (error: unknown): void => finish(() => reject(error as Error))
    const onAbort = (): void => fail(new BridgeDisconnectedError('Reading the history'))
    const watchSilence = (): void => {
      stopTimer()
      if (!isOver && !isPaused)
        stopTimer = startTimer(SILENCE_MS, () => fail(new BridgeTimeoutError('Reading the history', SILENCE_MS)))
    }
    const waitForRoom = (room: Promise<void>): void => {
      if (channel?.pause?.() !== true) return finish(() => resolve({ end: 'full', place: null }))
      isPaused = true
      stopTimer()
      void room.then(() => {
        isPaused = false
        if (!isOver) channel?.resume?.()
        watchSilence()
      })
    }
    const onMessage = (message: unknown): void => {
      if (isOver) return
      const text = textOf(message)
      if (text.includes('"headStatus"') && isGreetings(text))
        return finish(() => resolve({ end: 'present', place: null }))
      if (!CONCERNS.test(text) && !isOldTxValid(text)) return
      if (reading.concerns?.(text) === false) return
      const event = decoder.read(decodePayload(text, Date.now()))
      if (event !== null) reading.onEvent(event)
      const room = reading.room()
      if (room !== null && !isPaused) waitForRoom(room)
    }
    signal.addEventListener('abort', onAbort, { once: true })
    try {
      channel = connector.open(
        {
          onOpen: () => undefined,
          onInvalid: () => undefined,
          onActivity: () => undefined,
          // A connection that a node ends while it waits for the receiver begins again.
          onClose: (error) => (isPaused ? finish(() => resolve({ end: 'full', place: null })) : fail(error)),
          onMessage(message) {
            if (!isPaused) watchSilence()
            try {
              onMessage(message)
            } catch (error) {
              fail(error)
            }
          }
        },
        { history: true, noSnapshotUtxo: true, unfiltered: true }
      )
      watchSilence()
    } catch (error) {
      fail(error)
    }
  })
}

/** Returns true for a TxValid with the bytes of a transaction, which nodes up to 0.20 send in no other message. */
const isOldTxValid = (text: string): boolean => text.includes('"TxValid"') && text.includes('"cborHex"')

/** Returns true for Greetings. It decodes the message, because a datum in it may contain the same words. */
function isGreetings(text: string): boolean {
  const { tag } = decodePayload(text, Date.now())
  return tag === 'Greetings'
}

// A connector may pass a parsed value.
function textOf(message: unknown): string {
  if (typeof message === 'string') return message
  try {
    return stringifyJson(message)
  } catch {
    return ''
  }
}
