import { isLayerError } from '../../src/errors/base'
import {
  AppWallet,
  ChainCliWallet,
  EmbeddedWallet,
  verifyData,
  walletFromCip30,
  type WalletKey
} from '../../src/wallet/index'
import { chainCliKeygen } from '../../src/utils/index'

const words = 'test walk nut penalty hip pave soap entry language right filter choice'.split(' ')
const key = { type: 'mnemonic', words } as const
const wallet = new AppWallet({ networkId: 0, key })
const { sk } = chainCliKeygen()

function withPolluted<T>(pollution: Record<string, unknown>, run: () => T): T {
  for (const [name, value] of Object.entries(pollution))
    Object.defineProperty(Object.prototype, name, { value, configurable: true, enumerable: true, writable: true })
  try {
    return run()
  } finally {
    for (const name of Object.keys(pollution)) delete (Object.prototype as unknown as Record<string, unknown>)[name]
  }
}

describe('the options of a wallet', () => {
  it('are not taken from a polluted Object.prototype: no password, index or provider comes from there', async () => {
    const expected = JSON.stringify(wallet.getAccount(0, 3))
    const cli = new ChainCliWallet({ networkId: 0, skey: sk }).getAddressBech32()
    const polluted = withPolluted(
      {
        password: 'polluted',
        stakeKeyIndex: 0,
        accountIndex: 5,
        keyIndex: 5,
        vkey: 'x',
        fetcher: {},
        submitter: {},
        approve: null
      },
      () => ({
        app: JSON.stringify(new AppWallet({ networkId: 0, key }).getAccount(0, 3)),
        embedded: JSON.stringify(new EmbeddedWallet({ networkId: 0, key }).getAccount(0, 3)),
        cli: new ChainCliWallet({ networkId: 0, skey: sk }).getAddressBech32(),
        change: new AppWallet({ networkId: 0, key }).toCip30({}).getChangeAddress()
      })
    )
    expect([polluted.app, polluted.embedded, polluted.cli]).toEqual([expected, expected, cli])
    expect(await polluted.change).toBe(await wallet.toCip30().getChangeAddress())
  })

  it('are not completed by a polluted Object.prototype', () => {
    withPolluted({ key, networkId: 0, words, skey: sk }, () => {
      expect(() => new AppWallet({} as never)).toThrow(expect.objectContaining({ code: 'INPUT_ARGUMENT' }))
      expect(() => new AppWallet({ networkId: 0, key: { type: 'mnemonic' } as never })).toThrow(
        expect.objectContaining({ code: 'WALLET_MNEMONIC_WORD_COUNT' })
      )
      expect(() => new ChainCliWallet({ networkId: 0 } as never)).toThrow(
        expect.objectContaining({ code: 'INPUT_KEY_FILE' })
      )
    })
  })

  it.each<[string, string, () => unknown]>([
    ['passwort', 'key.passwort', () => new AppWallet({ networkId: 0, key: { ...key, passwort: 'hunter2' } as never })],
    ['stakeIndex', 'stakeIndex', () => new AppWallet({ networkId: 0, key, stakeIndex: 'hunter2' } as never)],
    [
      'password beside the key',
      'password',
      () => new EmbeddedWallet({ networkId: 0, key, password: 'hunter2' } as never)
    ],
    [
      'accountIndex with a phrase',
      'key.accountIndex',
      () => new EmbeddedWallet({ networkId: 0, key: { ...key, accountIndex: 1 } as never })
    ],
    ['vk', 'vk', () => new ChainCliWallet({ networkId: 0, skey: sk, vk: 'hunter2' } as never)],
    ['approved', 'approved', () => wallet.toCip30({ approved: () => false } as never)],
    ['fetch', 'fetch', () => walletFromCip30(wallet.toCip30(), { fetch: {} } as never)]
  ])('with an unknown name are refused, and the error names it: %s', (_, argument, make) => {
    expect(make).toThrow(
      expect.objectContaining({ code: 'INPUT_ARGUMENT', argument, message: expect.not.stringContaining('hunter2') })
    )
  })

  it('reject where a promise was asked for', async () => {
    await expect(AppWallet.create({ networkId: 0, key, pasword: 1 } as never)).rejects.toMatchObject({
      code: 'INPUT_ARGUMENT',
      argument: 'pasword'
    })
  })

  it('refuse a key of another type, also when it is a name that every object has', () => {
    for (const type of ['constructor', '__proto__', 'seed', undefined, 7, {}]) {
      expect(() => new AppWallet({ networkId: 0, key: { type } as never })).toThrow(
        expect.objectContaining({ code: 'WALLET_KEY' })
      )
    }
    for (const none of [undefined, null, 'mnemonic', words]) {
      expect(() => new AppWallet({ networkId: 0, key: none as unknown as WalletKey })).toThrow(
        expect.objectContaining({ code: 'INPUT_ARGUMENT' })
      )
    }
  })

  it('make a misspelt address in verifyData no valid signature: nothing would be compared with it', async () => {
    const address = wallet.getPaymentAddress()
    const signed = await wallet.signData(address, 'login')
    expect(verifyData({ ...signed, address, payload: 'login' })).toBe(true)
    expect(verifyData({ ...signed, adress: 'addr1...', payload: 'login' } as never)).toBe(false)
    for (const none of [undefined, null, 7, 'x', []]) expect(verifyData(none as never)).toBe(false)
  })
})

describe('the consent of toCip30', () => {
  const tx = '84a3008182582000000000000000000000000000000000000000000000000000000000000000000001800200a0f5f6'

  it.each([
    ['a text', 'no'],
    ['1', 1],
    ['an answer object', { approved: false }],
    ['an empty object', {}],
    ['an array', []],
    ['undefined', undefined],
    ['a boolean object', Object(true)]
  ])('is the value true and nothing else, not %s', async (_, answer) => {
    for (const approve of [() => answer, async () => answer]) {
      const api = wallet.toCip30({ approve: approve as never })
      await expect(api.signTx(tx)).rejects.toMatchObject({ code: 2 })
      await expect(api.signData(wallet.getPaymentAddress(), 'ff')).rejects.toMatchObject({ code: 3 })
      await expect(api.submitTx(tx)).rejects.toMatchObject({ code: 1 })
    }
  })

  it('is given by true, at once or later', async () => {
    for (const approve of [() => true, async () => true])
      expect(await wallet.toCip30({ approve }).signTx(tx)).toMatch(/^a10081825820/)
  })
})

it('errors of options are the typed ones', () => {
  try {
    new AppWallet(null as never)
  } catch (error) {
    expect(isLayerError(error, 'INPUT_ARGUMENT')).toBe(true)
    return
  }
  throw new Error('not refused')
})
