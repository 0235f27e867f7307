import type { ServerResponse } from 'node:http'
import { onceLeft } from './onceLeft.js'
import { UnsentFrames } from '../edge/UnsentFrames.js'

/** Largest answer that is always written, bytes: a connection has one answer at a time, and connections are limited. */
const SMALL_BYTES = 16_384
/** Share of the room (bytes that may wait) that the answers to one IP address may fill. */
const PART_OF_ONE = 1 / 4

/** Counts the bytes of HTTP answers that wait for their clients, which are limited per IP address and in all. */
export class AnswerRoom {
  readonly #limitOfOne: number
  readonly #frames: UnsentFrames<ServerResponse>
  readonly #perAddress = new Map<string, number>()

  /** `limit`: bytes of all answers. */
  constructor(limit: number) {
    this.#limitOfOne = limit * PART_OF_ONE
    this.#frames = new UnsentFrames(limit)
  }

  /** Returns true when the unread answers to an address fill its share. */
  isFullFor(address: string): boolean {
    return (this.#perAddress.get(address) ?? 0) >= this.#limitOfOne
  }

  /**
   * Counts an answer until it has left this process; returns false when there is no room for it. Answers with the same
   * `key` share their `bytes` in memory, which then count once.
   */
  admit(
    response: ServerResponse,
    address: string,
    { key, bytes }: { readonly key: object; readonly bytes: number }
  ): boolean {
    if (bytes <= SMALL_BYTES) return true
    const before = this.#frames.bytes
    if (!this.#frames.admits(key, bytes) || (this.isFullFor(address) && !this.#frames.has(key))) return false
    this.#frames.hold(response, key, bytes)
    const added = this.#frames.bytes - before
    this.#perAddress.set(address, (this.#perAddress.get(address) ?? 0) + added)
    onceLeft(response, () => {
      this.#frames.release(response)
      const left = this.#perAddress.get(address)! - added
      if (left > 0) this.#perAddress.set(address, left)
      else this.#perAddress.delete(address)
    })
    return true
  }
}
