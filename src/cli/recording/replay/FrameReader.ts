import { decodePayload, messageRow } from '../../../bridge/inner.js'
import { parseJson } from '../../../codec/json.js'
import type { Place } from '../format.js'
import { isJsonRecord } from '../isRecord.js'
import { UnknownMembers } from '../members.js'
import { oneLine } from './readAnswer.js'
import { ANY_HEAD } from './readAhead.js'
import type { Problem, ReplayReport } from './report.js'
import { MAX_LISTED } from './report.js'
import type { Keys } from './Snapshots.js'
import { Snapshots } from './Snapshots.js'
import { Story } from './Story.js'

/** A message of a recording. */
type Frame = Place & { readonly at: number; readonly text: string }

/** Maximum number of different unknown tags that are listed. */
const MAX_TAGS = 100
/** Name under which further unknown tags are counted. */
const REST = 'others'

/** Decodes the messages of a recording one by one; collects unknown tags and members, snapshot checks and events. */
export class FrameReader {
  /** Number of the newest snapshot of the latest head; -1 without one. */
  newest = -1
  readonly #userKeys: readonly string[] | null
  readonly #named: ReadonlyMap<string, readonly string[]>
  readonly #tags = new Map<string, { count: number } & Place>()
  readonly #members = new UnknownMembers()
  readonly #snapshots = new Snapshots()
  readonly #story = new Story()
  readonly #undecodable: Problem[] = []
  #undecodableCount = 0

  /** `userKeys`: the parties' keys from the user, or null. `named`: keys that the recording names, by head. */
  constructor(userKeys: readonly string[] | null, named: ReadonlyMap<string, readonly string[]>) {
    this.#userKeys = userKeys
    this.#named = named
  }

  async read(frame: Frame): Promise<void> {
    const place: Place = { line: frame.line, byte: frame.byte }
    try {
      const payload = decodePayload(frame.text, frame.at)
      const tag: string = payload.tag
      this.#noteTag(tag, place)
      const message = parseJson(frame.text) as Record<string, unknown>
      this.#members.add(message, tag)
      this.#story.add(payload as never)
      await this.#facts(tag, message, place)
    } catch (error) {
      this.#undecodableCount++
      if (this.#undecodable.length < MAX_LISTED) this.#undecodable.push({ ...place, reason: oneLine(error) })
    }
  }

  /** Checks the tag and the member names of a message whose values were replaced by `…`. */
  readShape({ line, byte, text }: Frame): void {
    const message = parseJson(text) as Record<string, unknown>
    const tag = String(message['tag'])
    this.#noteTag(tag, { line, byte })
    this.#members.add(message, tag)
  }

  /** Records a log line about an event that clients are not told. */
  readNote({ tag, timeMs, reason }: { tag: string; timeMs: number | null; reason: string }): void {
    this.#story.note(tag, timeMs, reason)
  }

  /** Checks the snapshot in an answer to GET /snapshot. */
  async readSnapshot({ line, byte }: Place, text: string): Promise<void> {
    const body = parseJson(text)
    if (isJsonRecord(body) && body['tag'] !== 'InitialSnapshot') await this.#snapshot(body, { line, byte })
  }

  report(): Pick<
    ReplayReport,
    | 'unknownTags'
    | 'unknownMembers'
    | 'undecodable'
    | 'undecodableCount'
    | 'keys'
    | 'verdicts'
    | 'transitions'
    | 'story'
  > {
    return {
      unknownTags: this.#tags,
      unknownMembers: this.#members.counts,
      undecodable: this.#undecodable,
      undecodableCount: this.#undecodableCount,
      keys: this.#userKeys !== null ? 'given' : this.#named.size > 0 ? 'recording' : 'none',
      verdicts: this.#snapshots.verdicts,
      transitions: this.#snapshots.transitions,
      story: this.#story
    }
  }

  /** Stores facts that checks of later messages need, and checks the snapshot of a SnapshotConfirmed. */
  async #facts(tag: string, message: Readonly<Record<string, unknown>>, place: Place): Promise<void> {
    const { hydraNodeVersion, decommitTx } = message
    if (tag === 'Greetings')
      this.#snapshots.nodeVersion = typeof hydraNodeVersion === 'string' ? hydraNodeVersion : undefined
    if (tag === 'DecommitRequested' && decommitTx !== undefined) this.#snapshots.addDecommit(decommitTx)
    if (tag === 'HeadIsOpen' || tag === 'HeadIsFinalized') this.newest = -1
    if (tag === 'SnapshotConfirmed') await this.#snapshot(message, place)
  }

  async #snapshot(message: Readonly<Record<string, unknown>>, place: Place): Promise<void> {
    const { snapshot, signatures } = message
    if (!isJsonRecord(snapshot)) return
    const headId = String(snapshot['headId'] ?? message['headId'])
    const number = Number(snapshot['number'] ?? snapshot['snapshotNumber'])
    this.newest = Math.max(this.newest, number)
    await this.#snapshots.add(
      { ...place, headId, number, snapshot: { headId, ...snapshot }, signatures },
      this.#keys(headId)
    )
  }

  #keys(headId: string): Keys | null {
    if (this.#userKeys !== null) return { parties: this.#userKeys, source: 'given' }
    const parties = this.#named.get(headId) ?? this.#named.get(ANY_HEAD)
    return parties === undefined ? null : { parties, source: 'recording' }
  }

  #noteTag(tag: string, place: Place): void {
    if (messageRow(tag) !== undefined) return
    const short = tag.slice(0, 60)
    const shown = this.#tags.has(short) || this.#tags.size < MAX_TAGS ? short : REST
    const entry = this.#tags.get(shown)
    if (entry !== undefined) entry.count++
    else this.#tags.set(shown, { count: 1, ...place })
  }
}
