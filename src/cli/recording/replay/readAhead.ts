import type { ConnectorReply } from '../../../bridge/index.js'
import { parseJson } from '../../../codec/json.js'
import { partiesFromHead, partiesFromHeadIsOpen } from '../../../verify/index.js'
import { isJsonRecord } from '../isRecord.js'
import type { RecordingSource } from '../readRecording.js'
import { readRecording } from '../readRecording.js'

/** Keys and answers that a replay needs before its first message. */
export interface Ahead {
  /** Head keys of the parties by head, from HeadIsOpen, GET /head or a document. They are only a claim of the node. */
  readonly keys: ReadonlyMap<string, readonly string[]>
  /** First answer of each route. A bridge requests it when it connects, before the recorded answer is reached. */
  readonly answers: ReadonlyMap<string, ConnectorReply>
}

/** Key in `keys` for the heads that have no entry of their own. */
export const ANY_HEAD = ''

/** Reads a whole recording before it is replayed, and returns the keys and first answers in it. */
export async function readAhead(source: RecordingSource, maxLineBytes?: number): Promise<Ahead> {
  const keys = new Map<string, readonly string[]>()
  const answers = new Map<string, ConnectorReply>()
  for await (const part of readRecording(source, maxLineBytes)) {
    if (part.kind === 'header' && part.header.partyKeys !== undefined) keys.set(ANY_HEAD, part.header.partyKeys)
    if (part.kind === 'frame' && part.text.includes('"parties"')) noteKeys(keys, part.text, partiesFromHeadIsOpen)
    if (part.kind !== 'answer') continue
    if (part.path === '/head' && part.status === 200) noteKeys(keys, part.text, partiesFromHead)
    if (!answers.has(part.path)) answers.set(part.path, { status: part.status, text: part.text })
  }
  return { keys, answers }
}

function noteKeys(keys: Map<string, readonly string[]>, text: string, read: (value: unknown) => string[]): void {
  try {
    const value = parseJson(text)
    if (!isJsonRecord(value)) return
    const contents = value['contents']
    const headId = value['headId'] ?? (isJsonRecord(contents) ? contents['headId'] : undefined)
    // HeadIsOpen before 2.0 names no parties, and IgnoredHeadInitializing those of others.
    if (typeof headId === 'string' && value['tag'] !== 'IgnoredHeadInitializing') keys.set(headId, read(value))
  } catch {
    // Not readable: the replay names it.
  }
}
