import type { ErrorDetails } from './base.js'
import { LayerSdkError } from './base.js'

/** The local head node cannot listen on the requested port. Choose another port, or 0 for a free one. */
export class DevNodePortError extends LayerSdkError<'DEVNODE_PORT'> {
  override readonly name = 'DevNodePortError'
  /** Requested host. */
  readonly host: string
  /** Requested port. */
  readonly port: number
  /** The system's code, e.g. `EADDRINUSE`. */
  readonly systemCode: string
  constructor(host: string, port: number, systemCode: string, cause: unknown) {
    const inUse = systemCode === 'EADDRINUSE'
    super(
      'DEVNODE_PORT',
      inUse ? `Port ${port} on ${host} is in use.` : `The local head node cannot listen on ${host}, port ${port}.`,
      {
        expected: 'a free port, or 0 to have one chosen',
        got: systemCode,
        cause
      }
    )
    this.host = host
    this.port = port
    this.systemCode = systemCode
  }
}

/** The state of the local head node does not allow the request. Bring it into the state that the message names. */
export class DevNodeStateError extends LayerSdkError<'DEVNODE_STATE'> {
  override readonly name = 'DevNodeStateError'
  constructor(problem: string, { expected, got }: { readonly expected?: string; readonly got?: string } = {}) {
    super('DEVNODE_STATE', problem, { expected, got })
  }
}

/** The state file of a local head node cannot be read, written or used with these options. Use a different file. */
export class DevNodeFileError extends LayerSdkError<'DEVNODE_FILE'> {
  override readonly name = 'DevNodeFileError'
  /** Path of the file, as it was given. */
  readonly path: string
  constructor(path: string, problem: string, details: ErrorDetails = {}) {
    super('DEVNODE_FILE', `The state file ${path} ${problem}.`, details)
    this.path = path
  }
}

/**
 * A manual clock was advanced so that a promise settles, but the promise is still pending: no timer is left, or the time
 * limit of the advance is reached. Check that the promise depends on a timer of the clock.
 */
export class ClockStalledError extends LayerSdkError<'DEVNODE_CLOCK_STALLED'> {
  override readonly name = 'ClockStalledError'
  /** Time by which the clock advanced, ms. */
  readonly elapsedMs: number
  constructor(why: string, elapsedMs: number) {
    super('DEVNODE_CLOCK_STALLED', 'The promise is still pending although the clock has run on.', {
      expected: 'a promise that settles by timers of the clock or by what is under way in the process',
      got: `${why}, ${elapsedMs} ms later`
    })
    this.elapsedMs = elapsedMs
  }
}

/** A local head cannot start as a copy (fork) of the running head. Fork from a node whose head is open. */
export class DevNodeForkError extends LayerSdkError<'DEVNODE_FORK'> {
  override readonly name = 'DevNodeForkError'
  /** Scheme, host and port of the node from which the fork was requested. */
  readonly origin: string
  constructor(origin: string, problem: string, details: ErrorDetails = {}) {
    super('DEVNODE_FORK', `The node at ${origin} ${problem}.`, details)
    this.origin = origin
  }
}
