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

  /** Returns the outputs that no deposit has chosen or spent. */
  free(utxos: readonly UTxO[]): UTxO[] {
    this.#forget()
    return utxos.filter((utxo) => !this.#held.has(refOf(utxo)) && !this.#spent.has(refOf(utxo)))
  }

  /**
   * Returns an output that another deposit has chosen and not spent yet, `txHash#index`; undefined when there is none.
   */
  heldOf(utxos: readonly UTxO[]): string | undefined {
    return utxos.map(refOf).find((ref) => this.#held.has(ref))
  }

  /**
   * Outputs that are not free and may become so: the listed ones that other deposits have chosen, and the change of
   * those deposits that is not listed yet.
   */
  later(listed: readonly UTxO[]): UTxO[] {
    this.#forget()
    const known = new Set(listed.map(refOf))
    const coming = [...this.#coming]
      .filter(([ref]) => !known.has(ref) && !this.#held.has(ref))
      .map(([, { utxo }]) => utxo)
    return [...listed.filter((utxo) => this.#held.has(refOf(utxo))), ...coming]
  }

  /** Keeps outputs for a deposit until they are {@link release}d; the outputs that it kept before are free. */
  hold(utxos: readonly UTxO[], label: symbol): void {
    this.release(label)
    for (const utxo of utxos) this.#held.set(refOf(utxo), label)
  }

  /**
   * Marks the outputs of a submitted deposit as spent, even while a provider still lists them, and expects its change.
   */
  spend(label: symbol, change: readonly UTxO[]): void {
    const until = Date.now() + MEMORY_MS
    for (const [ref, by] of this.#held) if (by === label) this.#spent.set(ref, until)
    for (const utxo of change) this.#coming.set(refOf(utxo), { utxo, until })
    this.release(label)
  }

  /** Frees the outputs that a deposit still keeps once it has ended. */
  release(label: symbol): void {
    for (const [ref, by] of this.#held) if (by === label) this.#held.delete(ref)
  }

  #forget(): void {
    const now = Date.now()
    for (const [ref, until] of this.#spent) if (until <= now) this.#spent.delete(ref)
    for (const [ref, { until }] of this.#coming) if (until <= now || this.#spent.has(ref)) this.#coming.delete(ref)
  }
}

/**
 * Lists all outputs of a wallet on the base ledger; null when it cannot list them. @throws the errors of its provider
 */
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
