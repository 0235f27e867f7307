import type { ServerResponse } from 'node:http'

/**
 * Calls once an answer has left this process, or its connection is gone: an answer that waits behind others of it hears
 * of that alone.
 */
export function onceLeft(response: ServerResponse, action: () => void): void {
  const { socket } = response.req
  const done = (): void => {
    response.off('close', done)
    socket.off('close', done)
    action()
  }
  if (socket.destroyed) return action()
  response.on('close', done)
  socket.on('close', done)
}
