import { assertFunction } from '../../bridge/inner.js'
import type { OptionNames } from '../../codec/options.js'
import { isEqualBalance } from '../amounts.js'
import type { UTxO } from '../../types/utxo.js'
import type { ClientContext } from '../ClientContext.js'
import { contextParts } from '../ClientContext.js'
import type { HeadContext } from '../HeadContext.js'
import { isVerifying } from '../ownTx.js'
import { readArgs } from '../readArgs.js'
import type { ClientStatus, WatchedTx } from '../types.js'
import { WatchedLedger } from '../WatchedLedger.js'
import { getBalance, status } from './read.js'
import type { GetBalanceArgs, HeadBalance } from './read.js'

/** Arguments of {@link watchBalance}. */
export interface WatchBalanceArgs extends GetBalanceArgs {
  /** Receives the balance; null before it is known. */
  onChange: (balance: HeadBalance | null) => void
}

/** Arguments of {@link watchHead}. */
export interface WatchHeadArgs {
  /** Receives the status. */
  onChange: (status: ClientStatus) => void
}

/** Arguments of {@link watchTxs}. */
export interface WatchTxsArgs {
  /** Receives each step of each transaction. */
  onChange: (tx: WatchedTx) => void
}

const CHANGE_ARGS: OptionNames<WatchHeadArgs & WatchTxsArgs> = { onChange: true }
const BALANCE_ARGS: OptionNames<WatchBalanceArgs> = { address: true, onChange: true }

/**
 * Calls `onChange` with the balance now, and again after each change of it.
 *
 * @returns a function that ends the watch
 * @throws {@link WalletMissingError} without a wallet and an address; {@link InvalidAddressError},
 * {@link InvalidArgumentError}
 * @example
 * ```ts no-run
 * const stop = head.watchBalance({ onChange: (balance) => console.log(balance?.pending.lovelace) })
 * stop()
 * ```
 */
export function watchBalance(head: HeadContext, args: WatchBalanceArgs): () => void {
  const context = contextParts(head)
  const { address, onChange } = readArgs(args, BALANCE_ARGS, 'watchBalance', 'onChange')
  return watchValue(context, 'watchBalance', () => getBalance(context, { address }), isEqual, onChange)
}

/**
 * Calls `onChange` with the client's status now, and again after each change of it.
 *
 * @returns a function that ends the watch
 * @throws {@link InvalidArgumentError} when `onChange` is not a function
 * @example
 * ```ts no-run
 * const stop = head.watchHead({ onChange: ({ state, headStatus }) => console.log(state, headStatus) })
 * ```
 */
export function watchHead(head: HeadContext, args: WatchHeadArgs): () => void {
  const context = contextParts(head)
  const { onChange } = readArgs<WatchHeadArgs>(args, CHANGE_ARGS, 'watchHead', 'onChange')
  return watchValue(context, 'watchHead', () => status(context), isShallowEqual, onChange)
}

/**
 * Calls `onChange` for each step of every transaction that the node reports, those of others too, with the amounts that
 * it moves, by address. For a book of payments use {@link receipts}, which misses no payment and distinguishes change.
 *
 * @returns a function that ends the watch
 * @throws {@link InvalidArgumentError} when `onChange` is not a function
 * @example
 * ```ts no-run
 * const stop = head.watchTxs({ onChange: ({ txId, state, own }) => console.log(own ? 'ours' : 'theirs', txId, state) })
 * head.watchTxs({ onChange: ({ sent, received }) => console.log(sent, received) }) // { 'addr_test1...': [{ unit: 'lovelace', ... }] }
 * ```
 */
