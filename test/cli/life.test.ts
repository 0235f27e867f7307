import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseAmount } from '../../src/cli/amount'
import { failureJson, exitCodeOf } from '../../src/cli/failure'
import { COMMAND_HELP, HELP } from '../../src/cli/help'
import { main } from '../../src/cli/main'
import { UsageError } from '../../src/cli/usage'
import { startDevNode } from '../../src/devnode'
import type { RunningDevNode } from '../../src/devnode'
import { LedgerError, OutcomeUnknownError } from '../../src/errors'

const folder = mkdtempSync(join(tmpdir(), 'layer-sdk-life-'))
const key = join(folder, 'alice.sk')
let node: RunningDevNode
beforeAll(async () => {
  node = await startDevNode({ port: 0, rpcPort: 0, control: true, timings: { contestationPeriodMs: 300 } })
  await main(['keygen', '--test-key', 'alice', '--out', key], terminal([], []))
})
afterAll(async () => {
  await node.stop()
  rmSync(folder, { recursive: true })
})

function terminal(out: string[], errors: string[], answer?: boolean): Parameters<typeof main>[1] {
  return {
    version: '1.2.3',
    out: (text) => out.push(text),
    error: (text) => errors.push(text),
    stopped: () => Promise.resolve(),
    ...(answer === undefined ? {} : { confirm: () => Promise.resolve(answer) })
  }
}

async function run(args: string[], answer?: boolean): Promise<{ code: number; out: string; errors: string }> {
  const [out, errors]: [string[], string[]] = [[], []]
  const code = await main(args, terminal(out, errors, answer))
  return { code, out: out.join('\n'), errors: errors.join('\n') }
}

/** Runs a command that is to hold; its one JSON object. */
async function json(...args: string[]): Promise<any> {
  const { code, out, errors } = await run([...args, '--url', node.url, '--json'])
  expect([args[0], code, code === 0 ? '' : errors]).toEqual([args[0], 0, ''])
  return JSON.parse(out)
}

it('a head lives its whole life by commands, each with one JSON object and its progress on the other output', async () => {
  const { address } = JSON.parse((await run(['address', '--key', key, '--json'])).out) as { address: string }
  expect(address).toBe(node.keys[0]!.address)
  const opened = await run(['open', '--url', node.url])
  expect([opened.code, opened.out, opened.errors]).toEqual([0, node.headId, expect.stringContaining('open: open')])
  expect(await json('utxos')).toEqual({ utxos: [] })
  const deposited = await run([
    ...['deposit', '30', '--key', key, '--provider', node.indexerUrl!],
    ...['--url', node.url, '--json']
  ])
  const deposit = JSON.parse(deposited.out)
  expect(deposit).toEqual({
    depositTxId: expect.stringMatching(/^[0-9a-f]{64}$/),
    lovelace: '30000000',
    recordedAt: expect.any(Number),
    claimableAt: expect.any(Number),
    expiresAt: expect.any(Number),
    recoverableAt: expect.any(Number)
  })
  const iso = (ms: number): string => new Date(ms).toISOString().replace('.000Z', 'Z')
  expect(deposited.errors.split('\n')).toContainEqual(
    expect.stringMatching(
      `^deposit: the head can take it from .+Z until ${iso(deposit.expiresAt)}; recoverable from ${iso(deposit.recoverableAt)}$`
    )
  )
  const bob = node.keys[1]!.address
  expect(await json('pay', '--from', key, '--to', bob, '--amount', '2500000lovelace')).toMatchObject({
    lovelace: '2500000'
  })
  expect((await run(['utxos', bob, '--url', node.url])).out).toMatch(
    new RegExp(`^[0-9a-f]{64}#\\d+ {2}2\\.5 ada {2}${bob}$`)
  )
  expect(await json('withdraw', '12ada', '--key', key)).toMatchObject({ outputs: 1 })
  const control = node.controlUrl!
  expect((await run(['faucet', bob, '5', '--control', control])).out).toBe('Paid 5 test ada on the base ledger.')
  const inHead = await run(['faucet', bob, '5ada', '--in', 'head', '--control', control, '--json'])
  expect(JSON.parse(inHead.out)).toEqual({ address: bob, lovelace: '5000000', in: 'head' })
  expect((await run(['recover', '--url', node.url])).out).toBe('No deposit can be recovered now.')
  expect(await json('close', '--yes')).toMatchObject({ headId: node.headId, contestationDeadline: expect.any(Number) })
  const headId = node.headId
  expect(await json('fanout', '--yes')).toEqual({ headId })
}, 60_000)

