import type { IncomingMessage } from 'node:http'
import type { StopTimer } from '../../net/timers.js'
import { startTimer } from '../../net/timers.js'
import type { Connections } from '../access/Connections.js'
import type { RateLimiter } from '../access/RateLimiter.js'
import { CONNECT_TIMEOUT_MS } from '../limits.js'

/** A session of engine.io. */
export interface EngineSession {
  readonly request: IncomingMessage
  close(discard?: boolean): void
  once(event: 'close', listener: () => void): void
}

/** Parts of an edge that {@link Sessions} shares. */
export interface SessionsContext {
  /** Counts the sessions by IP address. */
  readonly sessions: Connections
  readonly limiter: RateLimiter
  ipOf(request: IncomingMessage): string
}

interface Session {
  /** `excess`: it is beyond the limits, so its joins are refused. */
  state: 'waiting' | 'joined' | 'excess'
  /** Stops counting the session; another call has no effect. */
  leave: () => void
  stopTimer: StopTimer
}

/** Time that a session beyond the limits may stay, ms: its client learns the reason when it joins. */
const EXCESS_MS = 1_000
/** Time before the library's own timeout at which a session that has not joined is closed, ms. */
const ABANDON_AHEAD_MS = 100

/**
 * The Socket.IO sessions, counted from when they open. A session is `waiting` until it joins a head (`joined`), and
 * again once it has left all heads; one that waits too long is closed. A session beyond the limits is `excess`.
 */
export class Sessions {
  readonly #context: SessionsContext
  readonly #sessions = new WeakMap<object, Session>()

  constructor(context: SessionsContext) {
    this.#context = context
  }

  /** Counts a session that has opened. */
  open(connection: EngineSession): void {
    // Without `discard` the library waits 30 s for a poll before it closes a session of polling.
    const close = connection.close.bind(connection)
    connection.close = () => close(true)
    const { sessions, limiter, ipOf } = this.#context
    const ip = ipOf(connection.request)
    const leave = sessions.open(ip)
    const state = leave === null ? 'excess' : 'waiting'
    const session: Session = { state, leave: leave ?? (() => undefined), stopTimer: () => undefined }
    this.#sessions.set(connection, session)
    connection.once('close', () => {
      session.stopTimer()
      session.leave()
    })
    if (leave === null && limiter.consume(`sessions of ${ip}`) === 'flood') return connection.close()
    this.#closeLater(connection, session, leave === null ? EXCESS_MS : CONNECT_TIMEOUT_MS - ABANDON_AHEAD_MS)
  }

  /** Returns true for a session beyond the limits. */
  isExcess(connection: object): boolean {
    return this.#sessions.get(connection)?.state === 'excess'
  }

  /** Notes that a session has joined a head. `ofSubject`: it counts for a subject from here on, not for its address. */
  join(connection: object, ofSubject: boolean): void {
    const session = this.#sessions.get(connection)!
    session.state = 'joined'
    session.stopTimer()
    if (ofSubject) session.leave()
  }

  /** Notes that a session has left the last head that it had joined. */
  leave(connection: EngineSession): void {
    const session = this.#sessions.get(connection)!
    const { sessions, ipOf } = this.#context
    session.leave()
    const leave = sessions.open(ipOf(connection.request))
    if (leave === null) return connection.close()
    session.state = 'waiting'
    session.leave = leave
    this.#closeLater(connection, session, CONNECT_TIMEOUT_MS)
  }

  #closeLater(connection: EngineSession, session: Session, ms: number): void {
    session.stopTimer = startTimer(ms, () => connection.close(), true)
  }
}
