import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { main } from '../../src/cli/main'
import { ROOT } from './markdown'
import type { ShownCommand } from './shownCommands'

/** Ports that a page means when it names none. */
const HEAD_PORT = '4001'
const BASE_PORT = '1337'
const STARTED = /Ctrl-C stops it\.\n|"event":"listening".*\n/

/** Ports of a page, and the free ones that took their place. */
type Ports = ReadonlyMap<string, string>

/**
 * A terminal in one folder: a devnode runs until the next one starts, and the commands between ask it. A fork runs
 * beside the node that it copies.
 */
export class TerminalSession {
  readonly #program: string
  readonly #cwd: string
  #ports: Ports = new Map()
  #ends: (() => Promise<void>)[] = []

  constructor(program: string, cwd: string) {
    this.#program = program
    this.#cwd = cwd
  }

  /** Runs the commands in their order; resolves with what each printed, on both outputs, with the ports of the page. */
  async run(commands: readonly ShownCommand[]): Promise<string[]> {
    const outputs: string[] = []
    for (const [i, command] of commands.entries()) {
      const { program, args } = command
      if (program === 'echo') outputs[i] = this.#echo(args)
      else if (program === 'curl') outputs[i] = await this.#curl(args)
      else if (startsNode(command)) await this.#startNode(args, (text) => (outputs[i] = text))
      else outputs[i] = await this.#runToEnd(args)
    }
    await this.#endNodes()
    return outputs
  }

