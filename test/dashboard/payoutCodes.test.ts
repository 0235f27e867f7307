import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildSync } from 'esbuild'
import { main } from '../../src/cli/main'
import type { FactsInput } from '../../src/dashboard/model/headFacts'
import { headFacts } from '../../src/dashboard/model/headFacts'
import { payoutFindings } from '../../src/dashboard/model/payoutFindings'
import type { Finding } from '../../src/doctor'
import { FundsLog } from '../../src/doctor/facts/FundsLog'
import {
  ADA,
  ADDRESS,
  BYRON_ADDRESS,
  datumOf,
  DEPOSIT,
  NOW,
  POLICY,
  SCRIPT_ADDRESS,
  utxo
} from '../doctor/factsSupport'
import { randomSource } from '../support/random'

const FILES = 50
const HEAD_ID = 'ab'.repeat(28)

let folder: string
beforeAll(() => void (folder = mkdtempSync(join(tmpdir(), 'layer-sdk-payout-'))))
afterAll(() => rmSync(folder, { recursive: true }))

/** The part of the view that shows findings, compiled as the page is. */
function viewOfFindings(): (props: { findings: readonly Finding[] }) => unknown {
  const { outputFiles } = buildSync({
    entryPoints: [join(__dirname, '../../src/dashboard/views/Findings.tsx')],
    ...{ bundle: true, write: false, format: 'cjs', platform: 'node', jsx: 'automatic', jsxImportSource: 'preact' }
  } as const)
  const compiled = { exports: {} as { Findings: (props: { findings: readonly Finding[] }) => unknown } }
  new Function('module', 'exports', 'require', outputFiles[0]!.text)(compiled, compiled.exports, require)
  return compiled.exports.Findings
}

/** Codes that a view shows, in their order: the text of each `code` element. */
function codesIn(node: unknown): string[] {
  if (Array.isArray(node)) return node.flatMap(codesIn)
  if (typeof node !== 'object' || node === null) return []
  const { type, props } = node as { type: unknown; props: { children?: unknown } }
  if (typeof type === 'function') return codesIn((type as (props: unknown) => unknown)(props))
  return type === 'code' ? [String(props.children)] : codesIn(props.children)
}

/** Codes that the command prints for a file of facts. */
async function printed(path: string): Promise<string[]> {
  const out: string[] = []
  await main(['doctor', '--facts', path, '--before', 'close', '--json'], {
    version: '1.2.3',
    out: (text) => out.push(text),
    error: (text) => out.push(text),
    stopped: () => new Promise(() => undefined)
  })
  const { findings } = JSON.parse(out.join('')) as { findings: { severity: string; code: string }[] }
  return findings.map(({ severity, code }) => `${severity} ${code}`)
}

/** A session with some of the causes that a page can see. */
function sessionOf(random: ReturnType<typeof randomSource>, at: number): FactsInput {
  const one = (share: number): boolean => random.below(share) === 0
  const funds = new FundsLog()
  const apply = (message: object): void =>
    void funds.apply({ timestamp: new Date(at - 60_000).toISOString(), headId: HEAD_ID, ...message } as never)
  if (!one(5)) apply({ tag: 'HeadIsOpen', parties: [] })
  if (one(3)) {
    const deadline = new Date(at + (random.below(9) - 2) * 1_800_000).toISOString()
    apply({ tag: 'CommitRecorded', pendingDeposit: DEPOSIT, utxoToCommit: {}, deadline })
    if (one(2)) apply({ tag: 'DepositActivated', depositTxId: DEPOSIT, deadline })
  }
  if (one(4)) apply({ tag: 'DecommitRequested', decommitTx: { txId: 'dc'.repeat(32) }, utxoToDecommit: {} })
  const utxos = Array.from({ length: one(25) ? 4_096 : 1 + random.below(50) }, (_, n) =>
    utxo(n, one(30) ? 500_000n : BigInt(1 + random.below(60)) * ADA, {
      ...(one(20) ? { address: random.pick([SCRIPT_ADDRESS, BYRON_ADDRESS]) } : { address: ADDRESS }),
      ...(one(10) ? { inlineDatum: datumOf(random.pick([4, 600, 11_000, 16_000])) } : {}),
      ...(one(25) ? { tokens: { [POLICY]: 3n } } : {})
    })
  )
  return {
    at,
    status: {
      nodeVersion: random.pick(['2.1.0', '2.2.0', '2.3.9', '2.4.0', '2.4.1', '2.9.0']),
      headStatus: 'Open',
      headId: HEAD_ID,
      snapshotNumber: random.below(9),
      synced: !one(6),
      parties: []
    },
    node: {
      greetings: null,
      contestationPeriod: random.pick([60, 43_200]),
      drift: one(3) ? null : random.below(200)
    },
    utxos: one(20) ? null : utxos,
    isArriving: (ref) => one(8) && ref.endsWith('0#0'),
    funds,
    unconfirmed: random.below(3)
  }
}

it(`the Payout view shows the codes that the command prints, for ${FILES} saved facts files`, async () => {
  const random = randomSource('payout codes')
  const Findings = viewOfFindings()
  const seen = new Set<string>()
  for (let i = 0; i < FILES; i++) {
    const session = sessionOf(random, NOW + i)
    // Arriving outputs are asked for at random: the file has what was answered once.
    const arriving = new Map<string, boolean>()
    const isArriving = (ref: string): boolean => {
      if (!arriving.has(ref)) arriving.set(ref, session.isArriving(ref))
      return arriving.get(ref)!
    }
    const input = { ...session, isArriving }
    const path = join(folder, `facts ${i}.json`)
    writeFileSync(path, JSON.stringify(headFacts(input)))
    const findings = await payoutFindings(input)
    const judged = findings.map(({ severity, code }) => `${severity} ${code}`)
    expect([i, await printed(path)]).toEqual([i, judged])
    // The view folds what is unknown below the rest.
    const order = [...findings].sort((a, b) => Number(a.severity === 'unknown') - Number(b.severity === 'unknown'))
    expect([i, codesIn(Findings({ findings }))]).toEqual([i, order.map(({ code }) => code)])
    for (const each of judged) if (!each.startsWith('ok ')) seen.add(each)
  }
  expect([...seen].filter((each) => !each.startsWith('unknown')).length).toBeGreaterThanOrEqual(15)
})
