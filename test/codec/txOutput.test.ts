import * as fc from 'fast-check'
import { CborReader } from '../../src/codec/cbor/reader'
import { hexToBytes } from '../../src/codec/hex'
import { decodeTxOutput, encodeTxOutput, minLovelace, minLovelaceOfSize } from '../../src/codec/txOutput'
import type { TxOutput } from '../../src/types/utxo'
import { loadVectors } from '../support/vectors'

const ADDRESS = 'addr_test1vzpwq95z3xyum8vqndgdd9mdnmafh3djcxnc6jemlgdmswcve6tkw'
const hex = (min: number, max: number) =>
  fc.uint8Array({ minLength: min, maxLength: max }).map((b) => Buffer.from(b).toString('hex'))
const u64 = fc.bigInt({ min: 1n, max: 2n ** 63n - 1n }).map(String)

describe('the output vectors', () => {
  it('decode to their address, amounts and least lovelace', () => {
    for (const vector of loadVectors('tx_outputs')) {
      const bytes = hexToBytes(vector['cborHex'])
      const reader = new CborReader(bytes)
      const output = decodeTxOutput(reader)
      reader.finish()
      if (vector['addressBech32']) expect(output.address).toBe(vector['addressBech32'])
      // One vector, which the library behind them could not read, names no amount.
      if (vector['lovelace'] !== undefined)
        expect(output.amount[0]).toEqual({ unit: 'lovelace', quantity: vector['lovelace'] })
      if (vector['minLovelaceAt4310'])
        expect(String(minLovelaceOfSize(bytes.length, 4310n))).toBe(vector['minLovelaceAt4310'])
    }
  })
})

describe('decodeTxOutput', () => {
  const hash = `5820${'22'.repeat(32)}`
  const read = (rest: string): TxOutput =>
    decodeTxOutput(new CborReader(hexToBytes(`a300581d60${'11'.repeat(28)}0100${rest}`)))

  it.each([
    ['a datum of three items', `028300${hash}03`],
    ['a datum of one item', `028100${hash}`],
    ['a script of one item', '03d8184481014101'],
    ['a script of three items', '03d818458301410100']
  ])('refuses %s', (_name, rest) => {
    expect(() => read(rest)).toThrow(expect.objectContaining({ code: 'INPUT_CBOR' }))
  })

  it('reads datum and script in arrays of either form', () => {
    expect(read(`029f00${hash}ff`).datumHash).toBe('22'.repeat(32))
    for (const script of ['4482014101', '459f014101ff'])
      expect(read(`03d818${script}`).scriptRef).toEqual({ language: 'PlutusV1', cborHex: '4101' })
  })
})

describe('encodeTxOutput', () => {
  const outputs: fc.Arbitrary<TxOutput> = fc
    .record({
      lovelace: u64,
      assets: fc.uniqueArray(fc.record({ policy: hex(28, 28), name: hex(0, 32), quantity: u64 }), {
        maxLength: 8,
        selector: ({ policy, name }) => policy + name
      }),
      datum: fc.constantFrom<Partial<TxOutput>>({}, { datumHash: '11'.repeat(32) }, { inlineDatum: 'd87980' }),
      script: fc.constantFrom<Partial<TxOutput>>(
        {},
        { scriptRef: { language: 'PlutusV3', cborHex: '4401020304' } },
        { scriptRef: { language: 'native', cborHex: '8200581c' + '22'.repeat(28) } }
      )
    })
    .map(({ lovelace, assets, datum, script }) => ({
      address: ADDRESS,
      amount: [
        { unit: 'lovelace', quantity: lovelace },
        ...assets.map(({ policy, name, quantity }) => ({ unit: policy + name, quantity }))
      ],
      ...datum,
      ...script
    }))

  it('is undone by decodeTxOutput, exact at any amount', () => {
    fc.assert(
      fc.property(outputs, (output) => {
        const decoded = decodeTxOutput(new CborReader(encodeTxOutput(output)))
        const byUnit = (a: { unit: string }, b: { unit: string }) => (a.unit < b.unit ? -1 : 1)
        expect({ ...decoded, amount: [...decoded.amount].sort(byUnit) }).toEqual({
          ...output,
          amount: [...output.amount].sort(byUnit)
        })
      })
    )
  })

  it('needs a lovelace that pays for its own bytes, and not one less', () => {
    fc.assert(
      fc.property(outputs, (output) => {
        const poor = { ...output, amount: [{ unit: 'lovelace', quantity: '0' }, ...output.amount.slice(1)] }
        const minimum = minLovelace(poor, 4310n)
        const at = (lovelace: bigint) => ({
          ...poor,
          amount: [{ unit: 'lovelace', quantity: String(lovelace) }, ...poor.amount.slice(1)]
        })
        expect(minLovelaceOfSize(encodeTxOutput(at(minimum)).length, 4310n)).toBeLessThanOrEqual(minimum)
        expect(minLovelaceOfSize(encodeTxOutput(at(minimum - 1n)).length, 4310n)).toBeGreaterThan(minimum - 1n)
      })
    )
  })

  it.each([
    ['a unit that is none', { address: ADDRESS, amount: [{ unit: 'ada', quantity: '1' }] }],
    ['a quantity with a fraction', { address: ADDRESS, amount: [{ unit: 'lovelace', quantity: '1.5' }] }],
    [
      'both kinds of datum',
      {
        address: ADDRESS,
        amount: [{ unit: 'lovelace', quantity: '1' }],
        datumHash: '11'.repeat(32),
        inlineDatum: 'd87980'
      }
    ]
  ])('refuses %s', (_name, output) => {
    expect(() => encodeTxOutput(output)).toThrow(expect.objectContaining({ code: 'INPUT_ARGUMENT' }))
  })
})
