import { MAX_TIMER_MS } from '../../../constants.js'
import { parseJson } from '../../../codec/json.js'
import { ProtocolError } from '../../../errors/bridge.js'

/** A packet of engine.io, revision 4, as its client has decoded it. */
export interface EngineIoPacket {
  readonly type: string
  readonly data?: unknown
}

/** Maximum length of a session id; a longer one is refused. */
const MAX_SID_LENGTH = 1_024

const isTime = (value: unknown): value is number => typeof value === 'number' && value > 0 && value <= MAX_TIMER_MS

/**
 * Checks the open packet and returns it with its known members only. This is necessary because the client of engine.io
 * accepts any handshake, and one that it cannot use makes it throw in its own timers and callbacks, which ends the
 * process.
 *
 * @throws {@link ProtocolError}
 */
export function checkHandshake(packet: EngineIoPacket): EngineIoPacket {
  const { sid, upgrades, pingInterval, pingTimeout, maxPayload } = readObject(packet.data)
  // It becomes part of a URL.
  if (typeof sid !== 'string' || sid.length > MAX_SID_LENGTH || !/^[\x21-\x7e]+$/.test(sid))
    throw handshakeError('sid', 'a text of printable ASCII characters')
  if (!Array.isArray(upgrades) || !upgrades.every((name) => typeof name === 'string'))
    throw handshakeError('upgrades', 'a list of names')
  // Together they are one timer.
  if (!isTime(pingInterval) || !isTime(pingTimeout) || !isTime(pingInterval + pingTimeout))
    throw handshakeError('pingInterval and pingTimeout', `together at most ${MAX_TIMER_MS} ms`)
  if (maxPayload !== undefined && !(typeof maxPayload === 'number' && maxPayload > 0))
    throw handshakeError('maxPayload', 'a number of bytes')
  // Each name once: the client opens a connection for each.
  return {
    type: 'open',
    data: JSON.stringify({ sid, upgrades: [...new Set(upgrades)], pingInterval, pingTimeout, maxPayload })
  }
}

function readObject(data: unknown): Record<string, unknown> {
  const value = typeof data === 'string' ? parseJson(data, 'The handshake of the gateway') : null
  if (typeof value !== 'object' || value === null) throw handshakeError('it', 'an object')
  return value as Record<string, unknown>
}

function handshakeError(field: string, expected: string): ProtocolError {
  return new ProtocolError('The handshake of the gateway', { expected: `${field} to be ${expected}` })
}
