import { type OptionNames, readOptions } from '../../codec/options.js'
import { InvalidArgumentError } from '../../errors/input.js'
import type { Amount, ScriptRef, TxInput } from '../../types/utxo.js'
import { DEV_PHRASE, isDevPhrase } from './accounts.js'
import type { Clock } from './clock.js'
import { SYSTEM_CLOCK } from './clock.js'
import type { DevNodeFaults } from './faults.js'
import type { ScriptEvaluator } from '../../types/scriptEvaluator.js'
import type { DevNodeProfile } from './profiles.js'
import { DEFAULT_PROFILE, PROFILES } from './profiles.js'
import type { DevNodeTimings, ResolvedTimings } from './timings.js'
import { MAX_TIMING_MS, resolveTimings } from './timings.js'

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
  /** How long things take. */
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
  /** What each account holds, ada. @default 10000 */
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
   * 4,095 is signed. `'off'`: the accumulator of the empty set, which costs nothing; the signatures are true, a check
   * of the outputs fails. @default 'off'
   */
  accumulator?: 'real' | 'off'
  /**
   * Whether POST /commit refuses outputs that the base ledger does not have, or has otherwise than stated. A real node
   * drafts what is stated, and the submission fails. @default false
   */
  checkDeposits?: boolean
  /** Faults from the start. @default none */
  faults?: Partial<DevNodeFaults>
  /**
   * Runs Plutus scripts on both ledgers, e.g. `scalusEvaluator()` of `layer-sdk/scalus`. @default none: transactions
   * with scripts are refused
   */
  scriptEvaluator?: ScriptEvaluator
  /** How long the evaluator may take for a transaction, ms of real time. @default 10000 */
  evaluatorTimeoutMs?: number
  /** Takes the place of the system's clock and timers. */
  clock?: Clock
}

/** Options of {@link startDevNode}. */
export interface StartDevNodeOptions extends DevNodeOptions {
  /** 0 takes a free port. @default 4001 */
  port?: number
  /** Address to listen on. @default '127.0.0.1' */
  host?: string
  /**
   * Port of a JSON-RPC server over the base ledger, for `RpcProvider`; 0 takes a free one, `null` starts none. @default
   * 0
   */
  rpcPort?: number | null
  /**
   * File that the state of the node is kept in: a kill loses nothing that was confirmed. A file that is there already
   * is taken up, with its profile, network, seed, parties and parameters. @default none
   */
  state?: string
  /**
   * Serves the control of the running node below `/devnode` of the `rpcPort`, to programs and pages of this machine
   * only. @default false
   */
  control?: boolean
  /**
   * URL of a running head node whose open head the local one starts from: outputs, parameters, version and slot are
   * read over its API, and nothing is written there. The local head has keys and an id of its own. @default none
   */
  fork?: string
}

/** Slot 0 of preprod, extrapolated: 1 s slots since 1655683200. */
const PREPROD_SLOT_ZERO_MS = 1_655_683_200_000

