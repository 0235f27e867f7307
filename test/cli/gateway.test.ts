import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startDevNode } from 'layer-sdk/devnode'
import { main } from '../../src/cli/main'
import { itWithRedis, RedisServer } from '../gateway/log/RedisServer'

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

describe('layer-sdk gateway', () => {
  it.each([
    [[], 'heads cannot be used'],
    [['--head', 'http://127.0.0.1:1'], 'upstream cannot be used'],
    [['--head', 'ws://127.0.0.1:1', '--host', '0.0.0.0'], 'auth cannot be used'],
    [['--head', 'ws://127.0.0.1:1', '--anonymous', 'admin'], 'anonymous cannot be used'],
    [['--head', 'ws://127.0.0.1:1', '--head', '/=ws://127.0.0.1:2'], 'heads cannot be used'],
    [['--head', 'ws://127.0.0.1:1', '--jwt-secret-file', '/nowhere/at/all'], '--jwt-secret-file: the file cannot be read (ENOENT).'],
    [['--head', 'ws://127.0.0.1:1', '--jwks', 'http://keys.example/jwks'], 'auth.jwksUrl cannot be used'],
    [['--head', 'ws://127.0.0.1:1', '--role', 'edge'], 'log cannot be used'],
    [['--head', 'ws://127.0.0.1:1', '--redis', 'http://127.0.0.1:1'], 'url cannot be used'],
    [['--head', 'ws://127.0.0.1:1', '--redis', 'redis://127.0.0.1:1', '--role', 'boss'], 'role cannot be used'],
    [['--head', 'ws://127.0.0.1:1', '--redis', 'redis://me:hunter2@127.0.0.1:1'], '--redis takes no password']
  ])('refuses %j with exit code 2 and a sentence', async (args, sentence) => {
    const { code, errors } = await run(args)
    expect([code, errors]).toEqual([2, expect.stringContaining(sentence)])
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
      for (let tries = 0; tries < 500 && (await fetch(`${url}/health/ready`)).status !== 200; tries++) await new Promise((resolve) => setTimeout(resolve, 20))
      expect((await fetch(`${url}/hydra/snapshot/utxo`)).status).toBe(200)
    })
    await node.stop()
    expect(code).toBe(0)
    expect(out).toMatch(/head \/\n {2}metrics http:\/\/127\.0\.0\.1:\d+\/metrics\n/)
    expect(out).toMatch(/Stopped\.$/)
  })
})
