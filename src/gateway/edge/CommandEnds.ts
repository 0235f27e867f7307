import { startTimer } from '../../net/timers.js'
import type { OutRecord } from '../records.js'

/** How a command without a verdict of its own, or a request, ended. */
export interface CommandEnd {
  readonly outcome: 'sent' | 'refused' | 'unknown'
  readonly reason: string
}

/** Ends that are remembered: the log may show one before the append of its command has been answered. */
const MAX_KEPT = 1_000

/** Whom the ends of commands are for, by the command's id in the stream `in`. */
export class CommandEnds {
  readonly #waiting = new Map<string, (end: CommandEnd) => void>()
  readonly #kept = new Map<string, CommandEnd>()
  /** Commands that a core is about to send: one of an earlier version says no more. */
  readonly #sending = new Set<string>()

  /** Calls `onEnd` with the end of a command, once, unless it is stopped before. */
  watch(command: string, onEnd: (end: CommandEnd) => void): () => void {
    const known = this.#kept.get(command)
    if (known === undefined) this.#waiting.set(command, onEnd)
    else onEnd(known)
    return () => void this.#waiting.delete(command)
  }

  /** Resolves with the end of a command, after a time as unknown. */
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

  /** Follows a record of the core. */
  take(record: OutRecord): void {
    if (record.kind === 'sending' && record.txId === null) remember(this.#sending, record.command)
    if (record.kind !== 'taken') return
    const { command, outcome, reason } = record
    this.#kept.set(command, { outcome, reason })
    if (this.#kept.size > MAX_KEPT) this.#kept.delete(this.#kept.keys().next().value!)
    this.#settle(command, { outcome, reason })
  }

  /** Ends all waits. */
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
