/**
 * Wallets derive keys from a recovery phrase or read them from a file of cardano-cli, and sign transactions and
 * messages (CIP-8, CIP-30). `AppWallet` is the wallet of an application, `EmbeddedWallet` only derives and signs,
 * `ChainCliWallet` uses one key of cardano-cli. Secrets never leave the wallet object.
 *
 * @see docs/guides/wallet.md
 * @see docs/guides/cip-30.md
 * @packageDocumentation
 */
export { AppWallet } from './AppWallet.js'
export type { AppWalletOptions } from './AppWallet.js'
export { ChainCliWallet } from './ChainCliWallet.js'
export type { ChainCliWalletOptions } from './ChainCliWallet.js'
export { EmbeddedWallet } from './EmbeddedWallet.js'
export type { Account, Bip32Key } from './keys/Account.js'
export type {
  AccountXpubKey,
  AddressesKey,
  MnemonicKey,
  PrivateKeySource,
  RootHexKey,
  RootKey,
  WalletKey
} from './keys/walletKey.js'
export type { EmbeddedWalletOptions, WalletProviderOptions } from './options.js'
export type { DataSignature } from './signing/signData.js'
export { verifyData } from './signing/verifyData.js'
export type { VerifyDataOptions } from './signing/verifyData.js'
export { mergeWitnesses, requiredSigners, txIdOf, witnessesOf } from './signing/witnesses.js'
export type { TransactionWitness } from './signing/witnesses.js'
export { browserWallets } from './cip30/browserWallets.js'
export type { BrowserWallet } from './cip30/browserWallets.js'
export { walletFromCip30 } from './cip30/walletFromCip30.js'
export type {
  Cip30Api,
  Cip30FullApi,
  Cip30Paginate,
  Cip30Request,
  Cip30Wallet,
  Cip30WalletOptions,
  ToCip30Options
} from './cip30/cip30.js'
export { Cip30ApiError, Cip30PaginateError } from './cip30/cip30Errors.js'
