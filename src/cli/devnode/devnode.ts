import { DevNodePortError } from '../../errors/devnode.js'
import { InvalidArgumentError } from '../../errors/input.js'
import { startDevNode } from '../../devnode/index.js'
import type {
  DevNodeProfile,
  DevNodeTimings,
  GenesisUTxO,
  RunningDevNode,
  StartDevNodeOptions
} from '../../devnode/index.js'
import type { Terminal } from '../terminal.js'
import { CommandFailure, parseOptions, UsageError, wholeNumberOption } from '../usage.js'
import type { Lines } from './devnodeLines.js'
import { jsonLines, plainLines, QUIET_LINES } from './devnodeLines.js'
import { readFaultOptions } from './faultOption.js'
import { readGenesisFile } from './genesisFile.js'
import { isLoopback } from '../../net/loopback.js'
import { NodeEvents } from './nodeEvents.js'
import { Names } from './payments.js'

const TEXT = { type: 'string' } as const
const FLAG = { type: 'boolean' } as const
const OPTIONS = {
  port: TEXT,
  host: TEXT,
  'rpc-port': TEXT,
  profile: TEXT,
  'network-id': TEXT,
  accumulator: TEXT,
  accounts: TEXT,
  balance: TEXT,
  phrase: TEXT,
  parties: TEXT,
  seed: TEXT,
  fund: { type: 'string', multiple: true },
  genesis: TEXT,
  'in-head': { type: 'string', multiple: true },
  open: FLAG,
  fork: TEXT,
  'block-time': TEXT,
  'deposit-delay': TEXT,
  'deposit-activation': TEXT,
  'snapshot-interval': TEXT,
  'contestation-period': TEXT,
  fault: { type: 'string', multiple: true },
  'check-deposits': FLAG,
  scalus: FLAG,
  'no-control': FLAG,
  state: TEXT,
  verbose: FLAG,
  quiet: FLAG,
  json: FLAG
} as const

const MAX_PORT = 65_535
/** Default port of Ogmios. */
const RPC_PORT = 1337
const MAX_MS = 2_147_483_647
const MAX_PARTIES = 100

/** `layer-sdk devnode`: runs a local head node on a simulated base ledger until the user stops it. */
export async function devnode(args: readonly string[], terminal: Terminal): Promise<void> {
  const values = parseOptions(args, OPTIONS)
  if (values.quiet === true && (values.json === true || values.verbose === true))
    throw new UsageError('--quiet goes with neither --json nor --verbose.')
  const options = nodeOptions(values)
  const node = await start(values.scalus === true ? { ...options, scriptEvaluator: await scalus() } : options)
  // Registered at once: Ctrl-C right after the first line must not end the program halfway.
  const stopped = terminal.stopped()
  const lines = values.quiet === true ? QUIET_LINES : values.json === true ? jsonLines(terminal) : plainLines(terminal)
  try {
    if (node.tornStateBytes > 0)
      terminal.error(
        `layer-sdk: the last ${node.tornStateBytes} bytes of ${values.state} had not been written whole and were left out.`
      )
    node.followState((failure) => terminal.error(`layer-sdk: ${stateLine(failure, String(values.state))}`))
    lines.listening(node, values.scalus === true)
    if (values.quiet !== true) follow(node, lines)
    if (values.verbose === true) followMessages(node, lines)
    await stopped
  } finally {
    await node.stop()
  }
  lines.stopped()
}

/** Returns the line about a failure or recovery of the state file. */
function stateLine(failure: string | null, path: string): string {
  return failure === null
    ? `The state file ${path} is written again.`
    : `${failure.replace(/\.$/, '')}; inputs are refused until it can be written.`
}

async function start(options: StartDevNodeOptions): Promise<RunningDevNode> {
  try {
    return await startDevNode(options)
  } catch (error) {
    if (!(error instanceof DevNodePortError) || error.systemCode !== 'EADDRINUSE') throw error
    const option = error.port === options.rpcPort ? '--rpc-port' : '--port'
    throw new CommandFailure(
      `Port ${error.port} on ${error.host} is in use: choose another with ${option}, or 0 for a free one.`
    )
  }
}

