import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { codeBlocks } from './markdown'

/** A command of a page and the output that the page shows for it. */
export interface ShownCommand {
  readonly at: string
  /** Arguments of `npx layer-sdk`. */
  readonly args: readonly string[]
  readonly shown: string
}

/** Each `npx layer-sdk` in a block of its own whose output stands in the block of text after it. */
export function shownCommands(page: string): ShownCommand[] {
  const blocks = codeBlocks(page)
  return blocks.flatMap(({ at, language, code }, i) => {
    const output = blocks[i + 1]
    const command = /^npx layer-sdk (.+)$/.exec(code.trim())?.[1]
    if (language !== 'sh' || command === undefined || output?.language !== 'text') return []
    return [{ at, args: command.split(' '), shown: output.code.trim() }]
  })
}

/** What differs from run to run: times, durations, transaction ids; and the version, with each release. */
export function withoutChance(text: string): string {
  return text
    .replaceAll(/\b\d\d:\d\d:\d\d\b/g, 'TIME')
    .replaceAll(/\b\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME')
    .replaceAll(/(devnode |"listening","version":")\d+\.\d+\.\d+/g, '$1VERSION')
    .replaceAll(/\b\d+ ms\b/g, 'N ms')
    .replaceAll(/"ms":\d+/g, '"ms":N')
    .replaceAll(/\b[0-9a-f]{64}\b/g, 'TXID')
    .replaceAll(/(deposit|decommit) [0-9a-f]{8}\b/g, '$1 ID')
}

/** Ports that the page shows, in place of those that were free. */
const SHOWN = { head: '4001', base: '1337' }
const STARTED = /Ctrl-C stops it\.\n|"event":"listening".*\n/

/** A terminal in one folder: a devnode runs until the next one starts, and the commands between ask it. */
export class TerminalSession {
  readonly #program: string
  readonly #cwd: string
  #ports = SHOWN
  #endNode: () => Promise<void> = () => Promise.resolve()

  constructor(program: string, cwd: string) {
    this.#program = program
    this.#cwd = cwd
  }

  /** Runs the commands in their order; resolves with what each printed, on both outputs, with the ports of the page. */
  async run(commands: readonly ShownCommand[]): Promise<string[]> {
    const outputs: string[] = []
    for (const [i, { args }] of commands.entries()) {
      // One with a port shows what happens when that is taken.
      const runs = args[0] === 'devnode' && !args.includes('--help') && !args.includes('--port')
      if (runs) await this.#startNode(args, (text) => (outputs[i] = text))
      else outputs[i] = await this.#runToEnd(args)
    }
    await this.#endNode()
    return outputs
  }

  async #startNode(args: readonly string[], onEnd: (text: string) => void): Promise<void> {
    await this.#endNode()
    const { child, output, closed } = this.#spawn([...args, '--port', '0'])
    await Promise.race([closed, new Promise<void>((resolve) => child.stdout!.on('data', () => STARTED.test(output()) && resolve()))])
    // The first is the head's, the last the base ledger's; those of other parties stand between them.
    const found = [...output().matchAll(/(?:ws|http):\/\/127\.0\.0\.1:(\d+)/g)].map(([, port]) => port!)
    const [head, base] = [found[0] ?? SHOWN.head, found.at(-1) ?? SHOWN.base]
    const ports = (this.#ports = { head, base })
    this.#endNode = async () => {
      child.kill('SIGINT')
      await closed
      onEnd(asShown(output(), ports))
    }
  }

  async #runToEnd(args: readonly string[]): Promise<string> {
    const { head } = this.#ports
    const actual = args.map((each) => (each === SHOWN.head ? head : each.replace(`:${SHOWN.head}`, `:${head}`)))
    const { output, closed } = this.#spawn(actual)
    await closed
    return asShown(output(), this.#ports)
  }

  #spawn(args: readonly string[]): { child: ChildProcess; output: () => string; closed: Promise<unknown> } {
    const child = spawn(process.execPath, [this.#program, ...args], { cwd: this.#cwd, stdio: ['ignore', 'pipe', 'pipe'] })
    let text = ''
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (text += chunk.toString()))
    return { child, output: () => text, closed: new Promise((resolve) => child.once('close', resolve)) }
  }
}

function asShown(text: string, { head, base }: typeof SHOWN): string {
  const ported = text.replaceAll(`127.0.0.1:${head}`, `127.0.0.1:${SHOWN.head}`).replaceAll(`127.0.0.1:${base}`, `127.0.0.1:${SHOWN.base}`)
  return ported.replaceAll(`Port ${head} `, `Port ${SHOWN.head} `).trim()
}
