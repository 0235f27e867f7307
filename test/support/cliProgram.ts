import { spawn } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'esbuild'

/** A run of the program as a process. */
export interface ProgramRun {
  /** Lines of its output so far. */
  readonly lines: string[]
  readonly errors: () => string
  /** The first line, once it is there. */
  readonly first: Promise<string>
  /** Resolves once a line matches. */
  line(pattern: RegExp): Promise<string>
  readonly exit: Promise<number | null>
  kill(signal: NodeJS.Signals): void
}

/**
 * The command line, built as it is published, beside node_modules, so that the packages it leaves outside are found.
 */
export class CliProgram {
  readonly #folder = join(
    __dirname,
    '..',
    '..',
    'node_modules',
    '.cache',
    `layer-sdk-cli-test-${process.pid}-${Math.random().toString(36).slice(2)}`
  )

  get path(): string {
    return join(this.#folder, 'dist', 'cli.js')
  }

  async build(): Promise<void> {
    mkdirSync(join(this.#folder, 'dist'), { recursive: true })
    writeFileSync(join(this.#folder, 'package.json'), '{"version":"4.5.6","type":"module"}')
    const entry = join(__dirname, '..', '..', 'src', 'cli', 'index.ts')
    const options = {
      bundle: true,
      splitting: true,
      platform: 'node',
      format: 'esm',
      packages: 'external',
      logLevel: 'error'
    } as const
    await build({ entryPoints: { cli: entry }, outdir: join(this.#folder, 'dist'), ...options })
  }

  remove(): void {
    rmSync(this.#folder, { recursive: true, force: true })
  }

  launch(...args: string[]): ProgramRun {
    const child = spawn(process.execPath, [this.path, ...args], { stdio: ['ignore', 'pipe', 'pipe'] })
    const lines: string[] = []
    const waiting: { pattern: RegExp; resolve: (line: string) => void }[] = []
    let [text, errors] = ['', '']
    child.stdout.on('data', (chunk: Buffer) => {
      text += chunk.toString()
      const whole = text.split('\n').slice(0, -1)
      lines.splice(0, lines.length, ...whole.filter((line) => line !== ''))
      for (const { pattern, resolve } of waiting) {
        const found = lines.find((line) => pattern.test(line))
        if (found !== undefined) resolve(found)
      }
    })
    child.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()))
    const exit = new Promise<number | null>((resolve) => child.on('close', resolve))
    const line = (pattern: RegExp): Promise<string> =>
      new Promise((resolve) => {
        const found = lines.find((each) => pattern.test(each))
        if (found !== undefined) resolve(found)
        else waiting.push({ pattern, resolve })
      })
    return { lines, errors: () => errors, first: line(/./), line, exit, kill: (signal) => void child.kill(signal) }
  }

  /** Runs to the end. */
  async run(...args: string[]): Promise<{ code: number | null; out: string; errors: string }> {
    const { lines, errors, exit } = this.launch(...args)
    const code = await exit
    return { code, out: lines.join('\n'), errors: errors() }
  }
}
