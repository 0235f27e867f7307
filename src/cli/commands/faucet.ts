import { parseAddress } from '../../codec/address.js'
import { isLoopback } from '../../net/loopback.js'
import { formatAda } from '../../utils/inner.js'
import { parseAmount } from '../amount.js'
import type { Terminal } from '../terminal.js'
import { CommandFailure, parseCommand, UsageError } from '../usage.js'
import { timeoutOf } from './headConnection.js'
import { print } from './headLife.js'

const TEXT = { type: 'string' } as const
const OPTIONS = { control: TEXT, in: TEXT, timeout: TEXT, json: { type: 'boolean' } } as const

/** Default of `--control`: control URL of a local head. */
const DEFAULT_CONTROL = 'http://127.0.0.1:1337/devnode'

/** `layer-sdk faucet`: creates test ada at an address. It works with a local head (`layer-sdk devnode`) only. */
export async function faucetCommand(args: readonly string[], terminal: Terminal): Promise<void> {
  const { values, positionals } = parseCommand(args, OPTIONS)
  const [address, text, ...more] = positionals
  const { control = DEFAULT_CONTROL, in: where = 'base' } = values
  if (address === undefined || text === undefined || more.length > 0)
    throw new UsageError('faucet needs an ADDRESS and an AMOUNT.')
  if (where !== 'base' && where !== 'head') throw new UsageError('--in needs base or head.')
  parseAddress(address)
  const lovelace = parseAmount(text)
  const url = URL.canParse(control) ? new URL(control) : null
  if (url === null || url.protocol !== 'http:' || !isLoopback(url.hostname))
    throw new UsageError('--control needs the URL of a local head on this machine, e.g. http://127.0.0.1:1337/devnode.')
  url.pathname = `${url.pathname.replace(/\/$/, '')}/faucet`
  const body = JSON.stringify({ address, lovelace: String(lovelace), in: where })
  const answer = await fetch(url, {
    method: 'POST',
    body,
    headers: { 'Content-Type': 'application/json' },
    redirect: 'error',
    signal: AbortSignal.timeout(timeoutOf(values))
  }).catch((error: unknown) => {
    throw new CommandFailure(`No local head answers at ${url.origin}: start one with layer-sdk devnode.`, error)
  })
  if (!answer.ok)
    throw new CommandFailure(`The local head at ${url.origin} refused it: ${(await answer.text()).slice(0, 300)}`)
  const paid = { address, lovelace: String(lovelace), in: where }
  print(
    values,
    terminal,
    paid,
    `Paid ${formatAda(lovelace)} test ada ${where === 'head' ? 'in the head' : 'on the base ledger'}.`
  )
}
