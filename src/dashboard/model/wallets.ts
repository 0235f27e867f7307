import type { HeadClient, Wallet } from '../../client/index.js'
import { createHeadClient } from '../../client/index.js'
import { AppWallet, walletFromCip30 } from '../../wallet/index.js'
import { queryBaseLedger } from './baseLedger.js'
import type { Session } from './Session.js'

/** A wallet that commands sign with. */
export interface OpenWallet {
  /** E.g. `Development account 0`. */
  readonly label: string
  /** Its change address: bech32. */
  readonly address: string
  /** Client that acts for the wallet over the session's connection. */
  readonly client: HeadClient
  /** Closes the wallet, which forgets its keys. */
  close(): void
}

/** A browser wallet that the page was given (CIP-30). */
export interface PageWallet {
  readonly id: string
  readonly name: string
  enable(): Promise<unknown>
}

/**
 * Returns the browser's wallets. Objects of browser extensions are checked for their form only; a person chooses one by
 * its name.
 */
export function pageWallets(page: unknown): PageWallet[] {
  const { cardano } = page as { cardano?: Record<string, { name?: unknown; enable?: unknown } | undefined> }
  if (typeof cardano !== 'object' || cardano === null) return []
  return Object.entries(cardano).flatMap(([id, wallet]) => {
    if (typeof wallet?.enable !== 'function') return []
    const { name, enable } = wallet as { name?: unknown; enable: () => Promise<unknown> }
    return [{ id, name: typeof name === 'string' ? name : id, enable: () => enable.call(wallet) }]
  })
}

/** Asks a browser wallet for its consent and opens it. */
export async function openBrowserWallet(session: Session, chosen: PageWallet): Promise<OpenWallet> {
  const wallet = walletFromCip30((await chosen.enable()) as Parameters<typeof walletFromCip30>[0])
  return {
    label: chosen.name,
    address: await wallet.getChangeAddress(),
    client: createHeadClient({ bridge: session.client.bridge, wallet }),
    close() {}
  }
}

/** Opens an account of a development phrase, on a local head alone. */
export async function openDevAccount(session: Session, phrase: string, index: number): Promise<OpenWallet> {
  const keys = await AppWallet.create({ networkId: 0, key: { type: 'mnemonic', words: phrase.trim().split(/\s+/) } })
  const address = keys.getPaymentAddress(index)
  // As a Wallet it is its account 0: the others need this.
  const wallet: Wallet = {
    getChangeAddress: () => address,
    getAddresses: () => [address],
    signTx: (txCbor, partialSign) => keys.signTx(txCbor, partialSign, index),
    queryUTxOs: (of) => queryBaseLedger('/kupo', of)
  }
  return {
    label: `Development account ${index}`,
    address,
    client: createHeadClient({ bridge: session.client.bridge, wallet }),
    close: () => keys.dispose()
  }
}
