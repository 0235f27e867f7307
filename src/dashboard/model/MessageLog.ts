import type { LayerPayload } from '../../bridge/index.js'
import { jsonText } from './text.js'

/** A message as it is kept. */
export interface LogRow {
  readonly id: number
  readonly tag: string
  /** Time of its arrival: ms since the Unix epoch. */
  readonly at: number
  /** Large parts are left out. */
  readonly payload: unknown
}

/** Most messages that are kept, the newest. */
export const MAX_MESSAGES = 1_000
/** Largest object or list that is kept whole. */
const MAX_MEMBERS = 50
const MAX_DEPTH = 8
const MAX_TEXT = 4_000

/** The newest messages of the node, without the outputs of whole heads. */
export class MessageLog {
  #rows: LogRow[] = []
  #next = 1

  /** Newest first. */
  get rows(): readonly LogRow[] {
    return [...this.#rows].reverse()
  }

  /** Number of all messages so far. */
  get count(): number {
    return this.#next - 1
  }

  apply(payload: LayerPayload, at: number): void {
    this.#rows.push({ id: this.#next++, tag: payload.tag, at, payload: slim(payload, MAX_DEPTH) })
    // In batches: shifting an array of a thousand for each message costs more than the message.
    if (this.#rows.length > 2 * MAX_MESSAGES) this.#rows = this.#rows.slice(-MAX_MESSAGES)
  }
}

/** Returns a message as JSON, indented. */
export function messageText({ payload }: LogRow): string {
  return jsonText(payload)
}

/** Returns a copy without its large parts: they would keep a whole head in memory for each message. */
function slim(value: unknown, depth: number): unknown {
  if (typeof value === 'string')
    return value.length > MAX_TEXT ? `${value.slice(0, MAX_TEXT)}... (${value.length} characters)` : value
  if (typeof value !== 'object' || value === null) return value
  if (depth === 0) return '...'
  if (Array.isArray(value)) {
    const kept = value.slice(0, MAX_MEMBERS).map((each) => slim(each, depth - 1))
    return value.length > MAX_MEMBERS ? [...kept, `... ${value.length - MAX_MEMBERS} more`] : kept
  }
  const keys = Object.keys(value)
  const kept = keys
    .slice(0, MAX_MEMBERS)
    .map((key) => [key, slim((value as Record<string, unknown>)[key], depth - 1)] as const)
  if (keys.length > MAX_MEMBERS) kept.push(['...', `${keys.length - MAX_MEMBERS} more`])
  return Object.fromEntries(kept)
}
