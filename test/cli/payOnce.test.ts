import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { main } from '../../src/cli/main'
import type { RunningDevNode } from '../../src/devnode'
import { startDevNode } from '../../src/devnode'
import { CliProgram } from '../support/cliProgram'

const folder = mkdtempSync(join(tmpdir(), 'layer-sdk-pay-once-'))
const key = join(folder, 'alice.sk')
const program = new CliProgram()
let node: RunningDevNode
beforeAll(async () => {
  await program.build()
  const probe = await startDevNode({ port: 0 })
  const [alice] = probe.keys
  await probe.stop()
  node = await startDevNode({ port: 0, open: true, inHead: [{ address: alice!.address, lovelace: 90_000_000 }] })
  await run('keygen', '--test-key', 'alice', '--out', key)
}, 60_000)
afterAll(async () => {
  await node.stop()
  program.remove()
  rmSync(folder, { recursive: true })
})

async function run(...args: string[]): Promise<{ code: number; out: string; errors: string }> {
  const [out, errors]: [string[], string[]] = [[], []]
  const code = await main(args, {
    version: '1',
    out: (text) => void out.push(text),
    error: (text) => void errors.push(text),
    stopped: () => Promise.resolve()
  })
  return { code, out: out.join('\n'), errors: errors.join('\n') }
}

const bob = (): string => node.keys[1]!.address
const payment = (id: string, journal: string, amount = '2'): string[] => [
  ...['pay', '--url', node.url, '--from', key, '--to', bob(), '--amount', amount, '--json'],
  ...['--id', id, '--journal', join(folder, journal)]
]
const balance = async (): Promise<number> =>
  Number((JSON.parse((await run('balance', bob(), '--url', node.url, '--json')).out) as { lovelace: string }).lovelace)

describe('pay --id', () => {
  it('without a journal, and a journal without an id, are wrong usage', async () => {
    const args = ['pay', '--from', key, '--to', bob(), '--amount', '2']
    expect((await run(...args, '--id', 'a')).code).toBe(2)
    expect(await run(...args, '--journal', 'a')).toMatchObject({
      code: 2,
      errors: expect.stringContaining('--id and --journal belong together') as string
    })
  })

  it('pays once for an id; another amount under it is refused, another id pays again', async () => {
    const before = await balance()
    const [first, again] = [
      await run(...payment('order-1', 'a.journal')),
      await run(...payment('order-1', 'a.journal'))
    ]
    expect([first.code, again.code]).toEqual([0, 0])
    expect(JSON.parse(again.out)).toMatchObject({
      id: 'order-1',
      txId: (JSON.parse(first.out) as { txId: string }).txId
    })
    expect(await balance()).toBe(before + 2_000_000)
    const other = await run(...payment('order-1', 'a.journal', '3'))
    expect([other.code, (JSON.parse(other.errors) as { error: { code: string } }).error.code]).toEqual([
      1,
      'CLIENT_ID_REUSED'
    ])
    expect((await run(...payment('order-2', 'a.journal'))).code).toBe(0)
    expect(await balance()).toBe(before + 4_000_000)
  })

  it.each([
    ['before the node has it', () => void (node.faults.swallowTransactions = 1)],
    ['before the snapshot', () => void (node.faults.holdSnapshots = true)]
  ])(
    'a process that is killed %s, and the same command again, pay once',
    async (when, cause) => {
      const before = await balance()
      const journal = `${when.replaceAll(' ', '-')}.journal`
      cause()
      const sent = node.counters.inputs['NewTx'] ?? 0
      const killed = program.launch(...payment('order-9', journal))
      for (let i = 0; i < 200 && (node.counters.inputs['NewTx'] ?? 0) === sent; i++)
        await new Promise((resolve) => setTimeout(resolve, 50))
      killed.kill('SIGKILL')
      await killed.exit
      expect(readFileSync(join(folder, journal), 'utf8')).toContain('order-9')
      node.faults.holdSnapshots = false
      const again = await program.run(...payment('order-9', journal))
      expect([again.code, again.errors]).toEqual([0, ''])
      expect(await balance()).toBe(before + 2_000_000)
    },
    60_000
  )
})

it('close asks the doctor first, names the code that blocks, and closes with --force or once it is mended', async () => {
  node.setDrift(900)
  const refused = await run('close', '--url', node.url, '--yes')
  expect([refused.code, refused.errors]).toEqual([1, expect.stringMatching(/node-unsynced: .*\n.*close with --force/s)])
  node.setDrift(0)
  expect((await run('close', '--url', node.url, '--yes', '--json')).code).toBe(0)
})
