import type { OptionNames } from '../../codec/options.js'
import { readOptions } from '../../codec/options.js'
import { parseAddress } from '../../codec/address.js'
import { LOVELACE, valueFromAmounts } from '../../codec/value.js'
import { isLayerError } from '../../errors/base.js'
import { BridgeDisconnectedError } from '../../errors/bridge.js'
import { InputReservedError } from '../../errors/client.js'
import { InvalidArgumentError } from '../../errors/input.js'
import { OfferRefusedError } from '../../errors/offers.js'
import type { OfferParty, ReadOffer } from '../../tx/inner.js'
import { describeOffer, formatOffer, PaymentBuilder } from '../../tx/inner.js'
import type { UTxO } from '../../types/utxo.js'
import type { ClientContext } from '../ClientContext.js'
import { contextParts } from '../ClientContext.js'
import { assertFee } from '../costs.js'
import type { ActionOptions, Deadline } from '../deadline.js'
import { withDeadline } from '../deadline.js'
import type { MadeOffer, OfferEnd } from '../flows/offerEnd.js'
import { isOfferOpen, offerEnd } from '../flows/offerEnd.js'
import type { HeadContext } from '../HeadContext.js'
import { DEFAULT_TX_TIMEOUT_MS } from '../limits.js'
import { parseTx } from '../parsedTx.js'
import { refOf } from '../PendingView.js'
import { resolveOutputs, transactionSpans } from '../scripts/resolveTx.js'
import { signWith } from '../signWith.js'
import type { AnyTransaction } from '../types.js'
import { validityUntil, withValidity } from '../validity.js'
import { submit } from './submit.js'
import { isPast } from './waitForTx.js'

/** Interval between two checks of an offer that is past its upper bound of validity, ms. */
const EXPIRED_LOOK_MS = 1_000

/** Arguments of {@link offer}. */
export interface OfferArgs extends ActionOptions {
  /**
   * Latest acceptable end of the offer, ms since the Unix epoch: a transaction that is valid for longer is refused.
   * @default the upper bound of the transaction
   */
  expiresAt?: number | undefined
}

/** An offer that this client has made. */
export interface Offer {
  /** Id of its transaction: hex, 64 characters. */
  readonly txId: string
  /** Time from which it cannot be accepted, ms since the Unix epoch. */
  readonly expiresAt: number
  /** The envelope as JSON, for people and programs. */
  readonly text: string
  /** The envelope as a link or QR code; null where it is too long for one. */
  readonly uri: string | null
  /** Effect of the offer for each address. */
  readonly parties: readonly OfferParty[]
  /** True while the outputs that it spends are reserved, so that no other transaction of this client spends them. */
  readonly isHeld: boolean
  /**
   * Waits until the offer has ended, and resolves with its end. Without `timeout` there is no limit.
   * @throws {@link ClientTimeoutError}, {@link NotConnectedError}, {@link BridgeDisconnectedError}
   */
  settled(options?: ActionOptions): Promise<OfferEnd>
  /**
   * Withdraws the offer: spends one of its inputs to this wallet, after which no copy of it can be accepted, and frees
   * the others. When it has ended meanwhile, e.g. because it was accepted, resolves with that end. An offer without an
   * input that this wallet alone can spend is `released`: its inputs are free, and it can be accepted until it expires.
   * @throws the errors of {@link submit}; the offer then stays as it is
   */
  withdraw(options?: ActionOptions): Promise<OfferEnd>
}

const ARGS: OptionNames<OfferArgs> = { expiresAt: true, timeout: true, signal: true }
const ACTION: OptionNames<ActionOptions> = { timeout: true, signal: true }

