import { addressToString, parseAddress } from '../../codec/address.js'
import type { OptionNames } from '../../codec/options.js'
import { addUnit, addValue, valueFromAmounts } from '../../codec/value.js'
import type { Value } from '../../codec/value.js'
import { WalletMissingError } from '../../errors/clientWallet.js'
import { InvalidArgumentError } from '../../errors/input.js'
import { addOldProperties, OLD_NAMES } from '../../errors/oldNames.js'
import type { UTxO } from '../../types/utxo.js'
import type { Balance } from '../amounts.js'
import { toBalance } from '../amounts.js'
import { readArgs } from '../readArgs.js'
import { unspentAt } from '../confirmedOutputs.js'
import type { ClientContext } from '../ClientContext.js'
import { contextParts } from '../ClientContext.js'
import type { HeadContext } from '../HeadContext.js'
import type { ClientStatus } from '../types.js'

/** An address's or the wallet's money in the head. */
export interface HeadBalance {
  /** Money that snapshots have confirmed, and that can be spent. */
  readonly confirmed: Balance
  /** The same once this client's transactions in flight are confirmed. */
  readonly pending: Balance
  /** Amount of the pending deposit. It is part of neither balance, because it cannot be spent before it is final. */
  readonly arriving: Balance
}

/** Arguments of {@link getBalance}. */
export interface GetBalanceArgs {
  /** Bech32. @default all addresses of the wallet */
  address?: string | undefined
}

/** Arguments of {@link getUtxos}. */
export interface GetUtxosArgs {
  /** Bech32. @default all addresses of the wallet */
  address?: string | undefined
  /**
   * `'confirmed'`: outputs that snapshots have confirmed. `'pending'`: without those that this client's transactions in
   * flight spend, but with those that they make. @default 'pending'
   */
  view?: 'confirmed' | 'pending' | undefined
}

const BALANCE_ARGS: OptionNames<GetBalanceArgs> = { address: true }
const UTXO_ARGS: OptionNames<GetUtxosArgs> = { address: true, view: true }

/**
 * Returns the balance of an address in the head, or of all addresses of the wallet; null before it is known.
 * Synchronous.
 *
 * @throws {@link WalletMissingError} without a wallet and an address; {@link InvalidAddressError} on a value that is
 * not an address of the head's network; {@link InvalidArgumentError} on other arguments
 * @example
 * ```ts no-run
 * import { formatAda } from 'layer-sdk/utils'
 *
 * const balance = head.getBalance() // or of an address: head.getBalance({ address: 'addr_test1...' })
 * console.log(balance === null ? 'not known yet' : formatAda(balance.pending.lovelace))
 * ```
 */
export function getBalance(head: HeadContext, args: GetBalanceArgs = {}): HeadBalance | null {
  const context = contextParts(head)
  const { address } = readArgs(args, BALANCE_ARGS, 'getBalance', 'address')
  const addresses = addressesFor(context, 'getBalance', address)
  if (addresses === null) return null
  const confirmed: Value = new Map()
  const arriving: Value = new Map()
  for (const each of addresses) {
    const balance = context.bridge.getAddressBalance(each)
    if (balance === null) return null
    addValue(confirmed, balance)
    addValue(arriving, context.bridge.getAddressArriving(each) ?? new Map())
  }
  addValue(confirmed, arriving, -1n)
  const pending: Value = new Map(confirmed)
  const owners = new Set(addresses)
  for (const { utxo, sign } of context.view.changes()) {
    if (owners.has(utxo.output.address))
      for (const [unit, amount] of valueFromAmounts(utxo.output.amount)) addUnit(pending, unit, sign * amount)
  }
  return { confirmed: toBalance(confirmed), pending: toBalance(pending), arriving: toBalance(arriving) }
}

/**
 * Returns the unspent outputs of an address in the head, or of all addresses of the wallet; null before they are known.
 * Synchronous. The caller may change the returned objects.
 *
 * @throws {@link WalletMissingError} without a wallet and an address; {@link InvalidAddressError},
 * {@link InvalidArgumentError}
 * @example
 * ```ts no-run
 * const confirmed = head.getUtxos({ view: 'confirmed' })
 * const [first] = head.getUtxos({ address: 'addr_test1...' }) ?? []
 * ```
 */
export function getUtxos(head: HeadContext, args: GetUtxosArgs = {}): UTxO[] | null {
  const context = contextParts(head)
  const { address, view = 'pending' } = readArgs(args, UTXO_ARGS, 'getUtxos', 'address')
  if (view !== 'confirmed' && view !== 'pending')
    throw new InvalidArgumentError('view', "'confirmed' or 'pending'", view)
  const addresses = addressesFor(context, 'getUtxos', address)
  const utxos = addresses === null ? null : walletUtxos(context, view, addresses)
  // Copies: the pending view builds payments from its own.
  return view === 'confirmed' || utxos === null ? utxos : utxos.map(copyOf)
}

/** Returns the unspent outputs of some addresses; null before they are known. */
function walletUtxos(
  { bridge, view }: ClientContext,
  which: 'confirmed' | 'pending',
  addresses: readonly string[]
): UTxO[] | null {
  if (which === 'pending') return view.spendable(addresses)?.map(({ utxo }) => utxo) ?? null
  const found: UTxO[] = []
  for (const address of addresses) {
    const utxos = unspentAt(bridge, address)
    if (utxos === null) return null
    found.push(...utxos)
  }
  return found
}

function copyOf({ input, output }: UTxO): UTxO {
  const { amount, scriptRef } = output
  return {
    input: { ...input },
    output: {
      ...output,
      amount: amount.map((each) => ({ ...each })),
      ...(scriptRef === undefined ? {} : { scriptRef: { ...scriptRef } })
    }
  }
}

/**
 * Returns the state of the connection, the head and the node in one object. Synchronous.
 *
 * @throws {@link InvalidArgumentError} on an object that is not a context
 * @example
 * ```ts no-run
 * const { state, headStatus, snapshotNumber } = head.status()
 * console.log(state, headStatus, snapshotNumber) // e.g. connected Open 12
 * ```
 */
export function status(head: HeadContext): ClientStatus {
  const context = contextParts(head)
  const {
    state,
    headStatus,
    headId,
    nodeVersion,
    snapshotNumber,
    contestationDeadline,
    synced,
    ready,
    verified,
    waiting,
    unknownRule
  } = context.bridge.getSnapshot()
  const { waitingFor, contest, peers } = context.ledger.partyWatch
  const shown: ClientStatus = {
    state,
    headStatus,
    headId,
    nodeVersion,
    parties: context.ledger.parties,
    snapshotNumber,
    contestationDeadline,
    synced,
    ready,
    partial: context.settings.partial,
    pending: context.txs.size,
    ...(waitingFor === null ? {} : { waitingFor }),
    ...(contest === null ? {} : { contest }),
    ...(peers === null ? {} : { peers }),
    ...(verified === undefined ? {} : { verified }),
    ...(waiting === undefined ? {} : { waiting }),
    ...(unknownRule === undefined ? {} : { unknownRule })
  }
  return Object.freeze(addOldProperties(shown, OLD_NAMES.status))
}

function addressesFor(context: ClientContext, action: string, address: string | undefined): readonly string[] | null {
  if (address !== undefined) {
    const canonical = addressToString(parseAddress(address).bytes)
    // Rejects one of another network than the head's: never a false zero.
    context.bridge.getAddressBalance(canonical)
    return [canonical]
  }
  if (context.account.wallet === null)
    throw new WalletMissingError(`${action}()`, 'an address, or the option wallet of createHeadClient')
  return context.account.addresses
}
