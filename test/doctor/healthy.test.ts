import { DevNode } from '../../src/devnode'
import { createHeadClient } from '../../src/client'
import { checkHead } from '../../src/doctor'
import type { Fetcher } from '../../src/doctor'
import { randomSource } from '../support/random'
import { fullRun } from '../support/scale'
import { changed, DEFAULT_TIMINGS } from './devnodeSupport'
import { ADA, ADDRESS, datumOf, told, utxo } from './factsSupport'

const HEADS = fullRun ? 1_000 : 100
const PROFILES = ['2.2', '2.3', '2.4'] as const

/** Nodes pose as releases that operators were told to leave: their successors have the same wire. */
const patched = (text: string): string => text.replace(/("hydraNodeVersion":\s*")(2\.[23])\.0/g, '$1$2.9')

/** Outputs of a healthy head: at most ten datums, sizes up to 90 % of the limits. */
function outputsOf(random: ReturnType<typeof randomSource>): object[] {
  const count = random.pick([1, 3, 12, 29, 40])
  // A large one alone: with others behind it the steps of a fanout are cut by its size.
  if (random.below(10) === 0) return [{ address: ADDRESS, lovelace: 60n * ADA, datum: datumOf(9_000) }]
  return Array.from({ length: count }, (_, i) => {
    const lovelace = BigInt(2_000_000 + random.below(50_000_000))
    if (i < 10 && random.below(4) === 0) return { address: ADDRESS, lovelace, datum: datumOf(2 + random.below(100)) }
    if (random.below(5) !== 0) return { address: ADDRESS, lovelace }
    const unit = Buffer.from(random.bytes(28)).toString('hex') + random.pick(['', '476f6c64'])
    const amount = [
      { unit: 'lovelace', quantity: String(lovelace) },
      { unit, quantity: String(1 + random.below(1_000_000)) }
    ]
    return { address: ADDRESS, amount }
  })
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
    fetchAddressUTxOs: () => Promise.resolve([utxo(1, 40n * ADA)]),
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
    const outputs = outputsOf(random)
    const node = new DevNode({
      profile,
      parties: 1 + random.below(3),
      seed: `healthy ${i}`,
      open: true,
      inHead: outputs as never,
      timings: { ...DEFAULT_TIMINGS, depositPeriodMs: 3_600_000 }
    })
    const client = createHeadClient({ connector: node.connector() })
    await client.connect()
    const report = await checkHead({
      head: changed(node.connector(), patched),
      provider: providerOf(node),
      fuelAddress: ADDRESS,
      before: 'close'
    })
    expect([i, told(report.findings)]).toEqual([i, ['unknown chain-stalled']])
    expect(report.exit!.outputs).toBe(outputs.length)
    const before = node.baseUtxos(ADDRESS).length
    await client.closeAndFanoutHead({ timeout: 20_000 })
    expect([i, node.baseUtxos(ADDRESS).length - before]).toEqual([i, outputs.length])
    await client.disconnect()
    await node.stop()
  }
}, 600_000)
