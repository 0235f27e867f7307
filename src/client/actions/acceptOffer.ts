import type { Credential } from '../../codec/address.js'
import { addressToString, parseAddress } from '../../codec/address.js'
import { hexToBytes } from '../../codec/hex.js'
import type { OptionNames } from '../../codec/options.js'
import { readOptions } from '../../codec/options.js'
import { readTransaction, toTransactionBytes } from '../../codec/transaction.js'
import { LOVELACE, valueFromAmounts } from '../../codec/value.js'
import type { Value } from '../../codec/value.js'
import { readVkeyWitnesses } from '../../codec/witnessSet.js'
import { adaText } from '../../errors/adaText.js'
import { isLayerError } from '../../errors/base.js'
import { InputReservedError } from '../../errors/client.js'
import { InvalidArgumentError } from '../../errors/input.js'
import { OfferRefusedError } from '../../errors/offers.js'
import type { OfferTerms, PaymentAmount, ReadOffer } from '../../tx/inner.js'
import { offerTermsFor, parseOffer, readParsedOffer } from '../../tx/inner.js'
import { signersOf } from '../../tx/inner.js'
import type { Amount } from '../../types/utxo.js'
import type { ClientContext } from '../ClientContext.js'
import { contextParts } from '../ClientContext.js'
import { assertFee, costLimits } from '../costs.js'
import type { Deadline } from '../deadline.js'
import { withDeadline } from '../deadline.js'
import type { HeadContext } from '../HeadContext.js'
import { DEFAULT_TX_TIMEOUT_MS } from '../limits.js'
import { SEND_OPTIONS } from '../paymentPlan.js'
import { refOf } from '../PendingView.js'
import { resolveOutputs, transactionSpans } from '../scripts/resolveTx.js'
import { assertSendOptions } from '../sendTx.js'
import { signWith } from '../signWith.js'
import type { SendOptions, TxResult } from '../types.js'
import { submit } from './submit.js'

/** Time to wait for the outputs that an offer spends, ms: it can arrive before the snapshot that holds them. */
const ARRIVING_MS = 1_000

/** An offer, with its effect for this client's wallet. */
export interface InspectedOffer extends ReadOffer, OfferTerms {
  /** Amounts that the wallet loses; none for a client that watches, or before the wallet's addresses are known. */
  readonly gives: readonly Amount[]
  /** Amounts that the wallet gains. */
  readonly gets: readonly Amount[]
  /** The same in a sentence: `You give 5 ada. You get 1 of cafe...`. */
  readonly says: string
  /** Time from which it cannot be accepted, ms since the Unix epoch; null where the slots of the head are not known. */
  readonly expiresAt: number | null
}

/** Arguments of {@link acceptOffer}. */
export interface AcceptOfferArgs extends SendOptions<'submit'> {
  /** Most that the wallet may lose: lovelace, or amounts of several units. @default 0n */
  gives?: PaymentAmount | undefined
  /** Least that the wallet has to gain. @default 0n */
  gets?: PaymentAmount | undefined
  /**
   * Addresses of native (multi-signature) scripts that the wallet signs for together with others; amounts that they
   * give and get count as the wallet's own. An offer that spends from any other script of the wallet's keys is refused.
   * @default none
   */
  shared?: readonly string[] | undefined
}

const ARGS: OptionNames<AcceptOfferArgs> = { ...SEND_OPTIONS, id: true, gives: true, gets: true, shared: true }

/**
 * Decodes an offer, and computes its effect for this wallet and for each address from the head's outputs. It signs
 * nothing, and sends no request to the node.
 *
 * @param envelope - text or link of the offer
 * @throws {@link OfferRefusedError} with the reason; {@link InvalidCborError}, {@link InvalidAddressError}
 * @example
 * ```ts no-run
 * const { says, parties } = await head.inspectOffer(scanned)
 * console.log(says) // You give 5 ada. You get 1 of cafe...
 * ```
 */
export async function inspectOffer(head: HeadContext, envelope: string): Promise<InspectedOffer> {
  const context = contextParts(head)
  return inspect(context, envelope, context.account.addresses ?? [])
}

/**
 * Accepts an offer: checks that it only moves outputs, and that the wallet gives at most `gives` and gets at least
 * `gets`, then signs and submits it. The amounts are computed from the transaction and the head's outputs; the texts of
 * the envelope are not trusted.
 *
 * @param envelope - text or link of the offer
 * @throws {@link OfferRefusedError} with the reason: nothing was sent; {@link InputReservedError} when another
 * transaction of this client has reserved one of its inputs; otherwise as {@link submit}
 * @example
 * ```ts no-run
 * await head.acceptOffer(scanned, { gives: 5_000_000n, gets: [{ unit: policyId + nameHex, quantity: '1' }] })
 * ```
 */