export function watchTxs(head: HeadContext, args: WatchTxsArgs): () => void {
  const context = contextParts(head)
  const { onChange } = readArgs<WatchTxsArgs>(args, CHANGE_ARGS, 'watchTxs', 'onChange')
  assertFunction('onChange', onChange)
  const { bridge } = context
  const ledger = new WatchedLedger(bridge)
  const notify = (tx: Omit<WatchedTx, 'own' | 'sent' | 'received'>, cborHex?: string): void => {
    const ownTx = context.txs.get(tx.txId)
    const isOwn = ownTx !== undefined || context.settled.has(tx.txId)
    const amounts = ledger.amountsOf(tx.txId, cborHex ?? ownTx?.cborHex, tx.state === 'confirmed')
    context.callbacks.invokeSafely('watchTxs', () => onChange({ ...tx, own: isOwn, ...amounts }))
  }
  const stops = [
    bridge.events.on('onTxProgress', ({ txId, state }) => {
      if (state === 'submitted') notify({ txId, state })
    }),
    bridge.events.on('TxValid', ({ transactionId, transaction }) =>
      notify({ txId: transactionId, state: 'valid' }, transaction.cborHex)
    ),
    bridge.events.on('CommitFinalized', () => ledger.refresh()),
    bridge.events.on('onConnected', () => ledger.refresh()),
    bridge.events.on('TxInvalid', ({ transaction, validationError }) =>
      notify({ txId: transaction.txId, state: 'invalid', reason: validationError.reason }, transaction.cborHex)
    ),
    bridge.events.on('SnapshotConfirmed', ({ snapshot }) => {
      for (const { txId, verified, cborHex } of snapshot.confirmed)
        if (verified !== false)
          notify({ txId, state: 'confirmed', snapshotNumber: snapshot.number, verified: isVerifying(context) }, cborHex)
    })
  ]
  return () => {
    for (const stop of stops) stop()
  }
}

/** A value of the client that user interfaces read and subscribe to. */
export interface Store<T> {
  /** The value now; the same object as long as it has not changed. */
  get(): T
  /**
   * Calls `run` with the value at once and after each change. @returns a function that ends the subscription (Svelte's
   * contract)
   */
  subscribe(run: (value: T) => void): () => void
}

/**
 * Creates a store of any value that can be read from the client, e.g. `store(() => head.getBalance())`. The value is
 * replaced only when it differs.
 *
 * @param isSame - compares two values. @default balances, plain objects and lists of outputs by content, others by
 * identity
 * @throws {@link InvalidArgumentError} when `select` is not a function
 * @example
 * ```ts no-run
 * const lovelace = head.store((client) => client.getBalance()?.pending.lovelace ?? 0n)
 * const stop = lovelace.subscribe((amount) => console.log(amount))
 * ```
 */
export function createStore<T>(
  head: HeadContext,
  select: () => T,
  isSame: (a: T, b: T) => boolean = isSameValue
): Store<T> {
  const context = contextParts(head)
  assertFunction('selector', select)
  let current = select()
  const get = (): T => {
    const next = select()
    if (!isSame(current, next)) current = next
    return current
  }
  return { get, subscribe: (run) => watchValue(context, 'store', get, Object.is, run) }
}

function watchValue<T>(
  context: ClientContext,
  name: string,
  read: () => T,
  isSame: (a: T, b: T) => boolean,
  callback: (value: T) => void
): () => void {
  assertFunction('onChange', callback)
  let last = read()
  let over = false
  const run = (): void => context.callbacks.invokeSafely(name, () => callback(last))
  const stop = context.changes.subscribe(() => {
    context.callbacks.invokeSafely(name, () => {
      if (over) return
      const next = read()
      if (isSame(last, next)) return
      last = next
      run()
    })
  })
  run()
  return () => {
    over = true
    stop()
  }
}

function isEqual(a: HeadBalance | null, b: HeadBalance | null): boolean {
  return a === null || b === null
    ? a === b
    : isEqualBalance(a.confirmed, b.confirmed) &&
        isEqualBalance(a.pending, b.pending) &&
        isEqualBalance(a.arriving, b.arriving)
}

function isSameValue(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true
  if (isBalance(a) && isBalance(b)) return isEqual(a, b)
  if (Array.isArray(a) && Array.isArray(b))
    return a.length === b.length && a.every((each, i) => Object.is(each, b[i]) || isSameOutput(each, b[i]))
  return isPlain(a) && isPlain(b) && isShallowEqual(a, b)
}

// The output at a reference never changes.
const isSameOutput = (a: Partial<UTxO> | null, b: Partial<UTxO> | null): boolean =>
  a?.input?.txHash !== undefined && b?.input?.txHash === a.input.txHash && b.input.index === a.input.index

const isPlain = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype

const isBalance = (value: unknown): value is HeadBalance =>
  isPlain(value) && 'confirmed' in value && 'pending' in value && 'arriving' in value

function isShallowEqual(a: object, b: object): boolean {
  const [left, right] = [a as Record<string, unknown>, b as Record<string, unknown>]
  const keys = Object.keys(left)
  return keys.length === Object.keys(right).length && keys.every((key) => Object.is(left[key], right[key]))
}
