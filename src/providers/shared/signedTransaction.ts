import { InvalidCborError } from '../../errors/input.js'
import { blake2b256 } from '../../hash/blake2b.js'
import { bytesToHex, hexToBytes } from '../../codec/hex.js'

/** What a submitter must know of a transaction. */
export interface SignedTransaction {
  bytes: Uint8Array
  /** blake2b-256 of the body's own bytes: hex, 64 characters. */
  txId: string
}

/** Reads a signed transaction just far enough to hash its body, without a decoder. @throws {@link InvalidCborError} */
export function readSignedTransaction(cborHex: string): SignedTransaction {
  const bytes = hexToBytes(cborHex, 'The signed transaction')
  const first = bytes[0]
  if ((first !== 0x83 && first !== 0x84 && first !== 0x9f) || bytes[1]! >> 5 !== 5) fail(0, 'an array of a body and 2 or 3 more parts', 'another item')
  const end = itemEnd(bytes, 0)
  if (end !== bytes.length) fail(end, 'the end', `${bytes.length - end} more bytes`)
  return { bytes, txId: bytesToHex(blake2b256(bytes.subarray(1, itemEnd(bytes, 1)))) }
}

/** Where the CBOR item that begins at `start` ends. Never recurses. */
function itemEnd(bytes: Uint8Array, start: number): number {
  // Items still to come on each open level; Infinity where a break ends it.
  const open: number[] = []
  let at = start
  do {
    const initial = bytes[at++]
    const top = open.length - 1
    if (initial === undefined) fail(at, 'another item', 'the end')
    if (initial === 0xff) {
      if (open.pop() !== Infinity) fail(at, 'an item', 'a break')
    } else {
      if (top >= 0) open[top]!--
      const major = initial >> 5
      const info = initial & 31
      let value = info < 31 ? info : Infinity
      if (info > 27 && info < 31) fail(at, 'an item', 'a reserved byte')
      if (info > 23 && info < 28) {
        value = 0
        for (const next = at + (1 << (info - 24)); at < next; at++) value = value * 256 + bytes[at]!
      }
      if (major === 4 || (value === Infinity && (major === 2 || major === 3))) open.push(value)
      else if (major === 2 || major === 3) at += value
      else if (major === 5) open.push(value * 2)
      else if (major === 6) open.push(1)
    }
    while (open[open.length - 1] === 0) open.pop()
  } while (open.length > 0)
  if (!(at <= bytes.length)) fail(start, 'a whole item', 'a part')
  return at
}

function fail(offset: number, expected: string, got: string): never {
  throw new InvalidCborError('The signed transaction', offset, expected, got)
}