export async function acceptOffer(head: HeadContext, envelope: string, args: AcceptOfferArgs = {}): Promise<TxResult> {
  const context = contextParts(head)
  const { gives, gets, shared = [], ...options } = readOptions(args ?? {}, ARGS, 'args')
  assertSendOptions(options)
  const limits = { gives: valueOf('gives', gives), gets: valueOf('gets', gets), shared: sharedOf(shared) }
  const wallet = context.account.walletFor('acceptOffer')
  return withDeadline('acceptOffer', options, DEFAULT_TX_TIMEOUT_MS, async (deadline) => {
    await context.connection.ready('acceptOffer', deadline)
    const walletAddresses = await deadline.race(context.account.load(wallet), "the wallet's addresses")
    const offer = await inspectOnceThere(context, envelope, [...walletAddresses, ...limits.shared], deadline)
    assertFee(offer.fee, costLimits(options, context.settings.costs))
    const keys = keysOf(walletAddresses)
    assertNeeded(offer, keys)
    assertShared(offer, keys, limits.shared)
    assertTerms(offer, limits)
    await assertSignatures(offer, deadline)
    const signed = await sign(context, offer, deadline)
    return submit(context, signed, { ...options, timeout: Infinity, signal: deadline.signal() })
  })
}

/** Reads an offer, and waits a moment when the snapshot with its outputs has not reached this client yet. */
async function inspectOnceThere(
  context: ClientContext,
  envelope: string,
  addresses: readonly string[],
  deadline: Deadline
): Promise<InspectedOffer> {
  const until = Date.now() + ARRIVING_MS
  for (;;) {
    try {
      return inspect(context, envelope, addresses)
    } catch (error) {
      const leftMs = until - Date.now()
      if (!isLayerError(error, 'CLIENT_OFFER') || error.reason !== 'input-unknown' || leftMs <= 0) throw error
      await deadline.race(context.changes.next(leftMs), "the offer's outputs")
    }
  }
}

function inspect(context: ClientContext, envelope: string, addresses: readonly string[]): InspectedOffer {
  const parsed = parseOffer(envelope)
  const { bridge, ledger, account } = context
  const { headId } = bridge.getSnapshot()
  if (headId !== parsed.headId) throw other('head', 'The offer is of another head.', headId ?? 'none', parsed.headId)
  const [own] = account.addresses ?? []
  const networkId = own === undefined ? parsed.networkId : parseAddress(own).networkId
  if (networkId !== parsed.networkId)
    throw other('network', 'The offer is of another network.', String(networkId), String(parsed.networkId))
  const resolvedOutputs = resolveOutputs(context, transactionSpans(parsed.cborHex), []).outputs
  const offer = readParsedOffer(parsed, [...resolvedOutputs.values()])
  const slots = ledger.slotConfig
  const expiresAt = slots === null ? null : slots.zeroTime + (Number(offer.validTo) - slots.zeroSlot) * slots.slotLength
  if (expiresAt !== null && expiresAt <= Date.now())
    throw other('expired', 'The offer is over.', 'one that can still be accepted', new Date(expiresAt).toISOString())
  const terms = offerTermsFor(offer, addresses)
  return Object.freeze({ ...offer, ...terms, says: sentenceOf(terms), expiresAt })
}

const other = (
  reason: OfferRefusedError['reason'],
  summary: string,
  expected: string,
  got: string
): OfferRefusedError => new OfferRefusedError(reason, summary, { expected, got })

function sentenceOf({ gives, gets }: OfferTerms): string {
  return `You give ${textOf(gives)}. You get ${textOf(gets)}.`
}

const textOf = (amounts: readonly Amount[]): string =>
  amounts
    .map(({ unit, quantity }) => (unit === LOVELACE ? `${adaText(BigInt(quantity))} ada` : `${quantity} of ${unit}`))
    .join(' and ') || 'no amount'

/** Returns the payment keys of addresses: hashes in hex. */
function keysOf(addresses: readonly string[]): ReadonlySet<string> {
  const payments = addresses.map((address) => parseAddress(address).payment)
  return new Set(payments.filter((each): each is Credential => each?.kind === 'key').map(({ hash }) => hash))
}

