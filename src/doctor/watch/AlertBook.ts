import { bytesToHex } from '../../codec/hex.js'
import { utf8ToBytes } from '../../codec/utf8.js'
import { blake2b256 } from '../../hash/blake2b.js'
import type { ReadRule } from './rules.js'
import type { AlertSink, HeadAlert, WatchTime } from './types.js'
import type { WatchMemory } from './WatchMemory.js'

/** Time after which a critical alert is sent again, ms. */
const REPEAT_MS = 3_600_000
/** Wait before an alert that the sink rejected is sent again, ms. */
const AGAIN_MS = 1_000

/**
 * An alert that does not have an id yet. Its `subject` (with a head or node as its beginning) distinguishes it from
 * other alerts of the same rule.
 */
export interface Raised {
  readonly rule: ReadRule
  readonly headId: string | null
  readonly subject: string
  readonly what: string
  readonly remedy: string
  readonly evidence?: HeadAlert['evidence']
  readonly deadline?: number
}

/**
 * The alerts that are firing. Each fires once and resolves once. Its line is saved in the memory before the sink
 * receives it, and leaves the memory after the sink has confirmed it; if the process is killed between, the line is
 * sent again under the same id.
 */
export class AlertBook {
  readonly #memory: WatchMemory
  readonly #sink: AlertSink
  readonly #time: WatchTime
  readonly #signal: AbortSignal
  #flushing: Promise<void> | null = null

  constructor(memory: WatchMemory, sink: AlertSink, time: WatchTime, signal: AbortSignal) {
    this.#memory = memory
    this.#sink = sink
    this.#time = time
    this.#signal = signal
  }

  /** Fires an alert; without effect on one that is firing already. */
  raise(raised: Raised): void {
    const key = keyOf(raised)
    if (this.#memory.firing.has(key)) return
    const { rule, headId, what, remedy, evidence = {}, deadline } = raised
    const at = this.#time.now()
    const id = bytesToHex(blake2b256(utf8ToBytes(JSON.stringify([key, at])))).slice(0, 32)
    const alert: HeadAlert = {
      id,
      at,
      rule: rule.name,
      severity: rule.severity,
      state: 'firing',
      headId,
      what,
      evidence,
      remedy,
      ...(deadline === undefined ? {} : { deadline })
    }
    this.#memory.firing.set(key, { alert, lastLineAt: at })
    this.#memory.outbox.push(alert)
  }

  /** Resolves an alert if it is firing. */
  resolve(raised: Pick<Raised, 'rule' | 'subject'>): void {
    const key = keyOf(raised)
    const firing = this.#memory.firing.get(key)
    if (firing === undefined) return
    this.#memory.firing.delete(key)
    this.#memory.outbox.push({ ...firing.alert, at: this.#time.now(), state: 'resolved' })
  }

  /**
   * Resolves all alerts of a rule and an owner (head or node), except those of the given subjects, which begin with the
   * owner.
   */
  resolveOthers(rule: ReadRule, owner: string, subjects: ReadonlySet<string>): void {
    const start = keyOf({ rule, subject: '' })
    for (const key of [...this.#memory.firing.keys()]) {
      if (!key.startsWith(`${start}${owner}`)) continue
      const subject = key.slice(start.length)
      if (!subjects.has(subject)) this.resolve({ rule, subject })
    }
  }

  /** Sends critical alerts again that were last sent an hour ago. */
  repeat(): void {
    const now = this.#time.now()
    for (const [key, { alert, lastLineAt }] of this.#memory.firing) {
      // A clock that was set back must not delay the next line by as much.
      const isBack = lastLineAt > now
      if (isBack) this.#memory.firing.set(key, { alert, lastLineAt: now })
      if (alert.severity !== 'critical' || isBack || now - lastLineAt < REPEAT_MS) continue
      // While the sink refuses lines, one of each alert waits.
      if (this.#memory.outbox.some(({ id }) => id === alert.id)) continue
      this.#memory.firing.set(key, { alert, lastLineAt: now })
      this.#memory.outbox.push({ ...alert, at: now })
    }
  }

  /** Sends the waiting lines one after another; resolves when all are confirmed. @throws the error of the state */
  async flush(): Promise<void> {
    // A line that came after the loop of the last one was left waits for no tick.
    while (this.#memory.outbox.length > 0 && !this.#signal.aborted) {
      this.#flushing ??= this.#send().finally(() => (this.#flushing = null))
      await this.#flushing
    }
  }

  async #send(): Promise<void> {
    const { outbox } = this.#memory
    while (outbox.length > 0 && !this.#signal.aborted) {
      await this.#memory.save()
      const [next] = outbox
      try {
        await this.#sink.send(next!)
      } catch {
        await this.#time.sleep(AGAIN_MS, this.#signal)
        continue
      }
      outbox.shift()
      await this.#memory.save()
    }
  }
}

const keyOf = ({ rule, subject }: Pick<Raised, 'rule' | 'subject'>): string => `${rule.name}|${subject}`
