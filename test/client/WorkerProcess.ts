import { fork } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from '../support/markdown'

const OUT = join(ROOT, '.cache', 'workers')

/** A program of the tests in a process of its own, which can be killed and started again. */
export class WorkerProcess {
  readonly #file: string
  readonly #wanted: object
  #built: Promise<string> | null = null
  #child: ChildProcess | null = null
  /** Last number of bookings that it reported. */
  booked = 0
  /** Why it failed, when it did by itself. */
  failed: string | null = null

  /** `file`: of this folder, e.g. `shopWorker.ts`; `wanted`: its first message. */
  constructor(file: string, wanted: object) {
    this.#file = file
    this.#wanted = wanted
  }

  async start(): Promise<void> {
    const child = (this.#child = fork(await (this.#built ??= this.#bundle()), {
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
      execArgv: ['--unhandled-rejections=strict']
    }))
    let errors = ''
    child.stderr?.on('data', (chunk) => (errors += String(chunk)))
    child.on('message', (message: { booked?: number; failed?: string }) => {
      this.booked = message.booked ?? this.booked
      this.failed = message.failed ?? this.failed
    })
    child.on('exit', (code) => {
      if (code !== null && code !== 0) this.failed ??= `it ended with ${code}: ${errors}`
    })
    child.send(this.#wanted)
  }

  /** Ends it without a word, as a crash does. */
  async kill(): Promise<void> {
    const child = this.#child
    this.#child = null
    if (child === null || child.exitCode !== null || child.signalCode !== null) return
    const gone = new Promise((resolve) => child.once('exit', resolve))
    child.kill('SIGKILL')
    await gone
  }

  async #bundle(): Promise<string> {
    mkdirSync(OUT, { recursive: true })
    const { build } = await import('esbuild')
    const outfile = join(OUT, `${this.#file}-${process.pid}.mjs`)
    await build({
      entryPoints: [join(__dirname, this.#file)],
      outfile,
      bundle: true,
      platform: 'node',
      format: 'esm',
      packages: 'external',
      logLevel: 'error'
    })
    return outfile
  }
}
