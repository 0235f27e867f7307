import { connect, createServer } from 'node:net'
import type { AddressInfo, Socket } from 'node:net'
import { FaultProxy, ownerOf } from './support/FaultProxy'
import { until } from './support/matrix'

interface HandleList {
  _getActiveHandles(): object[]
}

const socketsOfProxies = (): string[] =>
  (process as unknown as HandleList)
    ._getActiveHandles()
    .map(ownerOf)
    .filter((owner) => owner !== undefined)

describe('the proxy of the fault tests', () => {
  it('leaves no socket behind when it resets a connection that its server has ended, and knows which are its own', async () => {
    let accepted: Socket | undefined
    const server = createServer({ allowHalfOpen: true }, (socket) => {
      accepted = socket.on('error', () => undefined)
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    const proxy = await FaultProxy.start(port)
    const client = connect({ port: proxy.port, host: '127.0.0.1', allowHalfOpen: true }).on('error', () => undefined)
    client.resume()
    await until('the connection is there', () => accepted !== undefined)
    expect(socketsOfProxies()).toEqual(
      expect.arrayContaining([`a proxy on port ${proxy.port}: its connection to port ${port}`])
    )
    // The proxy ends its client's side in the same turn in which it is to reset it.
    const close = [...(process as unknown as HandleList)._getActiveHandles()].find(
      (handle) => ownerOf(handle)?.includes('accepted from') === true
    ) as Socket
    close.end()
    proxy.reset()
    await until('no socket is left', () => socketsOfProxies().length === 0, 2_000)
    client.destroy()
    accepted?.destroy()
    await proxy.stop()
    await new Promise<void>((resolve) => server.close(() => resolve()))
  })
})
