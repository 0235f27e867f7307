import { getOwn, isRecord } from '../../codec/record.js'
import { describeValue } from '../../errors/base.js'
import { ProtocolError } from '../../errors/bridge.js'

export { getOwn, isRecord }

/** An object of the node's JSON whose fields have not been checked. */
export type WireRecord = Record<string, unknown>

/** Returns a member of a value if it is a text; undefined where there is none. The value may be of any type. */
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