function assertNeeded({ signers }: InspectedOffer, keys: ReadonlySet<string>): void {
  if (signers.signers.some(({ keyHash, signed }) => keys.has(keyHash) && !signed)) return
  throw other('not-needed', 'The offer does not need a signature of this wallet.', 'a key of this wallet', 'other keys')
}

/**
 * Checks that `shared` lists each native script of the wallet's keys from which the offer spends, because the wallet's
 * signature counts for such a script too.
 */
function assertShared(offer: InspectedOffer, keys: ReadonlySet<string>, shared: readonly string[]): void {
  const scripts = new Set(
    offer.signers.scripts.flatMap(({ scriptHash, keyHashes }) =>
      keyHashes.some((hash) => keys.has(hash)) ? [scriptHash] : []
    )
  )
  const spent = offer.inputs
    .map(({ output: { address } }) => address)
    .find((address) => scripts.has(parseAddress(address).payment?.hash ?? '') && !shared.includes(address))
  if (spent === undefined) return
  throw other(
    'shared',
    "The offer spends from a script of this wallet's keys.",
    `shared: ['${spent}']`,
    'no such address'
  )
}

function assertTerms(
  { gives, gets, says }: InspectedOffer,
  limits: { readonly gives: Value; readonly gets: Value }
): void {
  const given = valueFromAmounts(gives)
  const gained = valueFromAmounts(gets)
  const isMore = [...given].some(([unit, amount]) => amount > (limits.gives.get(unit) ?? 0n))
  // A side that gives a unit net gains none of it.
  const isLess = [...limits.gets].some(([unit, amount]) => (gained.get(unit) ?? 0n) < amount)
  if (!isMore && !isLess) return
  const text = (value: Value): Amount[] => [...value].map(([unit, amount]) => ({ unit, quantity: String(amount) }))
  throw other(
    'terms',
    isMore ? 'The offer gives more than you agreed to.' : 'The offer brings less than you agreed to.',
    sentenceOf({ gives: text(limits.gives), gets: text(limits.gets) }),
    says
  )
}

/**
 * Checks the signatures of an offer, which shows a body that was changed after signing before the ledger refuses it.
 */
async function assertSignatures({ txId, cborHex }: InspectedOffer, deadline: Deadline): Promise<void> {
  const witnesses = readVkeyWitnesses(readTransaction(toTransactionBytes(cborHex)))
  if (witnesses.length === 0) return
  // Clients that accept no offer never load it.
  const { ed25519 } = await deadline.race(import('../../verify/ed25519.js'), 'the verification of signatures')
  const message = hexToBytes(txId)
  if (witnesses.every(({ vkey, signature }) => ed25519.verify(signature, message, vkey, { zip215: false }))) return
  throw other('signature', 'A signature of the offer is of another transaction.', 'valid signatures', 'an invalid one')
}

/** Has the wallet sign the offer; its inputs are reserved meanwhile, because the wallet may ask its user. */
async function sign(context: ClientContext, offer: InspectedOffer, deadline: Deadline): Promise<string> {
  const { view, account } = context
  const refs = offer.inputs.map(refOf)
  const isHeld = view.isHeld(offer.txId)
  const reserved = refs.find((ref) => ![undefined, offer.txId].includes(view.reservedBy(ref)))
  if (reserved !== undefined) throw new InputReservedError(reserved, view.reservedBy(reserved)!)
  if (!isHeld) view.holdWhile(refs, offer.txId, () => !deadline.isDone)
  try {
    const signed = await deadline.race(
      signWith(account.wallet!, offer.txId, offer.cborHex, true),
      "the wallet's signature"
    )
    const { complete, missing } = signersOf(signed, offer.inputs)
    if (!complete)
      throw other(
        'signers-missing',
        'The offer needs more signatures.',
        'all signatures',
        missing.join(', ') || 'too few'
      )
    return signed
  } finally {
    if (!isHeld) view.release(offer.txId)
  }
}

function valueOf(name: string, amount: PaymentAmount | undefined): Value {
  if (amount === undefined) return new Map()
  if (typeof amount === 'bigint' && amount >= 0n)
    return valueFromAmounts([{ unit: LOVELACE, quantity: String(amount) }])
  if (Array.isArray(amount)) return valueFromAmounts(amount)
  throw new InvalidArgumentError(name, 'lovelace as a bigint, or a list of amounts', amount)
}

function sharedOf(addresses: readonly string[]): string[] {
  if (!Array.isArray(addresses)) throw new InvalidArgumentError('shared', 'a list of addresses', addresses)
  return addresses.map((address) => addressToString(parseAddress(address).bytes))
}
