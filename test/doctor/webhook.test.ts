import { execFileSync } from 'node:child_process'
import { verifyWebhook } from '../../src/doctor'
import { webhookHeaders } from '../../src/doctor/inner'
import { randomSource } from '../support/random'

const SECRET = 'a secret of more than thirty-two bytes'
const signed = (body: string, at = Date.now()): Record<string, string> =>
  webhookHeaders(body, { id: 'ab', at, secret: SECRET })

describe('the signature of a webhook', () => {
  it('is that of openssl dgst, for bodies of any letters', () => {
    const random = randomSource('webhooks')
    for (let i = 0; i < 12; i++) {
      const body = JSON.stringify({ what: `ä€😀${Buffer.from(random.bytes(random.below(300))).toString('latin1')}` })
      const headers = signed(body, 1_780_000_000_000 + i)
      const output = execFileSync('openssl', ['dgst', '-sha256', '-hmac', SECRET], {
        input: `${headers['layer-timestamp']}.${body}`
      }).toString()
      expect(headers['layer-signature']).toBe(`v1=${/([0-9a-f]{64})/.exec(output)![1]}`)
    }
  })

  it('is accepted as headers of fetch and of Node, in any case, as text and as bytes', () => {
    const body = '{"rule":"fuel-low"}'
    const headers = signed(body)
    const upper = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toUpperCase(), value]))
    for (const given of [headers, new Headers(headers), upper])
      for (const bytes of [body, new TextEncoder().encode(body)])
        expect(verifyWebhook({ headers: given, body: bytes, secret: SECRET })).toEqual({ ok: true, id: 'ab' })
  })

  const body = '{"rule":"fuel-low"}'
  it.each([
    ['another body', {}, { body: '{"rule":"fuel-lov"}' }, 'signature'],
    ['another secret', {}, { secret: SECRET.replace('a', 'b') }, 'signature'],
    ['another time', { 'layer-timestamp': String(Date.now() - 1) }, {}, 'signature'],
    ['a signature that is cut', { 'layer-signature': 'v1=00' }, {}, 'missing'],
    ['a signature of another version', { 'layer-signature': `v2=${'0'.repeat(64)}` }, {}, 'missing'],
    ['no signature', { 'layer-signature': undefined }, {}, 'missing'],
    ['no id', { 'layer-id': undefined }, {}, 'missing'],
    ['a time that is none', { 'layer-timestamp': '1e3' }, {}, 'missing'],
    ['the same header twice', { 'Layer-Signature': `v1=${'0'.repeat(64)}` }, {}, 'missing']
  ])('is refused with %s', (_, headers, more, reason) => {
    expect(verifyWebhook({ headers: { ...signed(body), ...headers } as never, body, secret: SECRET, ...more })).toEqual(
      { ok: false, reason }
    )
  })

  it("is refused with any digit changed, and with two digits in each other's place", () => {
    const headers = signed(body)
    const digits = [...headers['layer-signature']!.slice(3)]
    const refused = (changed: readonly string[]): void =>
      expect(
        verifyWebhook({ headers: { ...headers, 'layer-signature': `v1=${changed.join('')}` }, body, secret: SECRET })
      ).toEqual({ ok: false, reason: 'signature' })
    for (let i = 0; i < 64; i++) refused(digits.map((digit, at) => (at !== i ? digit : digit === '0' ? '1' : '0')))
    const other = digits.findIndex((digit) => digit !== digits[0])
    refused(digits.map((digit, at) => (at === 0 ? digits[other]! : at === other ? digits[0]! : digit)))
  })

  it('is refused out of the tolerance, on both sides, and accepted at its edge', () => {
    for (const late of [-301_000, 301_000])
      expect(verifyWebhook({ headers: signed(body, Date.now() + late), body, secret: SECRET })).toEqual({
        ok: false,
        reason: 'time'
      })
    for (const late of [-299_000, 299_000])
      expect(verifyWebhook({ headers: signed(body, Date.now() + late), body, secret: SECRET }).ok).toBe(true)
  })

  it('throws typed on a short secret, which it does not repeat, and on a parsed body', () => {
    const short = 'short-secret-of-the-shop'
    for (const call of [
      () => verifyWebhook({ headers: signed(body), body, secret: short }),
      () => webhookHeaders(body, { id: 'a', at: 1, secret: short }),
      () => verifyWebhook({ headers: signed(body), body: {} as never, secret: SECRET }),
      () => verifyWebhook({ headers: null as never, body, secret: SECRET })
    ]) {
      expect(call).toThrow(expect.objectContaining({ code: 'INPUT_ARGUMENT' }))
      expect(call).not.toThrow(short)
    }
  })
})
