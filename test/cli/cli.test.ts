import { spawn } from 'node:child_process'
import fs, { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import WebSocket from 'ws'
import { main } from '../../src/cli/main'
import { CliProgram } from '../support/cliProgram'
import { ScriptedNode } from '../support/scriptedNode'

const ALICE = 'addr_test1vzpwq95z3xyum8vqndgdd9mdnmafh3djcxnc6jemlgdmswcve6tkw'

interface Run {
  code: number
  out: string[]
  errors: string[]
}

/** Runs the program in this process; `whileRunning` gets the first line and ends it when it is done. */
async function run(
  args: readonly string[],
  whileRunning: (line: string) => Promise<void> | void = () => {}
): Promise<Run> {
  const out: string[] = []
  const errors: string[] = []
  let stop: () => void = () => {}
  const stopped = new Promise<void>((resolve) => (stop = resolve))
  let started = false
  const code = await main(args, {
    version: '1.2.3',
    out(text) {
      out.push(text)
      if (started) return
      started = true
      void Promise.resolve(whileRunning(text)).then(() => stop())
    },
    error: (text) => void errors.push(text),
    stopped: () => stopped
  })
  return { code, out, errors }
}

describe('layer-sdk devnode on a bad day', () => {
  const folder = mkdtempSync(join(tmpdir(), 'layer-sdk-bad-day-'))
  afterAll(() => rmSync(folder, { recursive: true }))

  it('names the source of a fork that shows an output it cannot read, and ends with exit code 1', async () => {
    const source = await new ScriptedNode().start()
    source.routes = {
      'GET /protocol-parameters': { body: {} },
      'GET /snapshot/utxo': { body: { 'x#0': { address: ALICE } } }
    }
    for (const more of [[], ['--in-head', `${ALICE}=5000000`]]) {
      const { code, errors } = await run(['devnode', '--port', '0', '--fork', source.url, ...more])
      expect([code, errors.length, errors[0]]).toEqual([
        1,
        1,
        expect.stringMatching(`^layer-sdk: The node at ${source.url} shows outputs that cannot be taken over`)
      ])
      expect(errors[0]).not.toMatch(/genesis|inHead/)
    }
    // What the user has typed is the user's.
    source.routes['GET /snapshot/utxo'] = { body: {} }
    expect(
      (await run(['devnode', '--port', '0', '--fork', source.url, '--in-head', 'addr_test1xyz=5000000'])).code
    ).toBe(2)
    await source.stop()
  })

  it('says on the terminal that the state cannot be written, once, and that it is written again', async () => {
    const state = join(folder, 'head.state')
    const { code, errors } = await run(
      ['devnode', '--port', '0', '--json', '--state', state, '--open'],
      async (line) => {
        const { httpUrl, controlUrl } = JSON.parse(line) as { httpUrl: string; controlUrl: string }
        const full = jest.spyOn(fs, 'writeSync').mockImplementation(() => {
          throw Object.assign(new Error('no space left on device'), { code: 'ENOSPC' })
        })
        const commit = (): Promise<Response> => fetch(`${httpUrl}/commit`, { method: 'POST', body: '{}' })
        await fetch(`${controlUrl}/faucet`, {
          method: 'POST',
          body: JSON.stringify({ address: ALICE, lovelace: 5_000_000 })
        })
        for (let n = 0; n < 3; n++) await commit()
        full.mockRestore()
        await new Promise((resolve) => setTimeout(resolve, 300))
        await commit()
      }
    )
    expect(code).toBe(0)
    expect(errors).toEqual([
      `layer-sdk: The state file ${state} cannot be written (ENOSPC); inputs are refused until it can be written.`,
      `layer-sdk: The state file ${state} is written again.`
    ])
  })

  it('reads no device as a state file', async () => {
    const { code, errors } = await run(['devnode', '--port', '0', '--state', '/dev/zero'])
    expect([code, errors]).toEqual([
      1,
      [
        'layer-sdk: The state file /dev/zero is no regular file: expected a file, or a path where there is none yet, got a device.'
      ]
    ])
  })
})

describe('the terminal', () => {
  it.each([
    [['\u001b[31mred\u001b[0m'], 'layer-sdk: There is no command "[31mred[0m".'],
    [['a\u009b2Jb\u0007\u202ec\rd'], 'layer-sdk: There is no command "a2Jbcd".'],
    [['status', '--\u001b]0;title\u0007'], expect.not.stringMatching(/[\u0000-\u0008\u000b-\u001f]/)],
    [['devnode', '--port', '\u001b[2J'], 'layer-sdk: --port needs a whole number from 0 to 65535, not "[2J".'],
    [['keygen', '\u001bc'], "layer-sdk: Unexpected argument 'c'."]
  ])('gets no escape sequence of what was typed: %j', async (args, sentence) => {
    const { code, errors } = await run(args)
    expect([code, errors[0]]).toEqual([2, sentence])
  })
})

describe('layer-sdk', () => {
  it('prints its version and its help', async () => {
    expect(await run(['--version'])).toEqual({ code: 0, out: ['1.2.3'], errors: [] })
    for (const args of [['--help'], ['-h'], ['help'], ['devnode', '--help'], ['devnode', '-h']]) {
      const { code, out } = await run(args)
      expect([code, out.join()]).toEqual([0, expect.stringContaining('layer-sdk devnode [options]')])
    }
    for (const command of ['status', 'balance', 'pay', 'keygen', 'compat']) {
      expect(await run([command, '--help'])).toMatchObject({
        code: 0,
        out: [expect.stringContaining(`layer-sdk ${command} `)]
      })
    }
  })

  it.each([
    [[], 'A command is missing.'],
    [['mint'], 'There is no command "mint".'],
    [['devnode', '--nope'], "Unknown option '--nope'"],
    [['devnode', '--port', 'x'], '--port needs a whole number from 0 to 65535, not "x".'],
    [['devnode', '--port', '65536'], '--port needs a whole number from 0 to 65535, not "65536".'],
    [['devnode', '--network-id', '2'], '--network-id needs a whole number from 0 to 1'],
    [['devnode', '--port', '0', '--profile', '3'], 'profile cannot be used: expected 0.22, 1.3'],
    [['devnode', '--port', '0', '--quiet', '--json'], '--quiet goes with neither --json nor --verbose.'],
    [
      ['devnode', '--port', '65535', '--parties', '2'],
      'port cannot be used: expected one that leaves 1 more for the other parties'
    ],
    [['devnode', '--port', '0', 'more'], "Unexpected argument 'more'."],
    [['devnode', '--port', '0', '--phrase', 'test test'], 'recovery phrase'],
    [['devnode', '--port', '0', '--fault', 'muteSocket'], '--fault knows no "muteSocket", only muteSockets, muteHttp'],
    [['devnode', '--port', '0', '--fault', 'muteSockets=1'], '--fault muteSockets needs true or false, not "1".'],
    [['devnode', '--port', '0', '--fault', 'dropOutputs=-1'], '--fault dropOutputs needs a whole number, not "-1".'],
    [['devnode', '--port', '0', '--fault', 'forgeSnapshot=nothing'], 'faults.forgeSnapshot cannot be used'],
    [['devnode', '--port', '0', '--fault', 'httpFailure={}'], '--fault httpFailure needs a status, or JSON'],
    [['devnode', '--port', '0', '--fault', '__proto__=1'], '--fault knows no "__proto__"'],
    [['devnode', '--fund', 'addr_test1'], '--fund needs ADDRESS=LOVELACE'],
    [['devnode', '--open', '--in-head', 'addr_test1'], '--in-head needs ADDRESS=LOVELACE'],
    [['devnode', '--in-head', `${ALICE}=5000000`], '--in-head needs --open'],
    [['devnode', '--port', '0', '--open', '--in-head', `${ALICE}=5`], 'inHead cannot be used'],
    [['devnode', '--port', '0', '--fund', 'nobody=5'], 'The address is not a valid Cardano address'],
    [['devnode', '--port', '0', '--fund', `${ALICE}=0`], 'lovelace cannot be used'],
    [['devnode', '--port', '0', '--fund', `${ALICE}=9223372036854775808`], 'quantity cannot be used']
  ])('explains wrong usage %j in a sentence, with exit code 2', async (args, sentence) => {
    const { code, out, errors } = await run(args)
    // With --json a failure is one object.
    const [lines, last] = (args as readonly string[]).includes('--json')
      ? [1, expect.stringContaining('"code":"USAGE"')]
      : [2, expect.stringMatching(/^Try: layer-sdk (devnode )?--help$/)]
    expect([code, out, errors.length, errors[0], errors.at(-1)]).toEqual([
      2,
      [],
      lines,
      expect.stringContaining(sentence),
      last
    ])
  })

  it('says in one sentence that the port is in use, with exit code 1', async () => {
    await run(['devnode', '--port', '0', '--json'], async (line) => {
      const { url } = JSON.parse(line) as { url: string }
      const { port } = new URL(url)
      const second = await run(['devnode', '--port', port])
      expect(second).toEqual({
        code: 1,
        out: [],
        errors: [`layer-sdk: Port ${port} on 127.0.0.1 is in use: choose another with --port, or 0 for a free one.`]
      })
      const third = await run(['devnode', '--port', '0', '--rpc-port', port])
      expect(third.errors).toEqual([
        `layer-sdk: Port ${port} on 127.0.0.1 is in use: choose another with --rpc-port, or 0 for a free one.`
      ])
    })
  })

  it('prints endpoints and funded keys, and stops when told to', async () => {
    const { code, out } = await run([
      'devnode',
      '--port',
      '0',
      '--rpc-port',
      '0',
      '--profile',
      'master',
      '--contestation-period',
      '100',
      '--parties',
      '2'
    ])
    const text = out.join('\n')
    expect(code).toBe(0)
    expect(text).toContain('It poses as node version 2.5.0-devnode (profile master)')
    expect(text).toMatch(/Head {9}ws:\/\/127\.0\.0\.1:\d+ \(WebSocket\)\n +http:\S+ \(HTTP\)/)
    expect(text).toMatch(/Base ledger {2}(http:\S+) \(Ogmios\)\n +\1\/api\/v0 \(Blockfrost\)\n +\1\/kupo \(Kupo\)\n/)
    expect(text).toMatch(
      /Test keys, 10000 ada each, for tests only\n {2}alice {2}addr_test1v\S+\n {2}bob {4}addr_test1v/
    )
    expect(text.match(/^ {2}\d {2}addr_test1q\S+$/gm)).toHaveLength(10)
    expect(text).toMatch(/Recovery phrase, for tests only[^]*\n( {2}(test ){11}test\n) {2}(test ){11}sauce\n/)
    expect(text).toMatch(/\n {2}Party 1 {6}ws:\/\/127\.0\.0\.1:\d+\n/)
    expect(text).toContain('No head: open one on the dashboard or from a client, or start with --open')
    // Every line but the long addresses fits into 80 columns, and all into 120.
    const widths = text.split('\n').filter((line) => !line.includes('addr_test1q'))
    expect(Math.max(...widths.map(({ length }) => length))).toBeLessThanOrEqual(80)
    expect(Math.max(...text.split('\n').map(({ length }) => length))).toBeLessThanOrEqual(120)
    expect(text).not.toMatch(/58[28]0[0-9a-f]{64}/)
    expect(out.at(-1)).toBe('Stopped.')
  })

  it('shows neither the words nor the keys of a phrase of your own', async () => {
    const words = 'test walk nut penalty hip pave soap entry language right filter choice'
    for (const json of [[], ['--json']]) {
      const { code, out } = await run([
        'devnode',
        '--port',
        '0',
        '--phrase',
        words,
        '--accounts',
        '2',
        '--balance',
        '7',
        ...json
      ])
      const text = out.join('\n')
      expect([code, text.includes('penalty'), /5880[0-9a-f]{64}/.test(text), text.includes('addr_test1q')]).toEqual([
        0,
        false,
        false,
        true
      ])
    }
  })

  it('prints nothing when it is asked to be quiet', async () => {
    const printed: string[] = []
    const terminal = {
      version: '1.2.3',
      out: (text: string) => void printed.push(text),
      error: (text: string) => void printed.push(text)
    }
    const code = await main(['devnode', '--port', '0', '--quiet', '--open'], {
      ...terminal,
      stopped: () => new Promise((resolve) => setTimeout(resolve, 50))
    })
    expect([code, printed]).toEqual([0, []])
  })

  it("has the base ledger's endpoints on port 1337 when it is asked for no other", async () => {
    // Some other program may have the port: then the error names it.
    const { errors } = await run(['devnode', '--port', '0', '--rpc-port', '1337', '--json'], async (line) => {
      const { indexerUrl } = JSON.parse(line) as { indexerUrl: string }
      expect(indexerUrl).toBe('http://127.0.0.1:1337/api/v0')
      const { errors } = await run(['devnode', '--port', '4099'])
      expect(errors.join('\n')).toContain('1337')
    })
    expect(errors.join('\n')).toMatch(/^$|1337/)
  })

  it('prints events as JSON, opens a head at once, and funds addresses', async () => {
    const { out } = await run(
      ['devnode', '--port', '0', '--json', '--open', '--verbose', '--block-time', '1', '--fund', `${ALICE}=7000000`],
      async (line) => {
        const { url, rpcUrl, keys } = JSON.parse(line) as {
          url: string
          rpcUrl: string
          keys: { address: string; lovelace: string }[]
        }
        expect(keys.map(({ lovelace }) => lovelace)).toEqual(Array(3).fill('10000000000'))
        const body = JSON.stringify({
          jsonrpc: '2.0',
          method: 'queryLedgerState/utxo',
          params: { addresses: [ALICE] },
          id: 1
        })
        const answer = (await (await fetch(rpcUrl, { method: 'POST', body })).json()) as { result: unknown[] }
        expect(answer.result).toMatchObject([{ value: { ada: { lovelace: 7_000_000 } } }])
        const socket = new WebSocket(`${url}?history=yes`)
        await new Promise<void>((resolve) =>
          socket.on('message', (data) => String(data).includes('"HeadIsOpen"') && resolve())
        )
        socket.terminate()
      }
    )
    const events = out.map((line) => JSON.parse(line) as { event: string; message?: { tag: string } })
    expect(events.map(({ event, message }) => message?.tag ?? event)).toEqual([
      'listening',
      'HeadIsOpen',
      'Greetings',
      'stopped'
    ])
  })

  it('starts with the outputs of a file on the base ledger and with money in the head', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'layer-sdk-cli-'))
    const file = join(folder, 'genesis.json')
    const large = '9007199254740993'
    writeFileSync(
      file,
      `[{ "address": "${ALICE}", "lovelace": ${large} }, { "${'ab'.repeat(32)}#1": { "address": "${ALICE}", "value": { "lovelace": 3000000 } } }]`
    )
    const args = [
      'devnode',
      '--port',
      '0',
      '--json',
      '--genesis',
      file,
      '--open',
      '--in-head',
      `${ALICE}=5000000`,
      '--in-head',
      `${ALICE}=6000000`
    ]
    const { code } = await run(args, async (line) => {
      const { httpUrl, rpcUrl } = JSON.parse(line) as { httpUrl: string; rpcUrl: string }
      const body = JSON.stringify({
        jsonrpc: '2.0',
        method: 'queryLedgerState/utxo',
        params: { addresses: [ALICE] },
        id: 1
      })
      const text = await (await fetch(rpcUrl, { method: 'POST', body })).text()
      expect([text.includes(`"lovelace":${large}}`), text.includes('"index":1')]).toEqual([true, true])
      const inHead = Object.values(
        (await (await fetch(`${httpUrl}/snapshot/utxo`)).json()) as Record<string, { value: { lovelace: number } }>
      )
      expect(inHead.map(({ value }) => value.lovelace)).toEqual([5_000_000, 6_000_000])
    })
    rmSync(folder, { recursive: true })
    expect(code).toBe(0)
  })

  it.each([
    ['missing', null, 'cannot be read (ENOENT).'],
    ['no JSON', '{', 'is not valid JSON.'],
    ['a number', '5', 'holds neither a UTxO map of a node nor a list of outputs.'],
    ['a list of something else', '[7]', 'cannot be used as a genesis: genesis[0] cannot be used'],
    [
      'an output of another network',
      `[{ "address": "${ALICE.replace('addr_test1', 'addr1')}", "lovelace": 5 }]`,
      'cannot be used as a genesis'
    ]
  ])(
    'says in a sentence that names the file what is wrong with a genesis that is %s, with exit code 1',
    async (_, text, sentence) => {
      const folder = mkdtempSync(join(tmpdir(), 'layer-sdk-cli-'))
      const file = join(folder, 'genesis.json')
      if (text !== null) writeFileSync(file, text)
      const { code, out, errors } = await run(['devnode', '--port', '0', '--genesis', file])
      rmSync(folder, { recursive: true })
      expect([code, out, errors.length, errors[0]]).toEqual([
        1,
        [],
        1,
        expect.stringContaining(`layer-sdk: The file ${file} ${sentence}`)
      ])
    }
  )
})

