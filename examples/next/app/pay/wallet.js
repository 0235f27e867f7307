import { AppWallet, walletFromCip30 } from 'layer-sdk/wallet'

/** Its accounts hold play money on every local head, and everybody knows their keys. */
const DEVELOPMENT_PHRASE = [...Array(23).fill('test'), 'sauce']

/** The browser's wallet; on a local head an account of the development phrase. */
export async function openWallet(isLocal) {
  if (isLocal) return AppWallet.create({ networkId: 0, key: { type: 'mnemonic', words: DEVELOPMENT_PHRASE } })
  const installed = Object.values(window.cardano ?? {}).find((wallet) => typeof wallet?.enable === 'function')
  if (installed === undefined) throw new Error('This browser has no Cardano wallet.')
  return walletFromCip30(await installed.enable())
}