describe('questions', () => {
  it('need --yes without a terminal, and no is no', async () => {
    for (const command of [['close'], ['fanout'], ['withdraw', '--all', '--key', key]]) {
      const silent = await run([...command, '--url', node.url])
      expect([silent.code, silent.errors]).toEqual([2, expect.stringContaining('--yes is missing')])
      const before = Object.values(node.counters.inputs).reduce((sum, count) => sum + count, 0)
      expect((await run([...command, '--url', node.url], false)).errors).toContain('No command was sent.')
      expect(Object.values(node.counters.inputs).reduce((sum, count) => sum + count, 0)).toBe(before)
    }
  })
})

describe('amounts', () => {
  it.each([
    ['2.5', 2_500_000n],
    ['2.5ada', 2_500_000n],
    ['1000000lovelace', 1_000_000n],
    ['0.000001', 1n]
  ])('%s', (text, lovelace) => expect(parseAmount(text)).toBe(lovelace))
  it.each(['0', '0lovelace', '-1', '1e3', '2,5', '1.5lovelace', '1.0000001', '2.5 ada', 'ada', '', '2.5ADA', '0x10'])(
    'refuses %p',
    (text) => expect(() => parseAmount(text)).toThrow(UsageError)
  )
})

describe('failures', () => {
  const unknown = new OutcomeUnknownError('ab'.repeat(32), null, 'no answer')
  it('an unknown outcome is code 6, and its JSON names the transaction', () => {
    expect(exitCodeOf(unknown)).toBe(6)
    expect(JSON.parse(failureJson(unknown))).toEqual({
      error: {
        code: 'CLIENT_OUTCOME_UNKNOWN',
        message: expect.stringContaining('do not pay again'),
        outcome: 'unknown',
        txId: 'ab'.repeat(32),
        docs: expect.stringContaining('#client_outcome_unknown')
      }
    })
    const refused = new LedgerError({
      txId: 'cd'.repeat(32),
      reason: 'other',
      summary: 'No.',
      figures: {},
      nodeText: 'x'
    })
    expect([exitCodeOf(refused), JSON.parse(failureJson(refused))]).toMatchObject([1, { error: { outcome: 'none' } }])
    expect([exitCodeOf(new UsageError('x')), exitCodeOf(new Error('x')), exitCodeOf(null)]).toEqual([2, 1, 1])
  })

  it('an unknown option offers the nearest, in both forms', async () => {
    const plain = await run(['open', '--tiemout', '5'])
    expect([plain.code, plain.errors]).toEqual([
      2,
      expect.stringContaining("Unknown option '--tiemout'. Did you mean --timeout?")
    ])
    const { code, errors, out } = await run(['open', '--tiemout', '5', '--json'])
    expect([code, out, JSON.parse(errors)]).toMatchObject([
      2,
      '',
      { error: { code: 'USAGE', outcome: 'none', docs: null } }
    ])
  })

  it.each<[string, string[], number, RegExp]>([
    ['deposit without an amount', ['deposit'], 2, /one AMOUNT/],
    ['deposit of what is none', ['deposit', '1e3'], 2, /is not an amount/],
    ['deposit without a key', ['deposit', '1'], 2, /LAYER_KEY/],
    ['deposit without a base ledger', ['deposit', '1', '--key', 'x'], 2, /--provider is missing/],
    [
      'deposit with a provider that is not there',
      ['deposit', '1', '--key', 'x', '--provider', 'absent'],
      1,
      /not there/
    ],
    ['withdraw of nothing', ['withdraw'], 2, /one AMOUNT, or --all/],
    ['withdraw of both', ['withdraw', '1', '--all'], 2, /one AMOUNT, or --all/],
    ['recover of two', ['recover', 'a', 'b'], 2, /one id/],
    ['utxos of no address', ['utxos', 'nobody'], 2, /not a valid Cardano address/],
    ['address without a key', ['address'], 2, /LAYER_KEY/],
    ['faucet of a stranger', ['faucet', 'nobody', '5'], 2, /not a valid Cardano address/],
    ['a shell that is none', ['completion', 'tcsh'], 2, /bash, zsh, fish/]
  ])('%s', async (_, args, code, words) =>
    expect(await run(args)).toMatchObject({ code, out: '', errors: expect.stringMatching(words) })
  )

  it('the faucet asks a local head on this machine alone', async () => {
    const bob = node.keys[1]!.address
    for (const control of ['https://127.0.0.1:1337', 'http://example.com/devnode', 'nowhere'])
      expect(await run(['faucet', bob, '5', '--control', control])).toMatchObject({ code: 2 })
    expect((await run(['faucet', bob, '5', '--control', 'http://127.0.0.1:9/devnode'])).errors).toContain('127.0.0.1:9')
  })

  it('the node is that of --url, else of LAYER_URL, else the default, which the error names', async () => {
    const before = { ...process.env }
    try {
      process.env['LAYER_URL'] = node.url
      expect((await run(['status'])).code).toBe(0)
      expect((await run(['status', '--url', 'ws://127.0.0.1:9'])).errors).toContain('127.0.0.1:9')
      process.env['LAYER_KEY'] = key
      expect((await run(['address'])).out).toBe(node.keys[0]!.address)
    } finally {
      process.env = before
    }
  })
})