describe('the program as a process', () => {
  const program = new CliProgram()
  beforeAll(() => program.build(), 120_000)
  afterAll(() => program.remove())

  it.each(['SIGINT', 'SIGTERM'] as const)(
    'ends by itself after %s, while clients are connected, and the port is free again',
    async (signal) => {
      const { first, lines, exit, kill } = program.launch('devnode', '--port', '0', '--json', '--open')
      const { url, httpUrl } = JSON.parse(await first) as { url: string; httpUrl: string }
      const socket = new WebSocket(url)
      socket.on('error', () => {})
      await new Promise((resolve) => socket.on('message', resolve))
      kill(signal)
      expect(await exit).toBe(0)
      expect(JSON.parse(lines.at(-1)!)).toEqual({ event: 'stopped' })
      await expect(fetch(httpUrl)).rejects.toThrow()
    }
  )

  it('stops without a word when its reader has seen enough', async () => {
    const child = spawn(process.execPath, [program.path, 'devnode', '--port', '0'], {
      stdio: ['ignore', 'pipe', 'pipe']
    })
    child.stdout.destroy()
    let errors = ''
    child.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()))
    expect([await new Promise((resolve) => child.on('close', resolve)), errors]).toEqual([0, ''])
  })

  it('prints the version of its package', async () => {
    const { first, exit } = program.launch('--version')
    expect([await first, await exit]).toEqual(['4.5.6', 0])
  })
})
