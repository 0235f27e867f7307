import { fork } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from '../../support/markdown'

const OUT = join(ROOT, '.cache', 'faults-client')
let built: Promise<string> | null = null

/** Bundles a program of this folder from the sources; the packages it uses stay where they are. */
function bundle(): Promise<string> {
  built ??= (async () => {
    mkdirSync(OUT, { recursive: true })
    const { build } = await import('esbuild')
    const outfile = join(OUT, `client-${process.pid}.mjs`)
    await build({
      entryPoints: [join(ROOT, 'test', 'faults', 'support', 'client.ts')],
      outfile,
      bundle: true,
      platform: 'node',
      format: 'esm',
      packages: 'external',
      logLevel: 'error',
      alias: { 'layer-sdk/bridge': join(ROOT, 'src', 'bridge', 'index.ts') }
    })
    return outfile
  })()
  return built
}

/** A bridge in a process of its own, with its own memory, timers and end. */
export class ClientPeer {
  readonly process: ChildProcess
  readonly said: Record<string, unknown>[] = []
  readonly #waiters = new Set<() => void>()
  exit: { code: number | null; signal: string | null } | null = null
  errors = ''

  private constructor(path: string, mode: string, facts: object) {
    this.process = fork(path, {
      execArgv: ['--expose-gc', '--unhandled-rejections=strict'],
      stdio: ['ignore', 'ignore', 'pipe', 'ipc']
    })
    this.process.send({ mode, ...facts })
    this.process.stderr?.on('data', (chunk) => {
      this.errors += String(chunk)
    })
    this.process.on('message', (message) => {
      this.said.push(message as Record<string, unknown>)
      this.#wake()
    })
    this.process.on('exit', (code, signal) => {
      this.exit = { code, signal }
      this.#wake()
    })
  }

  static async start(mode: string, facts: object): Promise<ClientPeer> {
    return new ClientPeer(await bundle(), mode, facts)
  }

  /** What the client said under this name, now or later. */
  async hear<T>(name: string, limitMs = 40_000): Promise<T> {
    await this.#until(name, () => this.said.some((message) => name in message) || this.exit !== null, limitMs)
    const found = this.said.find((message) => name in message)
    if (found === undefined) throw new Error(`the client ended before it said ${name}: ${this.errors}`)
    return found[name] as T
  }

  /** Waits for its end. */
  async ended(limitMs = 40_000): Promise<{ code: number | null; signal: string | null }> {
    await this.#until('the end of the client', () => this.exit !== null, limitMs)
    return this.exit!
  }

  /** Ends it, if it has not ended by itself. */
  async stop(): Promise<void> {
    if (this.exit === null) this.process.kill('SIGKILL')
    await this.ended()
  }

  async #until(what: string, condition: () => boolean, limitMs: number): Promise<void> {
    if (condition()) return
    await new Promise<void>((resolve, reject) => {
      const stop = (settle: () => void): void => {
        clearTimeout(timer)
        this.#waiters.delete(check)
        settle()
      }
      const timer = setTimeout(
        () => stop(() => reject(new Error(`not within ${limitMs} ms: ${what} ${this.errors}`))),
        limitMs
      )
      const check = (): void => {
        if (condition()) stop(resolve)
      }
      this.#waiters.add(check)
    })
  }

  #wake(): void {
    for (const waiter of [...this.#waiters]) waiter()
  }
}
