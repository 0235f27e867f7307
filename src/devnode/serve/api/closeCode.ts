import { InvalidArgumentError } from '../../../errors/input.js'

/** Close codes that no frame carries (RFC 6455, 7.4.1): 1006 stands for a connection that breaks without a frame. */
const NOT_SENT = [1004, 1005, 1006]

/** Returns a code that a close frame can carry; undefined cuts the connection. @throws {@link InvalidArgumentError} */
export function assertCloseCode(code: number | null | undefined): number | undefined {
  if (code == null) return undefined
  const standard = code >= 1000 && code <= 1014 && !NOT_SENT.includes(code)
  const sendable = Number.isInteger(code) && (standard || (code >= 3000 && code <= 4999))
  if (!sendable)
    throw new InvalidArgumentError('code', 'a close code that a frame can carry: 1000 to 1014, 3000 to 4999', code)
  return code
}
