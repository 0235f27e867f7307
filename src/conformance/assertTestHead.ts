import { parseAddress } from '../codec/address.js'
import { parseJson } from '../codec/json.js'
import { described } from '../errors/base.js'
import { InvalidArgumentError } from '../errors/input.js'
import { withTimeLimit } from '../net/abort.js'
import type { Connector } from '../bridge/inner.js'
import type { Wallet } from '../types/wallet.js'
import { asRecord } from './trace.js'

/** Most that the key may hold, in the head and on the base ledger: 1,000 test ada, in lovelace. */
export const MAX_BALANCE = 1_000_000_000n

const REQUEST_MS = 30_000

/** Matches the head id of a node without a base ledger: `offline-` and the seed, in hex. */
const OFFLINE_ID = /^6f66666c696e652d/

/** The facts that are read from a node before any step is tried. */
export interface TestHead {
  /** True for a node without a base ledger. */
  readonly isOffline: boolean
  /** Lovelace that the key holds in the head. */
  readonly inHead: bigint
}

/** Options of {@link assertTestHead}. */
export interface TestHeadOptions {
  readonly connector: Connector
  readonly wallet: Wallet | null
  /** Status of the head, and below its id, as the node's Greetings states them. */
  readonly headStatus: string
  readonly headId: string | null
  /** True where the caller knows that the node is on a test network: nodes before 2.3 do not say. */
  readonly isTestnet: boolean
  readonly signal?: AbortSignal | undefined
}

/**
 * Checks that a life may be run on a head: it is on a test network, holds no outputs of others, and the key has at most
 * {@link MAX_BALANCE}. Resolves with the facts that were read.
 *
 * @throws {@link InvalidArgumentError} that names the reason
 */
export async function assertTestHead(options: TestHeadOptions): Promise<TestHead> {
  const { headStatus, headId, wallet } = options
  const config = await read(options, '/config')
  const utxo = headStatus === 'Idle' ? null : await read(options, '/snapshot/utxo')
  const outputs = Object.values(asRecord(utxo) ?? {}).map(asRecord)
  const addresses = outputs.map((output) => String(output?.['address']))
  const isOffline = OFFLINE_ID.test(headId ?? '') || chainOf(config)?.['mode'] === 'offline'
  assertTestnet(config, addresses, options.isTestnet || isOffline)
  const walletAddresses = wallet === null ? [] : [...(await wallet.getAddresses())]
  if (headStatus !== 'Idle') assertOwn(headStatus, addresses, walletAddresses)
  const inHead = outputs.reduce((sum, output) => sum + lovelaceOf(output?.['value']), 0n)
  assertBalance(inHead + (await onBaseLedger(wallet, walletAddresses)))
  return { isOffline, inHead }
}

function assertTestnet(config: unknown, addresses: readonly string[], isTestnet: boolean): void {
  const backend = asRecord(chainOf(config)?.['backend'])
  if (backend?.['mainnet'] === true || addresses.some((address) => address.startsWith('addr1')))
    throw new InvalidArgumentError('The node', 'a node on a test network', described('one on mainnet'))
  const knows = backend !== null && Object.hasOwn(backend, 'testnet-magic')
  if (knows || isTestnet) return
  const expected = 'a node that names its network (GET /config, from 2.3 on), or --testnet where you know it'
  throw new InvalidArgumentError('The node', expected, described('none'))
}

function assertOwn(headStatus: string, addresses: readonly string[], walletAddresses: readonly string[]): void {
  if (headStatus !== 'Open')
    throw new InvalidArgumentError(
      'The head',
      'none, or an open one of your own',
      described(`one that is ${headStatus}`)
    )
  const hashes = new Set(walletAddresses.map((address) => parseAddress(address).payment?.hash))
  const foreign = addresses.filter((address) => !hashes.has(paymentOf(address)))
  if (foreign.length > 0 || walletAddresses.length === 0)
    throw new InvalidArgumentError(
      'The head',
      'none, or an open one that holds outputs of the key alone',
      walletAddresses.length === 0
        ? described('an open one, and no key')
        : described(`${foreign.length} outputs of others`)
    )
}

function assertBalance(lovelace: bigint): void {
  if (lovelace > MAX_BALANCE)
    throw new InvalidArgumentError('The key', 'at most 1000 test ada', described(`${lovelace / 1_000_000n} ada`))
}

async function onBaseLedger(wallet: Wallet | null, addresses: readonly string[]): Promise<bigint> {
  let sum = 0n
  for (const address of wallet?.queryUTxOs === undefined ? [] : addresses)
    for (const { output } of await wallet!.queryUTxOs!(address))
      for (const { unit, quantity } of output.amount) if (unit === 'lovelace') sum += BigInt(quantity)
  return sum
}

/** Returns the parsed answer to GET of a path; null unless its status is 200. */
async function read({ connector, signal }: TestHeadOptions, path: string): Promise<unknown> {
  const onTimeout = (): Error => new InvalidArgumentError('The node', `an answer to GET ${path}`, described('none'))
  const { status, text } = await withTimeLimit({ signal, timeoutMs: REQUEST_MS, onTimeout }, (inner) =>
    connector.request({ method: 'GET', path, signal: inner })
  )
  return status === 200 ? parseJson(text, `GET ${path}`) : null
}

const chainOf = (config: unknown): Readonly<Record<string, unknown>> | null => asRecord(asRecord(config)?.['chain'])

const lovelaceOf = (value: unknown): bigint => {
  const lovelace = asRecord(value)?.['lovelace']
  return typeof lovelace === 'bigint' || typeof lovelace === 'number' ? BigInt(lovelace) : 0n
}

function paymentOf(address: string): string | undefined {
  try {
    return parseAddress(address).payment?.hash
  } catch {
    return undefined
  }
}