/** What the node works with. */
export interface ResolvedOptions {
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

/** Where the server listens. */
export interface ResolvedAddress {
  readonly port: number
  readonly host: string
  readonly rpcPort: number | null
  readonly control: boolean
}

const MAX_PARTIES = 100
const MAX_ACCOUNTS = 100
/** All ada there will ever be. */
const MAX_BALANCE_ADA = 45_000_000_000
const MAX_PORT = 65_535

type AddressOptions = {
  [Name in 'port' | 'host' | 'rpcPort' | 'fork' | 'control' | 'state']?: StartDevNodeOptions[Name] | undefined
}

const DEV_NODE_OPTIONS: OptionNames<DevNodeOptions> = {
  profile: true,
  networkId: true,
  seed: true,
  parties: true,
  timings: true,
  genesis: true,
  open: true,
  inHead: true,
  accounts: true,
  balance: true,
  phrase: true,
  testKeys: true,
  protocolParameters: true,
  slotZeroMs: true,
  historyLimit: true,
  accumulator: true,
  checkDeposits: true,
  faults: true,
  scriptEvaluator: true,
  evaluatorTimeoutMs: true,
  clock: true
}
const ADDRESS_OPTIONS: OptionNames<AddressOptions> = {
  port: true,
  host: true,
  rpcPort: true,
  fork: true,
  control: true,
  state: true
}

/** Own options of a node. @throws {@link InvalidArgumentError} on an unknown name. */
export function readDevNodeOptions(options: DevNodeOptions): DevNodeOptions {
  return readOptions(options, DEV_NODE_OPTIONS)
}

/**
 * Where to listen, and the options of the node itself.
 *
 * @throws {@link InvalidArgumentError} on an unknown name.
 */
export function splitOptions(options: StartDevNodeOptions): { address: AddressOptions; node: DevNodeOptions } {
  const { port, host, rpcPort, fork, control, state, ...node } = readOptions(options, {
    ...DEV_NODE_OPTIONS,
    ...ADDRESS_OPTIONS
  })
  return { address: { port, host, rpcPort, fork, control, state }, node }
}

/**
 * Fills in what was left out.
 *
 * @throws {@link InvalidArgumentError}
 */
export function resolveOptions(options: DevNodeOptions): ResolvedOptions & { readonly clock: Clock } {
  const profile = options.profile ?? DEFAULT_PROFILE
  if (!Object.hasOwn(PROFILES, profile))
    throw new InvalidArgumentError('profile', Object.keys(PROFILES).join(', '), profile)
  const networkId = options.networkId ?? 0
  if (networkId !== 0 && networkId !== 1) throw new InvalidArgumentError('networkId', '0 or 1', networkId)
  const seed = options.seed ?? 'layer-sdk'
  if (typeof seed !== 'string') throw new InvalidArgumentError('seed', 'a text', seed)
  const genesis = entriesOf('genesis', options.genesis)
  const inHead = entriesOf('inHead', options.inHead)
  const open = options.open ?? false
  if (typeof open !== 'boolean') throw new InvalidArgumentError('open', 'true or false', open)
  if (inHead.length > 0 && !open)
    throw new InvalidArgumentError('inHead', 'open: true beside it', 'a node without a head')
  const phrase = options.phrase ?? DEV_PHRASE
  if (typeof phrase !== 'string') throw new InvalidArgumentError('phrase', 'a recovery phrase', typeof phrase)
  const accounts = wholeNumber(
    'accounts',
    options.accounts ?? (networkId === 1 && options.phrase == null ? 0 : 10),
    0,
    MAX_ACCOUNTS
  )
  // Everybody has its keys: what somebody sends to such an address on mainnet is gone.
  if (networkId === 1 && isDevPhrase(phrase) && (accounts > 0 || options.phrase != null))
    throw new InvalidArgumentError(
      'phrase',
      'a recovery phrase of your own on network 1, not the public development phrase',
      'the public one'
    )
  const accumulator = options.accumulator ?? 'off'
  if (accumulator !== 'real' && accumulator !== 'off')
    throw new InvalidArgumentError('accumulator', "'real' or 'off'", accumulator)
  const checkDeposits = options.checkDeposits ?? false
  if (typeof checkDeposits !== 'boolean')
    throw new InvalidArgumentError('checkDeposits', 'true or false', checkDeposits)
  const scriptEvaluator = options.scriptEvaluator ?? null
  if (scriptEvaluator !== null && typeof scriptEvaluator !== 'function')
    throw new InvalidArgumentError('scriptEvaluator', 'a function', scriptEvaluator)
  const testKeys = options.testKeys ?? DEFAULT_TEST_KEYS
  const named = Array.isArray(testKeys) && testKeys.every((name) => typeof name === 'string')
  if (!named) throw new InvalidArgumentError('testKeys', 'an array of names', testKeys)
  return {
    profile,
    networkId,
    seed,
    accumulator,
    checkDeposits,
    scriptEvaluator,
    evaluatorTimeoutMs: wholeNumber('evaluatorTimeoutMs', options.evaluatorTimeoutMs ?? 10_000, 1, MAX_TIMING_MS),
    parties: wholeNumber('parties', options.parties ?? 1, 1, MAX_PARTIES),
    timings: resolveTimings(options.timings ?? {}, PROFILES[profile]),
    genesis,
    open,
    inHead,
    accounts,
    balance: wholeNumber('balance', options.balance ?? 10_000, 1, MAX_BALANCE_ADA),
    phrase,
    testKeys,
    slotZeroMs: wholeNumber('slotZeroMs', options.slotZeroMs ?? PREPROD_SLOT_ZERO_MS, 0, Number.MAX_SAFE_INTEGER),
    historyLimit: wholeNumber('historyLimit', options.historyLimit ?? 20_000, 0, Number.MAX_SAFE_INTEGER),
    clock: options.clock ?? SYSTEM_CLOCK
  }
}

function entriesOf(name: 'genesis' | 'inHead', given: unknown): readonly GenesisEntry[] {
  if (Array.isArray(given)) return given as readonly GenesisEntry[]
  if (given == null) return []
  if (typeof given === 'object') return [given as GenesisUTxOMap]
  throw new InvalidArgumentError(
    name,
    'an array of { address, lovelace } or { address, amount }, or a UTxO map of a node',
    given
  )
}

/** Where to listen. @throws {@link InvalidArgumentError} */
export function resolveAddress(options: AddressOptions): ResolvedAddress {
  const host = options.host ?? '127.0.0.1'
  if (typeof host !== 'string' || host === '') throw new InvalidArgumentError('host', 'a name or an address', host)
  const port = wholeNumber('port', options.port ?? 4001, 0, MAX_PORT)
  const { rpcPort = 0 } = options
  const control = options.control ?? false
  if (typeof control !== 'boolean') throw new InvalidArgumentError('control', 'true or false', control)
  if (options.state != null && (typeof options.state !== 'string' || options.state === ''))
    throw new InvalidArgumentError('state', 'the path of a file', options.state)
  if (control && rpcPort === null) throw new InvalidArgumentError('control', 'a rpcPort beside it', 'rpcPort: null')
  return { port, host, control, rpcPort: rpcPort === null ? null : wholeNumber('rpcPort', rpcPort, 0, MAX_PORT) }
}

function wholeNumber(name: string, value: unknown, least: number, most: number): number {
  if (Number.isInteger(value) && (value as number) >= least && (value as number) <= most) return value as number
  throw new InvalidArgumentError(name, `a whole number from ${least} to ${most}`, value)
}
