import { readOutputData } from '../../src/accumulator/utxoSet'
import { bytesToHex } from '../../src/codec/hex'
import { addressOf } from '../support/signedSnapshot'

const address = addressOf(`60${'22'.repeat(28)}`)
const HEAD = `d8799fd8799fd8799f581c${'22'.repeat(28)}ffd87a80ffa140a14001`
const dataOf = (output: object): string => bytesToHex(readOutputData({ address, value: { lovelace: 1 }, ...output })!)
const chunk = (byte: string): string => `5840${byte.repeat(64)}`

describe('an output as Plutus data', () => {
  // plutus-core, Data.hs: how the node encodes data anew, whatever bytes it was read from.
  it.each([
    ['a long integer', '1801', '01'],
    ['a small number written as a large one', 'c24101', '01'],
    ['a large number with leading zeros', `c24a00${'ff'.repeat(9)}`, `c249${'ff'.repeat(9)}`],
    ['a negative one', `c349${'ff'.repeat(9)}`, `c349${'ff'.repeat(9)}`],
    ['a list of definite length', '820102', '9f0102ff'],
    ['an empty list without end', '9fff', '80'],
    ['a map without end', 'bf0102ff', 'a10102'],
    ['a map in another order, with a key twice', 'a3020101010202', 'a3020101010202'],
    ['bytes in short chunks', '5f41aa41bbff', '42aabb'],
    ['bytes beyond 64', `5f${chunk('aa')}41bbff`, `5f${chunk('aa')}41bbff`],
    ['bytes of 65 in other chunks', `5f41aa${chunk('aa')}ff`, `5f${chunk('aa')}41aaff`],
    ['a constructor with its number', 'd8668200811801', 'd8799f01ff'],
    ['a constructor of the second range', 'd86682187f80', 'd9057880'],
    ['a constructor beyond the ranges', 'd866821880811801', 'd8668218809f01ff']
  ])('holds %s of an inline datum as the node encodes it', (_what, raw, canonical) => {
    expect(dataOf({ inlineDatumRaw: raw })).toBe(`${HEAD}d87b9f${canonical}ffd87a80ff`)
  })

  it('holds a datum hash, a reference script and neither', () => {
    expect(dataOf({ datumhash: 'dd'.repeat(32) })).toBe(`${HEAD}d87a9f5820${'dd'.repeat(32)}ffd87a80ff`)
    expect(dataOf({})).toBe(`${HEAD}d87980d87a80ff`)
    // A published script hash: the empty native script `all []` has this policy id.
    const script = { scriptLanguage: 'SimpleScriptLanguage', script: { type: 'SimpleScript', cborHex: '820180' } }
    expect(dataOf({ referenceScript: script })).toBe(
      `${HEAD}d87980d8799f581cd441227553a0f1a965fee7d60a0f724b368dd1bddbc208730fccebcfffff`
    )
  })

  it('holds every form of address', () => {
    const [a, b] = ['a1', 'b2'].map((byte) => byte.repeat(28)) as [string, string]
    const parts = (hex: string): string => dataOf({ address: addressOf(hex) }).split('a140a14001')[0]!
    expect(parts(`00${a}${b}`)).toBe(`d8799fd8799fd8799f581c${a}ffd8799fd8799fd8799f581c${b}ffffffff`)
    expect(parts(`30${a}${b}`)).toBe(`d8799fd8799fd87a9f581c${a}ffd8799fd8799fd87a9f581c${b}ffffffff`)
    expect(parts(`41${a}8203181c`)).toBe(`d8799fd8799fd8799f581c${a}ffd8799fd87a9f1901031818181cffffff`)
    expect(parts(`70${a}`)).toBe(`d8799fd8799fd87a9f581c${a}ffd87a80ff`)
    expect(parts(`61${a}`)).toBe(parts(`60${a}`))
  })

  it('drops zero quantities and sorts by bytes, as the ledger does', () => {
    const value = {
      ['ff'.repeat(28)]: { ff00: 1, ff: 2, '': 3 },
      lovelace: 0,
      ['0a'.repeat(28)]: { aa: 0 },
      ['0b'.repeat(28)]: { bb: '18446744073709551615' }
    }
    expect(bytesToHex(readOutputData({ address, value })!)).toContain(
      `a340a14000581c${'0b'.repeat(28)}a141bb1bffffffffffffffff581c${'ff'.repeat(28)}a3400341ff0242ff0001`
    )
  })
})