/** Loads the package scalus at the start, so that a missing package is reported then, not with the first script. */
async function scalus(): Promise<NonNullable<StartDevNodeOptions['scriptEvaluator']>> {
  const [{ scalusEvaluator }, { loadScalus }] = await Promise.all([
    import('../../adapters/scalus.js'),
    import('../../adapters/scalus/runner.js')
  ])
  await loadScalus()
  return scalusEvaluator()
}

function nodeOptions(values: ReturnType<typeof parseOptions<typeof OPTIONS>>): StartDevNodeOptions {
  const number = (name: keyof typeof OPTIONS, max: number): number | undefined =>
    wholeNumberOption(name, values[name] as string | undefined, max)
  const timings: Partial<Record<keyof DevNodeTimings, number | undefined>> = {
    blockMs: number('block-time', MAX_MS),
    depositDelayMs: number('deposit-delay', MAX_MS),
    depositActivationMs: number('deposit-activation', MAX_MS),
    snapshotIntervalMs: number('snapshot-interval', MAX_MS),
    contestationPeriodMs: number('contestation-period', MAX_MS)
  }
  const networkId = number('network-id', 1)
  const inHead = values['in-head'] ?? []
  if (inHead.length > 0 && values.open !== true && values.fork === undefined)
    throw new UsageError('--in-head needs --open: an output needs an open head.')
  const port = number('port', MAX_PORT)
  return given({
    port,
    host: values.host,
    // With port 0 the system chooses both ports.
    rpcPort: number('rpc-port', MAX_PORT) ?? (port === 0 ? 0 : RPC_PORT),
    state: values.state,
    // Any client that reaches the port controls the node: never for a whole network.
    control:
      values['no-control'] !== true && isLoopback(values.host === '::1' ? '[::1]' : (values.host ?? '127.0.0.1')),
    // Checked by the node, which names the known values.
    profile: values.profile as DevNodeProfile | undefined,
    accumulator: values.accumulator as 'real' | 'off' | undefined,
    accounts: number('accounts', 100),
    balance: number('balance', 45_000_000_000),
    phrase: values.phrase,
    networkId: networkId as 0 | 1 | undefined,
    parties: number('parties', MAX_PARTIES),
    seed: values.seed,
    genesis: [
      ...(values.genesis === undefined ? [] : readGenesisFile(values.genesis, networkId === 1 ? 1 : 0)),
      ...(values.fund ?? []).map((text) => fundsOf('--fund', text))
    ],
    open: values.open,
    fork: values.fork,
    checkDeposits: values['check-deposits'],
    inHead: inHead.map((text) => fundsOf('--in-head', text)),
    timings: given(timings),
    faults: readFaultOptions(values.fault ?? [])
  })
}

type Given<T> = { [K in keyof T]: Exclude<T[K], undefined> }

/** Returns the members whose values are not undefined. */
function given<T extends object>(values: T): Given<T> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Given<T>
}

function fundsOf(option: string, text: string): GenesisUTxO {
  const [address = '', lovelace = '', ...more] = text.split('=')
  if (!/^\d+$/.test(lovelace) || more.length > 0)
    throw new UsageError(`${option} needs ADDRESS=LOVELACE, not "${text}".`)
  if (address === '') throw new InvalidArgumentError(option, 'an address', address)
  return { address, lovelace: BigInt(lovelace) }
}

function follow(node: RunningDevNode, lines: Lines): void {
  const events = new NodeEvents(new Names(node), (event) => lines.event(event))
  node.follow(events.onMessage, events.onBaseTx)
}

function followMessages(node: RunningDevNode, lines: Lines): void {
  // From the start: a head may have been opened before the first listener.
  node.open('history=yes&snapshot-utxo=no', {
    send: (message) => lines.message(typeof message === 'string' ? message : `${message.length} bytes`),
    close() {}
  })
}
