import { AppWallet } from '../../src/wallet'
import { createHeadClient } from '../../src/client'
import type { HeadClient } from '../../src/client'
import { startDevNode } from '../../src/devnode'
import type { RunningDevNode, StartDevNodeOptions } from '../../src/devnode'
import type { CheckHeadOptions, HeadReport } from '../../src/doctor'
import { checkHead } from '../../src/doctor'
import { IndexerProvider } from '../../src/providers'
import { changed, DEFAULT_TIMINGS } from './devnodeSupport'
import { BYRON_ADDRESS, datumOf, SCRIPT_ADDRESS, told } from './factsSupport'

const ADA = 1_000_000n
const PROFILES = ['2.2', '2.3', '2.4'] as const
type Profile = (typeof PROFILES)[number]

/** Nodes pose as the releases that operators were told to leave: their successors have the same wire. */
const patched = (text: string): string => text.replace(/("hydraNodeVersion":\s*")(2\.[23])\.0/g, '$1$2.9')

/** A head with its cause, ways to check it, and the codes that have to be found. */
interface Seed {
  readonly node?: StartDevNodeOptions
  /** Changes of the running head. */
  cause?(node: RunningDevNode, client: HeadClient): Promise<void> | void
  /** Changes of what the node says. */
  readonly says?: (text: string) => string
  readonly check?: (node: RunningDevNode) => Partial<CheckHeadOptions>
  readonly codes: readonly string[]
  readonly profiles?: readonly Profile[]
  /** Follows the remedy; without one it has no cure in this head. */
  cure?(node: RunningDevNode, client: HeadClient): Promise<void> | void
}

const account = (node: RunningDevNode, i: number): string => node.accounts[i]!.address
let probe: { readonly phrase: string; readonly addresses: readonly string[] }
beforeAll(async () => {
  const node = await startDevNode({ port: 0 })
  probe = { phrase: node.phrase, addresses: node.accounts.map(({ address }) => address) }
  await node.stop()
})
const own = (): string => probe.addresses[0]!

const inHead = (...outputs: object[]): NonNullable<StartDevNodeOptions['inHead']> =>
  [{ address: own(), lovelace: 50n * ADA }, ...outputs] as never

const SEEDS: Record<string, () => Seed> = {
  'an output of a script with a datum': () => ({
    node: { inHead: inHead({ address: SCRIPT_ADDRESS, lovelace: 9n * ADA, datum: '00' }) },
    codes: ['warn script-output']
  }),
  'a script without collateral': () => ({
    node: {
      inHead: [
        { address: SCRIPT_ADDRESS, lovelace: 9n * ADA },
        { address: own(), lovelace: 3n * ADA }
      ]
    },
    codes: ['warn last-collateral'],
    cure: async (_, client) => void (await client.deposit({ amount: 8n * ADA }))
  }),
  'eleven outputs with a datum': () => ({
    node: {
      inHead: inHead(...Array.from({ length: 11 }, () => ({ address: own(), lovelace: 2n * ADA, datum: '00' })))
    },
    codes: ['warn script-output']
  }),
  'a datum of 10 KB': () => ({
    node: { inHead: inHead({ address: own(), lovelace: 60n * ADA, datum: datumOf(10_300) }) },
    codes: ['warn output-too-large']
  }),
  'twenty outputs that fill one step of a fanout': () => ({
    node: {
      inHead: Array.from({ length: 22 }, () => ({ address: own(), lovelace: 5n * ADA, datum: datumOf(472) })) as never
    },
    codes: ['warn exit-budget', 'warn script-output']
  }),
  'a Byron address': () => ({
    says: (text) => text.replaceAll(probe.addresses[1]!, BYRON_ADDRESS),
    node: { inHead: inHead({ address: probe.addresses[1]!, lovelace: 9n * ADA }) },
    codes: ['warn address-kind']
  }),
  'a head with an output price of 0, and dust in it': () => ({
    node: { protocolParameters: { utxoCostPerByte: 0 }, inHead: inHead() },
    cause: async (_, client) => void (await client.pay({ to: own(), amount: 100_000n })),
    codes: ['block below-min-ada', 'warn below-min-ada']
  }),
  'a decommit just now': () => ({
    node: { inHead: inHead({ address: own(), lovelace: 9n * ADA }) },
    cause: async (_, client) => void (await client.withdraw({ amount: 2n * ADA })),
    codes: ['warn decommit-pause']
  }),
  'a node that catches up': () => ({
    node: { inHead: inHead() },
    cause: (node) => node.setDrift(900),
    codes: ['block node-unsynced'],
    cure: (node) => node.setDrift(0)
  }),
  'an empty wallet of the node': () => ({
    node: { inHead: inHead() },
    check: () => ({ fuelAddress: SCRIPT_ADDRESS }),
    codes: ['block fuel-low', 'block fuel-shape'],
    cure: (node) => void node.fund(SCRIPT_ADDRESS, 30n * ADA)
  }),
  'a token in the largest output of the wallet': () => ({
    node: { inHead: inHead() },
    cause: (node) =>
      void node.fund(SCRIPT_ADDRESS, 20n * ADA, [
        { unit: 'lovelace', quantity: '30000000' },
        { unit: 'cd'.repeat(28), quantity: '1' }
      ]),
    check: () => ({ fuelAddress: SCRIPT_ADDRESS }),
    codes: ['block fuel-shape'],
    cure: (node) => void node.fund(SCRIPT_ADDRESS, 40n * ADA)
  }),
  'other cost models': () => ({
    node: { inHead: inHead() },
    says: (text) =>
      text.replace(/("PlutusV3":\s*\[\s*)(\d+)/, (_, head: string, cost: string) => `${head}${Number(cost) + 1}`),
    codes: ['warn cost-models']
  }),
  'mainnet with a short period': () => ({
    node: { inHead: inHead() },
    says: (text) => text.replace(/"testnet-magic":\s*\d+/, '"mainnet":true'),
    codes: ['warn period-short'],
    profiles: ['2.3', '2.4']
  }),
  'a node with a known weakness': () => ({
    node: { inHead: inHead() },
    says: (text) => text.replace(/("hydraNodeVersion":\s*")\d\.\d\.\d/, '$12.4.0'),
    codes: ['block node-vulnerable']
  }),
  'a newer node': () => ({
    node: { inHead: inHead() },
    says: (text) => text.replace(/("hydraNodeVersion":\s*")\d\.\d\.\d/, '$12.7.0'),
    codes: ['unknown node-unknown']
  })
}

const PEERS: Record<string, { says: (text: string) => string; code: string; profiles?: readonly Profile[] }> = {
  version: {
    says: (text) => text.replace(/("hydraNodeVersion":\s*")\d\.\d\.\d/, '$12.4.7'),
    code: 'block mismatch-version'
  },
  parameters: {
    says: (text) => text.replace(/"maxTxSize":\s*\d+/, '"maxTxSize":9999'),
    code: 'block mismatch-parameters'
  },
  periods: {
    says: (text) => text.replaceAll(/"(contestationPeriod|depositPeriod)":\s*\d+/g, '"$1":77'),
    code: 'block mismatch-periods'
  },
  peers: {
    says: (text) => text.replaceAll('127.0.0.1:500', '127.0.0.1:600'),
    code: 'block mismatch-peers',
    profiles: ['2.3', '2.4']
  }
}

async function withHead<T>(
  options: StartDevNodeOptions,
  use: (node: RunningDevNode, client: HeadClient) => Promise<T>
): Promise<T> {
  const node = await startDevNode({
    port: 0,
    open: true,
    ...options,
    timings: { ...DEFAULT_TIMINGS, ...options.timings }
  })
  const { fetcher, submitter } = providerOf(node)
  const wallet = new AppWallet({
    networkId: 0,
    key: { type: 'mnemonic', words: node.phrase.split(' ') },
    fetcher,
    submitter
  })
  const client = createHeadClient({ url: node.url, wallet, withdrawPause: 0 })
  try {
    await client.connect()
    return await use(node, client)
  } finally {
    await client.disconnect()
    await node.stop()
  }
}

const providerOf = (node: RunningDevNode): IndexerProvider =>
  new IndexerProvider({ apiKey: 'preprodLocal', network: 'preprod', baseUrl: node.indexerUrl! })

const report = (
  node: RunningDevNode,
  says = (text: string): string => text,
  more: Partial<CheckHeadOptions> = {}
): Promise<HeadReport> =>
  checkHead({
    head: changed(node.connector(), (text) => says(patched(text))),
    provider: providerOf(node).fetcher,
    fuelAddress: account(node, 3),
    ...more
  })

/** What every one of these heads has: no metrics, and no configuration before 2.3. */
const serious = (codes: readonly string[]): string[] => codes.filter((each) => !each.startsWith('unknown '))

describe.each(PROFILES)('profile %s', (profile) => {
  const seeds = Object.entries(SEEDS).filter(([, seed]) => {
    const { codes, profiles = PROFILES } = { codes: ['x'], ...seedShape(seed) }
    return codes.length > 0 && profiles.includes(profile)
  })

  it.each(seeds)('finds alone: %s', async (_, seed) => {
    const { node: options = {}, cause, says, check, codes, cure } = seed()
    await withHead({ ...options, profile }, async (node, client) => {
      await cause?.(node, client)
      const found = told((await report(node, says, check?.(node))).findings)
      for (const code of codes) expect(found).toContain(code)
      expect(serious(found).filter((each) => !codes.includes(each))).toEqual([])
      if (cure === undefined) return
      await cure(node, client)
      const after = told((await report(node, says, check?.(node))).findings)
      for (const code of codes) expect(after).not.toContain(code)
    })
  })

  it.each(Object.entries(PEERS).filter(([, { profiles = PROFILES }]) => profiles.includes(profile)))(
    'finds nodes that differ in their %s',
    async (_, { says, code }) => {
      await withHead({ profile, parties: 2, inHead: inHead() }, async (node) => {
        const peers = [node.parties[1]!.url!]
        const same = told((await report(node, undefined, { peers: [changedUrl(node, 1, patched)] })).findings)
        expect(serious(same)).toEqual([])
        expect(peers).toHaveLength(1)
        const found = told(
          (await report(node, undefined, { peers: [changedUrl(node, 1, (text) => says(patched(text)))] })).findings
        )
        expect(serious(found)).toEqual([code])
      })
    }
  )

  it('finds three at once', async () => {
    await withHead(
      {
        profile,
        protocolParameters: { utxoCostPerByte: 0 },
        inHead: inHead({ address: SCRIPT_ADDRESS, lovelace: 9n * ADA, datum: '00' })
      },
      async (node, client) => {
        await client.pay({ to: own(), amount: 100_000n })
        const found = told((await report(node, undefined, { fuelAddress: SCRIPT_ADDRESS })).findings)
        expect(serious(found).sort()).toEqual(
          [
            'block below-min-ada',
            'block fuel-low',
            'block fuel-shape',
            'warn below-min-ada',
            'warn script-output'
          ].sort()
        )
      }
    )
  })
})

it('a snapshot that waits for a party is looked at until it counts as silent', async () => {
  await withHead({ profile: '2.4', parties: 2, inHead: inHead() }, async (node, client) => {
    node.faults.holdSnapshots = true
    const over = new AbortController()
    const paid = client.pay({ to: own(), amount: 2n * ADA, signal: over.signal }).catch(() => undefined)
    await new Promise((resolve) => setTimeout(resolve, 200))
    const { facts } = await report(node, undefined, { patience: 1_200 })
    expect(facts.nodes[0]!.numbers).toMatchObject({ value: { signingSince: expect.any(Number) } })
    over.abort()
    await paid
  })
})

function changedUrl(node: RunningDevNode, party: number, says: (text: string) => string): object {
  const { WebsocketConnector } = jest.requireActual<typeof import('../../src/bridge')>('../../src/bridge')
  return changed(new WebsocketConnector({ websocketUrl: node.parties[party]!.url! }), says)
}

/** Codes and profiles of a seed, which are known before any head runs. */
function seedShape(seed: () => Seed): Partial<Seed> {
  probe ??= { phrase: '', addresses: Array<string>(10).fill('') }
  const { codes, profiles } = seed()
  return profiles === undefined ? { codes } : { codes, profiles }
}
