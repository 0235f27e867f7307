import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { main } from '../../src/cli/main'
import { LayerBridge } from '../../src/bridge'
import { createHeadClient } from '../../src/client'
import type { RunningDevNode } from '../../src/devnode'
import { startDevNode } from '../../src/devnode'
import { hashParameters } from '../../src/setup'
import { Metadatum } from '../../src/utils'
import { ChainCliWallet } from '../../src/wallet'
import { CliProgram } from '../support/cliProgram'
import { greetings, HEAD_ID, ScriptedNode, send } from '../support/scriptedNode'

const ANY_KEY = /58[28]0[0-9a-f]{64}/

/** Runs a command in this process. */
async function run(...args: string[]): Promise<{ code: number; out: string; errors: string[] }> {
  const [out, errors]: [string[], string[]] = [[], []]
  const code = await main(args, {
    version: '1.2.3',
    out: (text) => out.push(text),
    error: (text) => errors.push(text),
    stopped: () => Promise.resolve()
  })
  return { code, out: out.join('\n'), errors }
}

let folder: string
beforeAll(() => void (folder = mkdtempSync(join(tmpdir(), 'layer-sdk-commands-'))))
afterAll(() => rmSync(folder, { recursive: true }))

describe('the small commands against a local head', () => {
  let node: RunningDevNode
  beforeAll(async () => {
    const probe = await startDevNode({ port: 0 })
    const { keys, accounts } = probe
    await probe.stop()
    node = await startDevNode({
      port: 0,
      open: true,
      inHead: [
        { address: keys[0]!.address, lovelace: 100_000_000 },
        { address: accounts[3]!.address, lovelace: 50_000_000 }
      ]
    })
  })
  afterAll(() => node.stop())

  it('status shows the node, the head and what it holds', async () => {
    const { code, out } = await run('status', '--url', node.url)
    expect(code).toBe(0)
    expect(out).toMatch(
      /^Node {6}2\.4\.1-[0-9a-f]{40}, in sync\nHead {6}Open, [0-9a-f]{56}\nSnapshot {2}\d+\nOutputs {3}\d+, 150 ada/
    )
    const { out: json } = await run('status', '--url', node.httpUrl, '--json')
    expect(JSON.parse(json)).toMatchObject({
      headStatus: 'Open',
      headId: node.headId,
      outputs: 2,
      lovelace: '150000000',
      synced: true,
      deposits: []
    })
  })

  it('receipts wait for a slow history, and never call a list complete that was cut off', async () => {
    const wallet = new ChainCliWallet({ networkId: 0, skey: node.keys[0]!.skey })
    const head = createHeadClient({ url: node.url, wallet })
    await head.connect()
    const to = node.keys[2]!.address
    const { txId } = await head.pay({ to, amount: 2_500_000n })
    await head.disconnect()
    node.faults.outputDelayMs = 1_100
    try {
      expect((await run('receipts', to, '--url', node.url)).out).toContain(txId)
    } finally {
      node.faults.outputDelayMs = 0
    }
    const scripted = await new ScriptedNode().start()
    try {
      // Nothing but the greeting, and never the end of its history.
      scripted.onConnection = (socket, query) => {
        if (!query.includes('history=yes')) send(socket, greetings({ headStatus: 'Idle', hydraHeadId: undefined }))
      }
      expect(await run('receipts', to, '--url', scripted.url, '--timeout', '300')).toMatchObject({
        code: 1,
        out: '',
        errors: [expect.stringContaining('not read to its end within 300 ms')]
      })
    } finally {
      await scripted.stop()
    }
  })

  it('status names a deposit that is not in the head, its phase, and when the next one begins', async () => {
    // By its deadline alone it could be taken in an hour: this node has said that it can be now.
    const late = await startDevNode({
      port: 0,
      open: true,
      profile: '2.3',
      timings: { blockMs: 5, depositDelayMs: 5 }
    })
    try {
      // It is recorded and activated, and no snapshot takes it in.
      late.faults.holdSnapshots = true
      const [key] = late.keys
      const bridge = new LayerBridge({ url: late.url })
      await bridge.connect()
      const draft = await bridge.commit(late.baseUtxos(key!.address).slice(0, 1))
      const wallet = new ChainCliWallet({ networkId: 0, skey: key!.skey })
      const activated = bridge.waitFor('DepositActivated')
      await bridge.submitCardanoTransaction({ cborHex: await wallet.signTx(draft.cborHex, true), description: '' })
      await activated
      await bridge.disconnect()
      const { deposits } = JSON.parse((await run('status', '--url', late.url, '--json')).out)
      expect(deposits).toMatchObject([{ depositTxId: draft.txId, phase: 'claimable' }])
      const [{ recordedAt, claimableAt, expiresAt, recoverableAt, nextAt }] = deposits
      expect([recordedAt, claimableAt]).toEqual([expect.any(Number), expect.any(Number)])
      expect([nextAt, recoverableAt - expiresAt]).toEqual([expiresAt, 3_600_000])
      const iso = (ms: number): string => new Date(ms).toISOString().replace('.000Z', 'Z')
      expect((await run('status', '--url', late.url)).out.split('\n').at(-1)).toBe(
        `Deposit   ${draft.txId}, claimable, the head can take it until ${iso(expiresAt)}; recoverable from ${iso(recoverableAt)}`
      )
    } finally {
      await late.stop()
    }
  })

  it('balance shows what an address holds, and zero for one that holds nothing', async () => {
    const { address } = node.accounts[3]!
    expect(await run('balance', address, '--url', node.url)).toEqual({ code: 0, out: '50 ada', errors: [] })
    const nothing = await run('balance', node.keys[1]!.address, '--url', node.url, '--json')
    expect([nothing.code, JSON.parse(nothing.out)]).toMatchObject([0, { lovelace: '0', assets: {}, outputs: 0 }])
  })

  it('receipts and tx show who paid whom, and a cursor to go on behind', async () => {
    const wallet = new ChainCliWallet({ networkId: 0, skey: node.keys[0]!.skey })
    const head = createHeadClient({ url: node.url, wallet })
    await head.connect()
    const [from, to] = [node.keys[0]!.address, node.keys[1]!.address]
    const metadata = { 674: Metadatum.from({ msg: ['Order', '17'] }) }
    const { txId, snapshotNumber } = await head.pay({ to, amount: 2_500_000n, metadata })
    await head.disconnect()
    const listed = await run('receipts', to, '--url', node.url)
    expect(listed.errors).toEqual([])
    const [line, cursor] = listed.out.split('\n')
    expect(line).toBe(`${snapshotNumber}  2.5 ada  from ${from}  "Order 17"  ${txId}`)
    expect(await run('receipts', to, '--url', node.url, '--after', cursor!.trim())).toMatchObject({ code: 0, out: '' })
    expect(JSON.parse((await run('receipts', to, '--url', node.url, '--json')).out)).toMatchObject({
      txId,
      from: [from],
      note: 'Order\n17',
      metadata: { 674: expect.anything() }
    })
    expect((await run('receipts', to, '--url', node.url, '--after', 'lr1_x')).code).toBe(2)
    const shown = await run('tx', txId, '--url', node.url)
    expect(shown.out).toContain(`confirmed in snapshot ${snapshotNumber}\nfrom  ${from}  `)
    expect(shown.out).toContain(`to    ${to}  2.5 ada`)
    expect(JSON.parse((await run('tx', txId, '--url', node.url, '--json')).out)).toMatchObject({ txId, from: [from] })
    expect(await run('tx', 'ab'.repeat(32), '--url', node.url)).toMatchObject({
      code: 1,
      errors: ['layer-sdk: Neither the state of the head nor its history names this transaction.']
    })
    const back = createHeadClient({
      url: node.url,
      wallet: new ChainCliWallet({ networkId: 0, skey: node.keys[1]!.skey })
    })
    await back.connect()
    await back.pay({ to: from, amount: 2_500_000n })
    await back.disconnect()
  })

  it('keygen and pay: a key of cardano-cli in a file of its owner alone pays, from its base address too, and no key is on the screen', async () => {
    const [alice, account] = [join(folder, 'alice.skey'), join(folder, 'account.skey')]
    for (const [name, file] of [
      ['alice', alice],
      ['3', account]
    ] as const) {
      const made = await run('keygen', '--test-key', name, '--out', file)
      expect([made.code, ANY_KEY.test(made.out), statSync(file).mode & 0o777]).toEqual([0, false, 0o600])
    }
    const bob = node.keys[1]!.address
    const paid = await run('pay', '--url', node.url, '--from', account, '--to', bob, '--amount', '2.5')
    expect([paid.code, paid.out, paid.errors]).toEqual([
      0,
      expect.stringMatching(/^Paid 2\.5 ada, confirmed in snapshot \d+, after \d+ ms\.\n[0-9a-f]{64}$/),
      []
    ])
    const json = JSON.parse(
      (await run('pay', '--url', node.url, '--from', alice, '--to', bob, '--amount', '3', '--json')).out
    ) as object
    expect(json).toEqual({
      txId: expect.stringMatching(/^[0-9a-f]{64}$/),
      snapshotNumber: expect.any(Number),
      to: bob,
      lovelace: '3000000',
      fee: '0',
      ms: expect.any(Number)
    })
    expect((await run('balance', bob, '--url', node.url)).out).toBe('5.5 ada')
    // The change stays where it came from.
    expect((await run('balance', node.accounts[3]!.address, '--url', node.url)).out).toBe('47.5 ada')
    const poor = await run('pay', '--url', node.url, '--from', alice, '--to', bob, '--amount', '3000')
    expect([poor.code, poor.out, poor.errors.length, poor.errors[0]]).toEqual([
      1,
      '',
      1,
      expect.stringContaining('The inputs do not cover outputs and fee')
    ])
  })

  it('compat reads a node and says what held, and pays when it is asked to', async () => {
    const held = await run('compat', '--url', node.url)
    expect([held.code, held.out.match(/^ok {4}\w+: /gm)?.length, held.out]).toEqual([
      0,
      9,
      expect.stringMatching(
        /^ok {4}connect: node 2\.4\.1-\S+: checked with recordings .*2026-09-07.*\n[^]*All 9 checks held\.$/
      )
    ])
    const { transactions } = { transactions: node.counters.inputs['NewTx'] ?? 0 }
    const key = join(folder, 'payer.skey')
    await run('keygen', '--test-key', 'alice', '--out', key)
    const paying = await run('compat', '--url', node.url, '--pay', key, '--json')
    const lines = paying.out.split('\n').map((line) => JSON.parse(line) as { check: string; ok: boolean })
    expect([paying.code, lines.at(-1), node.counters.inputs['NewTx']]).toEqual([
      0,
      expect.objectContaining({ check: 'pay', ok: true }),
      transactions + 1
    ])
  })

  it.each(['0.22', '1.3', '2.0', '2.2', 'master'] as const)(
    'compat holds for a node of version %s, with and without a head',
    async (profile) => {
      for (const open of [false, true]) {
        const other = await startDevNode({ port: 0, profile, open })
        const { code, out, errors } = await run('compat', '--url', other.url)
        await other.stop()
        expect([code, out, errors]).toEqual([0, expect.stringMatching(/All \d+ checks held\.$/), []])
      }
    }
  )
})

