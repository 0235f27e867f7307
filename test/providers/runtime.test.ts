import { RpcProvider } from 'layer-sdk/providers'

// What isomorphic-ws gives in a browser or worker without a WebSocket.
jest.mock('isomorphic-ws', () => ({ __esModule: true, default: null }))

describe('a runtime without a WebSocket', () => {
  it('is told what is missing, and what to pass instead', async () => {
    const { fetcher } = new RpcProvider({ apiEndpoint: 'ws://localhost:1', network: 'preprod' })
    await expect(fetcher.fetchTip()).rejects.toMatchObject({
      code: 'RUNTIME_UNSUPPORTED',
      missing: 'WebSocket',
      message: expect.stringContaining('webSocketImpl')
    })
  })
})
