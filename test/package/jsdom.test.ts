/** @jest-environment jsdom */
import * as root from 'layer-sdk'
import * as bridge from 'layer-sdk/bridge'
import * as devnode from 'layer-sdk/devnode'
import * as providers from 'layer-sdk/providers'
import * as tx from 'layer-sdk/tx'
import * as utils from 'layer-sdk/utils'
import * as wallet from 'layer-sdk/wallet'

// The figure: CIP-1852 test phrase of the wallets' own tests, the address that every one of them shows
// (test/wallet/vectors).
const words = 'test walk nut penalty hip pave soap entry language right filter choice'.split(' ')
const key = { type: 'mnemonic', words } as const

/** Runs with jsdom's own globals, then with Node's coders put there, as most set-up files do. */
const SETUPS: [string, () => void][] = [
  ['jsdom as it is', () => undefined],
  [
    'jsdom with the coders of node:util',
    () => {
      const util = process.getBuiltinModule('node:util')
      Object.assign(globalThis, { TextEncoder: util.TextEncoder, TextDecoder: util.TextDecoder })
    }
  ]
]

afterEach(() => {
  for (const name of ['TextEncoder', 'TextDecoder']) Reflect.deleteProperty(globalThis, name)
})

it('runs here in a page without TextEncoder, so that an import that needs one would have failed', () => {
  expect([typeof document, typeof TextEncoder, typeof TextDecoder]).toEqual(['object', 'undefined', 'undefined'])
  for (const entry of [root, bridge, devnode, providers, tx, utils, wallet])
    expect(Object.keys(entry).length).toBeGreaterThan(0)
})

describe.each(SETUPS)('in jest with %s', (_, setUp) => {
  beforeEach(setUp)

  it('wallets derive, sign and verify, with passwords and texts beyond ASCII', async () => {
    const own = new wallet.AppWallet({ networkId: 0, key })
    expect(own.getPaymentAddress()).toBe(
      'addr_test1qz2fxv2umyhttkxyxp8x0dlpdt3k6cwng5pxj3jhsydzer3jcu5d8ps7zex2k2xt3uqxgjqnnj83ws8lhrn648jjxtwq2ytjqp'
    )
    const address = own.getPaymentAddress()
    const signed = await own.signData(address, 'Grüße 🦄 \u{10ffff}')
    expect(wallet.verifyData({ ...signed, address, payload: 'Grüße 🦄 \u{10ffff}' })).toBe(true)
    expect(wallet.verifyData({ ...signed, address, payload: 'Gruesse' })).toBe(false)
    const created = await wallet.AppWallet.create({ networkId: 0, key: { ...key, password: 'pässwörd' } })
    expect(created.getPaymentAddress()).toBe(
      new wallet.AppWallet({ networkId: 0, key: { ...key, password: 'pässwörd' } }).getPaymentAddress()
    )
    const unsigned = '84a3008182582000000000000000000000000000000000000000000000000000000000000000000001800200a0f5f6'
    expect(wallet.witnessesOf(await own.signTx(unsigned))).toHaveLength(1)
    expect(utils.genVkey(utils.chainCliKeygen().sk).type).toBe('PaymentVerificationKeyShelley_ed25519')
  })

  it('a text that is not well formed is refused as anywhere', () => {
    expect(() => utils.buildAuxiliaryData({ 1: '\ud800' } as never)).toThrow(
      expect.objectContaining({ code: expect.stringMatching(/^INPUT_/) })
    )
    for (const bad of ['ff', 'c080', 'eda080', 'f4908080', 'e282']) {
      const length = (0x60 + bad.length / 2).toString(16)
      expect(() => utils.decodeAuxiliaryData(`a101${length}${bad}`)).toThrow(
        expect.objectContaining({ code: expect.stringMatching(/^INPUT_/) })
      )
    }
    expect([...utils.decodeAuxiliaryData('a10164f09fa684').metadata.values()].map((each) => each.toObject())).toEqual([
      '🦄'
    ])
  })

  it('startDevNode rejects with the error that the guide of runtimes promises, and DevNode works without sockets', async () => {
    await expect(devnode.startDevNode({ port: 0 })).rejects.toMatchObject({
      code: 'RUNTIME_UNSUPPORTED',
      missing: 'server sockets'
    })
    const node = new devnode.DevNode()
    const head = new bridge.LayerBridge({ connector: node.connector() })
    await head.connect()
    expect(head.state).toBe('connected')
    await head.disconnect()
    await node.stop()
  })

  it('a bridge over a URL names what is missing', async () => {
    const noFetch = new bridge.LayerBridge({ url: 'ws://127.0.0.1:1' })
    await expect(noFetch.getProtocolParameters()).rejects.toMatchObject({
      code: expect.stringMatching(/^(RUNTIME_UNSUPPORTED|BRIDGE_)/)
    })
  })
})