describe('compat --expect', () => {
  const SCRIPTS = ['ab'.repeat(32), 'cd'.repeat(32)]
  let node: RunningDevNode
  let parametersHash: string
  beforeAll(async () => {
    node = await startDevNode({ port: 0 })
    parametersHash = hashParameters(node.protocolParameters)
  })
  afterAll(() => node.stop())

  const expecting = async (
    content: unknown,
    url = node.url
  ): Promise<{ code: number; failed: string[]; errors: string[] }> => {
    const path = join(folder, 'expected.json')
    writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content))
    const { code, out, errors } = await run('compat', '--url', url, '--expect', path)
    return { code, failed: out.split('\n').filter((line) => line.startsWith('FAIL')), errors }
  }

  /** A server that is the node in all but GET /config. */
  async function withConfig(config: unknown): Promise<{ url: string; stop(): Promise<void> }> {
    const scripted = await new ScriptedNode().start()
    scripted.onConnection = (socket) =>
      send(socket, greetings({ headStatus: 'Idle', hydraHeadId: undefined, hydraNodeVersion: '2.4.1-099f5dd' }))
    scripted.routes = {
      'GET /protocol-parameters': { body: node.protocolParameters },
      'GET /config': { body: config },
      'GET /head': { body: { tag: 'Idle', contents: { chainState: {} } } },
      'GET /commits': { body: [] }
    }
    return scripted
  }

  it('holds for the version and the parameters of the node, and names each that differs', async () => {
    expect(await expecting({ nodeVersion: '2.4.1', parametersHash })).toMatchObject({ code: 0, failed: [] })
    const text = (await run('status', '--url', node.url)).out.match(/2\.4\.1-[0-9a-f]{40}/)![0]
    expect(await expecting({ nodeVersion: text })).toMatchObject({ code: 0, failed: [] })
    const other = await expecting({ nodeVersion: '2.4.2', parametersHash: '11'.repeat(32) })
    expect(other).toMatchObject({
      code: 1,
      failed: [
        'FAIL  expect nodeVersion: Expected 2.4.2, and the node has 2.4.1.',
        `FAIL  expect parametersHash: Expected ${'11'.repeat(32)}, and the node has ${parametersHash}.`
      ]
    })
    expect((await expecting({ nodeVersion: '2.4.1-0000000' })).failed).toHaveLength(1)
  })

  it('holds for scripts in any order, and never where the node does not show them', async () => {
    const shown = await withConfig({ chain: { 'hydra-scripts-tx-id': [...SCRIPTS].reverse() } })
    const expectOf = (scripts: string[], url: string): Promise<string[]> =>
      expecting({ scripts }, url).then(({ failed }) => failed.filter((line) => line.includes('scripts')))
    expect(await expectOf(SCRIPTS, shown.url)).toEqual([])
    expect(await expectOf(SCRIPTS.slice(1), shown.url)).toEqual([expect.stringContaining('Expected cdcd')])
    await shown.stop()
    expect(await expectOf(SCRIPTS, node.url)).toEqual([expect.stringContaining('names no hydra-scripts-tx-id')])
  })

  it('takes a head file, and refuses what pins nothing', async () => {
    const party = { name: 'alice', hydraVkey: 'aa'.repeat(32), cardanoVkey: 'bb'.repeat(32), peer: 'a.example:5001' }
    const head = {
      ...{ version: 1, network: 'preprod', nodeVersion: '2.4.0', scripts: [], contestationPeriod: '600s' },
      ...{ depositPeriod: '600s', depositActivation: '600s', parametersHash, parties: [party] }
    }
    expect((await expecting(head)).failed).toEqual([expect.stringContaining('expect nodeVersion: Expected 2.4.0')])
    for (const bad of [{}, [], 'no JSON', { nodeversion: '2.4.1' }, { nodeVersion: 'newest' }, { scripts: [] }]) {
      const { code, errors } = await expecting(bad)
      expect([code, errors]).toEqual([1, [expect.stringContaining('expected.json')]])
    }
    expect((await expecting({ ...head, version: 2 })).code).toBe(1)
  })
})

