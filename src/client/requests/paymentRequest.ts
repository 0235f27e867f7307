import { addressToString, parseAddress } from '../../codec/address.js'
import { chunkMetadataText, Metadatum } from '../../codec/metadatum.js'
import type { OptionNames } from '../../codec/options.js'
import { readOptions } from '../../codec/options.js'
import { adaText } from '../../errors/adaText.js'
import { InvalidArgumentError } from '../../errors/input.js'
import type { PayArgs } from '../types.js'

/** Scheme of payment URIs (CIP-13). */
const SCHEME = 'web+cardano:'
/** Beginning of the line of a note that holds the label of a request. */
const LABEL_LINE = 'ref:'
const MAX_LABEL = 60
const MAX_NOTE = 1_000
const MAX_URI = 4_000
const LOVELACE_PER_ADA = 1_000_000n

/** A wallet that derives addresses without private keys: an `AppWallet` of an account's public key (`accountXpub`). */
export interface AddressSource {
  /** Returns the base address of a key of an account: bech32. */
  getPaymentAddress(accountIndex?: number, keyIndex?: number): string
}

/** Arguments of {@link createPaymentRequest}: `address`, or `wallet` with `index` for an address of its own. */
export interface PaymentRequestArgs {
  /** Lovelace. */
  amount: bigint
  /** Receiver: bech32. */
  address?: string | undefined
  /** Derives the receiver: it may be watch-only. */
  wallet?: AddressSource | undefined
  /** Account of the `wallet`. @default 0 */
  accountIndex?: number | undefined
  /** Index of the key in the account: a different one for each request. @default 0 */
  index?: number | undefined
  /** Text for the payer, up to 1,000 characters, which the payment carries in its metadata. @default none */
  note?: string | undefined
  /**
   * Distinguishes the payment from others to the same address: up to 60 letters, digits, `-` and `_`. Payments then
   * have to carry it. @default none, where the request has an address of its own
   */
  label?: string | undefined
  /** Time after which payments are late, ms since the Unix epoch. @default never */
  expiresAt?: number | undefined
}

/** A request for money: plain data, which can be stored. */
export interface PaymentRequest {
  /** Receiver: bech32. */
  readonly address: string
  /** Lovelace. */
  readonly amount: bigint
  /** Text for the payer; null: none. */
  readonly note: string | null
  /** Distinguishes its payment from others to the same address; null: the address serves this request alone. */
  readonly label: string | null
  /** ms since the Unix epoch; null: never. */
  readonly expiresAt: number | null
  /** The request as a link or QR code (CIP-13): `web+cardano:ADDRESS?amount=2.5`. */
  readonly uri: string
}

const ARGS: OptionNames<PaymentRequestArgs> = {
  amount: true,
  address: true,
  wallet: true,
  accountIndex: true,
  index: true,
  note: true,
  label: true,
  expiresAt: true
}

/**
 * Creates a request for money. It needs no private keys: with `wallet`, an address for this request alone is derived
 * from an account's public key.
 *
 * @throws {@link InvalidArgumentError}, {@link InvalidAddressError}, the errors of the wallet
 * @see https://github.com/cardano-foundation/CIPs/tree/master/CIP-0013
 * @example
 * ```ts
 * import { createPaymentRequest } from 'layer-sdk/client'
 *
 * const { uri } = createPaymentRequest({
 *   amount: 2_500_000n,
 *   address: 'addr_test1vzpwq95z3xyum8vqndgdd9mdnmafh3djcxnc6jemlgdmswcve6tkw',
 *   note: 'Order 17',
 *   label: 'order-17'
 * })
 * console.log(uri) // web+cardano:addr_test1...?amount=2.5&note=Order+17&ref=order-17
 * ```
 */
