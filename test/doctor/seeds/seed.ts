import { AppWallet } from '../../../src/wallet'
import { WebsocketConnector } from '../../../src/bridge'
import type { Connector } from '../../../src/bridge'
import { createHeadClient } from '../../../src/client'
import type { HeadClient } from '../../../src/client'
import { startDevNode } from '../../../src/devnode'
import type { RunningDevNode, StartDevNodeOptions } from '../../../src/devnode'
import { DEV_PHRASE, deriveAccounts } from '../../../src/devnode/settings/accounts'
import type { CheckHeadOptions, HeadFacts, PlannedStep } from '../../../src/doctor'
import { checkDecommit, diagnose } from '../../../src/doctor'
import { gatherFacts } from '../../../src/doctor/gather/gatherFacts'
import { IndexerProvider } from '../../../src/providers'
import { changed, DEFAULT_TIMINGS } from '../devnodeSupport'
import { ADA, told } from '../factsSupport'

export const PROFILES = ['2.2', '2.3', '2.4'] as const
export type Profile = (typeof PROFILES)[number]

/** Nodes pose as the releases that operators were told to leave: their successors have the same wire. */
export const patched = (text: string): string => text.replace(/("hydraNodeVersion":\s*")(2\.[23])\.0/g, '$1$2.9')

/** A running local head with its cause, as the causes and remedies of seeds use it. */
export interface SeededHead {
  readonly node: RunningDevNode
  readonly client: HeadClient
  readonly profile: Profile
}

/** A head with its cause, ways to check it, and the codes that have to be found. */
export interface Seed {
  readonly node?: StartDevNodeOptions
  /** Age of the head's clock, ms: the cause advances it so far, and the doctor's time is that of this machine. */
  readonly behindMs?: (profile: Profile) => number
  /** Changes of the running head. */
  readonly cause?: (head: SeededHead) => Promise<void> | void
  /** Changes of what the node says. */
  readonly says?: (text: string) => string
  readonly check?: (head: SeededHead) => Partial<CheckHeadOptions> | Promise<Partial<CheckHeadOptions>>
  readonly before?: PlannedStep
  /** The decommit that is about to be sent: CBOR hex. */
  readonly decommit?: (head: SeededHead) => Promise<string>
  /** `severity code` of each finding. */
  readonly codes: readonly string[]
  /** `severity code` of findings that come with the cause, and that the remedy does not concern. */
  readonly also?: readonly string[]
  /** References that one of the findings has to name. */
  readonly refs?: (head: SeededHead) => readonly string[]
  readonly profiles?: readonly Profile[]
  /** A head of thousands of outputs: in `npm test` it runs in one profile. */
  readonly large?: boolean
  /** Follows the remedy of the findings. */
  readonly cure?: (head: SeededHead) => Promise<void> | void
  /** Reason why a head that is open has no cure: the remedy is about the next one, or about the node. */
  readonly noCure?: string
}

/** Causes and codes by the head's description. */
export type Seeds = Readonly<Record<string, Seed>>

/** Accounts that every local head funds. */
export const ACCOUNTS = deriveAccounts({ phrase: DEV_PHRASE, count: 10, networkId: 0, lovelace: 0n })
/** Address of the account that the client of a seeded head pays from. */
export const OWN = ACCOUNTS[0].address

export const inHead = (...outputs: object[]): NonNullable<StartDevNodeOptions['inHead']> =>
  [{ address: OWN, lovelace: 50n * ADA }, ...outputs] as never

export const providerOf = (node: RunningDevNode): IndexerProvider =>
  new IndexerProvider({ apiKey: 'preprodLocal', network: 'preprod', baseUrl: node.indexerUrl! })

/** Runs a local head with a client of its first account. */
export async function withHead<T>(
  profile: Profile,
  { node: options = {}, behindMs: behind = () => 0 }: Pick<Seed, 'node' | 'behindMs'>,
  use: (head: SeededHead) => Promise<T>
): Promise<T> {
  const behindMs = behind(profile)
  const clock = {
    now: () => Date.now() - behindMs,
    after: (delayMs: number, callback: () => void) => {
      const timer = setTimeout(callback, delayMs)
      return () => clearTimeout(timer)
    }
  }
  const node = await startDevNode({
    port: 0,
    open: true,
    ...(behindMs > 0 && { clock }),
    ...options,
    profile,
    timings: { ...DEFAULT_TIMINGS, ...options.timings }
  })
  const { fetcher, submitter } = providerOf(node)
  const wallet = new AppWallet({
    networkId: 0,
    key: { type: 'mnemonic', words: DEV_PHRASE.split(' ') },
    fetcher,
    submitter
  })
  const client = createHeadClient({ url: node.url, wallet, withdrawPause: 0 })
  try {
    await client.connect()
    return await use({ node, client, profile })
  } finally {
    await client.disconnect()
    await node.stop()
    wallet.dispose()
  }
}

/** Facts of a head; waits of the doctor pass at once. */
export async function factsOf(head: SeededHead, seed: Pick<Seed, 'says' | 'check'>): Promise<HeadFacts> {
  const { node } = head
  const more = (await seed.check?.(head)) ?? {}
  const says = seed.says ?? ((text: string) => text)
  let skippedMs = 0
  return gatherFacts(
    {
      head: changed(node.connector(), (text) => says(patched(text))),
      peers: [],
      provider: providerOf(node).fetcher as never,
      fuelAddress: node.accounts[3]!.address,
      metricsUrl: null,
      patienceMs: 30_000,
      signal: new AbortController().signal,
      ...more
    } as never,
    {
      now: () => Date.now() + skippedMs,
      async sleep(ms) {
        skippedMs += ms
        await new Promise((resolve) => setTimeout(resolve, 1))
      }
    }
  )
}

/** Findings of a head, by the doctor's facts and, where the seed has one, the check of its decommit. */
export async function findingsOf(
  head: SeededHead,
  seed: Seed
): Promise<Awaited<ReturnType<typeof diagnose>>['findings']> {
  const facts = await factsOf(head, seed)
  const { findings } = await diagnose(facts, seed.before === undefined ? {} : { before: seed.before })
  if (seed.decommit === undefined) return findings
  return [...findings, ...(await checkDecommit({ facts, txCbor: await seed.decommit(head) }))]
}

/** A party's connector, its texts changed. */
export const partyOf = ({ node }: SeededHead, party: number, says = (text: string): string => text): Connector =>
  changed(new WebsocketConnector({ websocketUrl: node.parties[party]!.url! }), (text) => says(patched(text)))

export { told }
