import { createGateway, redisLog } from 'layer-sdk/gateway'
import { main } from '../../src/cli/main'

jest.mock('redis', () => {
  throw new Error("Cannot find module 'redis'")
})

const lines: string[] = []
const terminal = {
  version: '1.2.3',
  out: (text: string) => void lines.push(text),
  error: (text: string) => void lines.push(text),
  stopped: () => new Promise(() => undefined)
}

it('ends with exit code 1 and names the package redis where it is not installed, before it says that it listens', async () => {
  expect(
    await main(['gateway', '--head', 'ws://127.0.0.1:1', '--port', '0', '--redis', 'redis://127.0.0.1:1'], terminal)
  ).toBe(1)
  expect(lines).toEqual([expect.stringMatching(/^layer-sdk: The package redis is not installed: npm install redis/)])
})

it('rejects without the package redis, whatever it is told to wait for', async () => {
  const log = redisLog({ url: 'redis://127.0.0.1:1' })
  const heads = [{ path: '/', upstream: 'ws://127.0.0.1:1' }]
  await expect(createGateway({ port: 0, heads, log, readyTimeout: 0 })).rejects.toMatchObject({
    code: 'PACKAGE_MISSING',
    packageName: 'redis'
  })
})
