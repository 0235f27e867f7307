import { PackageMissingError, RuntimeUnsupportedError } from '../../errors/input.js'
import type { ScalusAnswer, ScalusRunner } from './runner.js'

/** The parts of `node:worker_threads` and `node:module` that the runner uses; Bun and Deno have them too. */
interface Worker {
  postMessage(message: unknown): void
  on(event: 'message' | 'error' | 'exit', listener: (value: never) => void): void
  ref(): void
  unref(): void
  terminate(): Promise<number>
}
interface WorkerThreads {
  readonly Worker: new (code: string, options: { eval: true; workerData: unknown; stdout: boolean }) => Worker
}
interface NodeModule {
  createRequire(from: string): { resolve(id: string): string }
}
interface Host {
  getBuiltinModule?: (id: string) => unknown
  cwd?: () => string
  argv?: readonly string[]
}

/**
 * Code of the worker. It is a string, because every bundler would have to find a separate file. With
 * `--input-type=module` it runs as a module, which has no `require`. It loads the library before the first message, so
 * that loading does not count toward the time limit.
 */
const WORKER_CODE = `
const { parentPort, workerData } = process.getBuiltinModule('node:worker_threads')
const { Scalus, SlotConfig } = process.getBuiltinModule('node:module').createRequire(workerData)(workerData)
parentPort.on('message', ({ tx, utxo, slot, models }) => {
  try {
    const redeemers = Scalus.evalPlutusScripts(tx, utxo, new SlotConfig(...slot), models)
    parentPort.postMessage({ units: Array.from(redeemers, ({ tag, index, budget }) => ({ tag, index, mem: budget.memory, cpu: budget.steps })) })
  } catch (error) {
    const logs = error?.logs
    parentPort.postMessage({ message: String(error?.message ?? error), logs: logs === undefined ? null : Array.from(logs, String) })
  }
})
parentPort.postMessage('ready')
`

/**
 * Creates a runner that runs scripts in a worker thread. A worker that fails or reaches the limit is terminated and
 * replaced.
 */
export function workerRunner(timeLimitMs: number): ScalusRunner {
  let current: ScalusWorker | null = null
  return async (job) => {
    const worker = (current ??= new ScalusWorker())
    try {
      await worker.ready
      return await worker.run(job, timeLimitMs)
    } catch (error) {
      current = null
      worker.end()
      throw error
    }
  }
}

/** A worker thread that runs one job at a time. */
class ScalusWorker {
  readonly ready: Promise<unknown>
  readonly #worker: Worker
  #settle: { resolve(answer: unknown): void; reject(error: unknown): void } | null = null

  /** @throws {@link RuntimeUnsupportedError} */
  constructor() {
    const host = (globalThis as { process?: Host }).process ?? {}
    const threads = host.getBuiltinModule?.('node:worker_threads') as WorkerThreads | undefined
    if (threads?.Worker === undefined) throw new RuntimeUnsupportedError('worker threads', 'the option inThread')
    this.#worker = new threads.Worker(WORKER_CODE, { eval: true, workerData: scalusPath(host), stdout: false })
    this.#worker.on('message', (answer: unknown) => this.#settle?.resolve(answer))
    this.#worker.on('error', (error: unknown) => this.#settle?.reject(error))
    this.#worker.on('exit', () => this.#settle?.reject(new Error('scalus: the worker ended')))
    this.ready = this.#answer()
    // Handled where it is awaited.
    this.ready.catch(() => undefined)
  }

  async run(job: unknown, timeLimitMs: number): Promise<ScalusAnswer> {
    const answer = this.#answer()
    const timer = setTimeout(
      () => this.#settle?.reject(new Error(`scalus: the scripts did not end within ${timeLimitMs} ms (timeLimitMs)`)),
      timeLimitMs
    )
    this.#worker.postMessage(job)
    try {
      return (await answer) as ScalusAnswer
    } finally {
      clearTimeout(timer)
    }
  }

  end(): void {
    void this.#worker.terminate()
  }

  /** Returns the worker's next message. Waiting for it keeps the process alive; an idle worker does not. */
  #answer(): Promise<unknown> {
    this.#worker.ref()
    const answer = new Promise((resolve, reject) => (this.#settle = { resolve, reject }))
    const rest = (): void => {
      this.#settle = null
      this.#worker.unref()
    }
    answer.then(rest, rest)
    return answer
  }
}

/**
 * Resolves the path of the package from the working directory or from the program's main file. @throws
 * {@link PackageMissingError}
 */
function scalusPath({ getBuiltinModule, cwd, argv = [] }: Host): string {
  const { createRequire } = getBuiltinModule!('node:module') as NodeModule
  let cause: unknown
  for (const from of [`${cwd?.() ?? ''}/`, argv[1]]) {
    try {
      if (from !== undefined) return createRequire(from).resolve('scalus')
    } catch (error) {
      cause = error
    }
  }
  throw new PackageMissingError('scalus', cause)
}