export function createPaymentRequest(args: PaymentRequestArgs): PaymentRequest {
  const {
    amount,
    address,
    wallet,
    accountIndex = 0,
    index = 0,
    note,
    label,
    expiresAt
  } = readOptions(args, ARGS, 'args')
  if (typeof amount !== 'bigint' || amount <= 0n)
    throw new InvalidArgumentError('amount', 'lovelace, a bigint above 0', amount)
  if ((address === undefined) === (wallet === undefined))
    throw new InvalidArgumentError('args', 'either an address or a wallet that derives one', { address, wallet })
  if (wallet !== undefined && typeof wallet.getPaymentAddress !== 'function')
    throw new InvalidArgumentError('wallet', 'a wallet with getPaymentAddress', wallet)
  const receiver = address ?? wallet!.getPaymentAddress(accountIndex, index)
  if (note !== undefined && (typeof note !== 'string' || note.length === 0 || note.length > MAX_NOTE))
    throw new InvalidArgumentError('note', `a text of 1 to ${MAX_NOTE} characters`, note)
  if (label !== undefined && !isLabel(label))
    throw new InvalidArgumentError('label', `1 to ${MAX_LABEL} letters, digits, - and _`, label)
  if (expiresAt !== undefined && (!Number.isSafeInteger(expiresAt) || expiresAt < 0))
    throw new InvalidArgumentError('expiresAt', 'ms since the Unix epoch', expiresAt)
  const request = {
    address: addressToString(parseAddress(receiver).bytes),
    amount,
    note: note ?? null,
    label: label ?? null,
    expiresAt: expiresAt ?? null
  }
  return Object.freeze({ ...request, uri: formatUri(request) })
}

/**
 * Reads a request from its link, as a wallet that scans it does. Unknown parameters are ignored, as CIP-13 demands.
 *
 * @throws {@link InvalidArgumentError}, {@link InvalidAddressError}
 * @example
 * ```ts no-run
 * const request = parsePaymentRequest(scanned)
 * await head.pay({ to: request.address, amount: request.amount, metadata: paymentMetadata(request) })
 * ```
 */
export function parsePaymentRequest(uri: string): PaymentRequest {
  const invalid = (expected: string, got: unknown): never => {
    throw new InvalidArgumentError('uri', expected, got)
  }
  if (typeof uri !== 'string' || !uri.toLowerCase().startsWith(SCHEME) || uri.length > MAX_URI)
    return invalid(`a payment URI: ${SCHEME}ADDRESS?amount=ADA`, uri)
  const [address = '', query = ''] = uri.slice(SCHEME.length).replace(/^\/\//, '').split('?', 2)
  const parameters = new URLSearchParams(query)
  const amount = /^(\d{1,11})(?:\.(\d{1,6}))?$/.exec(parameters.get('amount') ?? '')
  if (amount === null) return invalid('an amount in ada', parameters.get('amount'))
  const [label, note, expiry] = ['ref', 'note', 'expires'].map((name) => parameters.get(name) ?? undefined)
  if (expiry !== undefined && !/^\d{1,15}$/.test(expiry)) return invalid('a time in ms', expiry)
  return createPaymentRequest({
    address,
    amount: BigInt(amount[1]!) * LOVELACE_PER_ADA + BigInt((amount[2] ?? '').padEnd(6, '0')),
    label,
    note,
    expiresAt: expiry === undefined ? undefined : Number(expiry)
  })
}

/**
 * Returns the metadata that a payment of a request carries, for `head.pay({ metadata })`: its note and label under 674
 * (CIP-20); undefined where it has neither.
 *
 * @throws {@link InvalidMetadatumError} on a note that is not a text
 *
 * @example
 * ```ts no-run
 * await head.pay({ to: request.address, amount: request.amount, metadata: paymentMetadata(request) })
 * ```
 */
export function paymentMetadata({ note, label }: Pick<PaymentRequest, 'note' | 'label'>): PayArgs['metadata'] {
  const lines = [...(note === null ? [] : chunkMetadataText(note)), ...(label === null ? [] : [LABEL_LINE + label])]
  return lines.length === 0 ? undefined : { 674: Metadatum.from({ msg: lines }) }
}

/**
 * True when the note of a receipt contains the label of the request; always true without a label, because the address
 * is then the request's own.
 */
export function namesRequest(note: string | null, { label }: Pick<PaymentRequest, 'label'>): boolean {
  return label === null || (note ?? '').split('\n').includes(LABEL_LINE + label)
}

const isLabel = (label: unknown): boolean => typeof label === 'string' && /^[A-Za-z0-9_-]{1,60}$/.test(label)

function formatUri({ address, amount, note, label, expiresAt }: Omit<PaymentRequest, 'uri'>): string {
  const query = new URLSearchParams({ amount: adaText(amount) })
  if (note !== null) query.set('note', note)
  if (label !== null) query.set('ref', label)
  if (expiresAt !== null) query.set('expires', String(expiresAt))
  return `${SCHEME}${address}?${query}`
}