describe('keygen', () => {
  it('makes another key each time, which opens a wallet of the address that it prints', async () => {
    const addresses = await Promise.all(
      [0, 1].map(async (networkId) => {
        const file = join(folder, `new-${networkId}.skey`)
        const { out } = await run('keygen', '--out', file, '--network-id', String(networkId), '--json')
        const { address, ...more } = JSON.parse(out) as { address: string; skey?: string }
        expect([more, ANY_KEY.test(out)]).toEqual([{ file }, false])
        expect(
          new ChainCliWallet({ networkId: networkId as 0 | 1, skey: readFileSync(file, 'utf8') }).getAddressBech32()
        ).toBe(address)
        return address
      })
    )
    expect(addresses).toEqual([expect.stringMatching(/^addr_test1v/), expect.stringMatching(/^addr1v/)])
  })

  it('prints the key only when it is asked to, and overwrites no file', async () => {
    const file = join(folder, 'kept.skey')
    writeFileSync(file, 'precious')
    expect(await run('keygen', '--out', file)).toEqual({
      code: 1,
      out: '',
      errors: [`layer-sdk: The file ${file} is there already: it stays as it is.`]
    })
    expect(readFileSync(file, 'utf8')).toBe('precious')
    expect((await run('keygen', '--out', join(folder, 'missing', 'a.skey'))).errors).toEqual([
      expect.stringMatching(/cannot be written \(ENOENT\)\.$/)
    ])
    expect((await run('keygen', '--show')).out).toMatch(ANY_KEY)
  })
})

