import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { hasColors, withColor } from '../../src/cli/color'
import type { RunningDevNode } from '../../src/devnode'
import { startDevNode } from '../../src/devnode'
import { CliProgram } from '../support/cliProgram'

const program = new CliProgram()
const folder = mkdtempSync(join(tmpdir(), 'layer-sdk-shells-'))
let node: RunningDevNode
beforeAll(async () => {
  node = await startDevNode({ port: 0, open: true })
  await program.build()
}, 60_000)
afterAll(async () => {
  program.remove()
  await node.stop()
  rmSync(folder, { recursive: true })
})

interface Ended {
  readonly code: number | null
  readonly out: string
  readonly errors: string
}

/** Runs the program without a terminal. */
async function runProgram(args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<Ended> {
  const { NO_COLOR: _no, FORCE_COLOR: _force, ...plain } = process.env
  const child = spawn(process.execPath, [program.path, ...args], {
    env: { ...plain, ...env },
    stdio: ['ignore', 'pipe', 'pipe']
  })
  const texts = { out: '', errors: '' }
  child.stdout.on('data', (part: Buffer) => (texts.out += part.toString()))
  child.stderr.on('data', (part: Buffer) => (texts.errors += part.toString()))
  const code = await new Promise<number | null>((resolve) => child.on('close', resolve))
  return { code, ...texts }
}

describe('a reader that has seen enough', () => {
  it.each(['explain', '--help', 'completion zsh', 'setup --help'])(
    'ends layer-sdk %s quietly, with code 0',
    async (command) => {
      // The reader is gone before the first line is written.
      const script = `"${process.execPath}" "${program.path}" ${command} | true; echo "\${PIPESTATUS[0]}"`
      const { stdout, stderr } = spawnSync('bash', ['-c', script], { encoding: 'utf8' })
      expect([stdout, stderr]).toEqual(['0\n', ''])
    },
    30_000
  )

  it('gets the first line alone', () => {
    const script = `"${process.execPath}" "${program.path}" explain | head -n 1`
    const { stdout, stderr } = spawnSync('bash', ['-c', script], { encoding: 'utf8' })
    expect([stdout.split('\n').length, stderr]).toEqual([2, ''])
  }, 30_000)
})

describe('without a terminal', () => {
  it.each([['close'], ['fanout']])(
    '%s does not ask, and needs --yes',
    async (command) => {
      const { code, out, errors } = await runProgram([command, '--url', node.url])
      expect([code, out]).toEqual([2, ''])
      expect(errors).toContain('--yes')
    },
    30_000
  )

  it('a result is the same bytes in a narrow terminal as in a wide one', async () => {
    const texts = await Promise.all(
      ['40', '200'].map(async (COLUMNS) => {
        const parts = [['--help'], ['doctor', '--help'], ['status', '--url', node.url]]
        const ended = await Promise.all(parts.map((args) => runProgram(args, { COLUMNS })))
        return ended.map(({ code, out }) => [code, out])
      })
    )
    expect(texts[0]).toEqual(texts[1])
    expect(texts[0]!.map(([code]) => code)).toEqual([0, 0, 0])
  }, 60_000)
})

describe('colours', () => {
  it.each([
    [{ isTTY: true, env: {} }, true],
    [{ isTTY: false, env: {} }, false],
    [{ isTTY: true, env: { NO_COLOR: '1' } }, false],
    [{ isTTY: true, env: { NO_COLOR: '' } }, true],
    [{ isTTY: false, env: { FORCE_COLOR: '1' } }, true],
    [{ isTTY: false, env: { FORCE_COLOR: '' } }, true],
    [{ isTTY: true, env: { FORCE_COLOR: '0' } }, false],
    [{ isTTY: true, env: { NO_COLOR: '1', FORCE_COLOR: '1' } }, false],
    [{ isTTY: true, env: { TERM: 'dumb' } }, false]
  ])('%j', (facts, expected) => expect(hasColors(facts)).toBe(expected))

  it('are in the name of a failing program alone, and never in a result', async () => {
    expect(withColor('layer-sdk: No.')).toBe('\u001b[31mlayer-sdk:\u001b[39m No.')
    expect(withColor('Try: layer-sdk: x')).toBe('Try: layer-sdk: x')
    const plain = await runProgram(['stauts'])
    const forced = await runProgram(['stauts'], { FORCE_COLOR: '1' })
    const denied = await runProgram(['stauts'], { FORCE_COLOR: '1', NO_COLOR: '1' })
    expect([forced.code, forced.errors]).toEqual([
      2,
      plain.errors.replace('layer-sdk:', '\u001b[31mlayer-sdk:\u001b[39m')
    ])
    expect(denied).toEqual(plain)
    const result = await runProgram(['status', '--url', node.url], { FORCE_COLOR: '1' })
    expect(result.out).not.toContain('\u001b')
  }, 30_000)
})

const hasShell = (name: string): boolean => spawnSync(name, ['-c', 'true']).status === 0
/** Suites of a shell that this machine lacks are not defined; CI installs zsh and fish. */
const describeWithShell = (name: string, define: () => void): void =>
  hasShell(name) ? describe(name, define) : undefined

const scriptOf = async (shell: string): Promise<string> => {
  const file = join(folder, `completion.${shell}`)
  writeFileSync(file, (await runProgram(['completion', shell])).out)
  return file
}

describeWithShell('bash', () => {
  it('takes the completion without a word, and completes commands and options', async () => {
    const file = await scriptOf('bash')
    const script = `set -eu; source "${file}"; complete -p layer-sdk; COMP_WORDS=(layer-sdk exp); COMP_CWORD=1; _layer_sdk; echo "\${COMPREPLY[@]}"; COMP_WORDS=(layer-sdk export --fo); COMP_CWORD=2; _layer_sdk; echo "\${COMPREPLY[@]}"`
    const lines = execFileSync('bash', ['--norc', '-c', script], { encoding: 'utf8' }).trim().split('\n')
    expect(lines).toEqual(
      [expect.stringContaining('_layer_sdk layer-sdk'), 'explain export', '--follow'].map((each, i) =>
        i === 1 ? expect.stringMatching(/^(explain export|export explain)$/) : each
      )
    )
  }, 30_000)
})

describeWithShell('zsh', () => {
  it('takes the completion without a word, and completes commands and options', async () => {
    const file = await scriptOf('zsh')
    // compadd works within a completion alone: here it prints what it would offer.
    const script = `autoload -Uz compinit; compinit -u -d "${join(folder, 'zcompdump')}"; source "${file}"; print -r -- "$_comps[layer-sdk]"
compadd() { print -r -- "$@" }; _files() { : }
words=(layer-sdk exp); CURRENT=2; _layer_sdk
words=(layer-sdk export --fo); CURRENT=3; _layer_sdk`
    const lines = execFileSync('zsh', ['-f', '-c', script], { encoding: 'utf8' }).trim().split('\n')
    expect(lines[0]).toBe('_layer_sdk')
    expect(lines[1]!.split(' ')).toEqual(expect.arrayContaining(['--', 'export', 'replay', 'doctor']))
    expect(lines[2]!.split(' ')).toEqual(expect.arrayContaining(['--follow', '--no-gaps']))
  }, 30_000)
})

describeWithShell('fish', () => {
  it('takes the completion without a word, and completes commands and options', async () => {
    const file = await scriptOf('fish')
    const completed = (line: string): string[] =>
      execFileSync('fish', ['--no-config', '-c', `source "${file}"; complete -C "${line}"`], {
        encoding: 'utf8',
        env: { ...process.env, HOME: folder }
      })
        .trim()
        .split('\n')
    expect(completed('layer-sdk expo')).toEqual(['export'])
    expect(completed('layer-sdk export --fo')).toEqual(['--follow'])
  }, 30_000)
})
