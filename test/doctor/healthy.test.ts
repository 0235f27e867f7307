import { DevNode, LoopbackConnector } from '../../src/devnode'
import { createHeadClient } from '../../src/client'
import { checkHead } from '../../src/doctor'
import type { Fetcher, HeadReport } from '../../src/doctor'
import { randomSource } from '../support/random'
import { fullRun } from '../support/scale'
import { changed, DEFAULT_TIMINGS } from './devnodeSupport'
import { ADA, ADDRESS, datumOf, told, utxo } from './factsSupport'

const HEADS = fullRun ? 1_000 : 100
const PROFILES = ['2.2', '2.3', '2.4'] as const

/** Nodes pose as releases that operators were told to leave: their successors have the same wire. */
const patched = (text: string): string => text.replace(/("hydraNodeVersion":\s*")(2\.[23])\.0/g, '$1$2.9')

type Random = ReturnType<typeof randomSource>

/** Outputs of a healthy head: at most ten datums, sizes up to 90 % of the limits. */
function outputsOf(random: Random, isLargest: boolean): object[] {
  if (isLargest) return Array.from({ length: 3_150 }, () => ({ address: ADDRESS, lovelace: 2n * ADA }))
  const count = random.pick([1, 3, 12, 29, 40])
  // A large one alone: with others behind it the steps of a fanout are cut by its size.
  if (random.below(10) === 0) return [{ address: ADDRESS, lovelace: 60n * ADA, datum: datumOf(9_000) }]
  if (random.below(20) === 0) return [{ address: ADDRESS, amount: [lovelaceOf(60n * ADA), ...tokensOf(random, 110)] }]
  return Array.from({ length: count }, (_, i) => {
    const lovelace = BigInt(2_000_000 + random.below(50_000_000))
    if (i < 10 && random.below(4) === 0) return { address: ADDRESS, lovelace, datum: datumOf(2 + random.below(100)) }
    if (random.below(5) !== 0) return { address: ADDRESS, lovelace }
    return { address: ADDRESS, amount: [lovelaceOf(lovelace), ...tokensOf(random, 1)] }
  })
}

const lovelaceOf = (lovelace: bigint): object => ({ unit: 'lovelace', quantity: String(lovelace) })

/** Tokens of so many policies. */
const tokensOf = (random: Random, count: number): object[] =>
  Array.from({ length: count }, () => {
    const unit = Buffer.from(random.bytes(28)).toString('hex') + random.pick(['', '476f6c64'])
    return { unit, quantity: String(1 + random.below(1_000_000)) }
  })

/**
 * Deposits beside the head's outputs, each in a window in which no step is in the way of it: before its activation;
 * approved, with its increment on the way; active behind an approved one; none.
 */
const WINDOWS = ['none', 'inactive', 'approved', 'active'] as const
type Window = (typeof WINDOWS)[number]
const PENDING_MS = 1_200_000
const DEPOSITS: Readonly<Record<Window, number>> = { none: 0, inactive: 1, approved: 1, active: 2 }

/** Makes the deposits of a window, and resolves when the node knows them; they go on. */
async function deposit(node: DevNode, window: Window): Promise<Promise<unknown>[]> {
  if (window !== 'inactive') node.faults.pendingWindowMs = PENDING_MS
  const made: Promise<unknown>[] = []
  for (let count = 1; count <= DEPOSITS[window]; count++) {
    made.push(node.fundHead(ADDRESS, BigInt(3_000_000 + count)))
    await until(async () => (JSON.parse(await textOf(node, '/commits')) as string[]).length === count)
    if (count === 1 && window !== 'inactive')
      await until(async () => /"utxoToCommit":\{"/.test(await textOf(node, '/snapshot')))
  }
  // Between two snapshots, as an operator finds a head: else the doctor waits for the next.
  await until(async () => !/"tag":\s*"(Requested|Seen)Snapshot"/.test(await textOf(node, '/snapshot/last-seen')))
  return made
}

const textOf = async (node: DevNode, path: string): Promise<string> =>
  Buffer.from((await node.request({ method: 'GET', path, body: '' })).body).toString()

async function until(holds: () => Promise<boolean>): Promise<void> {
  for (let i = 0; i < 20_000; i++) {
    if (await holds()) return
    await new Promise((resolve) => setTimeout(resolve, 1))
  }
  throw new Error('this never held')
}

/** The base ledger as a provider shows it: the parameters of the head's own, and a filled wallet. */
const providerOf = (node: DevNode): Fetcher => {
  const { utxoCostPerByte, maxValueSize, costModels, protocolVersion } = node.protocolParameters as never as {
    utxoCostPerByte: number
    maxValueSize: number
    costModels: Record<string, number[]>
    protocolVersion: { major: number; minor: number }
  }
  return {
    fetchAddressUTxOs: () => Promise.resolve([utxo(1, 400n * ADA)]),
    fetchProtocolParameters: () =>
      Promise.resolve({
        coinsPerUtxoByte: BigInt(utxoCostPerByte),
        maxTxSize: 16_384,
        maxValueSize,
        costModels,
        protocolVersion
      })
  } as never as Fetcher
}

it(`${HEADS} healthy heads have no block and no warning; each then closes and fans out all that it holds`, async () => {
  const random = randomSource('healthy heads')
  for (let i = 0; i < HEADS; i++) {
    const profile = PROFILES[i % PROFILES.length]!
    const outputs = outputsOf(random, i % 250 === 7)
    const window = random.pick(WINDOWS)
    const node = new DevNode({
      profile,
      parties: 1 + random.below(3),
      seed: `healthy ${i}`,
      open: true,
      inHead: outputs as never,
      timings: {
        ...DEFAULT_TIMINGS,
        depositPeriodMs: 3_600_000,
        depositDelayMs: window === 'inactive' ? PENDING_MS : DEFAULT_TIMINGS.depositDelayMs
      }
    })
    const client = createHeadClient({ connector: node.connector() })
    await client.connect()
    try {
      const check = (before?: 'close'): Promise<HeadReport> =>
        checkHead({
          head: changed(node.connector(), patched),
          peers: node.parties.slice(1).map((party) => changed(new LoopbackConnector(party), patched)),
          provider: providerOf(node),
          fuelAddress: ADDRESS,
          ...(before && { before })
        })
      // Before 2.3 a node shows its peers nowhere.
      const unknown = [
        'unknown chain-stalled',
        ...(profile === '2.2' && node.parties.length > 1 ? ['unknown mismatch-peers'] : [])
      ]
      const made = await deposit(node, window)
      const open = await check()
      expect([i, window, told(open.findings).sort()]).toEqual([i, window, unknown])
      expect(open.facts.nodes[0]!.deposits).toMatchObject({ value: { length: DEPOSITS[window] } })
      for (let ended = 0; ended < made.length; ended++) {
        await node.advanceTime(PENDING_MS)
        await made[ended]
      }
      const report = await check('close')
      expect([i, window, told(report.findings).sort()]).toEqual([i, window, unknown])
      const held = outputs.length + DEPOSITS[window]
      expect(report.exit!.outputs).toBe(held)
      const before = node.baseUtxos(ADDRESS).length
      await client.closeAndFanoutHead({ timeout: 20_000 })
      expect([i, window, node.baseUtxos(ADDRESS).length - before]).toEqual([i, window, held])
    } finally {
      await client.disconnect()
      await node.stop()
    }
  }
}, 900_000)
