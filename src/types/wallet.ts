import type { ProtocolParameters } from './provider.js'
import type { UTxO } from './utxo.js'

/**
 * A wallet as the head client uses it: `AppWallet`, `ChainCliWallet`, `EmbeddedWallet` and `walletFromCip30(api)` all
 * are one, and so is an object of your own with these methods.
 */
export interface Wallet {
  /** The address that change goes to: bech32. */
  getChangeAddress(): string | Promise<string>
  /** Every address whose outputs the wallet can spend: bech32, the change address among them. */
  getAddresses(): readonly string[] | Promise<readonly string[]>
  /**
   * Adds the wallet's signatures to a transaction.
   *
   * @param txCbor - CBOR hex.
   * @param partialSign - true: add own signatures and demand no others.
   * @returns the whole signed transaction: CBOR hex.
   */
  signTx(txCbor: string, partialSign?: boolean): Promise<string>
  /** Unspent outputs of an address on the base ledger. Deposits need it. */
  queryUTxOs?(address: string): Promise<UTxO[]>
  /**
   * Submits a signed transaction (CBOR hex) to the base ledger and resolves with its id. Without it the head's node
   * submits.
   */
  submitTx?(signedTxCbor: string): Promise<string>
  /** Protocol parameters of the base ledger. A deposit of a part of an output needs them on nodes before 1.1. */
  getProtocolParameters?(): Promise<ProtocolParameters>
}
