import { now, sleep, startTimer } from '../../net/timers.js'
import type { StopTimer } from '../../net/timers.js'

/** What the liveness watch needs. */
export interface LivenessPorts {
  /** How long a connection may be silent, ms; a dead one is found within it. */
  readonly timeoutMs: number
  /** Sends a ping whose answer counts as activity; false where there is none. */
  ping(): boolean
  /** Asks over HTTP how many confirmed snapshots this connection has not brought. Rejects when the node does not answer. */
  probe(signal: AbortSignal): Promise<number>
  /** The connection is dead. */
  onDead(): void
}

/** A running watch over one connection. */
export interface LivenessWatch {
  /** Something arrived. */
  touch(): void
  stop(): void
}

/** A node that answers HTTP with news this socket has not brought gets this long to bring it, ms. */
const LAG_GRACE_MS = 2_000
const MAX_PROBE_MS = 5_000

/**
 * Finds half-open sockets, which never fire `close`. Silence of half the limit brings a ping, of the limit less the
 * probe's own time an HTTP probe: after a laptop's sleep the timers fire at once, and the probe lets waiting data in first.
 */
export function watchLiveness(ports: LivenessPorts): LivenessWatch {
  const probeMs = Math.min(MAX_PROBE_MS, ports.timeoutMs / 3)
  let stopped = false
  let asking = new AbortController()
  let last = now()
  // The last sign of life when one snapshot was found missing.
  let lateSince: number | null = null
  let stopTimer: StopTimer

  const arm = (afterMs: number, action: () => void): void => {
    if (!stopped) stopTimer = startTimer(Math.max(afterMs, 1), action, true)
  }
  const rest = (): void => arm(last + ports.timeoutMs / 2 - now(), ask)
  const ask = (): void => {
    if (now() - last < ports.timeoutMs / 2) return rest()
    const asked = last
    const pinged = ports.ping()
    arm(ports.timeoutMs / 2 - probeMs, () => {
      if (last !== asked) rest()
      else void examine(pinged)
    })
  }
  const probe = (): Promise<number> => {
    asking = new AbortController()
    return ports.probe(asking.signal).finally(startTimer(probeMs, () => asking.abort(), true))
  }
  const examine = async (pinged: boolean): Promise<void> => {
    const before = last
    let dead = true
    try {
      let missed = await probe()
      if (missed > 0) {
        await sleep(LAG_GRACE_MS, asking.signal)
        missed = await probe()
      }
      // A socket that pongs cannot hide behind a healthy HTTP port: no pong, no life. A single snapshot may be large and still on its way.
      dead = pinged || missed > 1 || (missed === 1 && lateSince === before)
      lateSince = missed === 1 ? before : null
    } catch { /* no answer: dead unless something arrived meanwhile */ }
    if (stopped) return
    if (dead && last === before) ports.onDead()
    else rest()
  }
  rest()
  return {
    touch() { last = now() },
    stop() {
      stopped = true
      asking.abort()
      stopTimer()
    }
  }
}
