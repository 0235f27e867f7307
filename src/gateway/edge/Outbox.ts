import { MAX_BEHIND_MS, MAX_HOLDING_MS } from '../limits.js'
import type { GatewayLimits } from '../limits.js'
import type { Metrics } from '../Metrics.js'
import { now } from '../../net/timers.js'
import type { Client } from './Client.js'
import type { Outgoing } from './Outgoing.js'
import type { UnsentFrames } from './UnsentFrames.js'

/** Dependencies of an {@link Outbox}. */
export interface OutboxContext {
  readonly limits: GatewayLimits
  readonly metrics: Metrics
  readonly unsent: UnsentFrames<Client>
  /** Sends the present state to a client that fell behind and has read all that waited for it. */
  catchUp(client: Client): void
}

/**
 * Largest frame that is always sent to a client that has read all before, however much waits for other clients, bytes.
 */
const SMALL_BYTES = 65_536

/**
 * Sends events to the clients of one head within bounds: the bytes that wait for a client, answers to its requests
 * included, are limited. A client that does not read falls behind: it misses messages, receives the present state once
 * it has read, and is closed if it does not read for long.
 */
export class Outbox {
  readonly #context: OutboxContext
  readonly #behind = new Set<Client>()
  /** Size of the last whole snapshot, bytes: two of this size may always wait for a client. */
  snapshotBytes = 0

  constructor(context: OutboxContext) {
    this.#context = context
  }

  /**
   * Sends an event and returns true, if the client keeps up. A client that does not misses the event, and receives the
   * state later.
   */
  send(client: Client, outgoing: Outgoing, onSent?: () => void): boolean {
    if (client.behindSince !== null || !this.#hasRoom(client, outgoing)) return false
    this.#put(client, outgoing, onSent)
    return true
  }

  #put(client: Client, outgoing: Outgoing, onSent?: () => void): void {
    const { metrics, unsent } = this.#context
    metrics.messages++
    const bytes = client.send(outgoing, onSent)
    metrics.bytes += bytes
    if (client.unsentBytes > 0) {
      const cost = client.costOf(outgoing)
      unsent.hold(client, cost.key, cost.bytes)
    }
  }

  /** Sends an answer; `make` is called only if the client keeps up. */
  answer(client: Client, make: () => Outgoing): void {
    if (this.keepsUp(client)) this.send(client, make())
  }

  /**
   * Sends an answer of about `bytes` that is made for this client alone; `make` is called only if there is room for it.
   */
  answerLarge(client: Client, bytes: number, make: () => Outgoing): void {
    if (!this.keepsUp(client)) return
    const { unsent } = this.#context
    if (client.unsentBytes === 0) unsent.release(client)
    if (unsent.admits(client, client.memoryOf(bytes))) this.#put(client, make())
    else this.#fallBehind(client)
  }

  /** Returns false for a client with more unsent bytes than allowed, and lets it fall behind. */
  keepsUp(client: Client): boolean {
    if (client.behindSince !== null) return false
    if (client.unsentBytes <= this.#limit) return true
    this.#fallBehind(client)
    return false
  }

  /** Half of the bytes that may wait for a client: while fewer wait, the snapshots that it missed are sent. */
  get halfLimit(): number {
    return this.#limit / 2
  }

  remove(client: Client): void {
    this.#behind.delete(client)
    this.#context.unsent.release(client)
  }

  /**
   * Checks the clients that fell behind: sends the state to those that have read all, and closes those that do not
   * read.
   */
  check(): void {
    const { unsent, catchUp } = this.#context
    for (const client of unsent.clients) if (client.unsentBytes === 0) unsent.release(client)
    let isShort = false
    for (const client of [...this.#behind]) {
      if (client.unsentBytes === 0) {
        client.behindSince = null
        this.#behind.delete(client)
        catchUp(client)
        isShort ||= client.behindSince !== null
      } else if (now() - client.behindSince! > MAX_BEHIND_MS) {
        this.#behind.delete(client)
        client.close()
      }
    }
    // Others wait for the room that these hold.
    if (isShort) for (const client of unsent.clients) if (unsent.waitingMs(client) > MAX_HOLDING_MS) client.close()
  }

  get #limit(): number {
    return Math.max(this.#context.limits.unsentBytes, 2 * this.snapshotBytes)
  }

  #hasRoom(client: Client, outgoing: Outgoing): boolean {
    const { unsent } = this.#context
    const { unsentBytes } = client
    if (unsentBytes === 0) unsent.release(client)
    const isSmall = unsentBytes === 0 && client.sizeOf(outgoing) <= SMALL_BYTES
    const { key, bytes } = client.costOf(outgoing)
    if (isSmall || (unsentBytes <= this.#limit && unsent.admits(key, bytes))) return true
    this.#fallBehind(client)
    return false
  }

  #fallBehind(client: Client): void {
    client.fallBehind()
    this.#behind.add(client)
    this.#context.metrics.drops++
  }
}
