import { CborReader, MAJOR } from '../../codec/cbor/reader.js'
import { decodeNativeScript } from '../../codec/nativeScript.js'
import { utf8ToBytes } from '../../codec/utf8.js'

/** Metadata text and bytes are at most this long, in bytes. */
const MAX_BYTES = 64
/** Auxiliary data since Alonzo: tag 259 and a map whose key 0 is the metadata. */
const TAG_AUXILIARY_DATA = 259
const MAX_DEPTH = 1000

/** Last key of the tagged map: PlutusV3; a later language is not known at these protocol versions. */
const LAST_KEY = 4

/**
 * True when auxiliary data holds metadata within the ledger's limits.
 *
 * @throws {@link InvalidCborError} on bytes that are no auxiliary data: an unknown key, null, booleans, floats, labels
 * that are not integers or stand twice.
 *
 * @see eras/alonzo/impl/src/Cardano/Ledger/Alonzo/TxAuxData.hs:215
 */
export function metadataIsValid(bytes: Uint8Array): boolean {
  const reader = new CborReader(bytes, 'The auxiliary data')
  let valid = true
  const metadata = (): void => {
    const labels = new Set<bigint>()
    reader.eachEntry(() => {
      const start = reader.offset
      const label = reader.readUint()
      if (labels.has(label)) reader.fail('each label once', `label ${label} again`, start)
      labels.add(label)
      valid = metadatum(reader, 0) && valid
    })
  }
  const nativeScripts = (): void => reader.eachItem(() => void decodeNativeScript(reader))
  if (reader.peekMajor() === MAJOR.MAP) metadata()
  else if (reader.peekMajor() === MAJOR.ARRAY) {
    let parts = 0
    reader.eachItem((i) => {
      parts++
      if (i === 0) metadata()
      else nativeScripts()
    })
    if (parts !== 2) reader.fail('[metadata, native scripts]', `${parts} items`, 0)
  } else {
    if (reader.readTag() !== TAG_AUXILIARY_DATA) reader.fail(`tag ${TAG_AUXILIARY_DATA}`, 'another tag', 0)
    const keys = new Set<number>()
    reader.eachEntry(() => {
      const start = reader.offset
      const key = reader.readSafeUint()
      if (key > LAST_KEY || keys.has(key)) reader.fail(`keys from 0 to ${LAST_KEY}, each once`, `key ${key}`, start)
      keys.add(key)
      if (key === 0) metadata()
      else if (key === 1) nativeScripts()
      else reader.skip()
    })
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
