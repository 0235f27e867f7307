import { startTimer } from '../../net/timers.js'
import type { OutRecord } from '../records.js'

/** End of a command without a verdict (outcome) of its own, or of a request. */
export interface CommandEnd {
  readonly outcome: 'sent' | 'refused' | 'unknown'
  readonly reason: string
}

/**
 * Number of ends that are remembered, because the log may show an end before the append of its command has been
 * answered.
 */
const MAX_KEPT = 1_000

/** Hands the ends of commands to those that wait for them, by the id of the command in the stream `in`. */
export class CommandEnds {
  readonly #waiting = new Map<string, (end: CommandEnd) => void>()
  readonly #kept = new Map<string, CommandEnd>()
  /** Commands that a core was about to send. A core of an earlier version logs no further record of them. */
  readonly #sending = new Set<string>()

  /** Calls `onEnd` once, with the end of a command. Returns a function that stops the watch. */
  watch(command: string, onEnd: (end: CommandEnd) => void): () => void {
    const keptEnd = this.#kept.get(command)
    if (keptEnd === undefined) this.#waiting.set(command, onEnd)
    else onEnd(keptEnd)
    return () => void this.#waiting.delete(command)
  }

  /**
   * Resolves with the end of a command; when none comes in time, as unknown, or as sent where a core was about to send
   * it.
   */
  wait(command: string, timeoutMs: number): Promise<CommandEnd> {
    return new Promise((resolve) => {
      let stopTimer = (): void => undefined
      this.watch(command, (end) => {
        stopTimer()
        resolve(end)
      })
      if (!this.#waiting.has(command)) return
      const late: CommandEnd = { outcome: 'unknown', reason: 'no answer came in time' }
      stopTimer = startTimer(timeoutMs, () =>
        this.#settle(command, this.#sending.has(command) ? { outcome: 'sent', reason: '' } : late)
      )
    })
  }

  /** Applies a record of the core. */
  apply(record: OutRecord): void {
    if (record.kind === 'sending' && record.txId === null) remember(this.#sending, record.command)
    if (record.kind !== 'taken') return
    const { command, outcome, reason } = record
    this.#kept.set(command, { outcome, reason })
    if (this.#kept.size > MAX_KEPT) this.#kept.delete(this.#kept.keys().next().value!)
    this.#settle(command, { outcome, reason })
  }

  /** Ends all waits as unknown, for this reason. */
  close(reason: string): void {
    for (const command of [...this.#waiting.keys()]) this.#settle(command, { outcome: 'unknown', reason })
  }

  #settle(command: string, end: CommandEnd): void {
    const onEnd = this.#waiting.get(command)
    this.#waiting.delete(command)
    onEnd?.(end)
  }
}

function remember(commands: Set<string>, command: string): void {
  commands.add(command)
  if (commands.size > MAX_KEPT) commands.delete(commands.values().next().value!)
}
