import { parseJson } from '../../codec/json.js'
import { isRecord } from '../../codec/record.js'
import { StateChanges } from './stateChanges.js'

type Json = Readonly<Record<string, unknown>>

/**
 * Tags of a log line's `message`: hydra-node/src/Hydra/Logging/Messages.hs@ca8d19bca, and those of earlier versions.
 */
const LINE_TAGS: ReadonlySet<string> = new Set([
  'DirectChain',
  'APIServer',
  'Network',
  'Node',
  'NodeOptions',
  'SQLite',
  'Persistence',
  'EnteringMainloop',
  'NodeHydrated',
  'ChainBackendStarted',
  'NetworkStarted'
])
/** Tags of `node`: hydra-node/src/Hydra/Node.hs@ca8d19bca, and those of earlier versions. */
const NODE_TAGS: ReadonlySet<string> = new Set([
  'BeginInput',
  'EndInput',
  'BeginEvent',
  'EndEvent',
  'BeginEffect',
  'EndEffect',
  'LogicOutcome',
  'DroppedFromQueue',
  'LoadingState',
  'LoadedState',
  'LoadedChainState',
  'ReplayingState',
  'Misconfiguration'
])
const OUTCOMES: ReadonlySet<string> = new Set(['Continue', 'Wait', 'Error'])

/** Content of one line that a node logged. */
export interface LogLine {
  /** Time as the line states it. */
  readonly timestamp: string
  /** Key of the party whose node wrote the line, hex; null where the line names none. */
  readonly party: string | null
  /** Messages that the node's API sends because of the line, in order, with the time of the line. */
  readonly messages: readonly Json[]
  /** Tags that are not known. */
  readonly unknown: readonly string[]
  /** True where a snapshot was confirmed, but the request for it, which holds its content, is not in the log. */
  readonly isIncomplete: boolean
}

/** Reads the lines of a node's log in their order. */
export class LogReader {
  readonly #changes = new StateChanges()

  /** Returns the content of a line, or the reason why it is not a line of a node's log. @throws no error */
  read(text: string): LogLine | { readonly unreadable: string } {
    let line: unknown
    try {
      line = parseJson(text)
    } catch {
      return { unreadable: 'not JSON: cut short, or lines in one another' }
    }
    const [timestamp, message] = isRecord(line) ? [line['timestamp'], line['message']] : []
    if (typeof timestamp !== 'string' || !isRecord(message)) return { unreadable: 'no line of a node’s log' }
    const tag = String(message['tag'])
    if (!LINE_TAGS.has(tag)) return lineOf(timestamp, null, { unknown: [tag] })
    if (tag === 'EnteringMainloop') return lineOf(timestamp, null, { messages: [{ tag }] })
    return tag === 'Node' && isRecord(message['node'])
      ? this.#node(timestamp, message['node'])
      : lineOf(timestamp, null)
  }

  #node(timestamp: string, node: Json): LogLine {
    const { tag, by, outcome, input } = node
    const party = isRecord(by) && typeof by['vkey'] === 'string' ? by['vkey'] : null
    if (tag === 'LogicOutcome' && isRecord(outcome)) return this.#outcome(timestamp, party, outcome)
    if (tag === 'DroppedFromQueue')
      return lineOf(timestamp, party, { messages: [{ tag, inputId: node['inputId'] ?? node['eventId'], input }] })
    if (tag === 'Misconfiguration') {
      const { misconfigurationErrors } = node
      return lineOf(timestamp, party, { messages: [{ tag, misconfigurationErrors }] })
    }
    return lineOf(timestamp, party, NODE_TAGS.has(String(tag)) ? {} : { unknown: [`Node.${String(tag)}`] })
  }

  #outcome(timestamp: string, party: string | null, outcome: Json): LogLine {
    if (!OUTCOMES.has(String(outcome['tag'])))
      return lineOf(timestamp, party, { unknown: [`LogicOutcome.${String(outcome['tag'])}`] })
    const messages: Json[] = []
    const unknown: string[] = []
    let isIncomplete = false
    for (const change of recordsIn(outcome['stateChanges'])) {
      const reading = this.#changes.read(change)
      if (reading === 'unknown') unknown.push(`StateChanged.${String(change['tag'])}`)
      else if (reading === 'incomplete') isIncomplete = true
      else if (reading !== 'silent') messages.push(reading.message)
    }
    for (const effect of recordsIn(outcome['effects'])) {
      const message = effect['clientMessage'] ?? effect['serverOutput']
      // Before 0.21 an output stands here besides the change that it tells.
      const isTold = isRecord(message) && messages.some(({ tag }) => tag === message['tag'])
      if (effect['tag'] === 'ClientEffect' && isRecord(message) && !isTold) messages.push(message)
    }
    if (outcome['tag'] === 'Error') messages.push({ tag: 'LogicError', error: withoutState(outcome['error']) })
    return lineOf(timestamp, party, { messages, unknown, isIncomplete })
  }
}

function lineOf(timestamp: string, party: string | null, rest: Partial<LogLine> = {}): LogLine {
  const messages = (rest.messages ?? []).map((message) => ({ ...message, timestamp }))
  return { timestamp, party, unknown: rest.unknown ?? [], isIncomplete: rest.isIncomplete === true, messages }
}

const recordsIn = (value: unknown): Json[] => (Array.isArray(value) ? value.filter(isRecord) : [])

/** Returns an error of the node without the node's state, which the error may contain as a whole. */
function withoutState(error: unknown): unknown {
  if (!isRecord(error)) return error
  const shown = ['tag', 'requirementFailure', 'ourHeadId', 'otherHeadId'].filter((name) => name in error)
  return Object.fromEntries(shown.map((name) => [name, error[name]]))
}
