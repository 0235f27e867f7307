import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { createHeadClient } from '../../src/client/index.js'

/** A port on which nothing listens. */
const closedPort = (): Promise<number> =>
  new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo
      server.close(() => resolve(port))
    })
  })

let url: string
let warned: jest.SpyInstance
beforeEach(async () => {
  url = `ws://127.0.0.1:${await closedPort()}`
  warned = jest.spyOn(console, 'warn').mockImplementation(() => undefined)
})
afterEach(() => jest.restoreAllMocks())

const failureOf = (promise: Promise<unknown>): Promise<any> =>
  promise.then(
    () => {
      throw new Error('it resolved')
    },
    (error: unknown) => error
  )

it('warns of the first failure at once while it goes on trying, once, and names the command that starts a local head', async () => {
  const client = createHeadClient({ url, reconnectInterval: 20 })
  expect(await failureOf(client.connect({ timeout: 300 }))).toMatchObject({ code: 'CLIENT_TIMEOUT' })
  expect(warned).toHaveBeenCalledTimes(1)
  expect(warned.mock.calls[0][0]).toContain(`At ${url}`)
  expect(warned.mock.calls[0][0]).toContain('npx layer-sdk devnode')
  await client.disconnect()
})

it('tells onConnectError or the logger in place of the console, and nobody when it is false', async () => {
  const errors: Error[] = []
  const lines: string[] = []
  const logger = { debug: () => undefined, warn: (line: string) => void lines.push(line) }
  for (const given of [
    { onConnectError: (error: Error) => void errors.push(error) },
    { onConnectError: false as const },
    { logger }
  ]) {
    const client = createHeadClient({ url, reconnectInterval: 1_000, ...given })
    await failureOf(client.connect({ timeout: 200 }))
    await client.disconnect()
  }
  expect(warned).not.toHaveBeenCalled()
  expect(errors).toMatchObject([{ code: 'BRIDGE_CONNECT', got: 'ECONNREFUSED' }])
  expect(lines).toHaveLength(1)
  expect(() => createHeadClient({ url, onConnectError: 'no' as never })).toThrow(
    expect.objectContaining({ code: 'INPUT_ARGUMENT' })
  )
})

it('fails at the first attempt with wait: false, and tries no more', async () => {
  const client = createHeadClient({ url, reconnectInterval: 20 })
  expect(await failureOf(client.connect({ wait: false }))).toMatchObject({
    code: 'BRIDGE_CONNECT',
    message: expect.stringContaining('npx layer-sdk devnode')
  })
  expect(client.status().state).toBe('disconnected')
  expect(warned).not.toHaveBeenCalled()
  expect(await failureOf(client.connect({ wait: 'no' as never }))).toMatchObject({ code: 'INPUT_ARGUMENT' })
})
