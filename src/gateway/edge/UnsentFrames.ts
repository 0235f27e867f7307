import { now } from '../../net/timers.js'

interface Frame {
  readonly bytes: number
  holders: number
}

interface Holder {
  readonly frames: Set<object>
  /** Monotonic ms. */
  readonly since: number
}

/**
 * Counts the bytes that wait in this process for clients that do not read. A frame that waits for many clients is in
 * memory once, and counts once.
 */
export class UnsentFrames<Client extends object> {
  readonly #limit: number
  readonly #frames = new Map<object, Frame>()
  readonly #holders = new Map<Client, Holder>()
  #bytes = 0

  /** `limit`: bytes of all frames, which one large frame may exceed. */
  constructor(limit: number) {
    this.#limit = limit
  }

  /** Bytes of all frames. */
  get bytes(): number {
    return this.#bytes
  }

  /** Clients that frames wait for. */
  get clients(): ReadonlySet<Client> {
    return new Set(this.#holders.keys())
  }

  /** Returns true when a frame is already in memory for other clients. */
  has(frame: object): boolean {
    return this.#frames.has(frame)
  }

  /**
   * Returns true when a frame may be sent to a client that may leave it unread: it fits, or less than half of the limit
   * is in use, so that small frames do not keep a large one out.
   */
  admits(frame: object, bytes: number): boolean {
    return this.#frames.has(frame) || this.#bytes < this.#limit / 2 || this.#bytes + bytes <= this.#limit
  }

  /** Notes that a frame waits for a client. */
  hold(client: Client, frame: object, bytes: number): void {
    let holder = this.#holders.get(client)
    if (holder === undefined) this.#holders.set(client, (holder = { frames: new Set(), since: now() }))
    if (holder.frames.has(frame)) return
    holder.frames.add(frame)
    const entry = this.#frames.get(frame)
    if (entry !== undefined) {
      entry.holders++
      return
    }
    this.#frames.set(frame, { bytes, holders: 1 })
    this.#bytes += bytes
  }

  /** Notes that a client has all that was sent to it, or is gone. */
  release(client: Client): void {
    const holder = this.#holders.get(client)
    if (holder === undefined) return
    this.#holders.delete(client)
    for (const frame of holder.frames) {
      const entry = this.#frames.get(frame)!
      if (--entry.holders > 0) continue
      this.#frames.delete(frame)
      this.#bytes -= entry.bytes
    }
  }

  /** Returns the time for which frames have waited for a client, ms; 0: none do. */
  waitingMs(client: Client): number {
    const holder = this.#holders.get(client)
    return holder === undefined ? 0 : now() - holder.since
  }
}
