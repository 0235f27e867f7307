import type { ServerResponse } from 'node:http'

/**
 * Calls `action` once an answer has left this process or its connection has ended. Both events are needed, since an
 * answer that waits behind others gets no event of its own when the connection ends.
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
