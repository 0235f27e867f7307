import * as fc from 'fast-check'
import { concatBytes } from '../../src/codec/bytes'
import { CborReader } from '../../src/codec/cbor/reader'
import { CborWriter } from '../../src/codec/cbor/writer'
import { bytesToHex, hexToBytes } from '../../src/codec/hex'
import { readTransaction, transactionId, toTransactionBytes } from '../../src/codec/transaction'
import { decodeTransactionBody } from '../../src/codec/transactionBody'
import { setVkeyWitnesses, readVkeyWitnesses } from '../../src/codec/witnessSet'
import { isLayerError } from '../../src/errors/base'
import { scaled } from '../support/scale'
import { runsInTime } from '../support/timing'
import { loadVectors, setsHere } from '../support/vectors'

const SETS = setsHere('tx_conway', 'tx_conway_conformance', 'tx_hydra_generated', 'tx_older_eras', 'tx_conway_unproven')
const witness = (fill: number) => ({ vkey: new Uint8Array(32).fill(fill), signature: new Uint8Array(64).fill(fill) })

describe('transactions of other libraries and of the chain', () => {
  it.each(SETS)('have the id of their body bytes: %s', (set) => {
    for (const { txId, cborHex } of loadVectors(set))
      expect(transactionId(readTransaction(hexToBytes(cborHex)))).toBe(txId)
  })

  it.each(SETS)('show the body keys, the number of witnesses and validity that the vectors name: %s', (set) => {
    for (const vector of loadVectors(set)) {
      const transaction = readTransaction(hexToBytes(vector['cborHex']))
      if (vector['bodyKeys'] !== undefined)
        expect([...decodeTransactionBody(transaction).entries.keys()].sort((a, b) => a - b)).toEqual(vector['bodyKeys'])
      if (vector['vkeyWitnesses'] !== undefined)
        expect(readVkeyWitnesses(transaction)).toHaveLength(vector['vkeyWitnesses'])
    }
  })

  it.each(SETS)('take a witness without a change outside the key witnesses: %s', (set) => {
    for (const { cborHex } of loadVectors(set)) {
      const before = readTransaction(hexToBytes(cborHex))
      const after = readTransaction(setVkeyWitnesses(before, [witness(7)]))
      expect(transactionId(after)).toBe(transactionId(before))
      expect(bytesToHex(after.bytes.subarray(after.witnessSet.end))).toBe(
        bytesToHex(before.bytes.subarray(before.witnessSet.end))
      )
      expect(readVkeyWitnesses(after)).toEqual([...readVkeyWitnesses(before), witness(7)])
      expect(setVkeyWitnesses(after, [witness(7)])).toEqual(after.bytes)
      expect(setVkeyWitnesses(after, [])).toBe(after.bytes)
    }
  })
})

describe('setVkeyWitnesses', () => {
  const transaction = (bodyHex: string, witnessHex: string) =>
    readTransaction(hexToBytes(`84${bodyHex}${witnessHex}f5f6`))
  const one = `82582000${'00'.repeat(31)}584000${'00'.repeat(63)}`
  const own = `825820${'07'.repeat(32)}5840${'07'.repeat(64)}`

  it('keeps a plain array plain and a definite one definite', () => {
    const signed = setVkeyWitnesses(transaction('a0', `a10081${one}`), [witness(7)])
    expect(bytesToHex(signed)).toBe(`84a0a10082${one}${own}f5f6`)
  })

  it('keeps tag 258', () => {
    const signed = setVkeyWitnesses(transaction('a0', `a100d9010281${one}`), [witness(7)])
    expect(bytesToHex(signed)).toBe(`84a0a100d9010282${one}${own}f5f6`)
  })

  it('keeps an indefinite array indefinite', () => {
    const signed = setVkeyWitnesses(transaction('a0', `a1009f${one}ff`), [witness(7)])
    expect(bytesToHex(signed)).toBe(`84a0a1009f${one}${own}fff5f6`)
  })

  it('adds a set to a witness set without one, with tag 258 where the body uses it', () => {
    expect(bytesToHex(setVkeyWitnesses(transaction('a10080', 'a0'), [witness(7)]))).toBe(`84a10080a10081${own}f5f6`)
    expect(bytesToHex(setVkeyWitnesses(transaction('a100d9010280', 'bfff'), [witness(7)]))).toBe(
      `84a100d9010280bf00d9010281${own}fff5f6`
    )
  })

  it('adds a witness once when it is given twice', () => {
    const signed = setVkeyWitnesses(transaction('a0', 'a0'), [witness(7), witness(7)])
    expect(bytesToHex(signed)).toBe(`84a0a10081${own}f5f6`)
  })

  it('refuses a witness set with a key twice', () => {
    expect(() => setVkeyWitnesses(transaction('a0', 'a200800080'), [witness(7)])).toThrow(
      expect.objectContaining({ code: 'INPUT_CBOR' })
    )
  })
})

