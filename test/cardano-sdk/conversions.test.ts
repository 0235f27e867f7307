import { Cardano, Serialization } from '@cardano-sdk/core'
import fc from 'fast-check'
import * as interop from '../../src/cardano-sdk/index'
import { CborReader } from '../../src/codec/cbor/reader'
import { Costmdls } from '../../src/codec/costModels'
import { COST_MODELS_PV11 } from '../../src/codec/costModelsPv11'
import { bytesToHex, hexToBytes } from '../../src/codec/hex'
import { Metadatum } from '../../src/codec/metadatum'
import { encodeNativeScript } from '../../src/codec/nativeScript'
import { PlutusData } from '../../src/codec/plutusData'
import { decodeTxOutput, encodeTxOutput } from '../../src/codec/txOutput'
import type { UTxO } from '../../src/types/utxo'
import { build, metadataTree, nativeScripts, plutusTree } from '../support/ledgerArbitraries'
import { scaled } from '../support/scale'
import { loadVectors } from '../support/vectors'

const txId = 'ab'.repeat(32)

describe('conversions of PlutusData', () => {
  it('keep hash and bytes, to core and back, as plain objects and through Serialization', () => {
    fc.assert(
      fc.property(plutusTree(), (tree) => {
        const data = build(tree)
        const core = interop.toCorePlutusData(data)
        expect(interop.fromCorePlutusData(core).toCbor()).toBe(data.toCbor())
        if (typeof core === 'bigint' && core < -(2n ** 64n)) return
        const serialized = Serialization.PlutusData.fromCore(core)
        expect(serialized.hash()).toBe(data.hash())
        expect(interop.fromCorePlutusData(serialized).toCbor()).toBe(data.toCbor())
      }),
      { numRuns: scaled(5_000) }
    )
  })

  it('build from core objects without bytes of their own', () => {
    const core: Cardano.PlutusData = {
      constructor: 1n,
      fields: { items: [5n, hexToBytes('ab'), { data: new Map([[1n, { items: [] }]]) }] }
    }
    expect(interop.fromCorePlutusData(core).toCbor()).toBe('d87a9f0541aba10180ff')
  })

  it('keep an encoding that is not the usual one', () => {
    const data = PlutusData.fromCbor('bf18018102029f03ffff')
    expect(interop.fromCorePlutusData(interop.toCorePlutusData(data)).toCbor()).toBe(data.toCbor())
  })
})

describe('conversions of metadata', () => {
  it('agree with core both ways', () => {
    fc.assert(
      fc.property(metadataTree, (tree) => {
        const metadatum = Metadatum.from(tree)
        const back = interop.fromCoreMetadatum(interop.toCoreMetadatum(metadatum))
        expect(back.toJson()).toEqual(Metadatum.from(interop.toCoreMetadatum(metadatum)).toJson())
        const serialized = Serialization.TransactionMetadatum.fromCbor(metadatum.toCbor() as never)
        expect(interop.fromCoreMetadatum(serialized).toCbor()).toBe(metadatum.toCbor())
      }),
      { numRuns: scaled(5_000) }
    )
  })
})

describe('conversions of cost models', () => {
  it('agree with core both ways', () => {
    const models = new Costmdls(COST_MODELS_PV11)
    const core = Serialization.Costmdls.fromCore(interop.toCoreCostModels(models))
    expect(core.toCbor()).toBe(models.toCbor())
    for (const back of [interop.fromCoreCostModels(core), interop.fromCoreCostModels(core.toCore())]) {
      expect(back.toCbor()).toBe(models.toCbor())
    }
    expect(interop.fromCoreCostModels(new Map([[Cardano.PlutusLanguageVersion.V4, [1]]])).languages).toEqual([])
  })
})

