import { CborReader, MAJOR } from '../../codec/cbor/reader.js'
import { utf8ToBytes } from '../../codec/utf8.js'

/** Metadata text and bytes are at most this long, in bytes. */
const MAX_BYTES = 64
/** Auxiliary data since Alonzo: tag 259 and a map whose key 0 is the metadata. */
const TAG_AUXILIARY_DATA = 259
const MAX_DEPTH = 1000

/**
 * Whether auxiliary data holds metadata within the ledger's limits.
 *
 * @throws {@link InvalidCborError} on what is no metadata at all: null, booleans, floats, labels that are not integers.
 */
export function metadataIsValid(bytes: Uint8Array): boolean {
  const reader = new CborReader(bytes, 'The auxiliary data')
  let valid = true
  const metadata = (): void => {
    reader.eachEntry(() => {
      reader.readUint()
      valid = metadatum(reader, 0) && valid
    })
  }
  if (reader.peekMajor() === MAJOR.MAP) metadata()
  else if (reader.peekMajor() === MAJOR.ARRAY) reader.eachItem((i) => (i === 0 ? metadata() : void reader.skip()))
  else {
    if (reader.readTag() !== TAG_AUXILIARY_DATA) reader.fail(`tag ${TAG_AUXILIARY_DATA}`, 'another tag', 0)
    reader.eachEntry(() => (reader.readSafeUint() === 0 ? metadata() : void reader.skip()))
  }
  reader.finish()
  return valid
}

function metadatum(reader: CborReader, depth: number): boolean {
  if (depth > MAX_DEPTH) reader.fail(`at most ${MAX_DEPTH} levels`, 'more')
  let valid = true
  switch (reader.peekMajor()) {
    case MAJOR.UINT:
    case MAJOR.NEGATIVE:
      reader.readInt()
      return true
    case MAJOR.BYTES:
      return reader.readBytes().length <= MAX_BYTES
    case MAJOR.TEXT: {
      return utf8ToBytes(reader.readText()).length <= MAX_BYTES
    }
    case MAJOR.ARRAY:
      reader.eachItem(() => (valid = metadatum(reader, depth + 1) && valid))
      return valid
    case MAJOR.MAP:
      reader.eachEntry(() => {
        valid = metadatum(reader, depth + 1) && valid
        valid = metadatum(reader, depth + 1) && valid
      })
      return valid
    default:
      return reader.fail('metadata: an integer, bytes, text, an array or a map', 'another item')
  }
}
