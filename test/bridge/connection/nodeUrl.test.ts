import { httpTarget } from '../../../src/bridge/connection/httpTarget'
import { checkNodeUrl, socketUrl } from '../../../src/bridge/connection/nodeUrl'

describe('the URL of a node or hub', () => {
  it('always says history, and the other parameters when asked', () => {
    expect(socketUrl('ws://host:4001', {})).toBe('ws://host:4001?history=no')
    expect(socketUrl('ws://host:4001/', { history: true, noSnapshotUtxo: true, address: 'addr_test1q+/' })).toBe(
      'ws://host:4001/?history=yes&snapshot-utxo=no&address=addr_test1q%2B%2F'
    )
  })

  it('keeps every parameter of a hub, repeated ones and user:pass@ too, as written', () => {
    expect(socketUrl('wss://user:p%40ss@hub.io/head?X-Api-Key=k%2F1&tag=a&tag=b&flag', { history: false })).toBe(
      'wss://user:p%40ss@hub.io/head?X-Api-Key=k%2F1&tag=a&tag=b&flag&history=no'
    )
  })

  it("lets an option win over the same parameter in the URL, and keeps the URL's where there is no option", () => {
    expect(socketUrl('ws://h?history=yes&address=x', { history: false, address: 'y' })).toBe(
      'ws://h?history=no&address=y'
    )
    expect(socketUrl('ws://h?history=yes&snapshot-utxo=no', {})).toBe('ws://h?history=yes&snapshot-utxo=no')
  })

  it('sends HTTP to the same host and path, without our parameters, the key as a header', () => {
    expect(
      httpTarget('wss://hub.io/head/?X-Api-Key=k%2F1&tenant=7&history=yes&address=a', '/snapshot/utxo', false)
    ).toEqual({
      url: 'https://hub.io/head/snapshot/utxo?tenant=7',
      headers: { 'X-Api-Key': 'k/1' }
    })
  })

  it('keeps the key in the query in browsers, where no header may be sent', () => {
    expect(httpTarget('wss://hub.io/head?x-api-key=k1', '/head', true)).toEqual({
      url: 'https://hub.io/head/head?x-api-key=k1',
      headers: {}
    })
  })

  it('turns user:pass@ into a header, which fetch would refuse in the URL', () => {
    expect(httpTarget('wss://us%C3%A9r:p%40ss@hub.io', '/head', false)).toEqual({
      url: 'https://hub.io/head',
      headers: { Authorization: `Basic ${Buffer.from('usér:p@ss').toString('base64')}` }
    })
  })

  it('takes a password with a plus or a stray percent sign as it stands', () => {
    expect(httpTarget('wss://us+er:100%@hub.io', '/head', false).headers).toEqual({
      Authorization: `Basic ${btoa('us+er:100%')}`
    })
  })

  it('keeps a quoted deposit id as it is', () => {
    expect(httpTarget('ws://h:1', '/commits/%22ab%22', false).url).toBe('http://h:1/commits/%22ab%22')
  })

  it('refuses a key over plain text to another host, and never repeats it', () => {
    for (const url of [
      'ws://hub.io/?X-Api-Key=SECRET',
      'http://hub.io/?x-api-key=SECRET',
      'ws://user:SECRET@hub.io/',
      'ws://SECRET@hub.io/'
    ]) {
      expect(() => checkNodeUrl(url, false)).toThrow(
        expect.objectContaining({ code: 'BRIDGE_INSECURE_URL', message: expect.not.stringContaining('SECRET') })
      )
      expect(checkNodeUrl(url, true)).toMatch(/^ws:/)
    }
    for (const url of [
      'wss://hub.io/?X-Api-Key=k',
      'ws://localhost:1/?X-Api-Key=k',
      'ws://127.0.0.1/?X-Api-Key=k',
      'ws://[::1]:4/?X-Api-Key=k',
      'ws://hub.io/'
    ]) {
      expect(checkNodeUrl(url, false)).toBe(url)
    }
  })

  it('refuses what is no WebSocket URL without repeating it', () => {
    for (const url of ['', 'SECRET', 'ftp://SECRET', 7, null, undefined, {}]) {
      expect(() => checkNodeUrl(url, false)).toThrow(
        expect.objectContaining({ code: 'BRIDGE_OPTIONS', message: expect.not.stringContaining('SECRET') })
      )
    }
  })
})
