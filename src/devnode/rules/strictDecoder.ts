import type { Span } from '../../codec/cbor/reader.js'
import { CborReader, MAJOR } from '../../codec/cbor/reader.js'
import { readOptionalTag } from '../../codec/cbor/optional.js'
import { bytesToHex } from '../../codec/hex.js'
import type { TransactionSpans } from '../../codec/transaction.js'
import type { TransactionBody } from '../../codec/transactionBody.js'
import { BODY_KEY, TAG_SET } from '../../codec/transactionBody.js'
import { readWitnessEntries, WITNESS_KEY } from '../../codec/witnessSet.js'
import { entryRefOf } from './utxoSet.js'

/** Maps and sets that hold one item at least where they are stated. */
const NOT_EMPTY = [
  [BODY_KEY.CERTIFICATES, 'certificates'],
  [BODY_KEY.WITHDRAWALS, 'withdrawals'],
  [BODY_KEY.MINT, 'mint'],
  [BODY_KEY.COLLATERAL, 'collateral inputs'],
  [BODY_KEY.REQUIRED_SIGNERS, 'required signers'],
  [BODY_KEY.REFERENCE_INPUTS, 'reference inputs'],
  [BODY_KEY.VOTING_PROCEDURES, 'votes'],
  [BODY_KEY.PROPOSAL_PROCEDURES, 'proposals']
] as const
/** Of those, sets without duplicates; inputs are compared as they are read. */
const ORDERED_SETS: readonly number[] = [BODY_KEY.CERTIFICATES, BODY_KEY.PROPOSAL_PROCEDURES]
/**
 * Parts of the witness set that hold one item at least; its other parts are checked as they are read (txScripts.ts).
 */
const NOT_EMPTY_WITNESSES = [
  [WITNESS_KEY.VKEYS, 'key witnesses'],
  [WITNESS_KEY.NATIVE_SCRIPTS, 'native scripts'],
  [WITNESS_KEY.BOOTSTRAP, 'Byron witnesses']
] as const
const LAST_WITNESS_KEY = WITNESS_KEY.PLUTUS_V3
/** A `Word16` (cardano-ledger-core BaseTypes.hs:918, TxIx). */
const MAX_OUTPUT_INDEX = 65_535

/**
 * Rejects a transaction that a general reader accepts and the ledger's decoder does not, before any rule runs: the node
 * cannot decode such a transaction.
 *
 * @see eras/conway/impl/src/Cardano/Ledger/Conway/TxBody.hs:181;
 * eras/alonzo/impl/src/Cardano/Ledger/Alonzo/TxWits.hs:605
 *
 * @throws {@link InvalidCborError}
 */
export function assertDecodable(spans: TransactionSpans, body: TransactionBody): void {
  const { bytes } = spans
  const bodyReader = (span: Span): CborReader => new CborReader(bytes, 'The transaction body', span.start, span.end)
  for (const [key, what] of NOT_EMPTY) {
    const span = body.entries.get(key)
    if (span === undefined) continue
    const items = readSet(bodyReader(span), what)
    if (ORDERED_SETS.includes(key)) assertDistinct(items, what, bodyReader(span))
  }
  for (const inputs of [body.inputs, body.collateral, body.referenceInputs]) {
    assertDistinct(inputs.map(entryRefOf), 'inputs', bodyReader(spans.body))
    for (const { index } of inputs)
      if (index > MAX_OUTPUT_INDEX)
        bodyReader(spans.body).fail(`an index of an output up to ${MAX_OUTPUT_INDEX}`, String(index))
  }
  assertDistinct(body.requiredSigners, 'required signers', bodyReader(spans.body))
  assertDistinct(
    body.withdrawals.map(({ address }) => bytesToHex(address)),
    'withdrawals',
    bodyReader(spans.body)
  )
  assertNumbers(body, bodyReader)
  assertWitnesses(spans)
}

function assertNumbers(body: TransactionBody, bodyReader: (span: Span) => CborReader): void {
  const network = body.entries.get(BODY_KEY.NETWORK_ID)
  if (network !== undefined && body.networkId! > 1)
    bodyReader(network).fail('a network id of 0 or 1', String(body.networkId))
  const donation = body.entries.get(BODY_KEY.DONATION)
  if (donation !== undefined && bodyReader(donation).readUint() === 0n)
    bodyReader(donation).fail('a donation of one lovelace at least', '0')
}

function assertWitnesses(spans: TransactionSpans): void {
  const reader = (span: Span): CborReader => new CborReader(spans.bytes, 'The witness set', span.start, span.end)
  const entries = readWitnessEntries(spans)
  for (const key of entries.keys())
    if (key > LAST_WITNESS_KEY) reader(spans.witnessSet).fail(`keys from 0 to ${LAST_WITNESS_KEY}`, `key ${key}`)
  for (const [key, what] of NOT_EMPTY_WITNESSES) {
    const span = entries.get(key)
    if (span !== undefined) readSet(reader(span), what)
  }
}

/** The items of a set, or the keys of a map, as hex; there is one at least. */
function readSet(reader: CborReader, what: string): string[] {
  const start = reader.offset
  const items: string[] = []
  readOptionalTag(reader, TAG_SET)
  const isMap = reader.peekMajor() === MAJOR.MAP
  const read = (): void => void items.push(bytesToHex(reader.slice(reader.skip())))
  if (isMap) {
    reader.eachEntry(() => {
      read()
      reader.skip()
    })
  } else reader.eachItem(read)
  if (items.length === 0) reader.fail(`${what}, or no such key`, 'an empty set', start)
  return items
}

/**
 * From protocol version 9 on a set with the same element twice is refused, with or without tag 258 (Decoder.hs:942,
 * decodeSet).
 */
function assertDistinct(items: readonly string[], what: string, reader: CborReader): void {
  if (new Set(items).size !== items.length) reader.fail(`each of the ${what} once`, 'one of them twice')
}
