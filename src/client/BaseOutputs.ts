import { isLayerError } from '../errors/base.js'
import type { UTxO } from '../types/utxo.js'
import type { Wallet } from '../types/wallet.js'
import { callWallet } from './callWallet.js'
import { refOf } from './PendingView.js'

/**
 * Time for which spent outputs and expected change are remembered, ms: a provider may still list an output after it was
 * spent, and list the change late. A deposit that never reaches the ledger is forgotten after this time.
 */
const MEMORY_MS = 600_000

/**
 * Registry of the outputs of the base ledger that the deposits of one client have chosen, so that no two of them choose
 * the same output.
 */
export class BaseOutputs {
  readonly #reservations = new Map<string, symbol>()
  /** Spent outputs by `txHash#index`, each with the time at which it is forgotten, ms since the Unix epoch. */
  readonly #spent = new Map<string, number>()
  readonly #coming = new Map<string, { readonly utxo: UTxO; readonly until: number }>()

  /** Returns the outputs that no deposit has chosen or spent. */
  free(utxos: readonly UTxO[]): UTxO[] {
    this.#forget()
    return utxos.filter((utxo) => !this.#reservations.has(refOf(utxo)) && !this.#spent.has(refOf(utxo)))
  }

  /**
   * Returns the reference (`txHash#index`) of an output that a deposit has chosen and not spent yet; undefined when
   * there is none.
   */
  heldOf(utxos: readonly UTxO[]): string | undefined {
    return utxos.map(refOf).find((ref) => this.#reservations.has(ref))
  }

  /**
   * Returns outputs that are not free and may become free: the listed ones that other deposits have chosen, and change
   * of other deposits that is not listed yet.
   */
  later(listed: readonly UTxO[]): UTxO[] {
    this.#forget()
    const listedRefs = new Set(listed.map(refOf))
    const coming = [...this.#coming]
      .filter(([ref]) => !listedRefs.has(ref) && !this.#reservations.has(ref))
      .map(([, { utxo }]) => utxo)
    return [...listed.filter((utxo) => this.#reservations.has(refOf(utxo))), ...coming]
  }

  /**
   * Reserves outputs for the deposit `label` until {@link release}, and frees the outputs that it had reserved before.
   */
  hold(utxos: readonly UTxO[], label: symbol): void {
    this.release(label)
    for (const utxo of utxos) this.#reservations.set(refOf(utxo), label)
  }

  /**
   * Marks the outputs that the deposit `label` has reserved as spent, even while a provider still lists them, and
   * remembers its change as outputs to come.
   */
  spend(label: symbol, change: readonly UTxO[]): void {
    const until = Date.now() + MEMORY_MS
    for (const [ref, by] of this.#reservations) if (by === label) this.#spent.set(ref, until)
    for (const utxo of change) this.#coming.set(refOf(utxo), { utxo, until })
    this.release(label)
  }

  /** Frees the outputs that are still reserved for a deposit. */
  release(label: symbol): void {
    for (const [ref, by] of this.#reservations) if (by === label) this.#reservations.delete(ref)
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
