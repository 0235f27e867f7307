import type { HeadCandidate } from '../../src/recognition'
import { readRecording } from '../support/recordings'
import type { SignedRecording } from '../support/recordings'
import { EMPTY_ACCUMULATOR, headOutput, openDatum } from './headOutputs'

/** The accumulator of one output of 200 ada, recorded in a datum and in a snapshot. */
const ONE_OUTPUT = 'cf320abfaae6f354712a36cf0f9034aed536c943f46f74eb9e6c145d7cb1c19d'
const ALICE =
  'addr_test1qpx9yesfls03wgndzhlky004w4hxufdmcfyqxrpermkmjna44xhhddygcelx5v0qlp7gyxl6acpefensvr5appn52h7qu0fszr'
const BOB =
  'addr_test1qr5mwaf40wlmlnd693ekh4nfu4j3pk625udtxs0efwxjfmuaeqakx8ue32v38vmn70ky75yvvfvgwptj3qkvft3dhudsp5a8sy'
const NODE = 'addr_test1vqau6vf2cc0p4s409yuyy4ep0nl0ax7zh3dj0vt4dlvtfmq48yln5'
const OWNERS = [ALICE, BOB, NODE]
const FROM = 'masumi-network/masumi-payment-service (MIT)'
const FLOW = `${FROM}, hydra-l2-flow/evidence/2026-08-31-settled/snapshots/pre-close, 0e1d67ae`
const SIGNED = `${FROM}, src/lib/hydra/hydra/__fixtures__/recorded-signed-snapshots-2.4.1.json, 9a470d97`

/** A snapshot that real nodes signed, beside a head output. */
export interface RealVector {
  readonly name: string
  /** Which parts are recorded, and from where. */
  readonly source: string
  readonly headId: string
  readonly addresses: readonly string[]
  readonly headOutput: HeadCandidate
  readonly snapshot: any
}

/** The vectors of real nodes, from the recordings beside a development checkout. */
export function readRealVectors(): RealVector[] {
  const { contents } = readRecording('head-2.3.0')
  const [[ref, output]] = Object.entries<any>(contents.chainState.spendableUTxO) as [[string, any]]
  const [txHash, index] = ref.split('#') as [string, string]
  const {
    headId,
    partyKeys: parties,
    withDeposit,
    withoutDeposit
  } = readRecording<SignedRecording>('signed-snapshots-2.4.1')
  const at = (version: number, accumulatorHash: string): HeadCandidate =>
    headOutput(
      headId,
      version === 0 ? 2_500_000 : 202_500_000,
      openDatum({ headId, parties, version, accumulatorHash })
    )
  const signed = { source: `real snapshot: ${SIGNED}; made head output`, headId, addresses: OWNERS }
  return [
    {
      name: 'real, 2.3, none, same version',
      source: `real snapshot and head output: ${FLOW}`,
      headId: contents.headId,
      addresses: OWNERS,
      headOutput: { input: { txHash, index: Number(index) }, output },
      snapshot: readRecording('snapshot-2.3.0')
    },
    {
      ...signed,
      name: 'real, 2.4, deposit, same version',
      headOutput: at(0, EMPTY_ACCUMULATOR),
      snapshot: withDeposit
    },
    { ...signed, name: 'real, 2.4, deposit, one step later', headOutput: at(1, ONE_OUTPUT), snapshot: withDeposit },
    { ...signed, name: 'real, 2.4, none, same version', headOutput: at(1, ONE_OUTPUT), snapshot: withoutDeposit },
    {
      ...signed,
      name: 'real, 2.4, none, source behind',
      headOutput: at(0, EMPTY_ACCUMULATOR),
      snapshot: withoutDeposit
    }
  ]
}

/** Ada of the three sums that each of them has to give; null: unverifiable. */
export const REAL_SUMS: Readonly<Record<string, readonly number[] | null>> = {
  'real, 2.3, none, same version': [200, 0, 0],
  'real, 2.4, deposit, same version': [0, 200, 0],
  'real, 2.4, deposit, one step later': [200, 0, 0],
  'real, 2.4, none, same version': [200, 0, 0],
  'real, 2.4, none, source behind': null
}
