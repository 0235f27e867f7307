import { AppWallet, walletFromCip30 } from 'layer-sdk/wallet'

/**
 * The browser's wallet; on a local head an account of the development phrase, which a build for others does not hold.
 */
export async function openWallet() {
  if (import.meta.env.HEAD_LOCAL) return openDevelopmentWallet()
  const installed = Object.values(window.cardano ?? {}).find((wallet) => typeof wallet?.enable === 'function')
  if (installed === undefined) throw new Error('This browser has no Cardano wallet.')
  return walletFromCip30(await installed.enable())
}

/** Its accounts hold play money on every local head, and everybody knows their keys. */
function openDevelopmentWallet() {
  return AppWallet.create({ networkId: 0, key: { type: 'mnemonic', words: [...Array(23).fill('test'), 'sauce'] } })
}
