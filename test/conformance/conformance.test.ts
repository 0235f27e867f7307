import type { RunningDevNode } from '../../src/devnode'
import { fullRun } from '../support/scale'
import { DEVIATIONS, deviating } from './deviations'
import { compare, startHead } from './support'

const PROFILES = fullRun ? (['0.22', '1.3', '2.0', '2.2', '2.3', '2.4', 'master'] as const) : (['2.4'] as const)
let node: RunningDevNode
afterEach(() => node.stop())

it.each(PROFILES)(
  'a local head of profile %s differs in no way from another',
  async (profile) => {
    node = await startHead({ profile, parties: 2 })
    const { report, node: life } = await compare(node)
    expect(report.differs.map(({ what }) => what)).toEqual([])
    expect(report.notTried).toEqual([])
    const outcomes = Object.fromEntries([...life.steps].map(([step, { outcome }]) => [step, outcome]))
    // Nodes before 1.0 forget a deposit with its head.
    if (profile === '0.22') expect(outcomes).toMatchObject({ fanout: 'done', recover: 'failed' })
    else expect(new Set(Object.values(outcomes))).toEqual(new Set(['done']))
    expect(Object.values(report.equal).every((count) => count > 0)).toBe(true)
  },
  120_000
)

const seeded = Object.entries(DEVIATIONS)
const sorted = (aspects: readonly string[]): string[] => [...aspects].sort()

it('a head with fifteen deviations has fifteen differences, with the messages of both sides', async () => {
  expect(seeded).toHaveLength(15)
  node = await startHead({ parties: 1 })
  const { report } = await compare(node, (inner) => deviating(inner, Object.values(DEVIATIONS)))
  expect(sorted(report.differs.map(({ aspect }) => aspect))).toEqual(sorted(seeded.map(([, { aspect }]) => aspect)))
  for (const { what, local, node: other } of report.differs) {
    expect(what).toMatch(/\w\.$/)
    expect(local !== null || other !== null).toBe(true)
  }
  expect(report.notTried).toEqual([{ step: 'contest', reason: 'there is no second node' }])
}, 120_000)

if (fullRun)
  it.each(seeded)(
    'a head with one deviation has one difference: %s',
    async (_, deviation) => {
      node = await startHead({ parties: 1 })
      const { report } = await compare(node, (inner) => deviating(inner, [deviation]))
      expect(report.differs.map(({ aspect }) => aspect)).toEqual([deviation.aspect])
    },
    120_000
  )
