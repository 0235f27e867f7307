import { decodePayload } from '../protocol/decode.js'
import type { LayerPayload } from '../protocol/messages.js'
import type { Reply } from '../protocol/replies.js'
import { decodeSnapshotReply } from '../protocol/replies.js'
import type { ConfirmedSnapshot } from '../protocol/types.js'
import { decodeAround, decodeSnapshotAround, locateUtxo } from '../protocol/utxoText.js'
import type { SnapshotTexts, TextOutputs } from './SnapshotTexts.js'

/** Characters that are read at once: a few milliseconds. */
export const SLICE_CHARACTERS = 262_144

/** A message that has been read. */
export interface ReadMessage {
  readonly payload: LayerPayload
  /** Its outputs, where they were read separately from the rest of the text. */
  readonly outputs: TextOutputs | null
}

/**
 * Reads a message from its text. Of a snapshot only the changes are read; where all of it has to be, the generator
 * yields after each slice, so that other tasks can run before the next one.
 *
 * @param isReplay - snapshots of a replay do not change the cache, so they are not compared with it
 * @throws {@link ProtocolError} as `decodePayload`
 */
export function* readMessage(
  texts: SnapshotTexts,
  text: string,
  receivedAt: number,
  isReplay = false
): Generator<undefined, ReadMessage> {
  const position = locateUtxo(text)
  if (position !== null && (!isReplay || position.holder === 'snapshotUtxo')) {
    const outputs = texts.compare(text, position.start) ?? (yield* readSlices(texts, text, position.start))
    const payload = outputs && decodeAround(text, position, outputs.end, receivedAt)
    if (payload) return { payload, outputs }
  }
  return { payload: decodePayload(text, receivedAt), outputs: null }
}

/**
 * Reads the outputs of a message again, comparing them with those that the cache has now; null where they cannot be
 * read separately.
 */
export function* readOutputsOf(texts: SnapshotTexts, text: string): Generator<undefined, TextOutputs | null> {
  const position = locateUtxo(text)
  return position && (texts.compare(text, position.start) ?? (yield* readSlices(texts, text, position.start)))
}

/** An answer to GET /snapshot, with its outputs where they were read separately from the rest of the text. */
export interface ReadSnapshotReply {
  readonly reply: Reply<ConfirmedSnapshot>
  readonly outputs: TextOutputs | null
}

/**
 * Reads an answer to GET /snapshot as {@link readMessage} reads a message. @throws {@link ProtocolError} as
 * `decodeSnapshotReply`
 */
export function* readSnapshotReply(
  texts: SnapshotTexts,
  status: number,
  text: string
): Generator<undefined, ReadSnapshotReply> {
  const position = status === 200 ? locateUtxo(text) : null
  if (position?.holder === 'snapshot.utxo') {
    const outputs = texts.compare(text, position.start) ?? (yield* readSlices(texts, text, position.start))
    const value = outputs && decodeSnapshotAround(text, position, outputs.end)
    if (value) return { reply: { kind: 'ok', value }, outputs }
  }
  return { reply: decodeSnapshotReply(status, text), outputs: null }
}

/** Reads all outputs of a text; null where that fails, so that reading the text as a whole reports the error. */
function* readSlices(texts: SnapshotTexts, text: string, start: number): Generator<undefined, TextOutputs | null> {
  const { slices, whole } = texts.begin(text, start)
  try {
    while (slices.end < 0) {
      if (!slices.read(SLICE_CHARACTERS)) return null
      if (slices.end < 0) yield
    }
  } catch {
    return null
  }
  return whole()
}
