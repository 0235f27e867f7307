import { spawn } from 'node:child_process'
import { closeSync, openSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { parseJson } from '../../src/codec/json'
import { randomSource } from '../support/random'
import { fullRun, scaled } from '../support/scale'
import { greetings, ScriptedNode } from '../support/scriptedNode'
import { CliProgram } from '../support/cliProgram'
import { historyOf, logLine, logOf, stored } from '../doctor/export/support'
import { newFolder, run } from './recording/support'

const folder = newFolder()
const program = new CliProgram()
const node = new ScriptedNode()
let history: object[] = []
const path = (name: string): string => join(folder, name)
const url = (): string => `ws://127.0.0.1:${node.port}`

beforeAll(async () => {
  node.onConnection = (socket, query) => {
    if (query.includes('history=yes')) for (const message of history) socket.send(JSON.stringify(message))
    socket.send(JSON.stringify(greetings()))
  }
  await Promise.all([program.build(), node.start()])
}, 60_000)
afterAll(async () => {
  program.remove()
  await node.stop()
  rmSync(folder, { recursive: true })
})

/** Cursor of the last whole line; a torn one behind it is removed, as the guide says. */
function lastCursor(file: string): string | null {
  const text = readFileSync(file, 'utf8')
  const end = text.lastIndexOf('\n') + 1
  truncateSync(file, Buffer.byteLength(text.slice(0, end)))
  const lines = text.slice(0, end).trimEnd().split('\n')
  return lines.at(-1) === '' ? null : (parseJson(lines.at(-1)!) as { cursor: string }).cursor
}

/** Runs the program with its output behind the file's end; kills it once the file has this size, null never. */
async function runInto(file: string, args: readonly string[], killAt: number | null): Promise<number | null> {
  const output = openSync(file, 'a')
  const child = spawn(process.execPath, [program.path, ...args], { stdio: ['ignore', output, 'inherit'] })
  closeSync(output)
  const timer =
    killAt === null
      ? undefined
      : setInterval(() => {
          if (statSync(file).size >= killAt) child.kill('SIGKILL')
        }, 1)
  const code = await new Promise<number | null>((resolve) => child.on('close', resolve))
  clearInterval(timer)
  return code
}

const EVENTS = fullRun ? 10_000 : 2_000
const KILLS = scaled(50)

describe('an export that is killed anywhere', () => {
  it.each([
    ['a node', () => ['export', '--url', url()]],
    ['a log', () => ['export', '--log', path('node.log')]]
  ])(
    'goes on from the last whole line of %s: no event is lost, and none twice',
    async (kind, args) => {
      history = historyOf(EVENTS)
      writeFileSync(path('node.log'), `${logOf(EVENTS).join('\n')}\n`)
      const file = path(`${kind}.ndjson`)
      writeFileSync(file, '')
      await runInto(path(`${kind}.whole`), args(), null)
      const size = statSync(path(`${kind}.whole`)).size
      const { below } = randomSource(`kills of ${kind}`)
      const targets = Array.from({ length: KILLS }, () => below(size)).sort((a, b) => a - b)
      let killed = 0
      for (const target of [...targets, null]) {
        const cursor = lastCursor(file)
        const code = await runInto(file, [...args(), ...(cursor === null ? [] : ['--after', cursor])], target)
        if (code !== 0) killed++
        if (target === null) expect(code).toBe(0)
      }
      expect(killed).toBeGreaterThan(0)
      expect(readFileSync(file, 'utf8')).toBe(readFileSync(path(`${kind}.whole`), 'utf8'))
      expect(readFileSync(file, 'utf8').trimEnd().split('\n')).toHaveLength(EVENTS)
    },
    600_000
  )
})

describe('layer-sdk export', () => {
  it('reads a log of gzip, and names one that is cut short', async () => {
    const text = `${logOf(20).join('\n')}\n`
    writeFileSync(path('plain.log'), text)
    writeFileSync(path('packed.log'), Buffer.concat([gzipSync(text.slice(0, 900)), gzipSync(text.slice(900))]))
    const plain = await run(['export', '--log', path('plain.log')])
    const packed = await run(['export', '--log', path('packed.log')])
    expect([plain.code, packed.code, packed.out]).toEqual([0, 0, plain.out])
    const cut = gzipSync(text)
    writeFileSync(path('packed.log'), cut.subarray(0, cut.length - 20))
    const broken = await run(['export', '--log', path('packed.log')])
    expect([broken.code, broken.errors]).toEqual([1, expect.stringContaining('was packed by gzip and is cut short')])
  })

  it('reads a log from the standard input', async () => {
    const child = spawn(process.execPath, [program.path, 'export', '--log', '-'], {
      stdio: ['pipe', 'pipe', 'inherit']
    })
    child.stdin.end(logOf(3).join('\n'))
    let text = ''
    child.stdout.on('data', (part: Buffer) => (text += part.toString()))
    expect(await new Promise((resolve) => child.on('close', resolve))).toBe(0)
    expect(text.trimEnd().split('\n')).toHaveLength(3)
  })

  it('ends quietly when its reader has seen enough', async () => {
    history = historyOf(2_000)
    const command = `"${process.execPath}" "${program.path}" export --url ${url()} | head -n 1; echo "\${PIPESTATUS[0]}"`
    const child = spawn('bash', ['-c', command], { stdio: ['ignore', 'pipe', 'pipe'] })
    let [text, errors] = ['', '']
    child.stdout.on('data', (part: Buffer) => (text += part.toString()))
    child.stderr.on('data', (part: Buffer) => (errors += part.toString()))
    await new Promise((resolve) => child.on('close', resolve))
    expect([text.trimEnd().split('\n').length, text.trimEnd().split('\n')[1], errors]).toEqual([2, '0', ''])
  }, 30_000)

  it('says gap with code 3 where none may be, and names what it could not read', async () => {
    const lines = logOf(4)
    writeFileSync(
      path('gap.log'),
      `${[...lines.slice(0, 6), lines[4]!.slice(0, 80), ...lines.slice(6)].join('\n')}\n{"t`
    )
    const strict = await run(['export', '--log', path('gap.log'), '--no-gaps'])
    expect([strict.code, strict.out.split('\n').length]).toEqual([3, 3])
    const free = await run(['export', '--log', path('gap.log')])
    expect([free.code, free.out.split('\n').length]).toEqual([0, 5])
    expect(free.errors.split('\n')).toEqual([
      '1 of 5 lines is a gap.',
      'Lines that cannot be read: 7.',
      'The last line is cut short and was left out.'
    ])
    const json = await run(['export', '--log', path('gap.log'), '--json'])
    expect(JSON.parse(json.errors)).toMatchObject({ summary: { gaps: 1, torn: true, unreadable: { lines: [7] } } })
  })

  it('keeps integers exact, and leaves secrets out', async () => {
    const secret = 'ab'.repeat(32)
    const change = { tag: 'TxInvalid', headId: 'ee', utxo: { big: 1 }, transaction: { signingKey: secret } }
    const outcome = { tag: 'Continue', stateChanges: [change], effects: [] }
    const line = logLine(0, { tag: 'Node', node: { tag: 'LogicOutcome', outcome } })
    writeFileSync(path('secret.log'), `${line.replace('"big":1', '"big":9007199254740993')}\n`)
    const { out } = await run(['export', '--log', path('secret.log')])
    expect(out).toContain('"big":9007199254740993')
    expect(out).not.toContain(secret)
  })

  it('follows a node until it is told to stop', async () => {
    history = historyOf(3)
    const child = program.launch('export', '--url', url(), '--follow')
    await child.line(/"seq":6/)
    for (const socket of node.sockets) socket.send(JSON.stringify(stored(3)))
    await child.line(/"seq":9/)
    child.kill('SIGINT')
    expect(await child.exit).toBe(0)
    expect([child.lines.length, child.errors()]).toEqual([4, ''])
  }, 30_000)

  it.each([
    [['--url', 'ws://127.0.0.1:1', '--log', 'x'], 'exclude each other'],
    [['--log', 'x', '--follow'], 'tail -n +1 -F FILE'],
    [['--log', 'x', '--after', 'y'], 'The export cannot go on from this cursor'],
    [['--log', 'x', '--heads', 'head'], '--heads needs ids'],
    [['--heads', ''], '--heads needs ids'],
    [['--folow'], 'Did you mean --follow?'],
    [['x'], "Unexpected argument 'x'"]
  ])('refuses wrong usage: %j', async (args, text) => {
    const { code, errors, out } = await run(['export', ...args])
    expect([code, out]).toEqual([2, ''])
    expect(errors).toContain(text)
  })

  it('names a file that is not there, and the default node', async () => {
    const missing = await run(['export', '--log', path('none')])
    expect([missing.code, missing.errors]).toEqual([1, `layer-sdk: The file ${path('none')} cannot be read (ENOENT).`])
  })
})
