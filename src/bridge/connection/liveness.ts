import { now, sleep, startTimer } from '../../net/timers.js'
import type { StopTimer } from '../../net/timers.js'

/** Options and handlers of the liveness watch. */
export interface LivenessOptions {
  /** Maximum silence of a connection, ms; a dead one is found within it. */
  readonly timeoutMs: number
  /** Sends a ping whose answer counts as activity; false where the channel cannot. */
  ping(): boolean
  /**
   * Requests over HTTP how many confirmed snapshots have not arrived on this connection. Rejects when the node does not
   * answer.
   */
  probe(signal: AbortSignal): Promise<number>
  /** Called when the connection is found dead. */
  onDead(): void
}

/** A running watch over one connection. */
export interface LivenessWatch {
  /** Notes that data has arrived. */
  touch(): void
  stop(): void
}

/** Grace period for a snapshot that HTTP reports and the socket has not delivered, ms. */
const LAG_GRACE_MS = 2_000
const MAX_PROBE_MS = 5_000

/**
 * Finds half-open sockets, which never fire `close`. After half the limit without traffic it pings; shortly before the
 * limit it probes the node over HTTP. After a laptop's sleep all timers fire at once; while the probe runs, data that
 * waits in the socket is read, so a live connection is kept.
 */
export function watchLiveness(options: LivenessOptions): LivenessWatch {
  const probeMs = Math.min(MAX_PROBE_MS, options.timeoutMs / 3)
  let stopped = false
  let probing = new AbortController()
  let last = now()
  // Time of the last traffic when one snapshot was found missing.
  let lateSince: number | null = null
  let stopTimer: StopTimer

  const arm = (afterMs: number, action: () => void): void => {
    if (!stopped) stopTimer = startTimer(Math.max(afterMs, 1), action, true)
  }
  const scheduleCheck = (): void => arm(last + options.timeoutMs / 2 - now(), checkSilence)
  const checkSilence = (): void => {
    if (now() - last < options.timeoutMs / 2) return scheduleCheck()
    const lastBefore = last
    const pinged = options.ping()
    arm(options.timeoutMs / 2 - probeMs, () => {
      if (last !== lastBefore) scheduleCheck()
      else void examine(pinged)
    })
  }
  const probe = (): Promise<number> => {
    probing = new AbortController()
    return options.probe(probing.signal).finally(startTimer(probeMs, () => probing.abort(), true))
  }
  const examine = async (pinged: boolean): Promise<void> => {
    const before = last
    let dead = true
    try {
      let missed = await probe()
      if (missed > 0) {
        await sleep(LAG_GRACE_MS, probing.signal)
        missed = await probe()
      }
      // Where pings can be sent, a missing pong decides, regardless of answers over HTTP. A single snapshot may be
      // large and still on its way.
      dead = pinged || missed > 1 || (missed === 1 && lateSince === before)
      lateSince = missed === 1 ? before : null
    } catch {
      /* no answer: dead unless something arrived meanwhile */
    }
    if (stopped) return
    if (dead && last === before) options.onDead()
    else scheduleCheck()
  }
  scheduleCheck()
  return {
    touch() {
      last = now()
    },
    stop() {
      stopped = true
      probing.abort()
      stopTimer()
    }
  }
}