/**
 * Offers a transaction that others have to sign too: signs it with the wallet, reserves the outputs that it spends, and
 * returns the offer with an envelope (text or link) for the others. The outputs are free again once the offer is
 * accepted, withdrawn or expired, one of its inputs is spent elsewhere, or the head closes. Nothing is sent.
 *
 * @param transaction - spends confirmed outputs of the head that belong to keys or native scripts; its upper bound
 * (`builder.validTo`) ends the offer
 * @throws {@link OfferRefusedError} with the reason; {@link InputReservedError}, {@link CostLimitError},
 * {@link WalletMissingError}, {@link HeadStateError}, {@link InvalidArgumentError}, {@link ClientTimeoutError} (30 s);
 * the errors of the wallet
 * @example
 * ```ts no-run
 * const offer = await head.offer(tx)
 * console.log(offer.uri) // for a QR code
 * const { state } = await offer.settled()
 * ```
 */
export async function offer(head: HeadContext, transaction: AnyTransaction, args: OfferArgs = {}): Promise<Offer> {
  const context = contextParts(head)
  const options = readOptions(args ?? {}, ARGS, 'args')
  const { txId, cborHex, fee } = parseTx(transaction)
  const wallet = context.account.walletFor('offer')
  assertFee(fee, context.settings.costs)
  return withDeadline('offer', options, DEFAULT_TX_TIMEOUT_MS, async (deadline) => {
    await context.connection.ready('offer', deadline)
    const [address] = await deadline.race(context.account.load(wallet), "the wallet's addresses")
    const { headId } = context.bridge.getSnapshot()
    const envelope = { networkId: parseAddress(address!).networkId, headId: headId!, cborHex }
    const resolvedOutputs = resolveOutputs(context, transactionSpans(cborHex), []).outputs
    const read = describeOffer(envelope, [...resolvedOutputs.values()])
    assertConfirmed(context, read)
    const made: MadeOffer = {
      pending: { txId },
      headId: headId!,
      expiresAt: expiryOf(context, read, options.expiresAt),
      inputs: read.inputs,
      outputs: read.outputs,
      withdrawals: new Set(),
      isWithdrawn: false
    }
    hold(context, made)
    try {
      const signed = await deadline.race(signWith(wallet, txId, cborHex, true), "the wallet's signature")
      return toOffer(context, made, { ...read, cborHex: signed })
    } catch (error) {
      context.view.release(txId)
      throw error
    }
  })
}

function toOffer(context: ClientContext, made: MadeOffer, read: ReadOffer): Offer {
  const { txId } = made.pending
  const { networkId, headId, cborHex, parties } = read
  return Object.freeze({
    txId,
    expiresAt: made.expiresAt,
    ...formatOffer({ networkId, headId, cborHex }, parties),
    parties,
    get isHeld() {
      return context.view.isHeld(txId)
    },
    settled: (options: ActionOptions = {}) =>
      withDeadline('settled', readOptions(options, ACTION, 'options'), Infinity, (deadline) =>
        untilEnded(context, made, deadline)
      ),
    withdraw: (options: ActionOptions = {}) =>
      withDeadline('withdraw', readOptions(options, ACTION, 'options'), DEFAULT_TX_TIMEOUT_MS, (deadline) =>
        withdrawOffer(context, made, deadline)
      )
  })
}

function hold(context: ClientContext, made: MadeOffer): void {
  const reserved = context.view.holdWhile(made.inputs.map(refOf), made.pending.txId, () => isOfferOpen(context, made))
  if (reserved !== undefined) throw new InputReservedError(reserved, context.view.reservedBy(reserved)!)
  context.changes.announce()
}

function assertConfirmed({ bridge }: ClientContext, { inputs }: ReadOffer): void {
  const open = inputs.map(refOf).find((ref) => bridge.isUnspent(ref) !== true || bridge.isArriving(ref))
  if (open === undefined) return
  throw new OfferRefusedError('input-unknown', 'The offer spends an output that no snapshot holds yet.', {
    expected: 'unspent, confirmed outputs of the head',
    got: open
  })
}

/**
 * Returns the time of the transaction's upper bound, at which the offer ends, ms since the Unix epoch. `latest`: the
 * option `expiresAt`.
 */
