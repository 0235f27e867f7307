import { appendFileSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import fs from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { DevNodeState, RunningDevNode, StartDevNodeOptions } from '../../src/devnode'
import { startDevNode } from '../../src/devnode'
import { buildPayment } from '../../src/tx'
import { ChainCliWallet } from '../../src/wallet'

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
    const { cborHex } = buildPayment({ utxos: node.headUtxos(alice!.address), to: node.keys[1]!.address, amount: 2_000_000n, changeAddress: alice!.address })
    const signed = await new ChainCliWallet({ networkId: 0, skey: alice!.skey }).signTx(cborHex)
    const confirmed = new Promise<number>((resolve) => {
      const client = node.open('history=no', {
        send(text) {
          const message = JSON.parse(String(text)) as { tag: string; snapshot: { number: number } }
          if (message.tag === 'SnapshotConfirmed') resolve(message.snapshot.number)
        },
        close: () => {}
      })
      node.receive(client, json({ tag: 'NewTx', transaction: { type: 'Witnessed Tx ConwayEra', description: '', cborHex: signed } }))
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
      expect([at, await code(startDevNode({ port: 0, state }))]).toEqual([at, ['DEVNODE_FILE', expect.stringMatching(/damaged[^]*at byte \d+/)]])
      expect(readFileSync(state).equals(damaged)).toBe(true)
      expect(existsSync(`${state}.lock`)).toBe(false)
    }
    for (const text of ['{}', 'not a state', '00000000 00000000 \n']) {
      writeFileSync(state, text)
      expect([text, await code(startDevNode({ port: 0, state }))]).toEqual([text, ['DEVNODE_FILE', expect.any(String)]])
    }
    expect(await code(startDevNode({ port: 0, state: join(folder, 'none', 'head.state') }))).toEqual(['DEVNODE_FILE', expect.stringContaining('ENOENT')])
    expect(await code(startDevNode({ port: 0, state: folder }))).toEqual(['DEVNODE_FILE', expect.stringContaining('EISDIR')])
    expect(await code(startDevNode({ port: 0, state: '' }))).toEqual(['INPUT_ARGUMENT', expect.any(String)])
  })

  it('refuses options that contradict it, and a second node', async () => {
    const first = await start({ seed: 'one' })
    expect(await code(startDevNode({ port: 0, state }))).toEqual(['DEVNODE_FILE', expect.stringContaining(`process ${process.pid}`)])
    await first.stop()
    for (const options of [
      { profile: '2.2' },
      { networkId: 1 },
      { seed: 'two' },
      { parties: 2 },
      { slotZeroMs: 0 },
      { protocolParameters: { txFeeFixed: 7 } }
    ] as const) {
      expect([options, await code(startDevNode({ port: 0, state, ...options }))]).toEqual([options, ['DEVNODE_STATE', expect.stringContaining('contradicts')]])
    }
    // The lock of a process that is gone keeps nobody out.
    writeFileSync(`${state}.lock`, '999999999')
    expect((await start({ seed: 'one', profile: '2.3' })).headStatus).toBe('Idle')
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
    expect(await node.submitBaseTx('84a300d9010280018002a0f5f6').catch((error: { code: string }) => [error.code])).toHaveLength(1)
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
