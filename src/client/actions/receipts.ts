import { addressToString, parseAddress } from '../../codec/address.js'
import type { OptionNames } from '../../codec/options.js'
import { readOptions } from '../../codec/options.js'
import { WalletMissingError } from '../../errors/clientWallet.js'
import { described } from '../../errors/base.js'
import { InvalidArgumentError } from '../../errors/input.js'
import { contextParts } from '../ClientContext.js'
import type { HeadContext } from '../HeadContext.js'
import type { Receipt, ReceiptsArgs } from '../receipts/types.js'

const ARGS: OptionNames<ReceiptsArgs> = {
  address: true,
  addresses: true,
  after: true,
  own: true,
  follow: true,
  signal: true
}

/**
 * Yields the outputs that some addresses receive from others, one by one, in the order of the ledger: those since the
 * cursor `after`, then each new one as it is confirmed. Each is yielded once; after a restart of the program, continue
 * with the cursor of the last receipt that was booked. A loop ends with `break` or the signal, and with `follow: false`
 * after the newest receipt; while the connection is lost, it waits.
 *
 * @throws {@link HistoryGapError} where the node's history, or the gateway's log, no longer reaches back to the cursor;
 * {@link InvalidCursorError} on a cursor that is made up or of another node; {@link WalletMissingError} without a
 * wallet and an address; {@link InvalidAddressError}, {@link InvalidArgumentError}; {@link NotConnectedError} before
 * `connect()`, {@link BridgeDisconnectedError} after `disconnect()`
 * @example
 * ```ts no-run
 * for await (const { cursor, from, amount, note } of head.receipts({ after: await readCursor() }))
 *   await book({ cursor, from, amount, note }) // the cursor and the booking in one write
 * ```
 */
export async function* receipts(head: HeadContext, args: ReceiptsArgs = {}): AsyncGenerator<Receipt, void, void> {
  const context = contextParts(head)
  const { address, addresses, after, own = false, follow = true, signal } = readOptions(args ?? {}, ARGS, 'args')
  if (address !== undefined && addresses !== undefined)
    throw new InvalidArgumentError('args', 'address or addresses', described('both'))
  if (after !== undefined && after !== null && typeof after !== 'string')
    throw new InvalidArgumentError('after', "a receipt's cursor, 'now', or null", after)
  if (typeof own !== 'boolean') throw new InvalidArgumentError('own', 'true or false', own)
  if (typeof follow !== 'boolean') throw new InvalidArgumentError('follow', 'true or false', follow)
  if (signal != null && typeof signal.addEventListener !== 'function')
    throw new InvalidArgumentError('signal', 'an AbortSignal', signal)
  const { wallet } = context.account
  const callerAddresses = address === undefined ? addresses : [address]
  if (callerAddresses !== undefined && (!Array.isArray(callerAddresses) || callerAddresses.length === 0))
    throw new InvalidArgumentError('addresses', 'a list of at least one address (bech32)', callerAddresses)
  if (callerAddresses === undefined && wallet === null)
    throw new WalletMissingError('receipts()', 'an address, or the option wallet of createHeadClient')
  const ofWallet = wallet === null ? [] : await context.account.load(wallet)
  const receivers = callerAddresses === undefined ? ofWallet : [...new Set(callerAddresses.map(canonical))]
  // Rejects an address of another network than the head's: never a false silence.
  for (const each of receivers) context.bridge.getAddressBalance(each)
  const { followReceipts } = await import('../receipts/followReceipts.js')
  yield* followReceipts(context, {
    addresses: receivers,
    own: ofWallet,
    after: after ?? null,
    withOwn: own,
    follow,
    signal: signal ?? undefined
  })
}

const canonical = (address: string): string => addressToString(parseAddress(address).bytes)
