import { bytesToHex } from '../../src/codec/hex'
import { headFile } from '../../src/setup'
import type { HeadFile } from '../../src/setup'
import type { randomSource } from './random'

type Source = ReturnType<typeof randomSource>

const seconds = (random: Source, from: number): string => `${from + random.below(100_000)}s`

/** A head file as a program may be given it: any network, version, periods, 1 to 29 parties. */
export function randomHeadFile(random: Source): HeadFile {
  const hex = (): string => bytesToHex(random.bytes(32))
  const nodeVersion = random.pick(['2.3', '2.3.0', '2.4', '2.4.1', '2.4.1-099f5dd'])
  const network = random.pick(['mainnet', 'preprod', 'preview', 42, 7, 4_000_000_000] as const)
  const scripts = Array.from({ length: random.below(3) + (typeof network === 'number' ? 1 : 0) }, hex)
  const count = random.pick([1, 2, 3, 5, 29])
  return headFile({
    version: 1,
    network,
    nodeVersion,
    scripts,
    contestationPeriod: seconds(random, network === 'mainnet' ? 43_200 : 1),
    depositPeriod: seconds(random, 1),
    depositActivation: nodeVersion.startsWith('2.4') ? seconds(random, 1) : null,
    parametersHash: random.pick([null, hex()]),
    parties: Array.from({ length: count }, (_, i) => ({
      name: random.pick([`party-${i}`, `P_${i}`, `${i}x`]),
      hydraVkey: hex(),
      cardanoVkey: hex(),
      peer: `${random.pick([`10.0.0.${i}`, `node-${i}.example`, `[fd00::${i}]`])}:${5001 + random.below(100)}`
    }))
  })
}