describe('completion', () => {
  it('has every command of the help, and every option of its page', async () => {
    for (const shell of ['bash', 'zsh', 'fish']) {
      const { code, out } = await run(['completion', shell])
      expect(code).toBe(0)
      for (const [command, page] of Object.entries(COMMAND_HELP)) {
        expect(out).toContain(command)
        for (const [, option] of page.matchAll(/^ {2}(--[a-z-]+)/gm)) expect(out).toContain(option)
      }
    }
    for (const command of Object.keys(COMMAND_HELP)) expect(HELP).toMatch(new RegExp(`^  layer-sdk ${command}\\b`, 'm'))
  })

  it('works in bash', async () => {
    const file = join(folder, 'completion.bash')
    writeFileSync(file, (await run(['completion', 'bash'])).out)
    const complete = (...words: string[]): string[] => {
      const script = `source "${file}"; COMP_WORDS=(layer-sdk ${words.map((word) => `"${word}"`).join(' ')}); COMP_CWORD=${words.length}; _layer_sdk; echo "\${COMPREPLY[@]}"`
      return execFileSync('bash', ['-c', script], { encoding: 'utf8' }).trim().split(' ')
    }
    expect(complete('wi')).toEqual(['withdraw'])
    expect(complete('withdraw', '--n')).toEqual(['--network-id'])
    expect(complete('setup', 'pre')).toEqual(['preflight'])
  })
})

it('the pages of the new commands have two examples each', () => {
  for (const command of [
    'setup',
    'open',
    'deposit',
    'withdraw',
    'close',
    'fanout',
    'recover',
    'utxos',
    'address',
    'faucet',
    'completion'
  ])
    expect(
      COMMAND_HELP[command]!.split('\nExamples\n')[1]!
        .split('\n')
        .filter((line) => line.startsWith('  npx layer-sdk '))
    ).toHaveLength(2)
})

it.each(Object.keys(COMMAND_HELP))('the help of %s ends with two examples of it', (command) => {
  const [, examples = ''] = COMMAND_HELP[command]!.split('\nExamples\n')
  expect(examples.split('\n')).toEqual(
    Array(2).fill(expect.stringMatching(new RegExp(`^  npx layer-sdk ${command}( |$)`)))
  )
})
