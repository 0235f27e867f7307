import type { BridgeContext } from './BridgeContext.js'
import { weightOf } from './delivery/weightOf.js'
import { readMessage } from './head/readMessage.js'
import type { ReadMessage } from './head/readMessage.js'
import { decodeMessage } from './protocol/decode.js'
import { applyMessage } from './applyMessage.js'
import { nextTask } from '../net/nextTask.js'
import { now } from '../net/timers.js'

/** Maximum number of messages that wait while one is being read. */
const MAX_WAITING = 4_096
/**
 * Maximum weight (characters) of the waiting messages: a node that sends faster than it is read must not fill the
 * memory.
 */
const MAX_WAITING_WEIGHT = 8_388_608
/** Maximum time for slices and waiting messages before other tasks run, ms. */
const SLICE_MS = 4

interface Arrival {
  /** The message; null when something else arrived, which `invalid` describes. */
  readonly message: unknown
  readonly invalid: Error | null
  readonly receivedAt: number
  readonly weight: number
}

/** A message that is being read. */
interface Reading {
  readonly arrival: Arrival
  readonly steps: Generator<undefined, ReadMessage>
  readonly isReplay: boolean
}

/**
 * Receives the messages of a connection in their order. Most are read and applied as they arrive. A large one is read
 * in slices, between which other tasks run; the messages after it wait. The queue is bounded: when it is full, all
 * waiting messages are read at once.
 */
export class MessageReceiver {
  readonly #context: BridgeContext
  #reading: Reading | null = null
  #waiting: Arrival[] = []
  #weight = 0
  /** Grows when the message being read and the waiting ones are dropped. */
  #generation = 0
  #isScheduled = false

  constructor(context: BridgeContext) {
    this.#context = context
  }

  /** True while a message is being read, or messages wait to be read. */
  get busy(): boolean {
    return this.#reading !== null || this.#waiting.length > 0
  }

  /** Receives a message, which is read at once unless earlier ones still wait. */
  receive(message: unknown): void {
    this.#arrive({ message, invalid: null, receivedAt: Date.now(), weight: weightOf(message) })
  }

  /** Receives the error for data that is not a message; it is reported after the messages that arrived before it. */
  receiveInvalid(invalid: Error): void {
    this.#arrive({ message: null, invalid, receivedAt: 0, weight: 0 })
  }

  /** Reads and applies all waiting messages at once, e.g. when the connection has ended, before which they arrived. */
  flush(): void {
    this.#run(Infinity)
  }

  /** Drops the waiting messages, and the one that is being read. */
  clear(): void {
    this.#generation++
    this.#reading = null
    this.#waiting = []
    this.#weight = 0
  }

  #arrive(arrival: Arrival): void {
    this.#waiting.push(arrival)
    this.#weight += arrival.weight
    if (!this.#isScheduled) this.#run(0)
    else if (this.#waiting.length > MAX_WAITING || (this.#weight > MAX_WAITING_WEIGHT && this.#waiting.length > 1))
      this.flush()
  }

  /**
   * Reads slices and messages, at least one, until none is left or the time `untilMs` has come; the rest is read later.
   */
  #run(untilMs: number): void {
    const generation = this.#generation
    while (generation === this.#generation && this.busy) {
      this.#step()
      if (this.busy && now() >= untilMs) return this.#schedule()
    }
  }

  #schedule(): void {
    if (this.#isScheduled) return
    this.#isScheduled = true
    nextTask(() => {
      this.#isScheduled = false
      this.#run(now() + SLICE_MS)
    })
  }

  #step(): void {
    const { cache, connection, emitter } = this.#context
    if (this.#reading === null) {
      const arrival = this.#waiting.shift()!
      const { message, invalid, receivedAt, weight } = arrival
      this.#weight -= weight
      if (invalid !== null) return emitter.emit('onProtocolError', invalid)
      const isReplay = connection.replaying
      if (typeof message !== 'string')
        return this.#deliver(arrival, isReplay, () => ({
          payload: decodeMessage(message, receivedAt),
          outputs: null
        }))
      this.#reading = { arrival, isReplay, steps: readMessage(cache.texts, message, receivedAt, isReplay) }
    }
    const { arrival, isReplay, steps } = this.#reading
    let step: IteratorResult<undefined, ReadMessage>
    try {
      step = steps.next()
    } catch (error) {
      this.#reading = null
      return emitter.emit('onProtocolError', error as Error)
    }
    if (step.done !== true) return
    this.#reading = null
    this.#deliver(arrival, isReplay, () => step.value as ReadMessage)
  }

  /**
   * Applies a message that has been read; with the option `verify`, hands it to the verifier, which applies it later.
   */
  #deliver(arrival: Arrival, isReplay: boolean, read: () => ReadMessage): void {
    const { verifier, emitter } = this.#context
    if (verifier === null) return applyMessage(this.#context, arrival, isReplay, read)
    const { message, receivedAt, weight } = arrival
    const text = typeof message === 'string' ? message : null
    let decoded: ReadMessage
    try {
      decoded = read()
    } catch (error) {
      return emitter.emit('onProtocolError', error as Error)
    }
    verifier.receive({ ...decoded, text, receivedAt, weight })
  }
}
