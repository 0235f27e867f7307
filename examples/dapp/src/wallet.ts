import { AppWallet, walletFromCip30 } from 'layer-sdk/wallet'

/** The browser's wallet; on a local head an account of the development phrase, one for each player. */
export async function openWallet(player: number) {
  if (import.meta.env.HEAD_LOCAL) return openDevelopmentWallet(player)
  const installed = Object.values(window.cardano ?? {}).find((wallet) => typeof wallet?.enable === 'function')
  if (installed === undefined) throw new Error('This browser has no Cardano wallet.')
  return walletFromCip30(await installed.enable())
}

/** Its accounts hold play money on every local head, and everybody knows their keys. */
async function openDevelopmentWallet(player: number) {
  const words = [...Array(23).fill('test'), 'sauce']
  const wallet = await AppWallet.create({ networkId: 0, key: { type: 'mnemonic', words } })
  return walletFromCip30(wallet.toCip30({ accountIndex: player - 1 }))
}
