import type { LayerPayload, UTxOObject } from '../../bridge/index.js'
import { utxoFromJson } from '../../bridge/index.js'
import type { UTxO } from '../../client/index.js'

/** Event of the head's life. */
export interface LifeEvent {
  /** ms since the Unix epoch. */
  readonly at: number
  readonly title: string
  readonly detail: string
}

/** The end of the contestation period, as a closing or a contest set it. */
export interface ContestDeadline {
  readonly at: number
  /** ms since the Unix epoch. */
  readonly deadline: number
  readonly snapshot: number
  readonly by: 'close' | 'contest'
}

/** The end of a head that was fanned out. */
export interface HeadEnd {
  /** ms since the Unix epoch. */
  readonly at: number
  readonly headId: string
  /** Number of outputs paid out. */
  readonly outputs: number
  /** Lovelace paid out; null where an output could not be read. */
  readonly lovelace: bigint | null
  /** The outputs, up to 1,000; empty where one could not be read. */
  readonly utxo: readonly UTxO[]
}

const MAX_EVENTS = 200
/** Maximum number of paid-out outputs that are kept of each ended head; the first ones. */
export const MAX_PAID_OUT = 1_000

/** The life of the heads on this connection: their events, and the deadlines of the closing. */
export class LifeLog {
  #events: LifeEvent[] = []
  #deadlines: ContestDeadline[] = []
  #ended: HeadEnd | null = null
  #paying: HeadEnd | null = null

  /** Newest first. */
  get events(): readonly LifeEvent[] {
    return this.#events
  }

  /** Deadlines of this closing, oldest first. */
  get deadlines(): readonly ContestDeadline[] {
    return this.#deadlines
  }

  /** The end of the last head; null before the first and from the next opening on. */
  get ended(): HeadEnd | null {
    return this.#ended
  }

  /** Outputs of a head that is paid out in steps, so far; null before the first step and after the last. */
  get paying(): HeadEnd | null {
    return this.#paying
  }

  /** Applies a message. Returns true when it changed the log. */
  apply(payload: LayerPayload): boolean {
    const at = Date.parse(payload.timestamp)
    switch (payload.tag) {
      case 'HeadIsInitializing':
        this.#ended = null
        return this.#add(at, 'Initializing', 'The parties may commit.')
      case 'HeadIsOpen':
        this.#deadlines = []
        this.#ended = null
        this.#paying = null
        return this.#add(at, 'Opened', `Head ${payload.headId}`)
      case 'HeadIsClosed':
      case 'HeadIsContested': {
        const by = payload.tag === 'HeadIsClosed' ? 'close' : 'contest'
        const snapshot = Number(payload.snapshotNumber)
        const deadline = Date.parse(String(payload.contestationDeadline).replace(/(\.\d{3})\d+/, '$1'))
        this.#deadlines = [...(by === 'close' ? [] : this.#deadlines), { at, deadline, snapshot, by }]
        return this.#add(
          at,
          by === 'close' ? 'Closed' : 'Contested',
          `With snapshot ${snapshot}.${by === 'contest' ? ' The deadline has moved.' : ''}`
        )
      }
      case 'ReadyToFanout':
        return this.#add(at, 'Ready to fan out', 'The contestation period is over.')
      case 'HeadPartiallyFannedOut':
        this.#paying = joined(this.#paying, endOf(at, payload.headId, payload.distributedUTxO))
        return this.#add(
          at,
          'Partly fanned out',
          `${Object.keys(payload.distributedUTxO ?? {}).length} outputs are on the base ledger.`
        )
      case 'HeadIsFinalized':
        this.#ended = endOf(at, payload.headId, payload.utxo)
        this.#paying = null
        return this.#add(at, 'Fanned out', `${Object.keys(payload.utxo ?? {}).length} outputs are on the base ledger.`)
      case 'HeadIsAborted':
        return this.#add(at, 'Aborted', 'What was committed went back to its owners.')
      default:
        return false
    }
  }

  #add(at: number, title: string, detail: string): boolean {
    this.#events = [{ at, title, detail }, ...this.#events].slice(0, MAX_EVENTS)
    return true
  }
}

function endOf(at: number, headId: string, utxo: UTxOObject | undefined): HeadEnd {
  const outputs = Object.keys(utxo ?? {}).length
  try {
    const read = utxoFromJson(utxo ?? {})
    const lovelace = read
      .flatMap(({ output }) => output.amount)
      .reduce((sum, { unit, quantity }) => (unit === 'lovelace' ? sum + BigInt(quantity) : sum), 0n)
    return { at, headId, outputs, lovelace, utxo: read.slice(0, MAX_PAID_OUT) }
  } catch {
    return { at, headId, outputs, lovelace: null, utxo: [] }
  }
}

/** Returns the sum of two steps of one fanout; for different heads, the later step alone. */
function joined(before: HeadEnd | null, step: HeadEnd): HeadEnd {
  if (before?.headId !== step.headId) return step
  return {
    at: step.at,
    headId: step.headId,
    outputs: before.outputs + step.outputs,
    lovelace: before.lovelace === null || step.lovelace === null ? null : before.lovelace + step.lovelace,
    utxo: [...before.utxo, ...step.utxo].slice(0, MAX_PAID_OUT)
  }
}
