import type { ServerResponse } from 'node:http'

/** Answers to polls, by the session of engine.io: a client may leave each of them unread. */
export class Polls {
  readonly #answers = new Map<string, ServerResponse>()
  readonly #waiting = new Set<string>()

  /** True while the last answer to a session is written and has not left this process. */
  isUnread(sid: string): boolean {
    const answer = this.#answers.get(sid)
    return answer !== undefined && answer.writableEnded && !answer.closed
  }

  /** Drops the last answer to a session when it has not been read. */
  end(sid: string): void {
    if (this.isUnread(sid)) this.#answers.get(sid)!.destroy()
  }

  /**
   * Passes a poll on once the response before it has left this process. Returns false when another poll waits for that.
   */
  pass(sid: string, response: ServerResponse, onward: () => void): boolean {
    if (!this.isUnread(sid)) {
      this.#note(sid, response, onward)
      return true
    }
    if (this.#waiting.has(sid)) return false
    this.#waiting.add(sid)
    this.#answers.get(sid)!.once('close', () => {
      this.#waiting.delete(sid)
      if (!response.destroyed) this.#note(sid, response, onward)
    })
    return true
  }

  #note(sid: string, response: ServerResponse, onward: () => void): void {
    // A poll beside an open one ends the session: the open one stays noted.
    if (!this.#answers.has(sid) || this.#answers.get(sid)!.closed) {
      this.#answers.set(sid, response)
      response.once('close', () => {
        if (this.#answers.get(sid) === response) this.#answers.delete(sid)
      })
    }
    onward()
  }
}