describe('wrong usage of the small commands', () => {
  const url = ['--url', 'ws://127.0.0.1:9']
  const to = ['--to', 'addr_test1vzpwq95z3xyum8vqndgdd9mdnmafh3djcxnc6jemlgdmswcve6tkw']
  it.each([
    [['status', '--url', 'nowhere'], 'beginning with ws://'],
    [['status', '--url', 'ftp://127.0.0.1/?api-key=secret'], 'beginning with ws://'],
    [['status', ...url, '--timeout', '0'], '--timeout needs at least 1 ms.'],
    [['status', ...url, 'more'], "Unexpected argument 'more'."],
    [['balance', ...url], 'balance needs one ADDRESS.'],
    [['balance', 'a', 'b', ...url], 'balance needs one ADDRESS.'],
    [['balance', 'nobody', ...url], 'not a valid Cardano address'],
    [['tx', ...url], 'tx needs one ID of a transaction.'],
    [['tx', 'ab', ...url], '64 hexadecimal digits'],
    [['receipts', ...url], 'receipts needs one ADDRESS.'],
    [['receipts', 'nobody', ...url], 'not a valid Cardano address'],
    [['pay', ...url], '--from is missing'],
    [['pay', ...url, '--from', 'x'], '--to is missing'],
    [['pay', ...url, '--from', 'x', ...to], '--amount is missing'],
    [['pay', ...url, '--from', 'x', ...to, '--amount', '1e3'], 'is not an amount: expected ada above zero'],
    [['pay', ...url, '--from', 'x', '--to', 'x', '--amount', '1'], 'not a valid Cardano address'],
    [['keygen'], 'keygen needs --out FILE'],
    [['keygen', '--show', '--test-key', 'dave'], '--test-key needs alice, bob, carol'],
    [['keygen', '--show', '--test-key', 'alice', '--network-id', '1'], '--test-key is for test networks'],
    [['compat', '--nope'], "Unknown option '--nope'"]
  ])('%j is explained in a sentence, with exit code 2', async (args, sentence) => {
    const { code, out, errors } = await run(...args)
    expect([code, out, errors]).toEqual([
      2,
      '',
      [expect.stringContaining(sentence), `Try: layer-sdk ${args[0]} --help`]
    ])
    expect(errors.join()).not.toContain('secret')
  })

  it('a file that is no key ends with exit code 1, and nothing of it is repeated', async () => {
    const file = join(folder, 'wrong.skey')
    writeFileSync(
      file,
      JSON.stringify({ type: 'PaymentSigningKeyShelley_ed25519', description: '', cborHex: `5820${'ab'.repeat(31)}` })
    )
    const args = ['pay', ...url, ...to, '--amount', '1', '--from']
    const { code, errors } = await run(...args, file)
    expect([code, errors.length, errors[0], errors[0]!.includes('abab')]).toEqual([
      1,
      1,
      expect.stringContaining(`The file ${file} holds no signing key.`),
      false
    ])
    expect(await run(...args, join(folder, 'none'))).toMatchObject({
      code: 1,
      errors: [expect.stringContaining('cannot be read (ENOENT).')]
    })
  })
})

