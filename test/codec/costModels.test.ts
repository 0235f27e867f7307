import type { Cardano } from '@cardano-sdk/core'
import { Serialization } from '@cardano-sdk/core'
import { Costmdls, scriptDataHash } from '../../src/codec/costModels'
import { COST_MODELS_PV11 } from '../../src/codec/costModelsPv11'
import { CborReader } from '../../src/codec/cbor/reader'
import { bytesToHex, hexToBytes } from '../../src/codec/hex'
import { blake2b256 } from '../../src/hash/blake2b'
import { describeWithShared, hasShared, loadVectors, readHome, readShared, setsHere } from '../support/vectors'

const V1 = 'PlutusV1'
const V2 = 'PlutusV2'
const V3 = 'PlutusV3'

const home = readHome<{
  models: Record<typeof V1 | typeof V2 | typeof V3, number[]>
  encodings: Record<string, string>
}>('cost_models')
const onChain = hasShared ? JSON.parse(readShared('vectors/cost_models.json')) : {}
const { pv11_preprod_epoch287: pv11, pv10_mainnet: pv10, languageViewsEncodingByCSL } = onChain

describeWithShared('cost models of the chain', () => {
  it('are the built-in models of protocol version 11', () => expect(COST_MODELS_PV11).toEqual(pv11))

  it.each(Object.keys(languageViewsEncodingByCSL))('are written as %s says', (name) => {
    const [version, language] = name.split('_') as [string, typeof V1]
    const models = new Costmdls({ [language]: { pv11, pv10 }[version][language] })
    expect(models.toCbor()).toBe(languageViewsEncodingByCSL[name].costmdlsCborHex)
  })
})

describe('cost models', () => {
  it.each([V1, V2, V3] as const)('of %s are written as cardano-serialization-lib writes them', (language) => {
    expect(new Costmdls({ [language]: home.models[language] }).toCbor()).toBe(home.encodings[language])
  })

  it('give the language views of @cardano-sdk/core, in every combination', () => {
    const languages = [V1, V2, V3] as const
    for (const set of hasShared ? [home.models, pv10, pv11] : [home.models]) {
      for (let mask = 1; mask < 8; mask++) {
        const used = languages.filter((_, i) => mask & (1 << i))
        const core = Serialization.Costmdls.fromCore(
          new Map(used.map((language) => [languages.indexOf(language) as Cardano.PlutusLanguageVersion, set[language]]))
        )
        expect(new Costmdls(set).languageViews([...used].reverse())).toBe(core.languageViewsEncoding())
        expect(new Costmdls(Object.fromEntries(used.map((language) => [language, set[language]]))).toCbor()).toBe(
          core.toCbor()
        )
      }
    }
  })

  it('give the script data hash of transactions', () => {
    const models = (hasShared ? [home.models, pv10, pv11] : [home.models]).map((set) => new Costmdls(set))
    const languagesOf: Record<string, (typeof V1 | typeof V2 | typeof V3)[][]> = {
      '1': [[V1]],
      '2': [[V2]],
      '3': [[V3]]
    }
    let matched = 0
    for (const { cborHex } of setsHere('tx_conway', 'tx_conway_conformance').flatMap((set) => loadVectors(set))) {
      const parts = scriptDataOf(cborHex)
      if (parts === null) continue
      const candidates = Object.values(languagesOf).flat()
      const found = models.some((costModels) =>
        candidates.some((languages) => scriptDataHash({ ...parts, costModels, languages }) === parts.hash)
      )
      if (found) matched++
    }
    expect(matched).toBeGreaterThan(20)
  })
})

/** Body key 11 and the witness set's redeemers and datums of a transaction, or null where there are none. */
function scriptDataOf(cborHex: string): { hash: string; redeemers: string; datums?: string } | null {
  const reader = new CborReader(hexToBytes(cborHex))
  reader.readArrayHeader()
  const maps = [0, 1].map(() => {
    const entries = new Map<number, string>()
    reader.eachEntry(() => entries.set(reader.readSafeUint(), bytesToHex(reader.slice(reader.skip()))))
    return entries
  })
  const [hash, redeemers, datums] = [maps[0]!.get(11), maps[1]!.get(5), maps[1]!.get(4)]
  if (hash === undefined || redeemers === undefined) return null
  return { hash: hash.slice(4), redeemers, ...(datums !== undefined && { datums }) }
}

describe('cost models', () => {
  it('cover no language when none runs', () => {
    const costModels = new Costmdls(COST_MODELS_PV11)
    expect(costModels.languageViews([])).toBe('a0')
    // Alonzo's rule for datums without redeemers: a0 | datums | a0.
    expect(scriptDataHash({ datums: '8100', costModels, languages: [] })).toBe(
      bytesToHex(blake2b256(hexToBytes('a08100a0')))
    )
  })

  it('take the keys of nodes and of Ogmios, integers of any size, and leave other languages out', () => {
    const models = new Costmdls({ 'plutus:v1': [1, -2], PlutusV3: [2n ** 63n - 1n], PlutusV9: 'x', Unknown: null })
    expect(models.languages).toEqual([V1, V3])
    expect(models.get(V1)).toEqual([1, -2])
    expect(models.get(V2)).toBeUndefined()
    expect(models.toCbor()).toBe('a20082012102811b7fffffffffffffff')
  })

  it.each([
    [null],
    [{ PlutusV1: { 'addInteger-cpu-arguments-intercept': 1 } }],
    [{ PlutusV1: [1, 1.5] }],
    [{ PlutusV1: ['1'] }]
  ])('refuse %p', (raw) => {
    expect(() => new Costmdls(raw as never)).toThrow(expect.objectContaining({ code: 'INPUT_ARGUMENT' }))
  })

  it('name the language that has no model', () => {
    expect(() => new Costmdls({ PlutusV1: [1] }).languageViews([V2])).toThrow(/PlutusV2/)
  })
})