function expiryOf({ ledger }: ClientContext, { validTo }: ReadOffer, latest: number | undefined): number {
  if (latest !== undefined && !(Number.isSafeInteger(latest) && latest >= 0))
    throw new InvalidArgumentError('expiresAt', 'ms since the Unix epoch', latest)
  const slots = ledger.slotConfig
  if (slots === null)
    throw new InvalidArgumentError(
      'network',
      'the option of createHeadClient: the slots of this head are not known',
      null
    )
  const expiresAt = slots.zeroTime + (Number(validTo) - slots.zeroSlot) * slots.slotLength
  if (latest !== undefined && expiresAt > latest)
    throw new OfferRefusedError('unbounded', 'The offer can be accepted longer than expiresAt says.', {
      expected: `a transaction with validTo(${ledger.slotAt(latest)})`,
      got: `validTo(${validTo})`
    })
  if (expiresAt <= Date.now())
    throw new OfferRefusedError('expired', 'The offer is over.', {
      expected: `an upper bound after slot ${ledger.slotAt(Date.now())}`,
      got: `slot ${validTo}`
    })
  return expiresAt
}

async function untilEnded(context: ClientContext, made: MadeOffer, deadline: Deadline): Promise<OfferEnd> {
  context.connection.endWith(deadline, () => new BridgeDisconnectedError('settled'))
  await context.connection.connected('settled', deadline)
  for (;;) {
    const end = await deadline.race(endNow(context, made), "the head's state and history")
    if (end !== null) return end
    const leftMs = Math.min(Math.max(made.expiresAt - Date.now(), EXPIRED_LOOK_MS), 2_147_483_647)
    await deadline.race(context.changes.next(leftMs), 'the end of the offer')
  }
}

const endNow = (context: ClientContext, made: MadeOffer): Promise<OfferEnd | null> =>
  offerEnd(context, made, (txId, timeMs) => isPast(context, txId, timeMs))

async function withdrawOffer(context: ClientContext, made: MadeOffer, deadline: Deadline): Promise<OfferEnd> {
  const ended = await deadline.race(endNow(context, made), "the head's state and history")
  if (ended !== null) return ended
  await context.connection.ready('withdraw', deadline)
  const parameters = await deadline.race(context.ledger.loadParameters(), "the head's parameters")
  const { txId } = made.pending
  const walletInput = ownInput(context, made)
  context.view.release(txId)
  context.changes.announce()
  if (walletInput === null) return { state: 'released' }
  try {
    const bounds = validityUntil(context, Date.now() + context.settings.expiresInMs)
    const builder = new PaymentBuilder(parameters).spend([walletInput]).changeTo(walletInput.output.address)
    const built = withValidity(builder, bounds).build()
    made.withdrawals.add(built.txId)
    await submit(context, built, { signal: deadline.signal(), timeout: Infinity })
    made.isWithdrawn = true
    return { state: 'withdrawn' }
  } catch (error) {
    // Accepted first, perhaps.
    const end = isLayerError(error, 'CLIENT_LEDGER') ? await endNow(context, made) : null
    if (end !== null) return end
    if (isOfferOpen(context, made))
      context.view.holdWhile(made.inputs.map(refOf), txId, () => isOfferOpen(context, made))
    throw error
  }
}

/** Returns the input with most lovelace that the wallet alone can spend; null: there is none. */
function ownInput({ account }: ClientContext, { inputs }: MadeOffer): UTxO | null {
  const walletInputs = inputs.filter(
    ({ output: { address } }) =>
      account.addresses?.includes(address) === true && parseAddress(address).payment?.kind === 'key'
  )
  const lovelace = ({ output }: UTxO): bigint => valueFromAmounts(output.amount).get(LOVELACE) ?? 0n
  return walletInputs.reduce<UTxO | null>(
    (most, each) => (most === null || lovelace(each) > lovelace(most) ? each : most),
    null
  )
}
