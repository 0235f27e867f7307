import { parseAddress } from '../../codec/address.js'
import type { NetworkName } from '../../constants.js'
import { NETWORK_ID, SLOT_CONFIG } from '../../constants.js'
import { IndexerProvider, KupoProvider } from '../../providers/index.js'
import type {
  Amount,
  HeadAmounts,
  RecogniseHeadOptions,
  Recognition,
  WatchRecognitionOptions
} from '../../recognition/index.js'
import { recogniseHead, watchRecognition } from '../../recognition/index.js'
import type { Fetcher } from '../../types/provider.js'
import type { Terminal } from '../terminal.js'
import { ExitWithCode, inOneLine, notOneOf, parseCommand, UsageError, wholeNumberOption } from '../usage.js'
import { providerOfFile } from './doctor.js'
import { amountsInAda } from './tx.js'

const OPTIONS = {
  provider: { type: 'string' },
  kupo: { type: 'string' },
  endpoint: { type: 'string', multiple: true },
  address: { type: 'string', multiple: true },
  'deposit-address': { type: 'string' },
  network: { type: 'string' },
  watch: { type: 'boolean' },
  interval: { type: 'string' },
  strict: { type: 'boolean' },
  json: { type: 'boolean' }
} as const
type Values = ReturnType<typeof parseCommand<typeof OPTIONS>>['values']

const MAX_INTERVAL_MS = 86_400_000
const NETWORKS: readonly NetworkName[] = ['mainnet', 'preprod', 'preview']
/** States for which the command exits with 0; for the others, UNVERIFIABLE and UNRECOGNISED, it exits with 1. */
const ANSWERED: readonly Recognition['state'][] = ['VERIFIED_IN_HEAD', 'HEAD_CLOSING', 'NO_HEAD']

/** `layer-sdk recognise`: shows the funds of a wallet in a head, and the evidence that proves them. */
export async function recogniseCommand(args: readonly string[], terminal: Terminal): Promise<void> {
  const { values, positionals } = parseCommand(args, OPTIONS)
  const [headId, ...more] = positionals
  if (headId === undefined || !/^[0-9a-f]{56}$/.test(headId) || more.length > 0)
    throw new UsageError('recognise needs one HEADID of 56 lower-case hexadecimal digits.')
  const options = optionsOf(headId, values)
  const print = (found: Recognition): void => terminal.out(values.json === true ? JSON.stringify(found) : plain(found))
  const interval = wholeNumberOption('interval', values.interval, MAX_INTERVAL_MS)
  if (interval === 0 || (interval !== undefined && values.watch !== true))
    throw new UsageError('--interval needs at least 1 ms, and --watch.')
  const last =
    values.watch === true ? await watch({ ...options, interval }, print, terminal) : await recogniseHead(options)
  if (last !== null && values.watch !== true) print(last)
  if (last === null || !ANSWERED.includes(last.state)) throw new ExitWithCode(1)
}

/** Prints each change of the result until the user stops the program; resolves with the last one, or null. */
async function watch(
  options: WatchRecognitionOptions,
  print: (found: Recognition) => void,
  terminal: Terminal
): Promise<Recognition | null> {
  let last: Recognition | null = null
  let unwatch = (): void => undefined
  try {
    // The first look is bounded by the time limits of its requests.
    await new Promise<void>((resolve) => {
      const onError = (error: unknown): void => {
        terminal.error(`layer-sdk: ${inOneLine(error)}`)
        resolve()
      }
      unwatch = watchRecognition({ ...options, onError }, (found) => {
        last = found
        print(found)
        resolve()
      })
    })
    await terminal.stopped()
  } finally {
    unwatch()
  }
  return last
}

function optionsOf(headId: string, values: Values): RecogniseHeadOptions {
  const { address: addresses = [], endpoint: endpoints = [], strict, 'deposit-address': depositAddress } = values
  if (addresses.length === 0) throw new UsageError('--address is missing: an address of the wallet.')
  if (endpoints.length === 0)
    throw new UsageError("--endpoint is missing: the HTTP address of one of the head's nodes.")
  const network = networkOf(values, addresses)
  return {
    headId,
    addresses,
    endpoints,
    provider: { fetcher: fetcherOf(values, network) },
    slotConfig: SLOT_CONFIG[network.toUpperCase() as 'MAINNET'],
    ...(strict !== undefined && { strict }),
    ...(depositAddress !== undefined && { depositAddress })
  }
}

