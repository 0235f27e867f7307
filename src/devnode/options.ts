import { parseAddress } from '../codec/address.js'
import { InvalidArgumentError } from '../errors/input.js'
import type { Amount } from '../types/utxo.js'
import type { Clock } from './clock.js'
import type { DevNodeFaults } from './faults.js'
import type { DevNodeProfile } from './profiles.js'
import { PROFILES } from './profiles.js'

/** How long things take on the local node, ms unless said otherwise. */
export interface DevNodeTimings {
  /** From posting a transaction to the base ledger to seeing it there. @default 50 */
  blockMs?: number
  /** From seeing a deposit to taking it into a snapshot. @default 100 */
  depositDelayMs?: number
  /** `depositPeriod`: a deposit can be recovered after three of them. @default 3600000 */
  depositPeriodMs?: number
  /** From asking for a snapshot to having it signed. @default 20 */
  snapshotIntervalMs?: number
  /** Most transactions in one snapshot. @default the profile's: 100 */
  snapshotSize?: number
  /** From closing to ReadyToFanout. @default 2000 */
  contestationPeriodMs?: number
  /** Wait before a transaction that cannot be applied is tried again. @default 100 */
  invalidRetryMs?: number
  /** How often it is tried again before TxInvalid. @default 5 */
  invalidRetries?: number
  /** `--api-transaction-timeout`. @default 300000 */
  transactionTimeoutMs?: number
  /** Between two WebSocket pings. @default 30000 */
  pingMs?: number
}

/** An unspent output of the base ledger at the start. */
export interface GenesisUTxO {
  address: string
  /** Either `lovelace`, or `amount` with assets. */
  lovelace?: bigint | number
  amount?: readonly Amount[]
}

/** Options of {@link DevNode}; every one may be left out. */
export interface DevNodeOptions {
  /** Node version to pose as. @default '2.3' */
  profile?: DevNodeProfile
  /** Network of every address. @default 0 */
  networkId?: 0 | 1
  /** Makes ids and keys reproducible. @default 'layer-sdk' */
  seed?: string
  /** Parties of the head; all but the first are played by the node. @default 1 */
  parties?: number
  timings?: DevNodeTimings
  /** Outputs on the base ledger besides those of the funded test keys. */
  genesis?: readonly GenesisUTxO[]
  /** Names of the test keys that are made and funded. @default ['alice', 'bob', 'carol'] */
  testKeys?: readonly string[]
  /** Replaces keys of the node's layer-two parameters, in the form of GET /protocol-parameters. */
  protocolParameters?: Readonly<Record<string, unknown>>
  /** Unix time of slot 0, ms; slots are one second long. @default the one of preprod */
  slotZeroMs?: number
  /** Outputs kept for `history=yes`; beyond it the log is rotated. @default 20000 */
  historyLimit?: number
  faults?: Partial<DevNodeFaults>
  clock?: Clock
}

/** Options of {@link startDevNode}. */
export interface StartDevNodeOptions extends DevNodeOptions {
  /** 0 takes a free port. @default 4001 */
  port?: number
  /** @default '127.0.0.1' */
  host?: string
  /** Port of a JSON-RPC server over the base ledger, for `RpcProvider`; 0 takes a free one, `null` starts none. @default 0 */
  rpcPort?: number | null
}

/** Slot 0 of preprod, extrapolated: 1 s slots since 1655683200. */
const PREPROD_SLOT_ZERO_MS = 1_655_683_200_000

/** Timings with nothing left out. */
export type ResolvedTimings = Required<Omit<DevNodeTimings, 'snapshotSize'>> & Pick<DevNodeTimings, 'snapshotSize'>

const DEFAULT_TIMINGS: ResolvedTimings = {
  blockMs: 50,
  depositDelayMs: 100,
  depositPeriodMs: 3_600_000,
  snapshotIntervalMs: 20,
  contestationPeriodMs: 2000,
  invalidRetryMs: 100,
  invalidRetries: 5,
  transactionTimeoutMs: 300_000,
  pingMs: 30_000
}

/** What the node works with. */
export interface ResolvedOptions {
  readonly profile: DevNodeProfile
  readonly networkId: 0 | 1
  readonly seed: string
  readonly parties: number
  readonly timings: ResolvedTimings
  readonly slotZeroMs: number
  readonly historyLimit: number
}

/** Byron addresses of every network are taken: there is one kind of them only. */
export function assertAddressNetwork(text: string, networkId: 0 | 1): void {
  const address = parseAddress(text)
  if (address.type === 'byron' || address.networkId === networkId) return
  throw new InvalidArgumentError('address', `an address of network ${networkId}`, text)
}

/**
 * Fills in what was left out.
 *
 * @throws {@link InvalidArgumentError}
 */
export function resolveOptions(options: DevNodeOptions): ResolvedOptions {
  const { profile = '2.3', parties = 1 } = options
  if (!Object.hasOwn(PROFILES, profile)) throw new InvalidArgumentError('profile', Object.keys(PROFILES).join(', '), profile)
  if (!Number.isInteger(parties) || parties < 1) throw new InvalidArgumentError('parties', 'a whole number from 1 on', parties)
  return {
    profile,
    networkId: options.networkId ?? 0,
    seed: options.seed ?? 'layer-sdk',
    parties,
    timings: { ...DEFAULT_TIMINGS, ...options.timings },
    slotZeroMs: options.slotZeroMs ?? PREPROD_SLOT_ZERO_MS,
    historyLimit: options.historyLimit ?? 20_000
  }
}