describe('conversions of scripts', () => {
  it('agree with core on native scripts of any shape', () => {
    const slots = fc.bigInt({ min: 0n, max: BigInt(Number.MAX_SAFE_INTEGER) })
    fc.assert(
      fc.property(nativeScripts(slots), (script) => {
        const scriptRef = { language: 'native' as const, cborHex: bytesToHex(encodeNativeScript(script)) }
        const core = interop.toCoreScript(scriptRef)
        expect(Serialization.NativeScript.fromCore(core as Cardano.NativeScript).toCbor()).toBe(scriptRef.cborHex)
        expect(interop.fromCoreScript(core)).toEqual(scriptRef)
      }),
      { numRuns: scaled(5_000) }
    )
  })

  it('refuse a slot that core would round, and languages it has that the ledger has not', () => {
    expect(() => interop.toCoreScript({ language: 'native', cborHex: '82041bffffffffffffffff' })).toThrow(/below 2\^53/)
    const { Plutus } = Cardano.ScriptType
    expect(() =>
      interop.fromCoreScript({ __type: Plutus, bytes: '4101' as never, version: Cardano.PlutusLanguageVersion.V4 })
    ).toThrow(/PlutusV3/)
  })
})

describe('conversions of what is something else', () => {
  const { NobleBip32Ed25519: _, ...conversions } = interop
  const utxo = {
    input: { txHash: txId, index: 0 },
    output: { address: 'addr', amount: [{ unit: 'lovelace', quantity: '1' }] }
  }
  const circular: { items: unknown[] } = { items: [] }
  circular.items.push(circular)
  const odd: unknown[] = [
    undefined,
    null,
    5,
    5n,
    'x',
    true,
    {},
    [],
    [{}, {}],
    [{}, { value: {} }],
    new Map([[{}, 1]]),
    new Date(NaN),
    circular,
    { constructor: 1, fields: {} },
    { toCbor: 5 },
    { toCore: () => 5 },
    { __type: 'native', kind: 1 },
    { __type: 'plutus', version: 0 },
    { ...utxo, output: {} }
  ]

  it.each(Object.entries(conversions))('%s throws nothing but typed errors', (_name, convert) => {
    for (const value of odd) {
      try {
        convert(value as never)
      } catch (error) {
        expect([value, error]).toEqual([value, expect.objectContaining({ code: expect.stringMatching(/^INPUT_/) })])
      }
    }
  })

  it('refuse a language that is not known and bytes after the script', () => {
    expect(() => interop.toCoreScript({ language: 'PlutusV9' as never, cborHex: '4101' })).toThrow(
      expect.objectContaining({ code: 'INPUT_ARGUMENT' })
    )
    expect(() => interop.toCoreScript({ language: 'PlutusV2', cborHex: '4101ff' })).toThrow(
      expect.objectContaining({ code: 'INPUT_CBOR' })
    )
  })
})

describe('conversions of outputs', () => {
  it('agree with core on the vectors: the same output in core, and ours again from it', () => {
    let compared = 0
    for (const { cborHex } of loadVectors('tx_outputs')) {
      const output = decodeTxOutput(new CborReader(hexToBytes(cborHex)))
      const utxo: UTxO = { input: { txHash: txId, index: 3 }, output }
      const core = interop.toCoreUtxo(utxo)
      expect(core[0]).toEqual({ txId, index: 3, address: output.address })
      expect(interop.fromCoreUtxo(core)).toEqual(utxo)
      let theirs: Serialization.TransactionOutput
      try {
        theirs = Serialization.TransactionOutput.fromCbor(cborHex as never)
        theirs.toCore()
      } catch {
        // core refuses some outputs that stand on the chain.
        continue
      }
      compared++
      const fromTheirs = interop.fromCoreUtxo([{ txId: txId as Cardano.TransactionId, index: 3 }, theirs.toCore()])
      expect(fromTheirs.output.amount.map(({ unit, quantity }) => `${unit} ${quantity}`).sort()).toEqual(
        output.amount.map(({ unit, quantity }) => `${unit} ${quantity}`).sort()
      )
      expect({ ...fromTheirs.output, amount: [] }).toEqual({ ...output, amount: [] })
    }
    expect(compared).toBeGreaterThan(0.85 * loadVectors('tx_outputs').length)
  })

  it('read a Serialization.TransactionUnspentOutput', () => {
    const { cborHex } = loadVectors('tx_outputs')[0]!
    const output = decodeTxOutput(new CborReader(hexToBytes(cborHex)))
    const cbor = `82825820${txId}03${bytesToHex(encodeTxOutput(output))}`
    const utxo = Serialization.TransactionUnspentOutput.fromCbor(cbor as never)
    expect(interop.fromCoreUtxo(utxo)).toEqual({ input: { txHash: txId, index: 3 }, output })
  })
})