describe('readTransaction', () => {
  it.each([
    ['nothing', ''],
    ['a map', 'a0'],
    ['two parts', '82a0a0'],
    ['five parts', '85a0a0f5f6f6'],
    ['a body that is no map', '8480a0f5f6'],
    ['bytes after it', '84a0a0f5f600'],
    ['a missing end', '84a0a0f5'],
    ['validity that is no boolean', '84a0a001f6'],
    ['an open map without a value', '84bf00ffa0f5f6']
  ])('refuses %s', (_name, hex) => {
    expect(() => readTransaction(hexToBytes(hex))).toThrow(expect.objectContaining({ code: 'INPUT_CBOR' }))
  })

  it('takes three parts, four, and either in an indefinite array', () => {
    expect(readTransaction(hexToBytes('83a0a0f6'))).toMatchObject({ isValid: null, auxiliaryData: null })
    expect(readTransaction(hexToBytes('9fa0a0f6ff'))).toMatchObject({ isValid: null, auxiliaryData: null })
    expect(readTransaction(hexToBytes('9fa0a0f5f6ff'))).toMatchObject({
      isValid: { start: 3, end: 4 },
      auxiliaryData: null
    })
    expect(readTransaction(hexToBytes('84a0a0f5a100a0'))).toMatchObject({ auxiliaryData: { start: 4, end: 7 } })
  })

  it('refuses what is neither hex nor bytes by name', () => {
    expect(() => toTransactionBytes('84a')).toThrow(expect.objectContaining({ code: 'INPUT_HEX' }))
    expect(() => toTransactionBytes(5 as never)).toThrow(expect.objectContaining({ code: 'INPUT_ARGUMENT' }))
  })
})

describe('CborReader', () => {
  it('walks over any bytes or throws the typed error, never another', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
        try {
          const reader = new CborReader(bytes)
          while (!reader.done) reader.skip()
        } catch (error) {
          if (!isLayerError(error, 'INPUT_CBOR')) throw error
        }
      }),
      { numRuns: scaled(20_000) }
    )
  })

  it('ends hostile input early: deep nesting, huge counts, endless chunks', () => {
    const deep = (byte: number) => new Uint8Array(200_000).fill(byte)
    for (const bytes of [
      deep(0x81),
      deep(0x9f),
      deep(0xd8),
      hexToBytes('9b7fffffffffffffff'),
      hexToBytes('5b7fffffffffffffff00'),
      hexToBytes('bb00000000ffffffff0000'),
      deep(0x5f)
    ]) {
      runsInTime(50, () =>
        expect(() => new CborReader(bytes).skip()).toThrow(expect.objectContaining({ code: 'INPUT_CBOR' }))
      )
    }
  })

  it('reads back what the writer wrote', () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: -(2n ** 64n), max: 2n ** 64n - 1n }),
        fc.uint8Array(),
        fc.string({ unit: 'binary' }),
        (n, b, s) => {
          const reader = new CborReader(new CborWriter().array(3).int(n).bytes(b).text(s).toBytes())
          expect(reader.readArrayHeader()).toBe(3)
          expect(reader.readInt()).toBe(n)
          expect([...reader.readBytes()]).toEqual([...b])
          expect(reader.readText()).toBe(s)
          reader.finish()
        }
      )
    )
  })

  it('joins the chunks of indefinite strings', () => {
    expect(bytesToHex(new CborReader(hexToBytes('5f42010243030405ff')).readBytes())).toBe('0102030405')
    expect(new CborReader(hexToBytes('7f61616162ff')).readText()).toBe('ab')
  })

  it('keeps the bytes around what it slices', () => {
    const bytes = concatBytes(hexToBytes('00'), hexToBytes('9f0102ff'), hexToBytes('01'))
    const reader = new CborReader(bytes)
    reader.skip()
    expect(bytesToHex(reader.slice(reader.skip()))).toBe('9f0102ff')
  })
})
