import type { Address } from '../../codec/address.js'
import { parseAddress } from '../../codec/address.js'
import { readTransaction, toTransactionBytes } from '../../codec/transaction.js'
import { BODY_KEY, decodeTransactionBody } from '../../codec/transactionBody.js'
import type { Value } from '../../codec/value.js'
import { addValue, valueFromAmounts } from '../../codec/value.js'
import { readWitnessEntries, WITNESS_KEY } from '../../codec/witnessSet.js'
import { OfferRefusedError } from '../../errors/offers.js'
import type { TxOutput, UTxO } from '../../types/utxo.js'
import { decodeTransaction } from '../decodeTransaction.js'
import type { DecodedTransaction } from '../decodeTransaction.js'
import { assertUtxos, inputKey } from '../inputs.js'
import { signersOf } from '../signersOf.js'
import type { TxSigners } from '../signersOf.js'
import type { OfferParty, OfferTerms } from './offerParties.js'
import { partiesOf, termsOf } from './offerParties.js'
import type { OfferEnvelope, ParsedOffer } from './offerText.js'
import { parseOffer } from './offerText.js'

/** Decoded offer. All amounts are computed from its transaction and the spent outputs, not read from its text. */
export interface ReadOffer extends OfferEnvelope {
  /** Id of the offer's transaction: hex, 64 characters. */
  readonly txId: string
  /** First slot at which it can no longer be accepted. */
  readonly validTo: bigint
  /** Fee, lovelace. It is part of the amounts that its payers give. */
  readonly fee: bigint
  /** Netted amounts that each address gives and gets. */
  readonly parties: readonly OfferParty[]
  /** Outputs that its transaction spends. */
  readonly inputs: readonly UTxO[]
  /** Outputs that its transaction creates. */
  readonly outputs: readonly UTxO[]
  /** Keys that must sign, and keys that have signed. */
  readonly signers: TxSigners
  /** Labels of the metadata that it carries. */
  readonly metadata: readonly bigint[]
}

/** Arguments of {@link readOffer}. */
export interface ReadOfferArgs {
  /** The text or the link of an offer. */
  envelope: string
  /** Outputs of the head that it may spend. */
  utxos: readonly UTxO[]
}

/**
 * Reads an offer (a transaction that its maker has signed, for another party to sign and submit), and returns the
 * amounts that each address gives and gets. An offer only moves outputs: it is refused when its transaction has a mint,
 * Plutus scripts, certificates, withdrawals, votes, collateral, reference inputs or reference scripts. It is also
 * refused without an upper bound of validity, with an input that is not among `utxos`, and when its text states other
 * terms than its transaction. Signatures are not verified.
 *
 * @throws {@link OfferRefusedError} with the reason; {@link InvalidCborError}, {@link InvalidAddressError} on
 * bytes that are not a transaction; {@link InvalidArgumentError} on `utxos` that are not outputs
 * @example
 * ```ts no-run
 * import { readOffer } from 'layer-sdk/tx'
 *
 * const { parties } = readOffer({ envelope: scanned, utxos: head.bridge.snapshotUtxoArray() })
 * for (const { address, gives, gets } of parties) console.log(address, gives, gets)
 * ```
 */
export function readOffer({ envelope, utxos }: ReadOfferArgs): ReadOffer {
  return readParsedOffer(parseOffer(envelope), utxos)
}

/**
 * Reads an offer whose envelope is already parsed, and checks the terms that its text states.
 *
 * @throws as {@link readOffer}
 */
export function readParsedOffer({ stated, ...envelope }: ParsedOffer, utxos: readonly UTxO[]): ReadOffer {
  const offer = describeOffer(envelope, utxos)
  if (stated !== null && JSON.stringify(stated) !== JSON.stringify(offer.parties))
    throw new OfferRefusedError('stated', 'The offer states other terms than its transaction has.', {
      expected: JSON.stringify(offer.parties),
      got: 'other terms'
    })
  return offer
}

/** Reads and checks the transaction of an offer. @throws as {@link readOffer} */
export function describeOffer(envelope: OfferEnvelope, utxos: readonly UTxO[]): ReadOffer {
  const tx = decodeTransaction(envelope.cborHex)
  assertContents(tx)
  assertNetwork(tx, envelope.networkId)
  const utxoByKey = new Map(assertUtxos(utxos).map((utxo) => [inputKey(utxo.input), utxo]))
  const inputs = tx.inputs.map((input) => {
    const utxo = utxoByKey.get(inputKey(input))
    if (utxo !== undefined) return utxo
    throw new OfferRefusedError('input-unknown', 'The offer spends an output that the head does not have.', {
      expected: 'unspent, confirmed outputs of the head',
      got: inputKey(input)
    })
  })
  assertNoScripts([...inputs, ...tx.outputs].map(({ output }) => output))
  return {
    ...envelope,
    txId: tx.txId,
    validTo: tx.validTo!,
    fee: tx.fee,
    parties: partiesOf(inputs, tx.outputs),
    inputs,
    outputs: tx.outputs,
    signers: signersOf(tx.cborHex, inputs),
    metadata: [...tx.metadata.keys()]
  }
}

