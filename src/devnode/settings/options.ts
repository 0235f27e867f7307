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

/** An unspent output of the base ledger at the start, given by its bytes. */
export interface GenesisCborUTxO {
  /** Reference of the output: `{ txHash, index }`, `'txHash#index'`, or the input as CBOR hex. */
  input: TxInput | string
  /** The output: CBOR hex. */
  output: string
}

/** Outputs keyed `'txHash#index'`, as the node writes them; read JSON with amounts beyond 2^53 by `parseJson`. */
export type GenesisUTxOMap = Readonly<Record<string, unknown>>

/** One entry of the options `genesis` and `inHead`, in any of their forms. */
export type GenesisEntry = GenesisUTxO | GenesisCborUTxO | GenesisUTxOMap

/** Names of the test keys of a local head that names none. */
export const DEFAULT_TEST_KEYS: readonly string[] = ['alice', 'bob', 'carol']

/** Options of {@link DevNode}; every one may be left out. */
export interface DevNodeOptions {
  /** Node version to pose as. @default '2.4' */
  profile?: DevNodeProfile
  /** Network id of every address: 0 for test networks, 1 for mainnet. @default 0 */
  networkId?: 0 | 1
  /** Seed from which ids and keys are derived, so that they are reproducible. @default 'layer-sdk' */
  seed?: string
  /**
   * Number of parties of the head, 1 to 100: `node.parties`. `startDevNode` serves each on a port of its own: the first
   * on `port`, the second on the next port, and so on. @default 1
   */
  parties?: number
  /** Durations of the node's steps. */
  timings?: DevNodeTimings
  /** Outputs on the base ledger besides those of the funded test keys. */
  genesis?: readonly GenesisEntry[] | GenesisUTxOMap
  /** Opens a head before the first client connects. @default false */
  open?: boolean
  /** Outputs that a deposit brings into that head, in the forms of `genesis`; requires `open`. @default none */
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
  /** Members that replace those of the node's layer-two parameters, in the form of GET /protocol-parameters. */
  protocolParameters?: Readonly<Record<string, unknown>>
  /** Unix time of slot 0, ms; slots are one second long. @default the one of preprod */
  slotZeroMs?: number
  /** Number of messages kept for `history=yes`; beyond it the log is rotated. @default 20000 */
  historyLimit?: number
  /**
   * `'real'`: every snapshot from version 2.2 on carries the true accumulator of its outputs, and no snapshot of more
   * than 4,095 outputs is signed. `'off'`: each carries the accumulator of the empty set, which costs no time; its
   * signatures are true, but a check of its outputs fails. @default 'off'
   */
  accumulator?: 'real' | 'off'
  /**
   * True makes POST /commit refuse outputs that the base ledger does not have, or has otherwise than stated. A real
   * node drafts the stated outputs, and the submission fails. @default false
   */
  checkDeposits?: boolean
  /** Faults from the start. @default none */
  faults?: Partial<DevNodeFaults>
  /**
   * Evaluator that runs Plutus scripts on both ledgers, e.g. `scalusEvaluator()` of `layer-sdk/scalus`. @default none:
   * transactions with scripts are refused
   */
  scriptEvaluator?: ScriptEvaluator
  /** Time limit of the evaluator for a transaction, ms of real time. @default 10000 */
  evaluatorTimeoutMs?: number
  /** Clock that replaces the system's clock and timers, e.g. `manualClock()`. */
  clock?: Clock
}

/** Options of {@link startDevNode}. */
export interface StartDevNodeOptions extends DevNodeOptions {
  /** Port of the node's API; 0 selects a free port. @default 4001 */
  port?: number
  /** Address to listen on. @default '127.0.0.1' */
  host?: string
  /**
   * Port of a JSON-RPC server over the base ledger, for `RpcProvider`; 0 selects a free one, `null` starts none.
   * @default 0
   */
  rpcPort?: number | null
  /**
   * Path of a file that keeps the state of the node, so that a kill loses no confirmed transaction. An existing file is
   * restored, with its profile, network, seed, parties and parameters. @default none
   */
  state?: string
  /**
   * Serves the control of the running node below `/devnode` of the `rpcPort`, to local programs and pages only.
   * @default false
   */
  control?: boolean
  /**
   * URL of a running head node. The local head starts with the state of that node's open head: outputs, parameters,
   * version and slot are read over its API, without changing it. The local head has keys and an id of its own. @default
   * none
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
