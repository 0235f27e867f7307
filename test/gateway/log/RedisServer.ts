import { spawn, spawnSync } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { createServer, connect } from 'node:net'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const WAIT_MS = 20_000

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}

const isThere = spawnSync('redis-server', ['--version']).error === undefined

/**
 * Tests that need redis-server in the PATH. Where it is not there they are left out, and counted as skipped; CI
 * installs it, and leaves none out. Debian and Ubuntu: `apt-get install redis-server`.
 */
export const [describeWithRedis, itWithRedis] =
  isThere || process.env['CI'] !== undefined ? [describe, it] : [describe.skip, it.skip]

/** Whether something answers a PING of Redis. */
function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => socket.write('PING\r\n'))
    const end = (answered: boolean): void => {
      socket.destroy()
      resolve(answered)
    }
    socket.setTimeout(500, () => end(false))
    socket.once('data', (data) => end(String(data).startsWith('+PONG')))
    socket.once('error', () => end(false))
  })
}

/** A real Redis on a port of its own, with an append-only file. */
export class RedisServer {
  readonly #folder = mkdtempSync(join(tmpdir(), 'layer-sdk-redis-'))
  #process: ChildProcess | null = null
  port = 0

  get url(): string {
    return `redis://127.0.0.1:${this.port}`
  }

  /** Starts it; again on the same port and file. @throws when there is no redis-server */
  async start(): Promise<this> {
    if (!isThere) {
      throw new Error(
        'These tests need redis-server in the PATH, which is not there. Debian and Ubuntu: apt-get install redis-server'
      )
    }
    if (this.port === 0) this.port = await freePort()
    const options = [
      '--port',
      String(this.port),
      '--bind',
      '127.0.0.1',
      '--save',
      '',
      '--appendonly',
      'yes',
      '--dir',
      this.#folder
    ]
    this.#process = spawn('redis-server', options, { stdio: 'ignore' })
    for (const until = Date.now() + WAIT_MS; !(await answers(this.port));) {
      if (Date.now() > until) throw new Error(`redis-server does not answer on port ${this.port}`)
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
    return this
  }

  /** Ends it at once, as a crash does. */
  async kill(): Promise<void> {
    const child = this.#process
    this.#process = null
    if (child === null || child.exitCode !== null) return
    const ended = new Promise((resolve) => child.once('exit', resolve))
    child.kill('SIGKILL')
    await ended
  }

  /**
   * Another one for the same port, once this one has ended: without any records, or with those that this one has now.
   */
  successor(records: 'none' | 'copied'): RedisServer {
    const next = new RedisServer()
    next.port = this.port
    if (records === 'copied') cpSync(this.#folder, next.#folder, { recursive: true })
    return next
  }

  /** Runs a command of Redis, e.g. `FLUSHALL`. */
  async command(text: string): Promise<string> {
    const socket = connect(this.port, '127.0.0.1', () => socket.write(`${text}\r\n`))
    try {
      return await new Promise((resolve, reject) =>
        socket.once('data', (data) => resolve(String(data))).once('error', reject)
      )
    } finally {
      socket.destroy()
    }
  }

  /** Stops it for a while (`SIGSTOP`), or lets it go on. */
  signal(name: 'SIGSTOP' | 'SIGCONT'): void {
    this.#process?.kill(name)
  }

  async stop(): Promise<void> {
    this.signal('SIGCONT')
    await this.kill()
    rmSync(this.#folder, { recursive: true, force: true })
  }
}
