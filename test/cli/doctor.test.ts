import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { main } from '../../src/cli/main'
import { startDevNode } from '../../src/devnode'
import type { RunningDevNode } from '../../src/devnode'
import { diagnose, readHeadFacts } from '../../src/doctor'
import { facts, node, utxo, utxos, ADA, NOW } from '../doctor/factsSupport'
import type { Changes } from '../doctor/factsSupport'

/** Runs a command in this process; it ends only by itself. */
async function run(...args: string[]): Promise<{ code: number; out: string; errors: string }> {
  const [out, errors]: [string[], string[]] = [[], []]
  const code = await main(['doctor', ...args], {
    version: '1.2.3',
    out: (text) => out.push(text),
    error: (text) => errors.push(text),
    stopped: () => new Promise(() => undefined)
  })
  return { code, out: out.join('\n'), errors: errors.join('\n') }
}

let folder: string
beforeAll(() => void (folder = mkdtempSync(join(tmpdir(), 'layer-sdk-doctor-'))))
afterAll(() => rmSync(folder, { recursive: true }))
const file = (name: string, text: string): string => {
  const path = join(folder, name)
  writeFileSync(path, text)
  return path
}
const saved = (name: string, changes: Changes): string => file(name, JSON.stringify(facts(changes)))

describe('saved facts', () => {
  it.each([
    ['a healthy head', {}, [], 0],
    ['a warning', { history: { transactions: 10_001 } }, [], 0],
    ['a warning, strictly', { history: { transactions: 10_001 } }, ['--strict'], 1],
    ['a block', { fuel: [] }, [], 1],
    ['an unread source', { own: { head: { unread: 'off' } } }, [], 3],
    ['a block and an unread source', { fuel: [], own: { head: { unread: 'off' } } }, [], 1],
    ['an unconfirmed transaction', { head: { unconfirmed: 1 } }, ['--strict'], 0],
    ['an unconfirmed transaction before a close', { head: { unconfirmed: 1 } }, ['--strict', '--before', 'close'], 1]
  ] as [string, Changes, string[], number][])('of %s', async (name, changes, args, code) => {
    expect((await run('--facts', saved(`${name}.json`, changes), ...args)).code).toBe(code)
  })

  it('print the same codes as the library, for 50 files, in text and JSON', async () => {
    const variants: Changes[] = Array.from({ length: 50 }, (_, i) => ({
      at: NOW + i,
      snapshot: { utxo: utxos(i === 7 ? 4_096 : 1 + ((i * 97) % 300), i % 3 === 0 ? { inlineDatum: '00' } : {}) },
      fuel: i % 4 === 0 ? [] : [utxo(1, BigInt(i) * ADA)],
      greetings: { nodeVersion: `2.${i % 6}.${i % 2}`, synced: i % 7 !== 0 },
      peers: i % 5 === 0 ? [node({ parameters: { hash: String(i) } }, 'ws://10.0.0.2:4001')] : [],
      ...(i % 9 === 0 ? { own: { parameters: { unread: 'off' } } } : {})
    }))
    for (const [i, changes] of variants.entries()) {
      const path = saved(`variant ${i}.json`, changes)
      const { findings } = await diagnose(readHeadFacts(readFileSync(path, 'utf8')))
      const expected = findings.map(({ severity, code }) => `${severity} ${code}`)
      const json = JSON.parse((await run('--facts', path, '--json')).out) as {
        findings: { severity: string; code: string }[]
      }
      expect(json.findings.map(({ severity, code }) => `${severity} ${code}`)).toEqual(expected)
      const text = (await run('--facts', path)).out
      for (const { code } of findings) expect(text).toContain(`  ${code}: `)
    }
  })
})

describe('a running node', () => {
  let head: RunningDevNode
  beforeAll(async () => {
    head = await startDevNode({ port: 0, open: true, parties: 2 })
  })
  afterAll(() => head.stop())

  it('is read with its peers, a provider and the wallet; the facts are saved for the owner alone, and judged alike', async () => {
    const { address } = head.accounts[0]!
    const provider = { kind: 'indexer', url: head.indexerUrl, apiKey: 'preprodLocal', network: 'preprod' }
    const path = join(folder, 'saved facts.json')
    const peers = head.parties.map(({ url }) => ['--url', url!]).flat()
    const { code, out } = await run(
      ...peers,
      '--provider',
      file('base.json', JSON.stringify(provider)),
      '--fuel',
      address,
      '--save',
      path,
      '--json'
    )
    const report = JSON.parse(out) as { verdict: string; findings: { severity: string; code: string }[] }
    // The metrics alone are missing.
    expect(report.findings.filter(({ severity }) => severity !== 'ok').map(({ code: each }) => each)).toEqual([
      'chain-stalled'
    ])
    expect([code, report.verdict, statSync(path).mode & 0o777]).toEqual([3, 'incomplete', 0o600])
    const again = await run('--facts', path, '--json')
    expect(again.out).toBe(out)
    expect((await run('--facts', path, '--save', path)).errors).toContain('exists')
  })
})

describe('wrong usage and bad files', () => {
  it.each([
    ['neither node nor facts', [], 2],
    ['both', ['--url', 'ws://127.0.0.1:1', '--facts', 'x'], 2],
    ['an unknown step', ['--facts', 'x', '--before', 'open'], 2],
    ['a decommit without a file', ['--facts', 'x', '--before', 'decommit'], 2],
    ['an argument too many', ['--facts', 'x', 'y'], 2],
    ['an unknown option', ['--fact', 'x'], 2],
    ['a URL that is none', ['--url', 'node'], 2],
    ['a node that does not answer', ['--url', 'ws://127.0.0.1:1'], 1],
    ['facts that are not there', ['--facts', 'none.json'], 1]
  ])('%s: exit code %#', async (_, args, code) => {
    const { code: actual, errors, out } = await run(...args)
    expect([actual, out]).toEqual([code, ''])
    expect(errors).toMatch(/^layer-sdk: \S.*/)
  })

  it('a provider file that is none repeats no key of it', async () => {
    const path = file('wrong.json', '{"kind":"indexer","apiKey":"preprodGEHEIM","network":"moon"}')
    const { code, errors } = await run('--url', 'ws://127.0.0.1:1', '--provider', path)
    expect([code, errors.includes('GEHEIM')]).toEqual([1, false])
  })

  it('facts of a newer version are refused by name', async () => {
    const { code, errors } = await run('--facts', file('newer.json', JSON.stringify({ ...facts(), version: 2 })))
    expect([code, errors]).toEqual([1, expect.stringContaining('version 2')])
  })
})
