import type { ServerResponse } from 'node:http'
import { startTimer } from '../../net/timers.js'
import { WRITE_TIMEOUT_MS } from '../limits.js'
import { onceLeft } from './onceLeft.js'
import type { Answer } from './answers.js'
import { failure } from './answers.js'
import type { AnswerRoom } from './AnswerRoom.js'

/**
 * Writes an answer where there is room for it, and otherwise a refusal. Resolves when it has left this process, or the
 * connection has ended.
 */
export function writeAnswer(
  response: ServerResponse,
  address: string,
  { answer, room }: { readonly answer: Answer; readonly room: AnswerRoom }
): Promise<void> {
  const { status, body, tail, headers } = answer
  const head = Buffer.from(body)
  const bytes = head.length + (tail?.bytes.length ?? 0)
  if (!room.admit(response, address, { key: tail?.key ?? head, bytes })) {
    const full = room.isFullFor(address)
      ? failure(429, 'answers to this address are unread')
      : failure(503, 'too many answers are unread')
    return writeAnswer(response, address, { answer: { ...full, headers: { ...headers, ...full.headers } }, room })
  }
  const left = new Promise<void>((resolve) => onceLeft(response, resolve))
  response.on('error', () => undefined)
  limitWriteTime(response)
  response.writeHead(status, {
    'Content-Type': 'application/json',
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
    ...headers,
    ...(status === 204 ? {} : { 'Content-Length': bytes })
  })
  if (tail === undefined) response.end(head)
  else {
    response.write(head)
    response.end(tail.bytes)
  }
  return left
}

/** Closes the connection when the written bytes do not leave in time. */
export function limitWriteTime(response: ServerResponse): void {
  const stopTimer = startTimer(WRITE_TIMEOUT_MS, () => response.destroy(), true)
  onceLeft(response, stopTimer)
}
