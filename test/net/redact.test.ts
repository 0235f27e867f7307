import { createRedactor } from '../../src/net/redact'

describe('createRedactor', () => {
  it('removes every occurrence of every secret', () => {
    expect(createRedactor(['secret', 'password'])('secret, password and secret')).toBe(
      '[redacted], [redacted] and [redacted]'
    )
  })

  it('removes the longest first, so that no rest of a longer secret stays', () => {
    expect(createRedactor(['secret', 'secret-and-more'])('secret-and-more')).toBe('[redacted]')
  })
})
