import type { ConnectorReply } from '../../../bridge/index.js'
import { parseJson } from '../../../codec/json.js'
import { partiesFromHead, partiesFromHeadIsOpen } from '../../../verify/index.js'
import { isJsonRecord } from '../isRecord.js'
import type { RecordingSource } from '../readRecording.js'
import { readRecording } from '../readRecording.js'

/** Keys and answers that a replay needs before its first message. */
export interface Ahead {
  /** Head keys by head: of HeadIsOpen, of GET /head, and of a document. They are the node's own word. */
  readonly keys: ReadonlyMap<string, readonly string[]>
  /** First answer of each route: the recorder requested it after Greetings, a bridge does so at once. */
  readonly answers: ReadonlyMap<string, ConnectorReply>
}

/** Stands for every head that is not named. */
export const ANY_HEAD = ''

/** Reads a recording once, before it is replayed. */
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
