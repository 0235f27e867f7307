import { BODY_KEY, readEntries, TAG_SET } from './bodyEntries.js'
import type { BodyEntries } from './bodyEntries.js'
import { readOptionalTag } from './cbor/optional.js'
import { CborReader, MAJOR } from './cbor/reader.js'
import { bytesToHex } from './hex.js'

/**
 * Rejects a transaction that contains an entry twice of which only one can be valid: an output with two addresses or
 * values, a value or mint with a policy or asset name twice, two withdrawals of one account. Decoders disagree on which
 * of the two is valid, so that a wallet could show one output and sign another. Since Conway the ledger refuses all of
 * them.
 *
 * @param bytes - bytes of the transaction.
 * @throws {@link InvalidCborError} at the second of them.
 */
export function assertNoRepeatedEntries(bytes: Uint8Array, { entries }: Pick<BodyEntries, 'entries'>): void {
  const readerOf = (key: number): CborReader | undefined => {
    const span = entries.get(key)
    return span && new CborReader(bytes, 'The transaction body', span.start, span.end)
  }
  const outputs = readerOf(BODY_KEY.OUTPUTS)
  if (outputs !== undefined) {
    readOptionalTag(outputs, TAG_SET)
    outputs.eachItem(() => checkOutput(outputs))
  }
  const collateralReturn = readerOf(BODY_KEY.COLLATERAL_RETURN)
  if (collateralReturn !== undefined) checkOutput(collateralReturn)
  const mint = readerOf(BODY_KEY.MINT)
  if (mint !== undefined) checkAssets(mint)
  const withdrawals = readerOf(BODY_KEY.WITHDRAWALS)
  if (withdrawals !== undefined) eachKeyOnce(withdrawals, () => withdrawals.skip())
}

function checkOutput(reader: CborReader): void {
  if (reader.peekMajor() === MAJOR.ARRAY) {
    reader.eachItem((index) => (index === 1 ? checkValue(reader) : void reader.skip()))
    return
  }
  const { start } = { start: reader.offset }
  const value = readEntries(reader).get(1)
  if (value === undefined) return reader.fail('an output with a value', 'one without', start)
  checkValue(new CborReader(reader.bytes, 'The transaction body', value.start, value.end))
}

function checkValue(reader: CborReader): void {
  if (reader.peekMajor() !== MAJOR.ARRAY) return void reader.skip()
  reader.eachItem((index) => (index === 1 ? checkAssets(reader) : void reader.skip()))
}

function checkAssets(reader: CborReader): void {
  eachKeyOnce(reader, () => eachKeyOnce(reader, () => reader.skip()))
}

function eachKeyOnce(reader: CborReader, readValue: () => unknown): void {
  const seen = new Set<string>()
  reader.eachEntry(() => {
    const start = reader.offset
    const key = bytesToHex(reader.readBytes())
    if (seen.has(key)) reader.fail('each policy, asset name and account once', 'one of them again', start)
    seen.add(key)
    readValue()
  })
}
