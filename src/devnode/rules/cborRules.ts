import type { Span } from '../../codec/cbor/reader.js'
import { CborReader, MAJOR } from '../../codec/cbor/reader.js'
import { bytesToHex } from '../../codec/hex.js'

const MAX_UINT63 = 2n ** 63n - 1n
const MIN_INT64 = -(2n ** 63n)

/**
 * Checks the properties of an output that the ledger's decoder checks and a general reader does not: quantities from 1
 * to 2^63-1, no empty policy, no duplicates, an address that can be paid to. Returns the size of the value in bytes.
 */
export function assertOutputShape(bytes: Uint8Array, span: Span): number {
  const reader = new CborReader(bytes, 'The output', span.start, span.end)
  if (reader.peekMajor() === MAJOR.ARRAY) {
    reader.readArrayHeader()
    assertPayable(reader)
    return assertValue(reader)
  }
  let size = 0
  reader.eachEntry(() => {
    const key = reader.readSafeUint()
    if (key === 0) assertPayable(reader)
    else if (key === 1) size = assertValue(reader)
    else reader.skip()
  })
  return size
}

/** Checks a mint: non-zero quantities of 64 bits, no empty policy, no duplicates. */
export function assertMint(bytes: Uint8Array, span: Span): void {
  assertAssets(new CborReader(bytes, 'The mint', span.start, span.end), MIN_INT64)
}

function assertPayable(reader: CborReader): void {
  const start = reader.offset
  const address = reader.readBytes()
  // CIP-19: types 14 and 15 are reward addresses, which cannot hold outputs.
  if (address[0]! >> 4 >= 14) reader.fail('an address that can be paid to', 'a reward address', start)
}

function assertValue(reader: CborReader): number {
  const start = reader.offset
  if (reader.peekMajor() === MAJOR.ARRAY) {
    const count = reader.readArrayHeader()
    reader.readUint()
    assertAssets(reader, 1n)
    if (count < 0) reader.readBreak()
  } else reader.readUint()
  return reader.offset - start
}

function assertAssets(reader: CborReader, least: bigint): void {
  const policies = new Set<string>()
  reader.eachEntry(() => {
    const start = reader.offset
    const policy = bytesToHex(reader.readBytes())
    if (policies.has(policy)) reader.fail('each policy once', `policy ${policy} again`, start)
    policies.add(policy)
    const names = new Set<string>()
    reader.eachEntry(() => {
      const at = reader.offset
      const name = bytesToHex(reader.readBytes())
      if (names.has(name)) reader.fail('each asset name once', `name ${name} again`, at)
      names.add(name)
      const quantity = reader.readInt()
      if (quantity === 0n || quantity < least || quantity > MAX_UINT63) {
        reader.fail(`a quantity from ${least} to 2^63-1, not zero`, String(quantity), at)
      }
    })
    if (names.size === 0) reader.fail('at least one asset of each policy', 'none', start)
  })
}
