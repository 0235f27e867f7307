import { WatchStateError } from '../../errors/doctor.js'
import type { AlertState, HeadAlert } from './types.js'

const KIND = 'layer-sdk/watch-state'
const VERSION = 1
/** Maximum number of heads and of ended subjects that are kept. */
const MAX_KEPT = 500

/** An alert that has not ended. */
export interface FiringAlert {
  readonly alert: HeadAlert
  /** Time at which its last line was sent, ms since the epoch. */
  readonly lastLineAt: number
}

interface StateDocument {
  readonly kind: typeof KIND
  readonly version: typeof VERSION
  /** Newest snapshot number by head. */
  readonly newest: Readonly<Record<string, number>>
  /** Time of the newest message by node, ms since the epoch. */
  readonly readUpTo: Readonly<Record<string, number>>
  readonly firing: Readonly<Record<string, FiringAlert>>
  /** Lines that the sink has not confirmed, in their order. */
  readonly outbox: readonly HeadAlert[]
  /** Ids of heads that are over, about which no alert fires again. */
  readonly ended: readonly string[]
}

/**
 * Memory of a watch, which survives restarts: the newest snapshots, the alerts, and the lines that are not confirmed.
 * One save runs at a time; changes during it are in the next one.
 */
export class WatchMemory {
  readonly newest: Map<string, number>
  readonly readUpTo: Map<string, number>
  readonly firing: Map<string, FiringAlert>
  readonly outbox: HeadAlert[]
  readonly ended: Set<string>
  readonly #state: AlertState
  #saving: Promise<void> = Promise.resolve()
  #saved = ''

  private constructor(state: AlertState, document: StateDocument) {
    this.#state = state
    this.newest = new Map(Object.entries(document.newest))
    this.readUpTo = new Map(Object.entries(document.readUpTo))
    this.firing = new Map(Object.entries(document.firing))
    this.outbox = [...document.outbox]
    this.ended = new Set(document.ended)
  }

  /** Reads the memory of the last run. @throws {@link WatchStateError}; the error of the state */
  static async open(state: AlertState): Promise<WatchMemory> {
    const text = await state.load()
    return new WatchMemory(state, text === null ? EMPTY : documentOf(text))
  }

  /** Notes the number of a snapshot; returns true for a new highest one. */
  noteSnapshot(headId: string, number: number): boolean {
    if (number <= (this.newest.get(headId) ?? -1)) return false
    this.newest.delete(headId)
    this.newest.set(headId, number)
    trim(this.newest)
    return true
  }

  /** Marks a subject (the id of a head) as over: no alert about it fires again. */
  end(subject: string): void {
    this.ended.add(subject)
    trim(this.ended)
  }

  /** Saves the changes, which are durable once it resolves. @throws the error of the state */
  save(): Promise<void> {
    const next = this.#saving
      .catch(() => undefined)
      .then(async () => {
        const text = JSON.stringify(this.#document())
        if (text === this.#saved) return
        await this.#state.save(text)
        this.#saved = text
      })
    this.#saving = next
    return next
  }

  #document(): StateDocument {
    return {
      kind: KIND,
      version: VERSION,
      newest: Object.fromEntries(this.newest),
      readUpTo: Object.fromEntries(this.readUpTo),
      firing: Object.fromEntries(this.firing),
      outbox: this.outbox,
      ended: [...this.ended]
    }
  }
}

const EMPTY: StateDocument = {
  kind: KIND,
  version: VERSION,
  newest: {},
  readUpTo: {},
  firing: {},
  outbox: [],
  ended: []
}

function trim(kept: Map<string, unknown> | Set<string>): void {
  for (const oldest of kept.keys()) {
    if (kept.size <= MAX_KEPT) return
    kept.delete(oldest)
  }
}

function documentOf(text: string): StateDocument {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    throw new WatchStateError('JSON', `${text.length} characters that are not`, error)
  }
  if (!isObject(value) || value['kind'] !== KIND) throw new WatchStateError(`kind '${KIND}'`, 'another document')
  const { version, newest, readUpTo, firing, outbox, ended } = value
  if (version !== VERSION) throw new WatchStateError(`version ${VERSION}`, `version ${String(version).slice(0, 20)}`)
  const isWhole =
    isNumbers(newest) &&
    isNumbers(readUpTo) &&
    isObject(firing) &&
    Object.values(firing).every((each) => isObject(each) && isAlert(each['alert']) && isTime(each['lastLineAt'])) &&
    Array.isArray(outbox) &&
    outbox.every(isAlert) &&
    Array.isArray(ended) &&
    ended.every((each) => typeof each === 'string')
  if (!isWhole) throw new WatchStateError('the members of a state', 'others')
  return value as unknown as StateDocument
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const isTime = (value: unknown): boolean => typeof value === 'number' && Number.isFinite(value)
const isNumbers = (value: unknown): boolean => isObject(value) && Object.values(value).every(isTime)
const isAlert = (value: unknown): boolean =>
  isObject(value) && typeof value['id'] === 'string' && typeof value['rule'] === 'string' && isTime(value['at'])
