import * as csl from '@emurgo/cardano-serialization-lib-nodejs'
import { cip25Metadata, cip68Datum, cip68Names, readCip25Metadata, readCip68Datum, TxBuilder } from '../../src/tx'
import { readTransaction } from '../../src/codec/transaction'
import { bytesToHex, hexToBytes } from '../../src/codec/hex'
import { encodeAssetLabel, mkBytes, mkConstr, mkInt, mkMap, PlutusData } from '../../src/utils'
import type { UTxO } from '../../src/types/utxo'

const POLICY = 'ab'.repeat(28)
const ADDRESS = 'addr_test1vzpwq95z3xyum8vqndgdd9mdnmafh3djcxnc6jemlgdmswcve6tkw'
const failure = (run: () => unknown): any => {
  try {
    run()
  } catch (error) {
    return error
  }
  return null
}

describe('metadata of tokens, CIP-25', () => {
  it('refuses what is no metadata, naming the place', () => {
    for (const tokens of [null, 5, [], { [POLICY]: 5 }, { [POLICY]: { aa: 5 } }])
      expect(failure(() => cip25Metadata(tokens as never))).toMatchObject({ code: 'INPUT_ARGUMENT' })
    expect(failure(() => cip25Metadata({ aa: { aa: { name: 'a', image: 'b' } } }))).toMatchObject({ code: 'INPUT_HEX' })
    const error = failure(() => cip25Metadata({ [POLICY]: { '6e6674': { name: 'nft' } } }))
    expect(error).toMatchObject({ code: 'INPUT_ARGUMENT', argument: '6e6674.image' })
    expect(failure(() => readCip25Metadata('ff'))).toMatchObject({ code: 'INPUT_CBOR' })
    expect(readCip25Metadata('a0')).toEqual({})
    // Hostile: another form in the place of each level.
    for (const metadata of [
      'a11902d105',
      'a11902d1a10505',
      `a11902d1a1581c${POLICY}05`,
      'a11902d1a169 5f5f70726f746f5f5f a0'
    ])
      expect(Object.keys(readCip25Metadata(metadata.replaceAll(' ', '')))).toHaveLength(
        metadata.includes(POLICY) ? 1 : 0
      )
  })

  it('is written as the standard has it, long texts in pieces, and read again', () => {
    const about = { name: 'first', image: 'x'.repeat(100), files: [{ src: 'y'.repeat(65) }], edition: 7 }
    const utxo: UTxO = {
      input: { txHash: '00'.repeat(32), index: 0 },
      output: { address: ADDRESS, amount: [{ unit: 'lovelace', quantity: '9000000' }] }
    }
    const metadata = cip25Metadata({ [POLICY]: { '6e6674': about } })
    const { cborHex } = new TxBuilder().addInputs([utxo]).changeTo(ADDRESS).metadata(metadata).build()
    const auxiliary = csl.Transaction.from_hex(cborHex).auxiliary_data()!
    const json = csl.decode_metadatum_to_json_str(
      auxiliary.metadata()!.get(csl.BigNum.from_str('721'))!,
      csl.MetadataJsonSchema.NoConversions
    )
    expect(JSON.parse(json)).toEqual({
      version: 1,
      [POLICY]: {
        nft: {
          name: 'first',
          image: ['x'.repeat(64), 'x'.repeat(36)],
          files: [{ src: ['y'.repeat(64), 'y'] }],
          edition: 7
        }
      }
    })
    const { bytes, auxiliaryData } = readTransaction(hexToBytes(cborHex)) as any
    const read = readCip25Metadata(bytesToHex(bytes.subarray(auxiliaryData.start, auxiliaryData.end)))
    expect(read[POLICY]!['6e6674']).toMatchObject({ name: 'first', image: ['x'.repeat(64), 'x'.repeat(36)] })
  })

  it('has version 2 where an asset name is no text', () => {
    const metadata = cip25Metadata({ [POLICY]: { ff00: { name: 'a', image: 'b' } } })['721']!
    expect(metadata.toJson()).toMatchObject({ map: [{ k: { bytes: POLICY } }, { v: { int: 2 } }] })
    expect(readCip25Metadata(`a11902d1${metadata.toCbor()}`)[POLICY]).toMatchObject({ ff00: { name: 'a', image: 'b' } })
  })
})

describe('tokens with a reference token, CIP-68', () => {
  it('refuses names, kinds, values and datums that are none', () => {
    expect(failure(() => cip68Names('aa'.repeat(29), 'nft'))).toMatchObject({ code: 'INPUT_ARGUMENT' })
    expect(failure(() => cip68Names('zz', 'nft'))).toMatchObject({ code: 'INPUT_HEX' })
    expect(failure(() => cip68Names('aa', 'toString' as never))).toMatchObject({ code: 'INPUT_ARGUMENT' })
    expect(failure(() => cip68Datum({ a: { b: [null] } }))).toMatchObject({ argument: 'metadata.a.b[0]' })
    expect(failure(() => cip68Datum(null as never))).toMatchObject({ code: 'INPUT_ARGUMENT' })
    for (const datum of [
      mkInt(1),
      mkConstr(1, []),
      mkConstr(0, [mkMap([]), mkInt(1)]),
      mkConstr(0, [mkMap([[mkInt(1), mkInt(1)]]), mkInt(1), mkInt(1)])
    ])
      expect(failure(() => readCip68Datum(datum))).toMatchObject({ code: 'INPUT_ARGUMENT' })
  })

  it.each([
    ['nft', 222],
    ['ft', 333],
    ['rft', 444]
  ] as const)('names the pair of %s', (kind, label) => {
    expect(cip68Names('CAFE', kind)).toEqual({
      reference: `${encodeAssetLabel(100)}cafe`,
      user: `${encodeAssetLabel(label)}cafe`
    })
  })

  it('writes the datum, and reads it again', () => {
    const metadata = { name: 'nft', files: [{ src: 'x'.repeat(100) }], edition: 7n, raw: Uint8Array.of(255) }
    const datum = cip68Datum(metadata, { version: 2, extra: mkInt(5) })
    const data = csl.PlutusData.from_hex(datum)
    expect(data.as_constr_plutus_data()!.alternative().to_str()).toBe('0')
    expect(readCip68Datum(datum)).toMatchObject({ version: 2, metadata })
    expect(readCip68Datum(datum).extra.asInt()).toBe(5n)
    expect(readCip68Datum(PlutusData.fromCbor(cip68Datum({}))).extra.kind).toBe('constr')
    const standard = mkConstr(0, [mkMap([[mkBytes('6e616d65'), mkBytes('6e6674')]]), mkInt(1), mkConstr(0, [])])
    expect(cip68Datum({ name: 'nft' })).toBe(standard.toCbor())
  })
})
