import { AppWallet, browserWallets, walletFromCip30 } from '../../src/wallet'

const owner = new AppWallet({ networkId: 0, key: { type: 'mnemonic', words: AppWallet.brew().split(' ') } })

describe('browserWallets', () => {
  it('lists the installed wallets in their order, and enables them with the object that they belong to', async () => {
    const lace = {
      name: 'Lace',
      icon: 'data:image/svg+xml,',
      async enable() {
        if (this !== lace) throw new Error('called without its object')
        return owner.toCip30()
      }
    }
    const found = browserWallets({ cardano: { lace, plain: { enable: async () => owner.toCip30() } } })
    expect(found.map(({ id, name, icon }) => [id, name, icon])).toEqual([
      ['lace', 'Lace', 'data:image/svg+xml,'],
      ['plain', 'plain', null]
    ])
    expect(await walletFromCip30(await found[0]!.enable()).getNetworkId()).toBe(0)
  })

  it('leaves out entries that cannot be enabled or read, whatever the page wrote there', () => {
    const hostile = {
      get enable(): never {
        throw new Error('no')
      }
    }
    const cardano = {
      a: null,
      b: 1,
      c: {},
      d: { enable: 'yes' },
      hostile,
      e: { name: 5, icon: {}, enable: async () => owner.toCip30() }
    }
    expect(browserWallets({ cardano }).map(({ id, name, icon }) => [id, name, icon])).toEqual([['e', 'e', null]])
    for (const none of [{}, { cardano: null }, { cardano: 'lace' }]) expect(browserWallets(none)).toEqual([])
    expect(browserWallets()).toEqual([])
  })

  it("passes the wallet's own error on when the user declines", async () => {
    const declined = { code: -3, info: 'refused' }
    const [wallet] = browserWallets({
      cardano: {
        w: {
          enable: () => {
            throw declined
          }
        }
      }
    })
    await expect(wallet!.enable()).rejects.toBe(declined)
  })
})
