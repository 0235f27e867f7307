import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'esbuild'
import type { ShopSettings } from './shopProgram'

/** A run of the shop. */
export interface ShopRun {
  readonly child: ChildProcess
  /** `refused`: a payment failed with an error that says that it was not made, or may have been. */
  readonly end: Promise<'paid' | 'killed' | 'refused'>
  /** Errors that it has written. */
  errors(): string
}

/** Errors of a payment of which others have spent the inputs. */
const REFUSALS = /code: '(?:CLIENT_LEDGER|CLIENT_TIMEOUT|CLIENT_OUTCOME_UNKNOWN)'/

/** The shop's program, built beside node_modules, and run as processes of its own. */
export class Shop {
  readonly #folder = join(__dirname, '..', '..', '..', 'node_modules', '.cache', `layer-sdk-shop-${process.pid}`)
  readonly #running = new Set<ChildProcess>()

  async build(): Promise<void> {
    mkdirSync(this.#folder, { recursive: true })
    await build({
      entryPoints: [join(__dirname, 'shopProgram.ts')],
      outfile: join(this.#folder, 'shop.mjs'),
      bundle: true,
      platform: 'node',
      format: 'esm',
      packages: 'external',
      logLevel: 'error'
    })
  }

  /** Starts the program. Any other end rejects with what it wrote. */
  run(settings: ShopSettings): ShopRun {
    const child = spawn(process.execPath, [join(this.#folder, 'shop.mjs')], {
      env: { ...process.env, SHOP: JSON.stringify(settings) },
      stdio: ['ignore', 'pipe', 'pipe']
    })
    this.#running.add(child)
    let [text, errors] = ['', '']
    child.stdout.on('data', (chunk: Buffer) => (text += String(chunk)))
    child.stderr.on('data', (chunk: Buffer) => (errors += String(chunk)))
    const end = new Promise<'paid' | 'killed' | 'refused'>((resolve, reject) => {
      child.once('close', (code, signal) => {
        this.#running.delete(child)
        if (signal === 'SIGKILL') resolve('killed')
        else if (code === 0 && text.includes('paid')) resolve('paid')
        else if (REFUSALS.test(errors)) resolve('refused')
        else reject(new Error(`The shop ended with code ${code}: ${errors}${text}`))
      })
    })
    end.catch(() => undefined)
    return { child, end, errors: () => errors }
  }

  /** Ends what still runs, and removes the program. */
  remove(): void {
    for (const child of this.#running) child.kill('SIGKILL')
    rmSync(this.#folder, { recursive: true, force: true })
  }
}
