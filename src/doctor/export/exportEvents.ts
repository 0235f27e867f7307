import { readOptions } from '../../codec/options.js'
import { isRecord } from '../../codec/record.js'
import { byType } from '../../errors/base.js'
import { InvalidArgumentError } from '../../errors/input.js'
import { UnsupportedByConnectorError } from '../../errors/operation.js'
import type { DoctorNode } from '../gather/gatherFacts.js'
import { toConnector } from '../gather/gatherFacts.js'
import { readCursor } from './cursor.js'
import { ExportCounts } from './ExportCounts.js'
import { logEvents } from './logEvents.js'
import { nodeEvents } from './nodeEvents.js'
import type { ExportedEvents, ExportEvent, ExportEventsOptions, LogSource } from './types.js'

const OPTIONS = { source: true, after: true, follow: true, heads: true, signal: true } as const
const HEAD_ID = /^[\da-f]{2,128}$/i
const MAX_HEADS = 1_000

/**
 * Returns the events of a head and its node in order, each with a cursor. They come from the stored history of a node,
 * or from the lines that it logged. An interrupted export continues after the cursor of the last event that you saved:
 * no event is lost or repeated. Where the source no longer reaches back to that cursor, an event of kind `gap` says so.
 *
 * The iteration ends at the present; with `follow` it goes on with live events until the signal aborts, and then
 * rejects with the reason of the signal. It only reads, and holds one event in memory at a time: a node is paused while
 * the reader is busy.
 *
 * @throws {@link InvalidArgumentError}, {@link ExportCursorError} for an `after` that is not a cursor; the iteration
 * rejects with {@link ExportCursorError} for a cursor of another node or one that is newer than the source, with
 * {@link UnsupportedByConnectorError} where the source has no history, and with the error of the connection or of the
 * lines
 * @example
 * ```ts
 * import { exportEvents } from 'layer-sdk/doctor'
 * const line = {
 *   timestamp: '2026-01-01T00:00:00Z',
 *   message: {
 *     tag: 'Node',
 *     node: { tag: 'LogicOutcome', outcome: { tag: 'Continue', stateChanges: [{ tag: 'NetworkConnected' }] } }
 *   }
 * }
 * const source = { log: [JSON.stringify(line)] } // or 'ws://127.0.0.1:4001'
 * for await (const { at, kind, data } of exportEvents({ source })) console.log(at, kind, data.tag) // 1767225600000 peer NetworkConnected
 * ```
 */
export function exportEvents(options: ExportEventsOptions): ExportedEvents {
  const settings = readOptions(options, OPTIONS, 'options')
  const { source, follow = false, signal = new AbortController().signal } = settings
  if (typeof follow !== 'boolean') throw new InvalidArgumentError('follow', 'true or false', follow)
  const after = settings.after === undefined ? null : readCursor(settings.after)
  const heads = headsOf(settings.heads)
  const counts = new ExportCounts()
  const events = isLog(source)
    ? logEvents({ log: source.log, after, counts, signal })
    : nodeEvents({ connector: nodeOf(source), after, follow, signal })
  return { [Symbol.asyncIterator]: () => wanted(events, heads, counts), summary: () => counts.summary() }
}

async function* wanted(
  events: AsyncGenerator<ExportEvent>,
  heads: ReadonlySet<string> | null,
  counts: ExportCounts
): AsyncGenerator<ExportEvent> {
  for await (const event of events) {
    if (event.kind === 'gap') counts.gaps++
    else if (heads !== null && (event.headId === null || !heads.has(event.headId))) continue
    counts.events++
    yield event
  }
}

function isLog(source: unknown): source is LogSource {
  if (!isRecord(source) || !('log' in source)) return false
  const log = source['log'] as Partial<AsyncIterable<string> & Iterable<string>> | null | undefined
  // A text is iterable too, by its letters.
  if (typeof log === 'object' && log !== null && (Symbol.asyncIterator in log || Symbol.iterator in log)) return true
  throw new InvalidArgumentError('source.log', 'the lines of a log, one after another', byType(log))
}

function nodeOf(source: unknown): ReturnType<typeof toConnector> {
  const connector = toConnector(source as DoctorNode, 'source')
  if (!connector.capabilities.history) throw new UnsupportedByConnectorError('Reading the history')
  return connector
}

function headsOf(heads: unknown): ReadonlySet<string> | null {
  if (heads === undefined) return null
  if (!Array.isArray(heads) || heads.length === 0 || heads.length > MAX_HEADS)
    throw new InvalidArgumentError('heads', `a list of 1 to ${MAX_HEADS} head ids`, heads)
  const wrong = heads.find((each) => typeof each !== 'string' || !HEAD_ID.test(each)) as unknown
  if (wrong !== undefined) throw new InvalidArgumentError('heads', 'head ids in hex', wrong)
  return new Set((heads as string[]).map((each) => each.toLowerCase()))
}
