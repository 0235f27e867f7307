// On a local head alone: stands where the extension of a wallet puts itself.
import { AppWallet } from 'layer-sdk/wallet'

/** Its accounts hold play money on every local head, and everybody knows their keys. */
const DEVELOPMENT_PHRASE = [...Array(23).fill('test'), 'sauce']

export function install({ fetcher, submitter }) {
  window.cardano ??= {}
  window.cardano.development = {
    name: 'Development wallet',
    apiVersion: '1',
    async enable() {
      const wallet = await AppWallet.create({
        networkId: 0,
        key: { type: 'mnemonic', words: DEVELOPMENT_PHRASE },
        fetcher,
        submitter
      })
      return wallet.toCip30({ accountIndex: 1, approve: () => window.confirm('Sign with the development wallet?') })
    }
  }
}
