import { Serialization } from '@cardano-sdk/core'
import fc from 'fast-check'
import { decodeAuxiliaryData, encodeAuxiliaryData } from '../../src/codec/auxiliaryData'
import { bytesToHex, hexToBytes } from '../../src/codec/hex'
import { Metadatum } from '../../src/codec/metadatum'
import { metadataTree } from '../support/ledgerArbitraries'
import { scaled } from '../support/scale'
import { runsInTime } from '../support/timing'
import { loadVectors } from '../support/vectors'

describe('auxiliary data vectors', () => {
  it('survive decoding and encoding with labels, metadata and scripts', () => {
    for (const { auxDataCborHex } of loadVectors('auxiliary_data')) {
      const data = decodeAuxiliaryData(auxDataCborHex)
      const again = decodeAuxiliaryData(encodeAuxiliaryData(data))
      expect([...again.metadata].map(([label, metadatum]) => [label, metadatum.toCbor()])).toEqual(
        [...data.metadata].map(([label, metadatum]) => [label, metadatum.toCbor()])
      )
      const byLanguage = (scripts: typeof data.scripts) =>
        scripts.map(({ language, cborHex }) => `${language} ${cborHex}`).sort()
      expect(byLanguage(again.scripts)).toEqual(byLanguage(data.scripts))
    }
  })
})

describe('auxiliary data', () => {
  it('is read by @cardano-sdk/core as it was meant', () => {
    const labels = fc.uniqueArray(fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }), { maxLength: 4 })
    fc.assert(
      fc.property(labels, metadataTree, (chosen, tree) => {
        const metadata = new Map(chosen.map((label) => [label, Metadatum.from(tree)]))
        const core = Serialization.AuxiliaryData.fromCbor(bytesToHex(encodeAuxiliaryData({ metadata })) as never)
        expect([...core.metadata()!.metadata()!].map(([label, value]) => [BigInt(label), value.toCbor()])).toEqual(
          chosen.map((label) => [label, Metadatum.from(tree).toCbor()])
        )
      }),
      { numRuns: scaled(2_000) }
    )
  })

  it('is the tagged map when it carries scripts', () => {
    const scripts = [
      { language: 'PlutusV2', cborHex: '43010203' },
      { language: 'native', cborHex: '820401' }
    ] as const
    const metadata = new Map([[674n, Metadatum.from('x')]])
    expect(bytesToHex(encodeAuxiliaryData({ metadata, scripts }))).toBe(
      'd90103a300a11902a26178018182040103814301' + '0203'
    )
    expect(bytesToHex(encodeAuxiliaryData({ metadata: new Map(), scripts: scripts.slice(0, 1) }))).toBe(
      'd90103a1038143010203'
    )
  })

  it.each([
    ['another tag', 'd90102a0'],
    ['a label that is text', 'a1616100'],
    ['an array of three', '83a08080'],
    ['a null', 'f6'],
    ['nested tags', 'd90103'.repeat(5000)],
    ['a script list of huge length', 'd90103a1019bffffffffffffffff'],
    ['trailing bytes', 'a000'],
    ['nothing', '']
  ])('%s is refused with a typed error, without hanging', (_, hex) => {
    const bytes = hexToBytes(hex)
    const refused = () =>
      expect(() => decodeAuxiliaryData(bytes)).toThrow(expect.objectContaining({ code: 'INPUT_CBOR' }))
    runsInTime(50, refused)
  })
})
