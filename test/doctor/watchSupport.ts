import type { Connector, ConnectorChannel, ConnectorListener, ConnectorReply } from '../../src/bridge'
import type { AlertRule, AlertState, HeadAlert, WatchedHead } from '../../src/doctor'
import { stringifyJson } from '../../src/codec/json'
import { readRules } from '../../src/doctor/inner'
import { runWatch } from '../../src/doctor/watch/runWatch'
import type { WatchTime } from '../../src/doctor/watch/types'
import { confirmedSnapshot, greetings, HEAD_ID, PARTY, snapshotConfirmed } from '../support/scriptedNode'

export const START = Date.UTC(2026, 5, 1)
export const PERIOD_MS = 3_600_000

/** A clock that a test moves; whatever sleeps until then wakes in its order. */
export class TestTime implements WatchTime {
  #ms = 0
  #jump = 0
  readonly #sleeping = new Set<{ at: number; wake: () => void }>()

  now(): number {
    return START + this.#ms + this.#jump
  }
  monotonic(): number {
    return this.#ms
  }
  /** Sets the clock of the machine; no time passes. */
  jump(ms: number): void {
    this.#jump += ms
  }
  sleep(ms: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      if (signal.aborted) return reject(signal.reason as Error)
      const entry = { at: this.#ms + ms, wake: () => end(resolve) }
      const abort = (): void => end(() => reject(signal.reason as Error))
      const end = (settle: () => void): void => {
        this.#sleeping.delete(entry)
        signal.removeEventListener('abort', abort)
        settle()
      }
      this.#sleeping.add(entry)
      signal.addEventListener('abort', abort)
    })
  }
  async advance(ms: number): Promise<void> {
    const end = this.#ms + ms
    for (;;) {
      await settle()
      const due = [...this.#sleeping].filter(({ at }) => at <= end).sort((a, b) => a.at - b.at)[0]
      if (due === undefined) break
      this.#ms = Math.max(this.#ms, due.at)
      for (const each of [...this.#sleeping]) if (each.at <= this.#ms) each.wake()
    }
    this.#ms = end
    await settle()
  }
}

/** Lets promises and immediate tasks run. */
export async function settle(): Promise<void> {
  for (let i = 0; i < 4; i++) await new Promise((resolve) => setImmediate(resolve))
}

/** A node of a head that says what a test tells it to. */
export class ScriptedHead implements Connector {
  readonly capabilities = { history: true, allRoutes: true, partial: false }
  readonly origin: string
  readonly history: object[] = []
  readonly #time: WatchTime
  readonly #channels = new Set<ConnectorListener>()
  isDown = false
  status = 'Open'
  number = 0
  periodMs = PERIOD_MS
  greeting: object = {}
  unconfirmed: string[] = []
  opened = 0

  constructor(time: WatchTime, origin = 'ws://127.0.0.1:4001') {
    this.#time = time
    this.origin = origin
    this.note({ tag: 'HeadIsOpen', headId: HEAD_ID, utxo: {}, parties: [PARTY] })
  }

  /** A stored message, without telling it. */
  note(message: object): void {
    this.history.push({ seq: this.history.length, timestamp: new Date(this.#time.now()).toISOString(), ...message })
  }
  /** A stored message, told at once. */
  say(message: object): void {
    this.note(message)
    const text = stringifyJson(this.history.at(-1))
    for (const listener of [...this.#channels]) listener.onMessage(text)
  }
  snapshot(number: number, told = true): void {
    this.number = number
    const message = snapshotConfirmed(number, { seq: this.history.length })
    const stamped = { ...message, timestamp: new Date(this.#time.now()).toISOString() }
    if (told) this.say(stamped)
    else this.note(stamped)
  }
  close(number: number, told = true, fields: object = {}): void {
    this.status = 'Closed'
    const contestationDeadline = new Date(this.#time.now() + 2 * this.periodMs).toISOString()
    const message = { tag: 'HeadIsClosed', headId: HEAD_ID, snapshotNumber: number, contestationDeadline, ...fields }
    if (told) this.say(message)
    else this.note(message)
  }
  down(): void {
    this.isDown = true
    for (const listener of [...this.#channels]) listener.onClose(new Error('lost'))
    this.#channels.clear()
  }

  open(listener: ConnectorListener, { history }: { history?: boolean }): ConnectorChannel {
    this.opened++
    queueMicrotask(() => {
      if (this.isDown) return listener.onClose(new Error('refused'))
      this.#channels.add(listener)
      listener.onOpen({ replay: history === true })
      if (history) for (const each of this.history) listener.onMessage(stringifyJson(each))
      const env = {
        party: PARTY,
        otherParties: [],
        signingKey: '',
        contestationPeriod: this.periodMs / 1_000,
        depositPeriod: 3_600,
        participants: [],
        configuredPeers: ''
      }
      listener.onMessage(
        JSON.stringify(
          greetings({
            headStatus: this.status,
            hydraNodeVersion: '2.4.1-abc',
            chainSyncedStatus: 'InSync',
            env,
            ...this.greeting
          })
        )
      )
    })
    return { send: () => undefined, close: () => Promise.resolve(void this.#channels.delete(listener)) }
  }

  request({ path }: { path: string }): Promise<ConnectorReply> {
    if (this.isDown) return Promise.reject(new Error('refused'))
    const answers: Record<string, unknown> = {
      '/snapshot': this.number === 0 ? undefined : confirmedSnapshot(this.number),
      '/snapshot/last-seen': { tag: 'LastSeenSnapshot', lastSeen: this.number },
      '/commits': [],
      '/head': {
        tag: this.status,
        contents: {
          headId: HEAD_ID,
          parameters: { parties: [PARTY], contestationPeriod: this.periodMs / 1_000 },
          coordinatedHeadState: { localTxs: this.unconfirmed.map((txId) => ({ txId })), allTxs: {}, version: 0 }
        }
      }
    }
    const body = answers[path]
    return Promise.resolve(
      body === undefined ? { status: 404, text: '""' } : { status: 200, text: JSON.stringify(body) }
    )
  }
}

/** A state in memory; a kill is one that is read again as it was. */
export function memoryState(text: string | null = null): AlertState & { text: string | null; saves: number } {
  const state = {
    text,
    saves: 0,
    load: () => Promise.resolve(state.text),
    save: (next: string) => {
      state.text = next
      state.saves++
      return Promise.resolve()
    }
  }
  return state
}

/** A watch that runs, with the lines that it has told. */
export interface Running {
  readonly lines: HeadAlert[]
  /** `rule state` of each line. */
  told(): string[]
  stop(): Promise<void>
  readonly ended: Promise<void>
}

export function watching(
  time: WatchTime,
  heads: readonly (Connector | WatchedHead)[],
  more: {
    rules?: AlertRule[]
    state?: AlertState
    intervalMs?: number
    send?: (alert: HeadAlert) => Promise<void>
  } = {}
): Running {
  const over = new AbortController()
  const lines: HeadAlert[] = []
  const ended = runWatch({
    heads: heads.map((each) => ('node' in each ? each : { node: each })),
    rules: readRules(more.rules ?? []),
    sink: {
      async send(alert) {
        await more.send?.(alert)
        lines.push(alert)
      }
    },
    state: more.state ?? memoryState(),
    intervalMs: more.intervalMs ?? 15_000,
    signal: over.signal,
    time
  })
  ended.catch(() => undefined)
  return {
    lines,
    told: () => lines.map(({ rule, state }) => `${rule} ${state}`),
    ended,
    async stop() {
      over.abort()
      await ended
    }
  }
}
