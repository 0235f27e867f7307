import type { FindingCode, FindingSeverity } from '../../src/doctor'
import { checkHead } from '../../src/doctor'
import { DOCTOR_CODES } from '../../src/doctor/codes'
import { ADA } from './factsSupport'
import { NODE_SEEDS } from './seeds/nodes'
import { OUTPUT_SEEDS } from './seeds/outputs'
import { combined, describeSeeds, seedsOf } from './seeds/runSeeds'
import type { Profile } from './seeds/seed'
import { inHead, OWN, PROFILES, providerOf, withHead } from './seeds/seed'
import { STEP_SEEDS } from './seeds/steps'

const SEEDS = { ...OUTPUT_SEEDS, ...NODE_SEEDS, ...STEP_SEEDS }

/** Weights that each code can have, and that a seeded head has to bring about. */
const WEIGHTS: Readonly<Record<FindingCode, readonly FindingSeverity[]>> = {
  'outputs-limit': ['block', 'warn'],
  'minted-token': ['block'],
  'burned-token': ['block'],
  'output-too-large': ['block', 'warn'],
  'below-min-ada': ['block', 'warn'],
  'address-kind': ['warn'],
  'script-output': ['warn'],
  'exit-budget': ['warn'],
  'decommit-unpostable': ['block'],
  'decommit-pending': ['block', 'warn'],
  'decommit-pause': ['block', 'warn'],
  'last-collateral': ['warn'],
  'deposit-open': ['block'],
  'deposit-expiring': ['warn'],
  'deposit-expired': ['warn'],
  'deposit-approved': ['block'],
  'deposit-period-short': ['warn'],
  'fuel-low': ['block', 'warn'],
  'fuel-shape': ['block'],
  'mismatch-version': ['block'],
  'mismatch-parameters': ['block'],
  'mismatch-parties': ['block'],
  'mismatch-periods': ['block'],
  'mismatch-peers': ['block'],
  'cost-models': ['warn'],
  'peer-silent': ['warn'],
  'peer-behind': ['warn'],
  'node-unsynced': ['block'],
  'chain-stalled': ['warn'],
  'period-short': ['warn'],
  // As a warning it is about nodes 1.0 to 2.1, which no profile of these poses as.
  'node-vulnerable': ['block'],
  'node-unknown': ['unknown'],
  'fanout-known-bug': ['warn'],
  'history-size': ['warn'],
  'unconfirmed-transactions': ['warn']
}

/** Codes that a version cannot have: before 2.3 there is no GET /config, and 2.2.0 alone has the bug. */
const WITHOUT: Readonly<Record<Profile, readonly string[]>> = {
  '2.2': ['block mismatch-peers', 'warn period-short'],
  '2.3': ['warn fanout-known-bug'],
  '2.4': ['warn fanout-known-bug']
}

describe('the table of codes', () => {
  it('has a weight for each code of the doctor', () => {
    expect(Object.keys(WEIGHTS).sort()).toEqual(Object.keys(DOCTOR_CODES).sort())
  })

  it.each(PROFILES)('has a seeded head for each code and weight in profile %s', (profile) => {
    const seeded = new Set(seedsOf(SEEDS, profile).flatMap(([, { codes }]) => codes))
    const all = Object.entries(WEIGHTS).flatMap(([code, weights]) => weights.map((weight) => `${weight} ${code}`))
    expect(all.filter((each) => !seeded.has(each))).toEqual(WITHOUT[profile])
    expect([...seeded].filter((each) => !all.includes(each))).toEqual([])
  })

  it('says of each head how it is cured, or why it has no cure', () => {
    const undecided = Object.entries(SEEDS).filter(
      ([, { cure, noCure }]) => (cure === undefined) === (noCure === undefined)
    )
    expect(undecided.map(([name]) => name)).toEqual([])
  })
})

describeSeeds(OUTPUT_SEEDS)

describe('three at once', () => {
  describeSeeds({
    'minted tokens, a datum of 15.6 KB, a wallet of 10 ada': combined(
      OUTPUT_SEEDS['more of a token than entered it']!,
      OUTPUT_SEEDS['a datum of 15.6 KB']!,
      NODE_SEEDS['a wallet of the node with 10 ada']!
    ),
    'dust, a script with a datum, an empty wallet': combined(
      OUTPUT_SEEDS['an output price of 0, and dust']!,
      OUTPUT_SEEDS['an output of a script with a datum']!,
      NODE_SEEDS['an empty wallet of the node']!
    ),
    'burned tokens, a base ledger that stands still, a deposit before a close': combined(
      OUTPUT_SEEDS['a token that was burned in it']!,
      NODE_SEEDS['a base ledger that stands still']!,
      STEP_SEEDS['a deposit that is open, before a close']!
    ),
    'other versions, a silent party, eleven datums': combined(
      NODE_SEEDS['nodes of other versions']!,
      NODE_SEEDS['a party that does not sign']!,
      OUTPUT_SEEDS['eleven outputs with a datum']!
    )
  })
})

it('a snapshot that waits for a party is looked at until it counts as silent', async () => {
  await withHead('2.4', { node: { parties: 2, inHead: inHead() } }, async ({ node, client }) => {
    node.faults.holdSnapshots = true
    const over = new AbortController()
    const paid = client.pay({ to: OWN, amount: 2n * ADA, signal: over.signal }).catch(() => undefined)
    await new Promise((resolve) => setTimeout(resolve, 200))
    const { facts } = await checkHead({ head: node.connector(), provider: providerOf(node).fetcher, patience: 1_200 })
    expect(facts.nodes[0]!.numbers).toMatchObject({ value: { signingSince: expect.any(Number) } })
    over.abort()
    await paid
  })
})
