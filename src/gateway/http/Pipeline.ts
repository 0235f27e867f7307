import type { Socket } from 'node:net'
import { MAX_PIPELINED } from '../limits.js'

interface Line {
  waiting: number
  last: Promise<void>
}

/** Answers the requests of one connection one after another: the next one begins when the one before has left. */
export class Pipeline {
  readonly #lines = new WeakMap<Socket, Line>()

  /**
   * Runs `answer` after those before it; returns false without running it where too many wait. `answer` settles when
   * its bytes have left.
   */
  add(socket: Socket, answer: () => Promise<void>): boolean {
    const line = this.#lines.get(socket) ?? { waiting: 0, last: Promise.resolve() }
    this.#lines.set(socket, line)
    if (line.waiting >= MAX_PIPELINED) return false
    line.waiting++
    line.last = line.last.then(answer).then(
      () => void line.waiting--,
      () => void line.waiting--
    )
    return true
  }
}
