import type { Signal } from '@preact/signals'
import { signal } from '@preact/signals'
import type { ErrorText } from './text.js'
import { errorText } from './text.js'

/** A command that was run, with its result. */
export interface CommandRun {
  readonly id: number
  readonly title: string
  /** ms since the Unix epoch. */
  readonly startedAt: number
  readonly state: 'running' | 'done' | 'failed'
  /** Steps so far, oldest first. */
  readonly steps: readonly string[]
  /** Its result, once it is done. */
  readonly result: string
  /** Error of a failed command, with the node's reason. */
  readonly error: ErrorText | null
}

const MAX_RUNS = 50

/** The commands that were run on this page, newest first. */
export class SessionJournal {
  readonly runs: Signal<readonly CommandRun[]> = signal<readonly CommandRun[]>([])
  /** The newest step, as a text for screen readers. */
  readonly announcement: Signal<string> = signal('')
  #next = 1

  /** Runs a command and keeps its steps and its result. Resolves with false when it failed; never rejects. */
  async run(title: string, action: (report: (step: string) => void) => Promise<string>): Promise<boolean> {
    const id = this.#next++
    this.runs.value = [
      { id, title, startedAt: Date.now(), state: 'running' as const, steps: [], result: '', error: null },
      ...this.runs.value
    ].slice(0, MAX_RUNS)
    this.announcement.value = `${title} was sent.`
    try {
      const result = await action((step) => this.#change(id, (run) => ({ ...run, steps: [...run.steps, step] })))
      this.#change(id, (run) => ({ ...run, state: 'done', result }))
      this.announcement.value = `${title}: ${result}`
      return true
    } catch (error) {
      const text = errorText(error)
      this.#change(id, (run) => ({ ...run, state: 'failed', error: text }))
      this.announcement.value = `${title} failed: ${text.summary}`
      return false
    }
  }

  #change(id: number, change: (run: CommandRun) => CommandRun): void {
    this.runs.value = this.runs.value.map((run) => (run.id === id ? change(run) : run))
  }
}
