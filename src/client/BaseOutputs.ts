import { isLayerError } from '../errors/base.js'
import type { UTxO } from '../types/utxo.js'
import type { Wallet } from '../types/wallet.js'
import { callWallet } from './callWallet.js'
import { refOf } from './PendingView.js'

/**
 * A provider may list an output for a while after it was spent, and change late; a deposit that never lands is
 * forgotten after as long, ms.
 */
const MEMORY_MS = 600_000

/** Outputs of the base ledger that deposits of one client have chosen: two of them never choose the same. */
export class BaseOutputs {
  readonly #held = new Map<string, symbol>()
  /** When each is forgotten, ms since the Unix epoch. */
  readonly #spent = new Map<string, number>()
  readonly #coming = new Map<string, { readonly utxo: UTxO; readonly until: number }>()

  /** Those that no deposit has chosen or spent. */
  free(utxos: readonly UTxO[]): UTxO[] {
    this.#forget()
    return utxos.filter((utxo) => !this.#held.has(refOf(utxo)) && !this.#spent.has(refOf(utxo)))
  }

  /** One that another deposit has chosen and not spent yet, `txHash#index`; undefined when there is none. */
  heldOf(utxos: readonly UTxO[]): string | undefined {
    return utxos.map(refOf).find((ref) => this.#held.has(ref))
  }

  /**
   * What is not free and may be: of those listed, what other deposits have chosen; besides, change of theirs that is
   * not listed yet.
   */
  later(listed: readonly UTxO[]): UTxO[] {
    this.#forget()
    const known = new Set(listed.map(refOf))
    const coming = [...this.#coming]
      .filter(([ref]) => !known.has(ref) && !this.#held.has(ref))
      .map(([, { utxo }]) => utxo)
    return [...listed.filter((utxo) => this.#held.has(refOf(utxo))), ...coming]
  }

  /** Keeps outputs for a deposit until they are {@link release}d; what it kept before is free. */
  hold(utxos: readonly UTxO[], label: symbol): void {
    this.release(label)
    for (const utxo of utxos) this.#held.set(refOf(utxo), label)
  }

  /**
   * The deposit was submitted: its outputs are spent, whether or not a provider lists them still, and its change will
   * come.
   */
  spend(label: symbol, change: readonly UTxO[]): void {
    const until = Date.now() + MEMORY_MS
    for (const [ref, by] of this.#held) if (by === label) this.#spent.set(ref, until)
    for (const utxo of change) this.#coming.set(refOf(utxo), { utxo, until })
    this.release(label)
  }

  /** The deposit has ended: what it still keeps is free. */
  release(label: symbol): void {
    for (const [ref, by] of this.#held) if (by === label) this.#held.delete(ref)
  }

  #forget(): void {
    const now = Date.now()
    for (const [ref, until] of this.#spent) if (until <= now) this.#spent.delete(ref)
    for (const [ref, { until }] of this.#coming) if (until <= now || this.#spent.has(ref)) this.#coming.delete(ref)
  }
}

/** All that a wallet holds on the base ledger; null when it cannot list it. @throws what its provider rejects with */
export async function listOutputs(wallet: Wallet, addresses: readonly string[]): Promise<UTxO[] | null> {
  if (typeof wallet.queryUTxOs !== 'function') return null
  const found = new Map<string, UTxO>()
  try {
    for (const address of addresses)
      for (const utxo of await callWallet('queryUTxOs', () => wallet.queryUTxOs!(address))) found.set(refOf(utxo), utxo)
  } catch (error) {
    // The package's own wallets have the method without a provider, too.
    if (isLayerError(error, 'WALLET_FETCHER_MISSING')) return null
    throw error
  }
  return [...found.values()]
}
