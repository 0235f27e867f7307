import type { ProtocolParameters } from './provider.js'
import type { UTxO } from './utxo.js'

/**
 * A wallet as the head client uses it. `AppWallet`, `ChainCliWallet`, `EmbeddedWallet` and the result of
 * `walletFromCip30(api)` are such wallets, and so is any object of your own with these methods.
 */
export interface Wallet {
  /** Returns the address that receives change: bech32. */
  getChangeAddress(): string | Promise<string>
  /** Returns every address whose outputs the wallet can spend: bech32, the change address included. */
  getAddresses(): readonly string[] | Promise<readonly string[]>
  /**
   * Adds the wallet's signatures to a transaction.
   *
   * @param txCbor - CBOR hex.
   * @param partialSign - true: add the wallet's signatures, even if others are still missing.
   * @returns the whole signed transaction: CBOR hex.
   */
  signTx(txCbor: string, partialSign?: boolean): Promise<string>
  /** Returns the unspent outputs of an address on the base ledger. Deposits need this method. */
  queryUTxOs?(address: string): Promise<UTxO[]>
  /**
   * Submits a signed transaction (CBOR hex) to the base ledger and resolves with its id. Without it the head's node
   * submits.
   */
  submitTx?(signedTxCbor: string): Promise<string>
  /**
   * Returns the protocol parameters of the base ledger. A deposit of a part of an output needs them on nodes before
   * 1.1.
   */
  getProtocolParameters?(): Promise<ProtocolParameters>
}
