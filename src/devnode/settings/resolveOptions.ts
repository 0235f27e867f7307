import type { OptionNames } from '../../codec/options.js'
import { readOptions } from '../../codec/options.js'
import { described, byType } from '../../errors/base.js'
import { InvalidArgumentError } from '../../errors/input.js'
import { DEV_PHRASE, isDevPhrase } from './accounts.js'
import type { Clock } from './clock.js'
import { SYSTEM_CLOCK } from './clock.js'
import { DEFAULT_PROFILE, PROFILES } from './profiles.js'
import { MAX_TIMING_MS, resolveTimings } from './timings.js'
import type {
  GenesisUTxOMap,
  GenesisEntry,
  DevNodeOptions,
  StartDevNodeOptions,
  NodeSettings,
  ResolvedAddress
} from './options.js'
import { DEFAULT_TEST_KEYS } from './options.js'

/** Slot 0 of preprod, extrapolated: 1 s slots since 1655683200. */
const PREPROD_SLOT_ZERO_MS = 1_655_683_200_000

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

/**
 * Checks and returns the options that a caller sets for a node. @throws {@link InvalidArgumentError} on an unknown
 * name.
 */
export function readDevNodeOptions(options: DevNodeOptions): DevNodeOptions {
  return readOptions(options, DEV_NODE_OPTIONS)
}

/**
 * Splits the addresses to listen on from the options of the node itself.
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
 * Checks the options and fills in omitted ones.
 *
 * @throws {@link InvalidArgumentError}
 */
export function resolveOptions(options: DevNodeOptions): NodeSettings & { readonly clock: Clock } {
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
    throw new InvalidArgumentError('inHead', 'open: true beside it', described('a node without a head'))
  const phrase = options.phrase ?? DEV_PHRASE
  if (typeof phrase !== 'string') throw new InvalidArgumentError('phrase', 'a recovery phrase', byType(phrase))
  const accounts = wholeNumber(
    'accounts',
    options.accounts ?? (networkId === 1 && options.phrase == null ? 0 : 10),
    0,
    MAX_ACCOUNTS
  )
  // Its keys are public: funds at such an address on mainnet are lost.
  if (networkId === 1 && isDevPhrase(phrase) && (accounts > 0 || options.phrase != null))
    throw new InvalidArgumentError(
      'phrase',
      'a recovery phrase of your own on network 1, not the public development phrase',
      described('the public one')
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

function entriesOf(name: 'genesis' | 'inHead', value: unknown): readonly GenesisEntry[] {
  if (Array.isArray(value)) return value as readonly GenesisEntry[]
  if (value == null) return []
  if (typeof value === 'object') return [value as GenesisUTxOMap]
  throw new InvalidArgumentError(
    name,
    'an array of { address, lovelace } or { address, amount }, or a UTxO map of a node',
    value
  )
}

/** Resolves the addresses to listen on. @throws {@link InvalidArgumentError} */
export function resolveAddress(options: AddressOptions): ResolvedAddress {
  const host = options.host ?? '127.0.0.1'
  if (typeof host !== 'string' || host === '') throw new InvalidArgumentError('host', 'a name or an address', host)
  const port = wholeNumber('port', options.port ?? 4001, 0, MAX_PORT)
  const { rpcPort = 0 } = options
  const control = options.control ?? false
  if (typeof control !== 'boolean') throw new InvalidArgumentError('control', 'true or false', control)
  if (options.state != null && (typeof options.state !== 'string' || options.state === ''))
    throw new InvalidArgumentError('state', 'the path of a file', options.state)
  if (control && rpcPort === null)
    throw new InvalidArgumentError('control', 'a rpcPort beside it', described('rpcPort: null'))
  return { port, host, control, rpcPort: rpcPort === null ? null : wholeNumber('rpcPort', rpcPort, 0, MAX_PORT) }
}

function wholeNumber(name: string, value: unknown, least: number, most: number): number {
  if (Number.isInteger(value) && (value as number) >= least && (value as number) <= most) return value as number
  throw new InvalidArgumentError(name, `a whole number from ${least} to ${most}`, value)
}