/**
 * Returns the amounts that the owner of `addresses` gives and gets by an offer, netted over all of them. Inputs at a
 * different address with the same payment key count as the owner's too; outputs count only at `addresses`.
 *
 * @param addresses - addresses of the owner: bech32
 * @throws {@link InvalidAddressError}
 * @example
 * ```ts no-run
 * const { gives, gets } = offerTermsFor(readOffer({ envelope, utxos }), await wallet.getAddresses())
 * ```
 */
export function offerTermsFor(offer: Pick<ReadOffer, 'inputs' | 'outputs'>, addresses: readonly string[]): OfferTerms {
  const ownAddresses = new Set(addresses)
  const keys = new Set(addresses.map(paymentKeyOf))
  keys.delete(null)
  const change: Value = new Map()
  for (const { output } of offer.inputs)
    if (ownAddresses.has(output.address) || keys.has(paymentKeyOf(output.address)))
      addValue(change, valueFromAmounts(output.amount), -1n)
  for (const { output } of offer.outputs)
    if (ownAddresses.has(output.address)) addValue(change, valueFromAmounts(output.amount))
  return termsOf(change)
}

function paymentKeyOf(address: string): string | null {
  const { payment } = parseAddress(address)
  return payment === undefined ? null : `${payment.kind} ${payment.hash}`
}

/** Parts of a body that an offer may have. Allowed parts are listed, so that future parts of the ledger are refused. */
const BODY_PARTS: ReadonlySet<number> = new Set([
  BODY_KEY.INPUTS,
  BODY_KEY.OUTPUTS,
  BODY_KEY.FEE,
  BODY_KEY.TTL,
  BODY_KEY.AUXILIARY_DATA_HASH,
  BODY_KEY.VALIDITY_START,
  BODY_KEY.REQUIRED_SIGNERS,
  BODY_KEY.NETWORK_ID
])
const WITNESS_PARTS: ReadonlySet<number> = new Set([
  WITNESS_KEY.VKEYS,
  WITNESS_KEY.NATIVE_SCRIPTS,
  WITNESS_KEY.BOOTSTRAP
])
const OTHER_PARTS: Readonly<Record<number, string>> = {
  [BODY_KEY.MINT]: 'a mint',
  [BODY_KEY.CERTIFICATES]: 'certificates',
  [BODY_KEY.WITHDRAWALS]: 'withdrawals',
  [BODY_KEY.SCRIPT_DATA_HASH]: 'scripts of Plutus',
  [BODY_KEY.COLLATERAL]: 'collateral',
  [BODY_KEY.COLLATERAL_RETURN]: 'a return of collateral',
  [BODY_KEY.TOTAL_COLLATERAL]: 'an amount of collateral',
  [BODY_KEY.REFERENCE_INPUTS]: 'reference inputs',
  [BODY_KEY.VOTING_PROCEDURES]: 'votes',
  [BODY_KEY.PROPOSAL_PROCEDURES]: 'proposals',
  [BODY_KEY.DONATION]: 'a donation to the treasury'
}

/** Checks that a transaction has only parts that an offer may have. @throws {@link OfferRefusedError} */
function assertContents(tx: DecodedTransaction): void {
  const refs = tx.inputs.map(inputKey)
  const spans = readTransaction(toTransactionBytes(tx.cborHex))
  const body = [...decodeTransactionBody(spans).entries.keys()].filter((key) => !BODY_PARTS.has(key))
  const witnesses = [...readWitnessEntries(spans).keys()].filter((key) => !WITNESS_PARTS.has(key))
  const found = [
    ...body.map((key) => OTHER_PARTS[key] ?? `part ${key} of the body`),
    ...witnesses.map((key) => `part ${key} of the witnesses`),
    ...(tx.auxiliaryScripts.length > 0 ? ['scripts beside the metadata'] : []),
    ...(tx.isValid ? [] : ['the mark of a failed script']),
    ...(new Set(refs).size < refs.length ? ['an input twice'] : []),
    ...(refs.length === 0 ? ['no inputs'] : [])
  ]
  if (found.length > 0)
    throw new OfferRefusedError('contents', 'The transaction does more than an offer may do.', {
      expected: 'a transaction that spends outputs of keys and native scripts, and makes outputs',
      got: found.join(', ')
    })
  if (tx.validTo === null)
    throw new OfferRefusedError('unbounded', 'The offer never ends.', {
      expected: 'a transaction with an upper bound of validity: builder.validTo(slot)',
      got: 'no upper bound'
    })
}

function assertNetwork(tx: DecodedTransaction, networkId: number): void {
  const other = tx.outputs.map(({ output }) => networkOf(parseAddress(output.address))).find((id) => id !== networkId)
  if (other !== undefined || (tx.networkId !== null && tx.networkId !== networkId))
    throw new OfferRefusedError('network', 'The offer is of another network.', {
      expected: `network ${networkId}`,
      got: `network ${other ?? tx.networkId}`
    })
}

const networkOf = ({ type, networkId, byron }: Address): number =>
  type === 'byron' ? (byron!.magic === null ? 1 : 0) : networkId

function assertNoScripts(outputs: readonly TxOutput[]): void {
  const found = outputs.find(({ scriptRef }) => scriptRef !== undefined)
  if (found === undefined) return
  throw new OfferRefusedError('contents', 'The transaction does more than an offer may do.', {
    expected: 'outputs without reference scripts',
    got: `a reference script at ${found.address}`
  })
}
