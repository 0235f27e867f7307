import { addressToString, isValidAddress } from '../../src/codec/address'
import { decodeAuxiliaryData } from '../../src/codec/auxiliaryData'
import { CborReader } from '../../src/codec/cbor/reader'
import { CborWriter } from '../../src/codec/cbor/writer'
import { crc32 } from '../../src/codec/crc32'
import { hexToBytes } from '../../src/codec/hex'
import { parseJson } from '../../src/codec/json'
import { Metadatum } from '../../src/codec/metadatum'
import { nativeScriptFromBytes } from '../../src/codec/nativeScript'
import { PlutusData } from '../../src/codec/plutusData'
import { growth, unitsOf } from './support/units'

/** The largest script or datum that a transaction of the ledger can carry, bytes. */
const SIZE = 16_384
/** What 16 KB of anybody's input may take: 50 ms. */
const LIMIT_UNITS = 50

/** A call whose typed error is part of the work. */
const refused = (run: () => unknown) => (): void => {
  try {
    run()
  } catch {
    return
  }
  throw new Error('was not refused')
}

/** Bytes of a Byron address with attributes of a certain size. */
function byron(size: number): Uint8Array {
  const attributes = new CborWriter()
    .map(1)
    .uint(1n)
    .bytes(new CborWriter().bytes(new Uint8Array(size).fill(7)).toBytes())
    .toBytes()
  const payload = new CborWriter().array(3).bytes(new Uint8Array(28)).raw(attributes).uint(0n).toBytes()
  return new CborWriter()
    .array(2)
    .tag(24)
    .bytes(payload)
    .uint(BigInt(crc32(payload)))
    .toBytes()
}

const list = (items: number): Uint8Array => hexToBytes(`99${items.toString(16).padStart(4, '0')}${'00'.repeat(items)}`)
const chunks = (count: number): Uint8Array => hexToBytes(`5f${'40'.repeat(count)}ff`)
const nested = (levels: number): Uint8Array => hexToBytes('81'.repeat(levels))
const digits = (count: number): string => `{"int":${'1'.repeat(count)}.`

describe('input of 16 KB takes at most 50 ms of a machine of its own', () => {
  const wide = list(SIZE - 3)
  const pieces = chunks(SIZE)
  const integer = hexToBytes(`c25f${`5840${'ff'.repeat(64)}`.repeat(248)}ff`)
  const deep = nested(SIZE)
  const script = hexToBytes('820181'.repeat(SIZE / 3))
  const tags = hexToBytes('d90103'.repeat(SIZE / 3))
  const address = byron(16_000)
  it.each<[string, () => unknown]>([
    ['a Byron address, to text', () => addressToString(address)],
    ['text that is no base58 address', () => isValidAddress('1'.repeat(SIZE))],
    ['text that is no bech32 address', () => isValidAddress('a'.repeat(SIZE))],
    ['Plutus data of 16 K items', () => PlutusData.fromCbor(wide)],
    ['Plutus data of 16 K empty chunks', () => PlutusData.fromCbor(pieces)],
    ['Plutus data of one integer', () => PlutusData.fromCbor(integer)],
    ['Plutus data nested to the end', refused(() => PlutusData.fromCbor(deep))],
    ['JSON of Plutus data with one number', refused(() => PlutusData.fromJson(digits(SIZE)))],
    ['metadata nested to the end', refused(() => Metadatum.fromCbor(deep))],
    ['auxiliary data of nested tags', refused(() => decodeAuxiliaryData(tags))],
    ['a native script nested to the end', refused(() => nativeScriptFromBytes(script))],
    ['CBOR nested to the end', refused(() => new CborReader(deep).skip())]
  ])('%s', (_, run) => {
    expect(unitsOf(run)).toBeLessThan(LIMIT_UNITS)
  })
})

describe('four times the input takes no more than twelve times as long', () => {
  it.each<[string, () => unknown, () => unknown]>([
    [
      'Plutus data of many items',
      ...both((factor) => {
        const bytes = list(8_000 * factor)
        return () => PlutusData.fromCbor(bytes)
      })
    ],
    [
      'Plutus data of many chunks',
      ...both((factor) => {
        const bytes = chunks(16_000 * factor)
        return () => PlutusData.fromCbor(bytes)
      })
    ],
    [
      'JSON of Plutus data with one long number',
      ...both((factor) => {
        const text = digits(50_000 * factor)
        return refused(() => PlutusData.fromJson(text))
      })
    ],
    [
      'nested CBOR',
      ...both((factor) => {
        const bytes = nested(16_000 * factor)
        return refused(() => new CborReader(bytes).skip())
      })
    ]
  ])('%s', (_, small, large) => {
    expect(growth(small, large)).toBeLessThan(12)
  })
})

it('JSON full of private-use characters takes no more than eight times as long as other JSON', () => {
  const escapes = Array.from({ length: 255 }, (_, index) => `\\ue0${index.toString(16).padStart(2, '0')}`).join('')
  const text = `[12345678901234567890,"${'\\ue1ff'.repeat(250_000)}","${escapes}"]`
  const usual = text.replaceAll('\\ue', '\\u0')
  expect(
    growth(
      () => parseJson(usual),
      () => parseJson(text)
    )
  ).toBeLessThan(8)
})

/** Work at a size, and at four times the size. */
function both(work: (factor: number) => () => unknown): [small: () => unknown, large: () => unknown] {
  return [work(1), work(4)]
}