describe('the small commands against servers that are no head node', () => {
  const COMMANDS = [
    ['status'],
    ['balance', 'addr_test1vzpwq95z3xyum8vqndgdd9mdnmafh3djcxnc6jemlgdmswcve6tkw'],
    ['compat']
  ] as const

  it('fail in one sentence, with exit code 1, when nothing listens', async () => {
    for (const command of COMMANDS) {
      const { code, out, errors } = await run(...command, '--url', 'ws://127.0.0.1:9')
      expect([code, out, errors]).toEqual([
        1,
        '',
        [
          expect.stringMatching(
            /^layer-sdk: The node could not be reached \(ECONNREFUSED\)\. Expected a node .*\. The node was ws:\/\/127\.0\.0\.1:9\.$/
          )
        ]
      ])
    }
  })

  it('fail within their time limit when a server takes the connection and says nothing', async () => {
    const server = createServer((socket) => void socket.on('error', () => {}))
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const url = `ws://127.0.0.1:${(server.address() as AddressInfo).port}`
    for (const command of COMMANDS)
      expect(await run(...command, '--url', url, '--timeout', '300')).toMatchObject({
        code: 1,
        out: '',
        errors: [expect.any(String)]
      })
    server.close()
  })

  it('fail when the upgrade is refused, when nothing is a message of a node, and when routes answer nonsense', async () => {
    const scripted = await new ScriptedNode().start()
    scripted.refuseUpgrade = 403
    expect(await run('status', '--url', scripted.url)).toMatchObject({ code: 1, errors: [expect.any(String)] })
    scripted.refuseUpgrade = null
    scripted.onConnection = (socket) => send(socket, '<html>')
    expect(await run('status', '--url', scripted.url, '--timeout', '500')).toMatchObject({
      code: 1,
      out: '',
      errors: [expect.any(String)]
    })
    scripted.onConnection = (socket) => send(socket, greetings({ snapshotUtxo: { wrong: 5 } }))
    scripted.routes = {
      'GET /head': { text: '{"tag":"Nope"}' },
      'GET /protocol-parameters': { text: '[[[' },
      'GET /commits': { body: 7 },
      'GET /snapshot': 'reset'
    }
    const { code, out, errors } = await run('compat', '--url', scripted.url, '--timeout', '2000')
    expect([code, out.split('\n').filter((line) => line.startsWith('FAIL')).length > 4, errors]).toEqual([
      1,
      true,
      [expect.stringMatching(/^layer-sdk: \d+ of \d+ checks did not hold\.$/)]
    ])
    expect(out).not.toContain(HEAD_ID.repeat(2))
    await scripted.stop()
  }, 60_000)

  it('balance says that there is no head', async () => {
    const node = await startDevNode({ port: 0 })
    const { code, errors } = await run('balance', node.keys[0]!.address, '--url', node.url)
    await node.stop()
    expect([code, errors]).toEqual([1, ['layer-sdk: The balance is not known: the head is Idle.']])
  })
})

