import type { Amount, ScriptRef, TxInput } from '../../types/utxo.js'
import type { Clock } from './clock.js'
import type { DevNodeFaults } from './faults.js'
import type { ScriptEvaluator } from '../../types/scriptEvaluator.js'
import type { DevNodeProfile } from './profiles.js'
import type { DevNodeTimings, ResolvedTimings } from './timings.js'

/** An unspent output of the base ledger at the start. */
export interface GenesisUTxO {
  /** Bech32, or base58 for Byron. */
  address: string
  /** Either `lovelace`, or `amount` with assets. */
  lovelace?: bigint | number
  /** Lovelace and assets. */
  amount?: readonly Amount[]
  /** Inline datum: CBOR hex. */
  datum?: string
  /** Hash of a datum: hex, 64 characters. */
  datumHash?: string
  /** Reference script. */
  scriptRef?: ScriptRef
}

/** An output by its bytes. */
export interface GenesisCborUTxO {
  /** Names the output: `{ txHash, index }`, `'txHash#index'`, or the input as CBOR hex. */
  input: TxInput | string
  /** The output: CBOR hex. */
  output: string
}

/** Outputs keyed `'txHash#index'`, as the node writes them; amounts beyond 2^53 need `parseJson`. */
export type GenesisUTxOMap = Readonly<Record<string, unknown>>

/** One entry of `genesis`. */
export type GenesisEntry = GenesisUTxO | GenesisCborUTxO | GenesisUTxOMap

/** Names of the test keys of a local head that names none. */
export const DEFAULT_TEST_KEYS: readonly string[] = ['alice', 'bob', 'carol']

/** Options of {@link DevNode}; every one may be left out. */
export interface DevNodeOptions {
  /** Node version to pose as. @default '2.4' */
  profile?: DevNodeProfile
  /** Network of every address. @default 0 */
  networkId?: 0 | 1
  /** Makes ids and keys reproducible. @default 'layer-sdk' */
  seed?: string
  /**
   * Parties of the head, 1 to 100: `node.parties`. `startDevNode` serves each on a port of its own, `port`, the one
   * behind it and so on. @default 1
   */
  parties?: number
  /** Durations. */
  timings?: DevNodeTimings
  /** Outputs on the base ledger besides those of the funded test keys. */
  genesis?: readonly GenesisEntry[] | GenesisUTxOMap
  /** Opens a head before the first client comes. @default false */
  open?: boolean
  /** Outputs that a deposit brings into that head, in the forms of `genesis`; needs `open`. @default none */
  inHead?: readonly GenesisEntry[] | GenesisUTxOMap
  /**
   * Number of accounts of `phrase` that are funded, 0 to 100 (at least ten are always listed); on network 1 only with a
   * phrase of one's own. @default 10
   */
  accounts?: number
  /** Funds of each account, ada. @default 10000 */
  balance?: number
  /** Recovery phrase of the accounts. @default 23 x `test` and `sauce` */
  phrase?: string
  /**
   * Names of the test keys that are funded; where fewer than three are named, default ones without funds follow.
   * @default ['alice', 'bob', 'carol']
   */
  testKeys?: readonly string[]
  /** Replaces keys of the node's layer-two parameters, in the form of GET /protocol-parameters. */
  protocolParameters?: Readonly<Record<string, unknown>>
  /** Unix time of slot 0, ms; slots are one second long. @default the one of preprod */
  slotZeroMs?: number
  /** Number of messages kept for `history=yes`; beyond it the log is rotated. @default 20000 */
  historyLimit?: number
  /**
   * `'real'`: every snapshot from version 2.2 on carries the true accumulator of its outputs, and none of more than
   * 4,095 is signed. `'off'`: the accumulator of the empty set, which has no cost; the signatures are true, a check
   * of the outputs fails. @default 'off'
   */
  accumulator?: 'real' | 'off'
  /**
   * True when POST /commit refuses outputs that the base ledger does not have, or has otherwise than stated. A real
   * node drafts the stated outputs, and the submission fails. @default false
   */
  checkDeposits?: boolean
  /** Faults from the start. @default none */
  faults?: Partial<DevNodeFaults>
  /**
   * Runs Plutus scripts on both ledgers, e.g. `scalusEvaluator()` of `layer-sdk/scalus`. @default none: transactions
   * with scripts are refused
   */
  scriptEvaluator?: ScriptEvaluator
  /** Limit of the evaluator for a transaction, ms of real time. @default 10000 */
  evaluatorTimeoutMs?: number
  /** Replaces the system's clock and timers. */
  clock?: Clock
}

/** Options of {@link startDevNode}. */
export interface StartDevNodeOptions extends DevNodeOptions {
  /** 0 selects a free port. @default 4001 */
  port?: number
  /** Address to listen on. @default '127.0.0.1' */
  host?: string
  /**
   * Port of a JSON-RPC server over the base ledger, for `RpcProvider`; 0 selects a free one, `null` starts none.
   * @default 0
   */
  rpcPort?: number | null
  /**
   * File that keeps the state of the node: a kill loses no confirmed transaction. An existing file is restored, with
   * its profile, network, seed, parties and parameters. @default none
   */
  state?: string
  /**
   * Serves the control of the running node below `/devnode` of the `rpcPort`, to programs and pages of this machine
   * only. @default false
   */
  control?: boolean
  /**
   * URL of a running head node whose open head the local one starts from: outputs, parameters, version and slot are
   * read over its API, without a write there. The local head has keys and an id of its own. @default none
   */
  fork?: string
}

/** Options with every default filled in. */
export interface NodeSettings {
  readonly profile: DevNodeProfile
  readonly networkId: 0 | 1
  readonly seed: string
  readonly parties: number
  readonly timings: ResolvedTimings
  readonly genesis: readonly GenesisEntry[]
  readonly open: boolean
  readonly inHead: readonly GenesisEntry[]
  readonly accounts: number
  readonly balance: number
  readonly phrase: string
  readonly testKeys: readonly string[]
  readonly slotZeroMs: number
  readonly historyLimit: number
  readonly accumulator: 'real' | 'off'
  readonly checkDeposits: boolean
  readonly scriptEvaluator: ScriptEvaluator | null
  readonly evaluatorTimeoutMs: number
}

/** Address that the node's API listens on. */
export interface ListeningAddress {
  readonly host: string
  readonly port: number
}

/** Addresses and ports of the servers. */
export interface ResolvedAddress {
  readonly port: number
  readonly host: string
  readonly rpcPort: number | null
  readonly control: boolean
}
