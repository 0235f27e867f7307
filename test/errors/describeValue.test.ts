import { describeValue, described, byType } from '../../src/errors/base'
import { BridgeOptionsError } from '../../src/errors/bridge'
import { InvalidArgumentError, InvalidHexError } from '../../src/errors/input'

describe('a value in an error', () => {
  it.each([
    ['a word', 'mainnet', '"mainnet"'],
    ['a text of 24 characters', 'x'.repeat(24), `"${'x'.repeat(24)}"`],
    ['a text of 25 characters', 'x'.repeat(25), 'a text of 25 characters'],
    ['hex of 24 digits', 'ab'.repeat(12), `"${'ab'.repeat(12)}"`],
    ['hex of 32 digits', 'ab'.repeat(16), '32 hexadecimal digits'],
    ['hex in upper case with 0x', `0x${'AB'.repeat(32)}`, '66 hexadecimal digits'],
    ['a phrase', 'abandon '.repeat(11) + 'about', 'a text of 93 characters'],
    ['the largest integer of 24 digits that is shown', 2n ** 78n - 1n, `${2n ** 78n - 1n}n`],
    ['a key as an integer', 2n ** 252n, 'a larger bigint'],
    ['entropy as an integer', 2n ** 127n - 1n, 'a larger bigint'],
    ['a negative key as an integer', -(2n ** 252n), 'a larger bigint'],
    ['bytes', new Uint8Array(32), '32 bytes'],
    ['control characters', 'a\n- Got b\u001b[2J', '"a\\n- Got b\\u001b[2J"'],
    ['null', null, 'null'],
    ['a function', () => 'secret', 'a function'],
    ['a symbol', Symbol('secret'), 'a symbol'],
    ['words', ['abandon', 'ability'], 'an array of 2'],
    ['an object', { toString: () => 'secret' }, 'an object'],
    ['a description', described('both'), 'both'],
    ['the kind of a secret', byType('abandon'), 'a string'],
    ['the kind of a secret integer', byType(7n), 'a bigint'],
    ['the kind of an object', byType({}), 'an object'],
    ['the kind of null', byType(null), 'null'],
    ['the kind of undefined', byType(undefined), 'undefined'],
    [
      'a Proxy that throws',
      new Proxy(
        {},
        {
          get() {
            throw new Error('secret')
          },
          getPrototypeOf() {
            throw new Error('secret')
          },
          has() {
            throw new Error('secret')
          }
        }
      ),
      'an object'
    ]
  ])('is shown or described: %s', (_, value, expected) => {
    expect(describeValue(value)).toBe(expected)
  })

  it('is described alike by every class that takes one', () => {
    const key = 'ed25519e_sk1' + 'q'.repeat(100)
    for (const error of [
      new InvalidArgumentError('apiKey', 'a key', key),
      new BridgeOptionsError('url', 'a URL', key),
      new InvalidHexError('skey', key)
    ]) {
      expect(error.message).not.toContain('qqqq')
      expect(error.message).toContain(`${key.length} characters`)
    }
  })
})