/**
 * Returns the network, by which slots are converted to times: that of `--network`, else mainnet or preprod by the
 * addresses. @throws UsageError when option and addresses disagree
 */
function networkOf({ network }: Values, addresses: readonly string[]): NetworkName {
  const isMainnet = parseAddress(addresses[0]!).networkId === NETWORK_ID.MAINNET
  const found = NETWORKS.find((each) => each === (network ?? (isMainnet ? 'mainnet' : 'preprod')))
  if (found === undefined) throw notOneOf('--network', NETWORKS, network)
  if ((found === 'mainnet') !== isMainnet) throw new UsageError(`--address is of another network than ${found}.`)
  return found
}

function fetcherOf({ provider, kupo }: Values, network: NetworkName): Fetcher {
  if ((provider === undefined) === (kupo === undefined))
    throw new UsageError('recognise needs --provider or --kupo, one of them: the source of the base ledger.')
  if (kupo !== undefined) return new KupoProvider({ baseUrl: kupo, network }).fetcher
  if (!/^https?:/.test(provider!)) return providerOfFile(provider!)
  // Services of one's own check no key; one with a key stands in a file.
  return new IndexerProvider({ baseUrl: provider!, network, apiKey: `${network}-none` }).fetcher
}

function plain(found: Recognition): string {
  const { state, reason, detail, headId, inHead, snapshot, lastVerified, deposits, closing, asOf, evidence } = found
  const { foldedDeposits: folded } = found
  const rows: [string, string][] = [
    ['State', reason === null ? state : `${state}: ${reason}`],
    ...(detail === null ? [] : [['', detail] as [string, string]]),
    ['Head', headId]
  ]
  if (inHead !== null) rows.push(...amountRows(inHead))
  if (snapshot !== null) rows.push(['Snapshot', `${snapshot.number} (version ${snapshot.version})`])
  if (lastVerified !== null) {
    const { number, version } = lastVerified.snapshot
    const sum = showAmounts(lastVerified.inHead.available)
    rows.push(['Before', `${sum} in snapshot ${number} (version ${version}), the last that was verified`])
  }
  if (closing !== null) rows.push(['Closing', `${closing.phase}, deadline ${timeOf(closing.deadlineMs)}`])
  for (const { depositTxId, amount, state: stateOf, phase, deadlineMs } of deposits)
    rows.push([
      'Deposit',
      `${depositTxId}  ${showAmounts(amount)}  ${phase ?? stateOf}, recoverable from ${timeOf(deadlineMs)}`
    ])
  if (folded !== null) rows.push(['', `${folded.count} more deposits, ${showAmounts(folded.amount)} in all`])
  rows.push(['Evidence', proofsOf(evidence)])
  for (const { endpoint, ok, reason: why } of evidence.endpoints)
    rows.push(['Endpoint', `${endpoint}  ${ok ? 'verified' : why}`])
  rows.push(['As of', `${timeOf(asOf.timeMs)}, slot ${asOf.slot}`])
  return rows.map(([name, value]) => `${name.padEnd(9)}  ${value}`).join('\n')
}

function amountRows({ available, arriving, leaving }: HeadAmounts): [string, string][] {
  const rows: [string, readonly Amount[]][] = [
    ['Available', available],
    ['Arriving', arriving],
    ['Leaving', leaving]
  ]
  return rows.flatMap(([name, amounts]): [string, string][] =>
    name === 'Available' || amounts.length > 0 ? [[name, showAmounts(amounts)]] : []
  )
}

function proofsOf({ anchor, signatures, rule, set, version, backed, deviations }: Recognition['evidence']): string {
  const proofs = [
    anchor === null ? 'no output of the head' : `head output ${anchor.ref}`,
    ...(signatures === null ? [] : [`${signatures} signatures by rule ${rule}`]),
    ...(set === null ? [] : [`outputs ${set}`]),
    ...(version === null ? [] : [`version ${version}`]),
    ...(backed === true ? ['backed'] : []),
    ...(deviations.length === 0 ? [] : [`beyond the text: ${deviations.join(', ')}`])
  ]
  return proofs.join(', ')
}

const showAmounts = (amounts: readonly Amount[]): string => (amounts.length === 0 ? '0 ada' : amountsInAda(amounts))
const timeOf = (ms: number): string => new Date(ms).toISOString()
