import { LayerSdkError } from './base.js'

/** The local head node cannot listen on the port asked for. */
export class DevNodePortError extends LayerSdkError<'DEVNODE_PORT'> {
  override readonly name = 'DevNodePortError'
  /** Host that was asked for. */
  readonly host: string
  /** Port that was asked for. */
  readonly port: number
  /** The system's code, e.g. `EADDRINUSE`. */
  readonly systemCode: string
  constructor(host: string, port: number, systemCode: string, cause: unknown) {
    const inUse = systemCode === 'EADDRINUSE'
    super('DEVNODE_PORT', inUse ? `Port ${port} on ${host} is in use.` : `The local head node cannot listen on ${host}, port ${port}.`, {
      expected: 'a free port, or 0 to have one chosen',
      got: systemCode,
      cause
    })
    this.host = host
    this.port = port
    this.systemCode = systemCode
  }
}
