/** A recovery phrase and its optional password. */
export interface MnemonicKey {
  /** The kind of key. */
  type: 'mnemonic'
  /** 12, 15, 18, 21 or 24 words of the English BIP-39 list. */
  words: readonly string[]
  /** UTF-8 text, without normalization. @default '' */
  password?: string
}

/** A root private key in bech32. */
export interface RootKey {
  /** The kind of key. */
  type: 'root'
  /** `xprv1...` or `root_xsk1...` */
  bech32: string
}

/** A root private key in hex. */
export interface RootHexKey {
  /** The kind of key. */
  type: 'rootHex'
  /** kL, kR and chain code: hex, 192 characters. */
  hex: string
}

/** Sources of a wallet's private keys. */
export type PrivateKeySource = MnemonicKey | RootKey | RootHexKey

/** Public key of one account, for a wallet that shows addresses but cannot sign. */
export interface AccountXpubKey {
  /** The kind of key. */
  type: 'accountXpub'
  /** Public key and chain code of m/1852'/1815'/account': `xpub1...`, `acct_xvk1...`, or 128 hex characters. */
  xpub: string
  /** Index of the account. @default 0 */
  accountIndex?: number
}

/** Addresses alone (`type: 'addresses'`): `getPaymentAddress(0, k)` is the k-th of them. */
export interface AddressesKey {
  /** The kind of key. */
  type: 'addresses'
  /** Base, enterprise, pointer or reward addresses of the wallet's network: bech32. */
  addresses: readonly string[]
}

/** Sources of a wallet: keys or addresses. */
export type WalletKey = PrivateKeySource | AccountXpubKey | AddressesKey

/** Operation that needs a key, as the errors of a wallet without private keys name it. */
export type KeyOperation = 'sign' | 'show keys' | 'show addresses'
