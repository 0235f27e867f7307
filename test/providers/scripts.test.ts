import { bytesToHex } from '../../src/codec/hex'
import { blake2b224 } from '../../src/hash/blake2b'
import { ResponseReader } from '../../src/providers/shared/ResponseReader'
import { nativeScriptCbor, scriptFromHash } from '../../src/providers/shared/scripts'

const read = new ResponseReader('GET /scripts', (text) => text)
const hashOf = (tag: number, hex: string): string =>
  bytesToHex(blake2b224(Uint8Array.from(Buffer.from(`0${tag}${hex}`, 'hex'))))
const key = 'ab'.repeat(28)

describe('scriptFromHash', () => {
  // An always-succeeding script: what the ledger hashes is itself a byte string of flat bytes.
  const script = '46450101002499'

  it.each<[string, string]>([
    ['as the ledger hashes it', script],
    ['with one wrapping more', `47${script}`],
    ['with one wrapping less', script.slice(2)]
  ])('finds a script that comes %s', (_, cbor) => {
    expect(scriptFromHash(cbor, hashOf(3, script), read)).toEqual({ language: 'PlutusV3', cborHex: `47${script}` })
  })

  it.each(['', '4', 'ff', '5f', '4601', '9f', '1bffffffffffffffff'].filter((hex) => hex.length % 2 === 0))(
    'answers with a typed error when %j belongs to another hash',
    (cbor) => {
      expect(() => scriptFromHash(cbor, hashOf(1, script), read)).toThrow(
        expect.objectContaining({ code: 'PROVIDER_RESPONSE', field: 'cbor' })
      )
    }
  )
})

describe('nativeScriptCbor', () => {
  it("reads both spellings, cardano-cli's and the Rpc's, as the same script", () => {
    const cli = {
      type: 'atLeast',
      required: 1,
      scripts: [
        { type: 'sig', keyHash: key },
        { type: 'after', slot: 70_000 },
        { type: 'any', scripts: [] }
      ]
    }
    const rpc = {
      clause: 'some',
      atLeast: 1,
      from: [
        { clause: 'signature', from: key },
        { clause: 'after', slot: 70_000 },
        { clause: 'any', from: [] }
      ]
    }
    const cbor = `83030183` + `8200581c${key}` + '82041a00011170' + '820280'
    expect(nativeScriptCbor(cli, read)).toBe(cbor)
    expect(nativeScriptCbor(rpc, read)).toBe(cbor)
  })

  it('writes lists of more than 23 scripts with indefinite length, as the ledger does', () => {
    const of = (count: number): string =>
      nativeScriptCbor(
        { type: 'all', scripts: Array.from({ length: count }, () => ({ type: 'before', slot: 1 })) },
        read
      )
    expect(of(23)).toBe(`820197${'820501'.repeat(23)}`)
    expect(of(24)).toBe(`82019f${'820501'.repeat(24)}ff`)
  })

  it.each([
    ['a slot beyond 64 bits', { type: 'after', slot: '18446744073709551616' }, 'slot'],
    ['a count that is no integer', { type: 'atLeast', required: 1.5, scripts: [] }, 'required'],
    ['a short key hash', { type: 'sig', keyHash: 'ab' }, 'keyHash'],
    ['another kind', { type: 'most', scripts: [] }, 'type']
  ])('refuses %s', (_, json, field) => {
    expect(() => nativeScriptCbor(json, read)).toThrow(expect.objectContaining({ code: 'PROVIDER_RESPONSE', field }))
  })
})
