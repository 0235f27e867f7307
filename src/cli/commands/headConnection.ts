import { readFileSync } from 'node:fs'
import { parseAddress } from '../../codec/address.js'
import type { HeadClient } from '../../client/index.js'
import { createHeadClient } from '../../client/index.js'
import type { Journal } from '../../types/journal.js'
import type { Wallet } from '../../types/wallet.js'
import { ChainCliWallet } from '../../wallet/inner.js'
import type { WalletProviderOptions } from '../../wallet/inner.js'
import { isWrongUsage } from '../failure.js'
import { CommandFailure, inOneLine, UsageError, wholeNumberOption } from '../usage.js'

/** Options of every command that reads a node. */
export const NODE_OPTIONS = { url: { type: 'string' }, timeout: { type: 'string' }, json: { type: 'boolean' } } as const

/** Values of {@link NODE_OPTIONS}. */
export interface NodeValues {
  readonly url?: string | undefined
  readonly timeout?: string | undefined
  readonly json?: boolean | undefined
}

/** Access of a wallet to the base ledger: the services that read it and submit transactions. */
export type LedgerAccess = Pick<WalletProviderOptions, 'fetcher' | 'submitter'>

/** Default URL of the node. */
export const DEFAULT_URL = 'ws://127.0.0.1:4001'

const MAX_TIMEOUT_MS = 3_600_000

/** Returns the time limit of a command, ms: `--timeout`, else `defaultMs`. @throws UsageError */
export function timeoutOf({ timeout }: NodeValues, defaultMs = 10_000): number {
  const ms = wholeNumberOption('timeout', timeout, MAX_TIMEOUT_MS) ?? defaultMs
  if (ms === 0) throw new UsageError('--timeout needs at least 1 ms.')
  return ms
}

/**
 * Returns the path of the signing key file: the option's, else the variable LAYER_KEY's. Arguments and variables never
 * hold a key itself.
 *
 * @throws UsageError without both
 */
export function keyFileOf(option: string | undefined, name = 'key'): string {
  const path = option ?? process.env['LAYER_KEY']
  if (path === undefined || path === '')
    throw new UsageError(
      `--${name} is missing: the path of a signing key file. The environment variable LAYER_KEY can hold that path.`
    )
  return path
}

/** Returns the URL of the node: the option's, else the variable LAYER_URL's, else {@link DEFAULT_URL}. */
export const urlOf = ({ url }: NodeValues): string => url ?? process.env['LAYER_URL'] ?? DEFAULT_URL

/** Connects to the node of `--url`, passes the client to `use`, and always disconnects. */
export async function withHead<T>(
  values: NodeValues,
  timeoutMs: number,
  use: (client: HeadClient) => Promise<T>
): Promise<T> {
  const named = values.url ?? process.env['LAYER_URL']
  const url = urlOf(values)
  const client = createHeadClient({ url, autoReconnect: false, connectTimeout: timeoutMs, requestTimeout: timeoutMs })
  try {
    try {
      await client.connect({ timeout: timeoutMs })
    } catch (error) {
      if (isWrongUsage(error)) throw error
      // Without its path and query, which may hold a key.
      const { protocol, host } = new URL(url)
      const advice = named === undefined ? ', the default: name the node with --url or LAYER_URL' : ''
      throw new CommandFailure(`${inOneLine(error)} The node was ${protocol}//${host}${advice}.`, error)
    }
    return await use(client)
  } finally {
    await client.disconnect()
  }
}

/**
 * Reads a signing key file of cardano-cli and returns its wallet.
 *
 * @throws CommandFailure in one sentence that names the file, but quotes none of its text
 */
export function readKeyFile(path: string, networkId: 0 | 1, provider: LedgerAccess = {}): ChainCliWallet {
  let skey: string
  try {
    skey = readFileSync(path, 'utf8')
  } catch (error) {
    throw new CommandFailure(`The file ${path} cannot be read (${(error as NodeJS.ErrnoException).code ?? 'unknown'}).`)
  }
  try {
    return new ChainCliWallet({ networkId, skey, ...provider })
  } catch (error) {
    throw new CommandFailure(`The file ${path} holds no signing key. ${inOneLine(error)}`)
  }
}

/**
 * Returns a client on the same connection that can spend from all addresses in the head with the payment key `key`. A
 * journal belongs to one wallet, so with a `journal` the change address is the key's enterprise address, which does not
 * depend on the outputs that the head holds.
 */
export async function payingClient(
  { bridge }: HeadClient,
  key: ChainCliWallet,
  {
    journal,
    peerUrls
  }: { readonly journal?: Journal | undefined; readonly peerUrls?: readonly string[] | undefined } = {}
): Promise<HeadClient> {
  const enterprise = key.getAddressBech32()
  const keyHash = parseAddress(enterprise).payment?.hash
  const ownAddresses = (await bridge.addressesInHead()).filter(
    (address) => parseAddress(address).payment?.hash === keyHash
  )
  const addresses = [...new Set(journal === undefined ? [...ownAddresses, enterprise] : [enterprise, ...ownAddresses])]
  const wallet: Wallet = {
    getChangeAddress: () => addresses[0]!,
    getAddresses: () => addresses,
    signTx: (cbor, partial) => key.signTx(cbor, partial)
  }
  const client = createHeadClient({ bridge, wallet, journal, peerUrls })
  // Only connect() reads the journal: without it an id of an earlier run would be paid again.
  if (journal !== undefined) await client.connect()
  return client
}