describe('the small commands as a process', () => {
  const program = new CliProgram()
  beforeAll(() => program.build(), 120_000)
  afterAll(() => program.remove())

  it('end by themselves with their exit codes, and devnode prints the payment', async () => {
    const key = join(folder, 'process.skey')
    const { out } = await program.run('keygen', '--test-key', 'alice', '--out', key, '--json')
    const { address } = JSON.parse(out) as { address: string }
    expect(existsSync(key)).toBe(true)
    const devnode = program.launch(
      'devnode',
      '--port',
      '0',
      '--open',
      '--in-head',
      `${address}=9000000`,
      '--snapshot-interval',
      '5'
    )
    const url = /ws:\S+/.exec(await devnode.line(/ws:\/\//))![0]
    const bob = /addr_test1\S+/.exec(await devnode.line(/^ {2}bob/))![0]
    expect(await program.run('pay', '--url', url, '--from', key, '--to', bob, '--amount', '3')).toMatchObject({
      code: 0,
      errors: ''
    })
    expect(await devnode.line(/payment/)).toMatch(/^\d\d:\d\d:\d\d {2}payment alice -> bob 3 ada, \d+ ms$/)
    expect(await program.run('status', '--url', 'ws://127.0.0.1:9')).toMatchObject({ code: 1, out: '' })
    expect(await program.run('pay')).toMatchObject({ code: 2, out: '' })
    devnode.kill('SIGTERM')
    expect(await devnode.exit).toBe(0)
  }, 120_000)
})
