import { withoutSecrets } from '../../../src/cli/recording/withoutSecrets'
import { parseJson, stringifyJson } from '../../../src/codec/json'
import { nodeSamples } from '../../support/nodeMessages'

const SECRET = 'Zq8vK3nB7tYw2LxPfD5s'

describe('secrets in what a node answers', () => {
  it.each<[string, unknown]>([
    ['the signing key that nodes 1.0 to 2.1 show', { tag: 'Greetings', env: { signingKey: SECRET } }],
    ['a key in another place', { a: [{ hydraSigningKey: SECRET }, { 'private-key': SECRET }, { SKEY: SECRET }] }],
    ['a text envelope', { type: 'PaymentSigningKeyShelley_ed25519', cborHex: SECRET }],
    ['a bech32 key', { note: `ed25519_sk1${'q'.repeat(30)}${'zxcv'.repeat(4)}`, planted: { sk: SECRET } }],
    ['headers', { headers: { authorization: `Bearer ${SECRET}`, 'x-key': SECRET } }],
    ['a cookie', { 'set-cookie': [`sid=${SECRET}; Path=/`] }],
    ['the user part of a URL', { url: `wss://alice:${SECRET}@hub.example/head` }],
    ['the user part of a URL in prose', { reason: `cannot reach https://${SECRET}@hub.example/head today` }],
    ['the query of a URL', { reason: `GET https://hub.example/head?api_key=${SECRET}&x=1 failed` }],
    ['the query of a path', { reason: `GET /head?key=${SECRET} HTTP/1.1` }],
    ['a path in a member url', { url: `/history?${SECRET}` }],
    ['the fragment of a URL', { href: `https://hub.example/#${SECRET}` }],
    ['a URL as the name of a member', { [`https://u:${SECRET}@hub.example`]: true }],
    ['a bearer token in prose', { message: `sent Authorization: Bearer ${SECRET}` }],
    ['a JWT', { note: `eyJhbGciOiJIUzI1NiJ9.${SECRET}${SECRET}.${SECRET}` }],
    ['a token', { access_token: SECRET, refreshToken: SECRET, token: SECRET }],
    ['a phrase', { mnemonic: SECRET, passphrase: SECRET }],
    ['a project id', { note: `preprod${'aB3'.repeat(10)}xy`, project_id: SECRET }],
    ['a list of secrets', { secrets: [SECRET, { deep: SECRET }] }]
  ])('leaves out %s', (_, value) => {
    const text = withoutSecrets(JSON.stringify(value))
    expect(text).not.toContain(SECRET)
    expect(text).not.toMatch(/sk1q{30}|preprodaB3/)
    expect(() => JSON.parse(text)).not.toThrow()
  })

  it('leaves out a secret behind escapes of the text, in a member that is escaped too', () => {
    const escaped = [...SECRET].map((char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`).join('')
    expect(JSON.parse(withoutSecrets(`{"\\u0073ecret":"${escaped}"}`))).toEqual({ secret: '[removed]' })
  })

  it.each([
    [`<html><a href="https://hub.example/x?token=${SECRET}">gone</a></html>`],
    [`502 for wss://u:${SECRET}@hub.example`],
    [`{"broken": "https://hub.example/?k=${SECRET}`],
    [`password: ${SECRET}`],
    [`Cookie: ${SECRET}`]
  ])('leaves secrets out of a text that is no JSON', (text) => {
    expect(withoutSecrets(text)).not.toContain(SECRET)
  })

  it.each([
    ['hex', 'ab'.repeat(500_000)],
    ['URLs in URLs', 'http://'.repeat(150_000)],
    ['user parts', 'a://b@'.repeat(150_000)],
    ['tokens', 'token '.repeat(150_000)],
    ['dots', 'eyJaaaaa.'.repeat(100_000)],
    ['keys', 'x_sk'.repeat(250_000)]
  ])(
    'reads a million characters of %s without a hang',
    (_, text) => {
      const startedMs = performance.now()
      withoutSecrets(JSON.stringify({ url: 'x', text }))
      withoutSecrets(`https://${text}`)
      // About a second on a quiet machine; a rule that looks back at each character needs hours.
      expect(performance.now() - startedMs).toBeLessThan(20_000)
    },
    60_000
  )

  it.each([
    [`https://u:a/b?c@${SECRET}@hub.example/x`],
    [`https://u:${SECRET}?x@hub.example/x`],
    [`https://u:${SECRET}#x@hub.example/x`],
    [`${'q'.repeat(40)}://u:${SECRET}@hub.example/x`]
  ])('leaves out a password with signs of its own', (url) => {
    expect(withoutSecrets(JSON.stringify({ note: `see ${url} there` }))).not.toContain(SECRET)
  })

  it('keeps integers beyond 2^53 where it removes something', () => {
    expect(withoutSecrets('{"token":"x","lovelace":45000000000000001}')).toBe(
      '{"token":"[removed]","lovelace":45000000000000001}'
    )
  })

  it('keeps every message of every version of the node byte for byte, but for signing keys', () => {
    const texts = nodeSamples().map(({ value }) => stringifyJson(value))
    expect(texts.length).toBeGreaterThan(100)
    for (const text of texts) {
      if (/signingKey/.test(text)) expect(parseJson(withoutSecrets(text))).not.toEqual(parseJson(text))
      else expect(withoutSecrets(text)).toBe(text)
    }
  })
})
