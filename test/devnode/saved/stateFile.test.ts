import { spawnSync } from 'node:child_process'
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync
} from 'node:fs'
import fs from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import type { DevNodeState, RunningDevNode, StartDevNodeOptions } from '../../../src/devnode'
import { startDevNode } from '../../../src/devnode'
import { buildPayment } from '../../../src/tx'
import { ChainCliWallet } from '../../../src/wallet'

const json = (value: unknown): string => JSON.stringify(value)
/** Without what is of one moment. */
const contentOf = ({ roots, rows }: DevNodeState): string => json([roots, rows])

describe('the state file of a local head node', () => {
  let folder: string
  let state: string
  const running: RunningDevNode[] = []
  const start = async (options: StartDevNodeOptions = {}): Promise<RunningDevNode> => {
    const node = await startDevNode({ port: 0, accounts: 0, state, ...options })
    running.push(node)
    return node
  }
  const code = (promise: Promise<unknown>): Promise<unknown> =>
    promise.then(
      () => 'none',
      (error: { code: string; message: string }) => [error.code, error.message]
    )
  /** A payment in the head, confirmed. */
  const pay = async (node: RunningDevNode): Promise<number> => {
    const [alice] = node.keys
    const { cborHex } = buildPayment({
      utxos: node.headUtxos(alice!.address),
      to: node.keys[1]!.address,
      amount: 2_000_000n,
      changeAddress: alice!.address
    })
    const signed = await new ChainCliWallet({ networkId: 0, skey: alice!.skey }).signTx(cborHex)
    const confirmed = new Promise<number>((resolve) => {
      const client = node.open('history=no', {
        send(text) {
          const message = JSON.parse(String(text)) as { tag: string; snapshot: { number: number } }
          if (message.tag === 'SnapshotConfirmed') resolve(message.snapshot.number)
        },
        close: () => {}
      })
      node.receive(
        client,
        json({ tag: 'NewTx', transaction: { type: 'Witnessed Tx ConwayEra', description: '', cborHex: signed } })
      )
    })
    return confirmed
  }

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'devnode-state-'))
    state = join(folder, 'head.state')
  })
  afterEach(async () => {
    await Promise.all(running.splice(0).map((node) => node.stop()))
    rmSync(folder, { recursive: true, force: true })
  })

  it('is taken up by the next node, which goes on where the last one ended', async () => {
    const first = await start({ open: true, seed: 'kept', profile: '2.2', protocolParameters: { maxTxSize: 12_345 } })
    await first.fundHead(first.keys[0]!.address, 50_000_000n)
    expect(await pay(first)).toBe(2)
    await first.advanceTime(100_000)
    const before = await first.dumpState()
    await first.stop()
    expect(existsSync(`${state}.lock`)).toBe(false)

    const second = await start()
    expect(contentOf(await second.dumpState())).toBe(contentOf(before))
    expect(second.protocolParameters).toMatchObject({ maxTxSize: 12_345 })
    expect(second.tornStateBytes).toBe(0)
    expect(await pay(second)).toBe(3)
  })

  it('drops a torn last record, and says so', async () => {
    const first = await start({ open: true })
    await first.fundHead(first.keys[0]!.address, 50_000_000n)
    const sizes = [statSync(state).size]
    await pay(first)
    sizes.push(statSync(state).size)
    await first.stop()
    const whole = readFileSync(state)
    for (const cut of [1, 7, Math.floor((sizes[1]! - sizes[0]!) / 2)]) {
      writeFileSync(state, whole)
      truncateSync(state, whole.length - cut)
      const node = await start()
      expect(node.tornStateBytes).toBeGreaterThan(0)
      expect(node.headStatus).toBe('Open')
      expect(node.headUtxos(node.keys[0]!.address)).toHaveLength(1)
      await node.stop()
    }
    writeFileSync(state, whole)
    appendFileSync(state, Buffer.alloc(4096))
    expect((await start()).tornStateBytes).toBe(4096)
  })

  it('stops the start on any other damage, with the offset, and is left as it is', async () => {
    const first = await start({ open: true })
    await first.fundHead(first.keys[0]!.address, 50_000_000n)
    await first.stop()
    const whole = readFileSync(state)
    for (const at of [0, 3, 12, 40, Math.floor(whole.length / 3), Math.floor(whole.length / 2), whole.length - 3]) {
      const damaged = Buffer.from(whole)
      damaged[at] = damaged[at]! ^ 0x01
      writeFileSync(state, damaged)
      expect([at, await code(startDevNode({ port: 0, state }))]).toEqual([
        at,
        ['DEVNODE_FILE', expect.stringMatching(/damaged[^]*at byte \d+/)]
      ])
      expect(readFileSync(state).equals(damaged)).toBe(true)
      expect(existsSync(`${state}.lock`)).toBe(false)
    }
    for (const text of ['{}', 'not a state', '00000000 00000000 \n']) {
      writeFileSync(state, text)
      expect([text, await code(startDevNode({ port: 0, state }))]).toEqual([text, ['DEVNODE_FILE', expect.any(String)]])
    }
    expect(await code(startDevNode({ port: 0, state: join(folder, 'none', 'head.state') }))).toEqual([
      'DEVNODE_FILE',
      expect.stringContaining('ENOENT')
    ])
    expect(await code(startDevNode({ port: 0, state: folder }))).toEqual([
      'DEVNODE_FILE',
      expect.stringContaining('Got a directory')
    ])
    expect(await code(startDevNode({ port: 0, state: '' }))).toEqual(['INPUT_ARGUMENT', expect.any(String)])
  })

  it('is refused when it is of another version or another kind, and left as it is', async () => {
    const first = await start({ open: true })
    await first.stop()
    const lines = readFileSync(state, 'utf8').split('\n')
    const recordOf = (value: unknown): string => {
      const text = json(value)
      const hex = (number: number): string => number.toString(16).padStart(8, '0')
      return `${hex(crc32(text))} ${hex(Buffer.byteLength(text))} ${text}`
    }
    const head = JSON.parse(lines[0]!.slice(18)) as Record<string, unknown>
    // The record is one that the node would have written.
    expect(recordOf(head)).toBe(lines[0])
    for (const [change, message] of [
      [{ version: 1 }, /is of another version[^]*version 2[^]*version 1\n/],
      [{ version: 3 }, /is of another version[^]*version 2[^]*version 3\n/],
      [{ version: '2' }, /is of another version/],
      [{ version: undefined }, /is of another version/],
      [{ format: 'another' }, /is no state file of a local head node/]
    ] as const) {
      const written = [recordOf({ ...head, ...change }), ...lines.slice(1)].join('\n')
      writeFileSync(state, written)
      expect(await code(startDevNode({ port: 0, state }))).toEqual(['DEVNODE_FILE', expect.stringMatching(message)])
      expect(readFileSync(state, 'utf8')).toBe(written)
      expect(existsSync(`${state}.lock`)).toBe(false)
    }
    writeFileSync(state, lines.join('\n'))
    expect((await start()).headStatus).toBe('Open')
  })

  it('keeps what each party of the head has for itself', async () => {
    const first = await start({ open: true, parties: 3 })
    await first.fundHead(first.keys[0]!.address, 50_000_000n)
    expect(await pay(first)).toBe(2)
    first.parties[1]!.set({ signDelayMs: 30_000, closeWithOld: true })
    first.parties[2]!.set({ silent: true })
    first.parties[1]!.faults.seqGap = 2
    void pay(first)
    await first.committed()
    const before = await first.dumpState()
    const utxos = first.parties.map((party) => party.headUtxos().length)
    expect(new Set(utxos).size).toBe(2)
    await first.stop()
    for (const options of [{ parties: 2 }, { parties: 1 }])
      expect(await code(startDevNode({ port: 0, state, ...options }))).toEqual([
        'DEVNODE_STATE',
        expect.stringContaining('The option parties contradicts')
      ])

    const second = await start()
    expect(contentOf(await second.dumpState())).toBe(contentOf(before))
    expect(second.parties.map((party) => party.headUtxos().length)).toEqual(utxos)
    expect(
      second.parties.map(({ settings, faults }) => [
        settings.silent,
        settings.signDelayMs,
        settings.closeWithOld,
        faults.seqGap
      ])
    ).toEqual([
      [false, 0, false, 0],
      [false, 30_000, true, 2],
      [true, 0, false, 0]
    ])
    expect(new Set(second.parties.map(({ url }) => url)).size).toBe(3)
    second.parties[2]!.set({ silent: false })
    await second.advanceTime(31_000)
    expect(second.parties.map((party) => party.headUtxos().length)).toEqual([utxos[0], utxos[0], utxos[0]])
    const { body } = await second.parties[2]!.request({ method: 'GET', path: '/snapshot', body: '' })
    expect((JSON.parse(body) as { snapshot: { number: number } }).snapshot.number).toBe(3)
  })

  it('goes on with a fork when the node that was forked has gone, and refuses another fork', async () => {
    const original = await startDevNode({ port: 0, accounts: 0, open: true, seed: 'original' })
    running.push(original)
    await original.fundHead(original.keys[0]!.address, 9_000_000n)
    const first = await start({ fork: original.url })
    const { headId } = first
    first.fund(first.keys[0]!.address, 3_000_000n)
    await first.committed()
    const before = await first.dumpState()
    expect(before['node']).toMatchObject({ forkOf: original.headId })
    await Promise.all([first.stop(), original.stop()])

    for (const fork of [undefined, original.url, `${original.httpUrl}/?api-key=secret`]) {
      const node = await start(fork === undefined ? {} : { fork })
      expect([node.headId, node.headUtxos().length]).toEqual([headId, 1])
      expect(contentOf(await node.dumpState())).toBe(contentOf(before))
      await node.stop()
    }
    const whole = readFileSync(state)
    const { host } = new URL(original.url)
    expect(await code(startDevNode({ port: 0, state, fork: 'ws://127.0.0.1:9/?api-key=secret' }))).toEqual([
      'DEVNODE_STATE',
      expect.stringMatching(
        /^The option fork contradicts the state file\.\n- Expected 127\.0\.0\.1:\d+\n- Got 127\.0\.0\.1:9\n/
      )
    ])
    expect(await code(startDevNode({ port: 0, state, fork: 'nowhere' }))).toEqual([
      'INPUT_ARGUMENT',
      expect.stringContaining('fork')
    ])
    expect(readFileSync(state).equals(whole)).toBe(true)

    state = join(folder, 'plain.state')
    await (await start({ open: true })).stop()
    expect(await code(startDevNode({ port: 0, state, fork: original.url }))).toEqual([
      'DEVNODE_STATE',
      expect.stringContaining(`The option fork contradicts the state file.\n- Expected no fork\n- Got ${host}\n`)
    ])
    expect((await start()).headStatus).toBe('Open')
  })

  it('is not made by a fork that fails, and keeps no lock', async () => {
    expect(await code(startDevNode({ port: 0, state, fork: 'ws://127.0.0.1:9' }))).toEqual([
      'DEVNODE_FORK',
      expect.stringContaining('ECONNREFUSED')
    ])
    expect([existsSync(state), existsSync(`${state}.lock`)]).toEqual([false, false])
  })

  it('refuses options that contradict it, and a second node', async () => {
    const first = await start({ seed: 'one' })
    expect(await code(startDevNode({ port: 0, state }))).toEqual([
      'DEVNODE_FILE',
      expect.stringContaining(`process ${process.pid}`)
    ])
    await first.stop()
    for (const options of [
      { profile: '2.2' },
      { networkId: 1 },
      { seed: 'two' },
      { parties: 2 },
      { slotZeroMs: 0 },
      { protocolParameters: { txFeeFixed: 7 } }
    ] as const) {
      expect([options, await code(startDevNode({ port: 0, state, ...options }))]).toEqual([
        options,
        ['DEVNODE_STATE', expect.stringContaining('contradicts')]
      ])
    }
    // Another process that is alive: the one that has started this one.
    writeFileSync(`${state}.lock`, String(process.ppid))
    expect(await code(startDevNode({ port: 0, state }))).toEqual([
      'DEVNODE_FILE',
      expect.stringContaining(`process ${process.ppid}`)
    ])
    expect(readFileSync(`${state}.lock`, 'utf8')).toBe(String(process.ppid))
    // The lock of a process that is gone keeps nobody out.
    writeFileSync(`${state}.lock`, '999999999')
    expect((await start({ seed: 'one', profile: '2.4' })).headStatus).toBe('Idle')
  })

  it.each([
    ['/dev/zero', 'a device'],
    ['/dev/full', 'a device'],
    ['pipe', 'a pipe'],
    ['folder', 'a directory']
  ])('is refused where something else than a file is, and read not at all: %s', async (name, kind) => {
    const path = name.startsWith('/') ? name : join(folder, name)
    if (name === 'pipe') spawnSync('mkfifo', [path])
    if (name === 'folder') mkdirSync(path)
    const refused = await startDevNode({ port: 0, state: path }).catch((error: unknown) => error)
    expect(refused).toMatchObject({
      code: 'DEVNODE_FILE',
      path,
      message: expect.stringContaining(
        `is no regular file.\n- Expected a file, or a path where there is none yet\n- Got ${kind}`
      )
    })
    expect(existsSync(`${path}.lock`)).toBe(false)
  })

  it('refuses inputs while the disk is full, answers questions, stays whole, and goes on when there is room', async () => {
    const node = await start({ open: true })
    await node.fundHead(node.keys[0]!.address, 50_000_000n)
    const full = jest.spyOn(fs, 'writeSync').mockImplementation(() => {
      throw Object.assign(new Error('no space left on device'), { code: 'ENOSPC' })
    })
    const before = readFileSync(state)
    node.fund(node.keys[1]!.address, 5_000_000n)
    const [alice] = node.keys
    const refused = await node.request({ method: 'POST', path: '/commit', body: '{}' })
    expect([refused.status, refused.body]).toEqual([503, expect.stringContaining('ENOSPC') as string])
    expect(
      await node.submitBaseTx('84a300d9010280018002a0f5f6').catch((error: { code: string }) => [error.code])
    ).toHaveLength(1)
    expect((await node.request({ method: 'GET', path: '/snapshot', body: '' })).status).toBe(200)
    const texts: string[] = []
    const client = node.open('history=no', { send: (text) => texts.push(String(text)), close: () => {} })
    node.receive(client, '{"tag":"Close"}')
    expect(texts.at(-1)).toContain('cannot be written')
    expect(readFileSync(state).equals(before)).toBe(true)
    full.mockRestore()
    await new Promise((resolve) => setTimeout(resolve, 300))
    await node.committed()
    expect(await pay(node)).toBe(2)
    const dumped = await node.dumpState()
    await node.stop()
    expect(contentOf(await (await start()).dumpState())).toBe(contentOf(dumped))
    expect(alice).toBeDefined()
  })
})
