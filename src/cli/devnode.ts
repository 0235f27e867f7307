import { InvalidArgumentError } from '../errors/input.js'
import { startDevNode } from '../devnode/index.js'
import type { DevNodeProfile, DevNodeTimings, GenesisUTxO, RunningDevNode, StartDevNodeOptions } from '../devnode/index.js'
import type { Terminal } from './main.js'
import { readGenesisFile } from './genesisFile.js'
import { parseOptions, UsageError, wholeNumber } from './usage.js'

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
  'block-time': TEXT,
  'deposit-delay': TEXT,
  'snapshot-interval': TEXT,
  'contestation-period': TEXT,
  verbose: FLAG,
  json: FLAG
} as const

const MAX_PORT = 65_535
/** Where clients of Ogmios look for it. */
const RPC_PORT = 1337
const MAX_MS = 2_147_483_647
const MAX_PARTIES = 100

/** `layer-sdk devnode`: runs until it is told to stop. */
export async function devnode(args: readonly string[], terminal: Terminal): Promise<void> {
  const values = parseOptions(args, OPTIONS)
  const node = await startDevNode(nodeOptions(values))
  // Asked for at once: Ctrl-C right after the first line must not end the program halfway.
  const stopped = terminal.stopped()
  const say = values.json === true ? jsonLines(terminal) : plainLines(terminal)
  try {
    say.listening(node, values.profile ?? '2.3')
    if (values.verbose === true) follow(node, say)
    await stopped
  } finally {
    await node.stop()
  }
  say.stopped()
}

function nodeOptions(values: ReturnType<typeof parseOptions<typeof OPTIONS>>): StartDevNodeOptions {
  const number = (name: keyof typeof OPTIONS, max: number): number | undefined => wholeNumber(name, values[name] as string | undefined, max)
  const timings: Partial<Record<keyof DevNodeTimings, number | undefined>> = {
    blockMs: number('block-time', MAX_MS),
    depositDelayMs: number('deposit-delay', MAX_MS),
    snapshotIntervalMs: number('snapshot-interval', MAX_MS),
    contestationPeriodMs: number('contestation-period', MAX_MS)
  }
  const networkId = number('network-id', 1)
  const inHead = values['in-head'] ?? []
  if (inHead.length > 0 && values.open !== true) throw new UsageError('--in-head needs --open: without a head there is nothing to put money into.')
  const port = number('port', MAX_PORT)
  return given({
    port,
    host: values.host,
    // Who lets the system choose the one port means both.
    rpcPort: number('rpc-port', MAX_PORT) ?? (port === 0 ? 0 : RPC_PORT),
    // Checked by the node, which names what it knows.
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
    inHead: inHead.map((text) => fundsOf('--in-head', text)),
    timings: given(timings)
  })
}

type Given<T> = { [K in keyof T]: Exclude<T[K], undefined> }

/** The members that are not undefined. */
function given<T extends object>(values: T): Given<T> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Given<T>
}

function fundsOf(option: string, text: string): GenesisUTxO {
  const [address = '', lovelace = '', ...more] = text.split('=')
  if (!/^\d+$/.test(lovelace) || more.length > 0) throw new UsageError(`${option} needs ADDRESS=LOVELACE, not "${text}".`)
  if (address === '') throw new InvalidArgumentError(option, 'an address', address)
  return { address, lovelace: BigInt(lovelace) }
}

function follow(node: RunningDevNode, say: Lines): void {
  // From the start: a head may have been opened before anybody listens.
  node.open('history=yes&snapshot-utxo=no', {
    send: (message) => say.message(typeof message === 'string' ? message : `${message.length} bytes`),
    close() {}
  })
}

interface Lines {
  listening(node: RunningDevNode, profile: string): void
  message(text: string): void
  stopped(): void
}

function plainLines({ out, version }: Terminal): Lines {
  return {
    listening({ url, httpUrl, rpcUrl, indexerUrl, kupoUrl, keys, accounts, phrase }, profile) {
      out(`layer-sdk devnode ${version}: a local head node (version ${profile}) on a simulated base ledger\n`)
      out(
        `  WebSocket    ${url}\n  HTTP         ${httpUrl}\n  Base ledger  ${rpcUrl} (Ogmios)\n               ${indexerUrl} (Blockfrost)\n               ${kupoUrl} (Kupo)\n`
      )
      out('  Funded test keys (public: play money only)')
      for (const { name, address, skey, vkey, lovelace } of keys) {
        out(`\n  ${name}, ${lovelace / 1_000_000n} ada on the base ledger`)
        out(`    address  ${address}\n    skey     ${skey}\n    vkey     ${vkey}`)
      }
      if (accounts.length > 0)
        out(`\n  ${accounts.length} accounts with ${accounts[0]!.lovelace / 1_000_000n} ada each, of the phrase (for tests only)\n    ${phrase}`)
      for (const { index, address } of accounts) out(`    ${index}  ${address}`)
      out('\nCtrl-C stops it.')
    },
    message(text) {
      out(`${new Date().toISOString().slice(11, 23)}  ${summary(text)}`)
    },
    stopped: () => out('Stopped.')
  }
}

function jsonLines({ out }: Terminal): Lines {
  return {
    listening({ url, httpUrl, rpcUrl, indexerUrl, kupoUrl, keys }, profile) {
      const shown = keys.map(({ lovelace, ...key }) => ({ ...key, lovelace: String(lovelace) }))
      out(JSON.stringify({ event: 'listening', url, httpUrl, rpcUrl, indexerUrl, kupoUrl, profile, keys: shown }))
    },
    message: (text) => out(`{"event":"message","message":${text}}`),
    stopped: () => out(JSON.stringify({ event: 'stopped' }))
  }
}

/** A message in one line: its tag and what tells it from others. */
function summary(text: string): string {
  const message = JSON.parse(text) as Record<string, unknown>
  const snapshot = message['snapshot'] as { number: number; confirmed: unknown[] } | undefined
  if (snapshot !== undefined) return `SnapshotConfirmed ${snapshot.number}, ${snapshot.confirmed.length} transactions`
  const idKeys = ['transactionId', 'depositTxId', 'pendingDeposit', 'decommitTxId', 'headId']
  const id = idKeys.map((key) => message[key]).find((value) => value !== undefined) ?? ''
  const reason = (message['validationError'] as { reason?: string } | undefined)?.reason ?? message['reason'] ?? ''
  return [message['tag'] ?? 'InvalidInput', id, reason].filter((part) => part !== '').join(' ')
}
