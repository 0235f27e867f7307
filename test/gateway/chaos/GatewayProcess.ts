import { fork } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from '../../support/markdown'

const OUT = join(ROOT, '.cache', 'gateway-chaos')
let built: Promise<string> | null = null

/** Bundles the worker from the sources; the packages it uses stay where they are. */
function bundle(): Promise<string> {
  built ??= (async () => {
    mkdirSync(OUT, { recursive: true })
    const { build } = await import('esbuild')
    const outfile = join(OUT, `worker-${process.pid}.mjs`)
    await build({
      entryPoints: [join(ROOT, 'test', 'gateway', 'chaos', 'worker.ts')],
      outfile,
      bundle: true,
      platform: 'node',
      format: 'esm',
      packages: 'external',
      logLevel: 'error'
    })
    return outfile
  })()
  return built
}

/** A core or an edge in a process of its own, which can be killed and started again on the same port. */
export class GatewayProcess {
  readonly #role: 'core' | 'edge'
  readonly #redis: string
  readonly #upstream: string
  #child: ChildProcess | null = null
  #port = 0
  errors = ''
  url = ''

  constructor(role: 'core' | 'edge', redis: string, upstream: string) {
    this.#role = role
    this.#redis = redis
    this.#upstream = upstream
  }

  async start(): Promise<this> {
    const child = (this.#child = fork(await bundle(), {
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
      execArgv: ['--unhandled-rejections=strict']
    }))
    child.stderr?.on('data', (chunk) => (this.errors += String(chunk)))
    const said = new Promise<{ url?: string; failed?: string }>((resolve) => {
      child.once('message', (message) => resolve(message as object))
      child.once('exit', (code) => resolve({ failed: `it ended with ${code}: ${this.errors}` }))
    })
    child.send({ role: this.#role, port: this.#port, redis: this.#redis, upstream: this.#upstream })
    const { url, failed } = await said
    if (url === undefined) throw new Error(`the ${this.#role} did not start: ${failed}`)
    this.url = url
    this.#port = Number(new URL(url).port)
    return this
  }

  /** Whether it is running: nothing but {@link kill} ends it. */
  get running(): boolean {
    return this.#child !== null && this.#child.exitCode === null && this.#child.signalCode === null
  }

  async kill(): Promise<void> {
    const child = this.#child
    if (child === null || !this.running) return
    const ended = new Promise((resolve) => child.once('exit', resolve))
    child.kill('SIGKILL')
    await ended
  }
}
