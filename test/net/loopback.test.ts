import { isLoopback } from '../../src/net/loopback'

describe('isLoopback', () => {
  it.each([
    'http://localhost',
    'http://LOCALHOST',
    'http://app.localhost',
    'http://127.0.0.1',
    'http://127.1',
    'http://127.255.0.3',
    'http://[::1]',
    'http://[0:0:0:0:0:0:0:1]'
  ])('knows %s as this machine', (url) => {
    expect(isLoopback(new URL(url).hostname)).toBe(true)
  })

  it.each([
    'http://localhost.example',
    'http://notlocalhost',
    'http://127.0.0.1.example',
    'http://128.0.0.1',
    'http://0.0.0.0',
    'http://10.0.0.1',
    'http://[::2]',
    'http://1127.0.0.1.nip.io'
  ])('takes %s for another machine', (url) => {
    expect(isLoopback(new URL(url).hostname)).toBe(false)
  })
})
