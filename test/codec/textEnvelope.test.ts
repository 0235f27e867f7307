import { bytesToHex } from '../../src/codec/hex'
import { parseSigningKey, parseTextEnvelope, parseVerificationKey, textEnvelope } from '../../src/codec/textEnvelope'
import { loadVectors } from '../support/vectors'

describe('key file vectors', () => {
  const vectors = loadVectors('key_text_envelopes')
  const ed25519 = vectors.filter((vector) => !/^(Kes|Vrf|Bls)/.test(vector.type))

  it.each(ed25519.map((vector) => [vector.type, vector]))(
    'reads %s from text, object and CBOR hex alike',
    (type, vector) => {
      const forms = [vector.fileText, JSON.parse(vector.fileText), vector.cborHex]
      for (const form of forms) {
        if (type.includes('SigningKey')) {
          const key = parseSigningKey(form)
          if (key.kind === 'normal') expect(bytesToHex(key.seed)).toBe(vector.rawHex)
          else {
            expect(bytesToHex(key.scalar)).toBe(vector.rawHex.slice(0, 128))
            expect(bytesToHex(key.publicKey)).toBe(vector.publicKeyHex)
            expect(bytesToHex(key.chainCode)).toBe(vector.rawHex.slice(192))
          }
        } else {
          const key = parseVerificationKey(form)
          expect(bytesToHex(key.publicKey)).toBe(vector.publicKeyHex)
          if (vector.rawLength === 64) expect(bytesToHex(key.chainCode!)).toBe(vector.rawHex.slice(64))
        }
      }
      expect(textEnvelope(type, vector.description, vector.rawHex)).toEqual(parseTextEnvelope(vector.fileText))
    }
  )

  it.each(vectors.filter((vector) => !ed25519.includes(vector)).map((vector) => [vector.type, vector]))(
    'refuses %s',
    (_, vector) => {
      const refusal = expect.objectContaining({ code: 'INPUT_KEY_FILE' })
      expect(() => parseSigningKey(vector.fileText)).toThrow(refusal)
      expect(() => parseVerificationKey(vector.fileText)).toThrow(refusal)
    }
  )
})

describe('key files', () => {
  const raw = '5820'.repeat(16)

  it('are not cut by a raw key that itself begins with 5820', () => {
    expect(bytesToHex(parseVerificationKey(`5820${raw}`).publicKey)).toBe(raw)
  })

  it('refuse the other half of a pair by its type', () => {
    expect(() =>
      parseSigningKey({ type: 'PaymentVerificationKeyShelley_ed25519', description: '', cborHex: `5820${raw}` })
    ).toThrow(/signing key/)
    expect(() =>
      parseVerificationKey({ type: 'HydraSigningKey_ed25519', description: '', cborHex: `5820${raw}` })
    ).toThrow(/verification key/)
  })

  it.each([
    ['a number', 5],
    ['null', null],
    ['JSON that is cut', '{"type": "x"'],
    ['an object without cborHex', {}],
    ['a raw key', raw],
    ['a key of 31 bytes', `581f${raw.slice(2)}`],
    ['trailing bytes', `5820${raw}00`],
    ['odd hex', '582'],
    ['text where bytes belong', `7820${'61'.repeat(32)}`]
  ])('refuse %s with a typed error that holds nothing of the key', (_, input) => {
    for (const parse of [parseSigningKey, parseVerificationKey]) {
      let message = ''
      try {
        parse(input)
      } catch (error) {
        expect((error as { code: string }).code).toMatch(/^INPUT_(KEY_FILE|HEX|CBOR)$/)
        message = (error as Error).message
      }
      expect(message).not.toBe('')
      expect(message).not.toContain('58205820')
    }
  })
})
