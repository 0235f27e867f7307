import { getOwn, isRecord } from '../../codec/record.js'
import { describeValue } from '../../errors/base.js'
import { ProtocolError } from '../../errors/bridge.js'

export { getOwn, isRecord }

/** An object of the node's JSON whose fields have not been looked at. */
export type WireRecord = Record<string, unknown>

/** Text member of a value that may be anything; undefined where there is none. */
export function textIn(value: unknown, name: string): string | undefined {
  const text = isRecord(value) ? getOwn(value, name) : undefined
  return typeof text === 'string' ? text : undefined
}

/**
 * Throws with the expected and the received value; long values are described, not repeated. @throws
 * {@link ProtocolError} always
 */
export function protocolError(what: string, expected: string, got: unknown): never {
  throw new ProtocolError(what, { expected, got: describeValue(got) })
}
