import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { startDevNode } from 'layer-sdk/devnode'
import type { RunningDevNode } from 'layer-sdk/devnode'
import { main } from '../../src/cli/main'
import { itWithRedis, RedisServer } from '../gateway/log/RedisServer'
import { until } from '../gateway/support'

async function run(
  args: readonly string[],
  whileRunning: (url: string) => Promise<void> = async () => {}
): Promise<{ code: number; out: string; errors: string }> {
  const out: string[] = []
  const errors: string[] = []
  let stop: (failure?: unknown) => void = () => {}
  const stopped = new Promise<void>((resolve) => (stop = () => resolve()))
  let failure: unknown
  const code = await main(['gateway', ...args], {
    version: '1.2.3',
    out(text) {
      out.push(text)
      const url = /^layer-sdk gateway \S+ (http:\S+)$/.exec(text)?.[1]
      if (url === undefined) return
      whileRunning(url)
        .catch((error: unknown) => (failure = error))
        .finally(() => stop())
    },
    error: (text) => void errors.push(text),
    stopped: () => stopped
  })
  if (failure !== undefined) throw failure
  return { code, out: out.join('\n'), errors: errors.join('\n') }
}

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}

describe('layer-sdk gateway', () => {
  it.each([
    [[], '--head is missing: the head to serve and its node, e.g. --head ws://127.0.0.1:4001.'],
    [['--head', 'http://127.0.0.1:1'], '--head needs the WebSocket URL of a node, e.g. --head ws://127.0.0.1:4001.'],
    [['--head', '/a b=ws://127.0.0.1:1'], '--head needs a path of letters'],
    [['--head', 'ws://127.0.0.1:1', '--host', '0.0.0.0'], '--host of another machine needs tokens: --jwt-secret-file'],
    [
      ['--head', 'ws://127.0.0.1:1', '--anonymous', 'admin'],
      '--anonymous needs read, submit, or both; admin needs a token, e.g. --anonymous read,submit.'
    ],
    [
      ['--head', 'ws://127.0.0.1:1', '--head', '/=ws://127.0.0.1:2'],
      '--head names two heads that clients could not tell apart'
    ],
    [
      ['--head', 'ws://127.0.0.1:1', '--jwt-secret-file', '/nowhere/at/all'],
      '--jwt-secret-file: the file cannot be read (ENOENT).'
    ],
    [
      ['--head', 'ws://127.0.0.1:1', '--jwks', 'http://keys.example/jwks'],
      '--jwks needs the URL of a key set, e.g. --jwks https://'
    ],
    [
      ['--head', 'ws://127.0.0.1:1', '--role', 'edge'],
      'need the Redis where they meet, e.g. --redis redis://127.0.0.1:6379.'
    ],
    [
      ['--head', 'ws://127.0.0.1:1', '--redis', 'http://127.0.0.1:1'],
      '--redis needs a URL of Redis, e.g. --redis redis://127.0.0.1:6379.'
    ],
    [
      ['--head', 'ws://127.0.0.1:1', '--redis', 'redis://127.0.0.1:1', '--role', 'boss'],
      '--role needs core, edge or both, e.g. --role edge.'
    ],
    [
      ['--head', 'ws://127.0.0.1:1', '--public-host', 'a.example:80'],
      '--public-host needs a name without a port, e.g. --public-host gateway.example.'
    ],
    [
      ['--head', 'ws://127.0.0.1:1', '--origin', 'app.example'],
      '--origin needs an origin as browsers send it, e.g. --origin https://app.example.'
    ],
    [['--head', 'ws://127.0.0.1:1', '--exit-after', 'soon'], '--exit-after needs a whole number'],
    [['--head', 'ws://127.0.0.1:1', '--redis', 'redis://me:hunter2@127.0.0.1:1'], '--redis takes no password']
  ])('refuses %j with exit code 2 and a sentence', async (args, sentence) => {
    const { code, errors } = await run(args)
    expect([code, errors]).toEqual([
      2,
      expect.stringContaining(
        `layer-sdk: ${sentence.startsWith('--') ? '' : '--role core and --role edge '}${sentence}`
      )
    ])
  })

  it('shows no secret of a file that is too short', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'layer-sdk-cli-'))
    writeFileSync(join(folder, 'secret'), 'SECRET-KEY')
    const { code, errors } = await run(['--head', 'ws://127.0.0.1:1', '--jwt-secret-file', join(folder, 'secret')])
    rmSync(folder, { recursive: true })
    expect(code).toBe(2)
    expect(errors).toContain('at least 32 bytes')
    expect(errors).not.toContain('SECRET')
  })

  const health = async (url: string): Promise<string> => (await fetch(`${url}/health/ready`)).text()

  it('says once why it serves no head, on the terminal and over HTTP, and that it does when the node is there', async () => {
    const port = await freePort()
    let node: RunningDevNode | null = null
    const { code, out } = await run(['--head', `ws://127.0.0.1:${port}`, '--port', '0'], async (url) => {
      const reason = 'head /: the node cannot be reached (ECONNREFUSED)'
      await until('the reason is there', async () => (await health(url)) === `unready\n${reason}`)
      node = await startDevNode({ port, rpcPort: null, open: true })
      await until('it is ready', async () => (await health(url)) === 'ready')
      // The line comes with the next look.
      await new Promise((resolve) => setTimeout(resolve, 200))
    })
    await node!.stop()
    expect(code).toBe(0)
    const lines = out.split('\n').filter((line) => /node|Ready/.test(line))
    expect(lines).toEqual([
      'head /: the node cannot be reached (ECONNREFUSED)',
      'head /: the node answers again',
      expect.stringContaining('connected to the node'),
      'Ready.'
    ])
  }, 60_000)

  it.each([
    ['the node', [], 'head /: the node cannot be reached (ECONNREFUSED).'],
    [
      'Redis',
      ['--redis', 'redis://127.0.0.1:1'],
      'head /: the log cannot be used (The log cannot be reached: ECONNREFUSED).'
    ]
  ])(
    'ends with exit code 1 and the reason after the seconds given while %s is away',
    async (_, options, reason) => {
      const { code, errors } = await run(
        ['--head', 'ws://127.0.0.1:1', '--port', '0', '--exit-after', '1', ...options],
        () => new Promise(() => undefined)
      )
      expect([code, errors]).toEqual([1, `layer-sdk: The gateway is not ready after 1 s: ${reason}`])
    },
    60_000
  )

  itWithRedis(
    'serves a head from two processes with one Redis, a core and an edge',
    async () => {
      const redis = await new RedisServer().start()
      const node = await startDevNode({ port: 0, rpcPort: null, open: true })
      const options = ['--head', node.url, '--port', '0', '--redis', redis.url]
      try {
        const core = run([...options, '--role', 'core'], async () => {
          const edge = await run([...options, '--role', 'edge'], async (url) => {
            for (let tries = 0; tries < 1_000 && (await fetch(`${url}/health/ready`)).status !== 200; tries++)
              await new Promise((resolve) => setTimeout(resolve, 20))
            expect((await fetch(`${url}/hydra/snapshot/utxo`)).status).toBe(200)
          })
          expect([edge.code, edge.errors]).toEqual([0, ''])
        })
        expect(await core).toMatchObject({ code: 0, errors: '' })
      } finally {
        await node.stop()
        await redis.stop()
      }
    },
    60_000
  )

  it('serves a head until it is told to stop, and drains then', async () => {
    const node = await startDevNode({ port: 0, rpcPort: null, open: true })
    const { code, out } = await run(['--head', node.url, '--port', '0', '--metrics-port', '0'], async (url) => {
      for (let tries = 0; tries < 500 && (await fetch(`${url}/health/ready`)).status !== 200; tries++)
        await new Promise((resolve) => setTimeout(resolve, 20))
      expect((await fetch(`${url}/hydra/snapshot/utxo`)).status).toBe(200)
    })
    await node.stop()
    expect(code).toBe(0)
    expect(out).toMatch(/head \/\n {2}metrics http:\/\/127\.0\.0\.1:\d+\/metrics\n/)
    expect(out).toMatch(/Stopped\.$/)
  })
})
