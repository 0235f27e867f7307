import { getOwn, isRecord as isPlainRecord } from '../codec/record.js'
import { describeValue, isLayerError } from '../errors/base.js'
import type { VerificationReason } from '../errors/verification.js'
import { VerificationError } from '../errors/verification.js'

export { isPlainRecord }

/** An object whose fields have not been checked. */
export type UncheckedRecord = Readonly<Record<string, unknown>>

/** Ends a check or a calculation by throwing a {@link VerificationError} with a reason. */
export function fail(reason: VerificationReason, what: string, expected: string, got: unknown): never {
  throw new VerificationError(reason, `${what} cannot be used.`, { expected, got: describeValue(got) })
}

/** Returns an own field of an object, never one of a prototype; null counts as absent, as the node writes it. */
export function ownMember(record: UncheckedRecord, name: string): unknown {
  return getOwn(record, name) ?? undefined
}

/** Returns the value if it is lower-case hex of this length; throws otherwise. */
export function assertHex(reason: VerificationReason, what: string, value: unknown, lengthBytes: number): string {
  if (typeof value !== 'string' || value.length !== 2 * lengthBytes || !/^[0-9a-f]*$/.test(value)) {
    fail(reason, what, `${lengthBytes} bytes in lower-case hex`, value)
  }
  return value
}

/**
 * Runs `read`, which reads foreign values. Any error it throws becomes a {@link VerificationError}, with this reason
 * unless it has one.
 */
export function reading<T>(reason: VerificationReason, what: string, read: () => T): T {
  try {
    return read()
  } catch (error) {
    throw asVerificationError(error, reason, what)
  }
}

/**
 * Returns the error if it is a {@link VerificationError}, else a new one with this reason. A thrown foreign value may
 * itself throw when it is read; that is handled.
 */
export function asVerificationError(error: unknown, reason: VerificationReason, what: string): VerificationError {
  try {
    if (isLayerError(error, 'VERIFICATION')) return error
    // Without the last line, which leads to the documentation of another code.
    if (isLayerError(error))
      return new VerificationError(reason, `${what} cannot be used.`, {
        got: error.message.split('\n').slice(0, -1).join(' '),
        cause: error
      })
  } catch {
    // It is not ours.
  }
  return new VerificationError(reason, `${what} cannot be used.`, {
    got: 'a value that throws when it is read',
    cause: error
  })
}
