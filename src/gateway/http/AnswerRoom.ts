import type { ServerResponse } from 'node:http'
import { onceLeft } from './onceLeft.js'
import { UnsentFrames } from '../edge/UnsentFrames.js'

/** An answer up to this size is always written: a connection has one at a time, and connections are counted. */
const SMALL_BYTES = 16_384
/** Part of the room that the answers of one IP address may have. */
const PART_OF_ONE = 1 / 4

/** Bytes of answers over HTTP that wait for their clients: bounded for one IP address and in all. */
export class AnswerRoom {
  readonly #limitOfOne: number
  readonly #frames: UnsentFrames<ServerResponse>
  readonly #perAddress = new Map<string, number>()

  /** `limit`: bytes of all answers. */
  constructor(limit: number) {
    this.#limitOfOne = limit * PART_OF_ONE
    this.#frames = new UnsentFrames(limit)
  }

  /** True where an address has as much unread as it may. */
  isFullFor(address: string): boolean {
    return (this.#perAddress.get(address) ?? 0) >= this.#limitOfOne
  }

  /**
   * Counts an answer until it has left; false: there is no room. `bytes`: identified by `key`, they are in memory once.
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