  async #startNode(args: readonly string[], onEnd: (text: string) => void): Promise<void> {
    if (!args.includes('--fork')) {
      await this.#endNodes()
      this.#ports = new Map()
    }
    const [head, base] = [valueOf(args, '--port') ?? HEAD_PORT, valueOf(args, '--rpc-port') ?? BASE_PORT]
    const others = args.filter((each, i) => !PORT_OPTIONS.includes(each) && !PORT_OPTIONS.includes(args[i - 1] ?? ''))
    // What says nothing does not say its ports either.
    const own = args.includes('--quiet') ? [await freePort(), await freePort()] : null
    const taken = own === null ? ['--port', '0'] : ['--port', own[0]!, '--rpc-port', own[1]!]
    const { child, output, closed } = this.#spawn([...this.#actual(others), ...taken])
    if (own === null)
      await Promise.race([
        closed,
        new Promise<void>((resolve) => child.stdout!.on('data', () => STARTED.test(output()) && resolve()))
      ])
    else await listens(own[1]!)
    // The first is the head's, the last the base ledger's; those of other parties stand between them.
    const found = own ?? [
      ...new Set([...output().matchAll(/(?:ws|http):\/\/(?:127\.0\.0\.1|localhost):(\d+)/g)].map(([, port]) => port!))
    ]
    const heads = found.slice(0, -1).map((port, i) => [String(Number(head) + i), port] as const)
    this.#ports = new Map([...this.#ports, ...heads, [base, found.at(-1) ?? base]])
    const ports = this.#ports
    this.#ends.push(async () => {
      child.kill('SIGINT')
      await closed
      onEnd(asShown(output(), ports))
    })
  }

  async #endNodes(): Promise<void> {
    for (const end of this.#ends.splice(0)) await end()
  }

  /** What ends by itself, answers and refusals, runs in this process, which is faster by the start of another. */
  async #runToEnd(args: readonly string[]): Promise<string> {
    const lines: string[] = []
    const print = (text: string): void => void lines.push(text)
    const before = process.cwd()
    process.chdir(this.#cwd)
    try {
      // A recording has an end of its own; whatever else runs on is stopped at once.
      const stopped = ['record', 'watch', 'export', 'replay'].includes(args[0]!)
        ? new Promise(() => {})
        : Promise.resolve()
      await main(this.#actual(args), {
        version: '',
        packageFolder: ROOT,
        out: print,
        error: print,
        stopped: () => stopped
      })
    } finally {
      process.chdir(before)
    }
    return asShown(lines.join('\n'), this.#ports)
  }

  /** `echo TEXT > FILE`. */
  #echo([text = '', , file = '']: readonly string[]): string {
    const actual = text.replaceAll(/(127\.0\.0\.1:)(\d+)/g, (_, host, port) => host + (this.#ports.get(port) ?? port))
    writeFileSync(join(this.#cwd, file), `${actual}\n`)
    return ''
  }

  /** As curl: `-s`, `-X`, `-H`, `-d`, also from a file, and `-o`. */
  async #curl(args: readonly string[]): Promise<string> {
    const options = ['-X', '-H', '-d', '-o']
    const url = args.find((each, i) => !each.startsWith('-') && !options.includes(args[i - 1] ?? ''))!
    const data = valueOf(args, '-d')
    const body = data?.startsWith('@') === true ? readFileSync(join(this.#cwd, data.slice(1)), 'utf8') : data
    const [name, value] = valueOf(args, '-H')?.split(': ') ?? []
    const method = valueOf(args, '-X') ?? (body === undefined ? 'GET' : 'POST')
    const headers = {
      'Content-Type': 'application/x-www-form-urlencoded',
      ...(name === undefined ? {} : { [name]: value! })
    }
    const actual = this.#actual([url])[0]!.replace('localhost', '127.0.0.1')
    const text = await (
      await fetch(`http://${actual}`, { method, headers, ...(body === undefined ? {} : { body }) })
    ).text()
    const file = valueOf(args, '-o')
    if (file === undefined) return asShown(text, this.#ports)
    writeFileSync(join(this.#cwd, file), text)
    return ''
  }

  /** Arguments with the ports that are listened on in place of those of the page. */
  #actual(args: readonly string[]): string[] {
    return args.map((each) => {
      const port = /:(\d+)(?=\/|$)/.exec(each)?.[1]
      if (port === undefined || !/^(\w+:\/\/)?(localhost|127\.0\.0\.1):/.test(each))
        return this.#ports.get(each) ?? each
      return each.replace(`:${port}`, `:${this.#ports.get(port) ?? port}`)
    })
  }

  #spawn(args: readonly string[]): { child: ChildProcess; output: () => string; closed: Promise<unknown> } {
    const child = spawn(process.execPath, [this.#program, ...args], {
      cwd: this.#cwd,
      stdio: ['ignore', 'pipe', 'pipe']
    })
    let text = ''
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (text += chunk.toString()))
    return { child, output: () => text, closed: new Promise((resolve) => child.once('close', resolve)) }
  }
}

const PORT_OPTIONS = ['--port', '--rpc-port']

/** A devnode that the page shows at work, and not what it refuses. */
function startsNode({ args, shown }: ShownCommand): boolean {
  return args[0] === 'devnode' && !args.includes('--help') && !shown.startsWith('layer-sdk: ')
}

function valueOf(args: readonly string[], option: string): string | undefined {
  const at = args.indexOf(option)
  return at < 0 ? undefined : args[at + 1]
}

async function freePort(): Promise<string> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return String(port)
}

/** Resolves once somebody listens on a port of this machine. */
async function listens(port: string): Promise<void> {
  const answers = (): Promise<boolean> =>
    new Promise((resolve) => {
      const socket = connect(Number(port), '127.0.0.1', () => resolve(true)).on('error', () => resolve(false))
      socket.on('connect', () => socket.destroy())
    })
  while (!(await answers())) await new Promise((resolve) => setTimeout(resolve, 50))
}

function asShown(text: string, ports: Ports): string {
  let shown = text
  for (const [port, actual] of ports) {
    shown = shown
      .replaceAll(`127.0.0.1:${actual}`, `127.0.0.1:${port}`)
      .replaceAll(`localhost:${actual}`, `localhost:${port}`)
      .replaceAll(`Port ${actual} `, `Port ${port} `)
  }
  return shown.trim()
}
