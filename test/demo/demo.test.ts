import { spawn, spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { ROOT } from '../support/markdown'

const MAIN = join(ROOT, 'examples', 'demo', 'main.mjs')
const demo = (...args: string[]) =>
  spawnSync(process.execPath, ['--unhandled-rejections=strict', MAIN, ...args], {
    cwd: ROOT,
    encoding: 'utf8',
    timeout: 60_000
  })

beforeAll(() => {
  const { status, stderr } = spawnSync(process.execPath, [join(ROOT, 'scripts', 'ensure-built.mjs')], {
    cwd: ROOT,
    encoding: 'utf8'
  })
  if (status !== 0) throw new Error(stderr)
}, 180_000)

describe('npm run demo', () => {
  it('ends with balances that add up to the last lovelace', () => {
    const { status, stdout, stderr } = demo('--port', '0', '--payments', '40', '--json')
    expect(stderr).toBe('')
    expect(status).toBe(0)
    const events = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(events.filter(({ event }) => event === 'step').map(({ name }) => name)).toEqual([
      'Wallet of alice',
      'Wallet of bob',
      'Local head node',
      'Connected',
      'Head open',
      'Brought in',
      'Brought in',
      '40 payments',
      'Taken out',
      'Closed',
      'Fanned out'
    ])
    expect(events.find(({ lovelace, event }) => event === 'message' && lovelace !== undefined)).toMatchObject({
      lovelace: '8000000007'
    })
    expect(events.filter(({ event }) => event === 'progress').at(-1)).toMatchObject({ done: 40, total: 40 })
  })

  it('writes plain lines where there is no terminal', () => {
    const { status, stdout } = demo('--port', '0', '--payments', '8')
    expect(status).toBe(0)
    expect(stdout).toContain('[ok] 8 payments')
    expect(stdout).not.toContain('\u001b')
    const [, page] = /^Where to go next: (docs\/\S+\.md),/m.exec(stdout.trim().split('\n').at(-1)!) ?? []
    expect(page !== undefined && existsSync(join(ROOT, page))).toBe(true)
  })

  it('says in one sentence that the port is in use', async () => {
    const server = createServer().listen(0, '127.0.0.1')
    await new Promise((resolve) => server.once('listening', resolve))
    const { port } = server.address() as AddressInfo
    const { status, stderr } = demo('--port', String(port))
    await new Promise((resolve) => server.close(resolve))
    expect(status).toBe(1)
    expect(stderr).toMatch(new RegExp(`^Port ${port} is in use: [^\n]*\n$`))
  })

  it.each([
    ['an unknown option', ['--nonsense'], 2],
    ['a node without a key', ['--url', 'ws://127.0.0.1:9'], 1],
    ['no payments', ['--payments', '0'], 1],
    ['a text that is no URL', ['--url', 'nonsense', '--skey', 'absent.skey'], 1],
    ['a key file that is not there', ['--url', 'ws://127.0.0.1:9', '--skey', 'absent.skey'], 1]
  ])('refuses %s', (_name, args, code) => {
    const { status, stderr } = demo(...args)
    expect(status).toBe(code)
    expect(stderr).not.toBe('')
    expect(stderr).not.toContain('    at ')
  })

  it('stops without a stack when its reader has seen enough', async () => {
    const child = spawn(process.execPath, [MAIN, '--port', '0'], { cwd: ROOT, stdio: ['ignore', 'pipe', 'pipe'] })
    let errors = ''
    child.stderr.on('data', (chunk) => (errors += chunk))
    child.stdout.destroy()
    await new Promise((resolve) => child.on('close', resolve))
    expect(errors).toMatch(/Stopped\.\n$/)
    expect(errors).not.toContain('    at ')
  })

  it('stops on Ctrl-C, closing what it opened', async () => {
    const child = spawn(process.execPath, [MAIN, '--port', '0', '--payments', '100000'], {
      cwd: ROOT,
      stdio: ['ignore', 'pipe', 'pipe']
    })
    let output = ''
    child.stdout.on('data', (chunk) => {
      if ((output += chunk).includes('Head open')) child.kill('SIGINT')
    })
    const code = await new Promise((resolve) => child.once('exit', resolve))
    expect(code).toBe(130)
  })
})
