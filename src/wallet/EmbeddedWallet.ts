import { addressToString, enterpriseAddress, rewardAddress, type Address } from '../codec/address.js'
import { readOptions } from '../codec/options.js'
import type { NetworkId } from '../constants.js'
import { generateMnemonicText } from '../crypto/inner.js'
import { byType } from '../errors/base.js'
import { InvalidArgumentError } from '../errors/input.js'
import { WalletDisposedError, WalletReadOnlyError } from '../errors/wallet.js'
import { type Account, baseAddressText, enterpriseAddressText, rewardAddressText, toBip32Key } from './keys/Account.js'
import { assertIndex, HdKeys, ROLE_PAYMENT, ROLE_STAKE } from './keys/HdKeys.js'
import { assertNetworkId, EMBEDDED_WALLET_OPTIONS, type EmbeddedWalletOptions, hideFromInspect } from './options.js'
import { listedAddress, parseAddresses } from './keys/listedAddresses.js'
import { readKey } from './keys/readKey.js'
import { mnemonicToRootHex, rootBech32ToHex, rootHexToBech32 } from './keys/rootKeyText.js'
import { type DataSignature, signDataWith } from './signing/signData.js'
import type { ExportableSigner, Signers } from './keys/Signer.js'
import type { KeyOperation } from './keys/walletKey.js'
import { signTransaction } from './signing/signTransaction.js'

/**
 * Keys, addresses and signatures of a wallet by account and key index (CIP-1852), without a provider. {@link AppWallet}
 * adds one.
 *
 * Its secrets are in private fields, so no listing, JSON, log or error shows them. `dispose()` clears them; JavaScript
 * cannot clear strings that were passed in, intermediate numbers, and copies that the engine made.
 *
 * @example
 * ```ts
 * import { EmbeddedWallet } from 'layer-sdk/wallet'
 * const words = EmbeddedWallet.generateMnemonic().split(' ')
 * const bech32 = EmbeddedWallet.privateKeyHexToBech32(EmbeddedWallet.mnemonicToPrivateKeyHex(words))
 * const wallet = new EmbeddedWallet({ networkId: 0, key: { type: 'root', bech32 } })
 * console.log(wallet.getAccount(0, 1).baseAddressBech32)
 * ```
 */
export class EmbeddedWallet {
  readonly #networkId: NetworkId
  readonly #keys: HdKeys | null
  readonly #addresses: readonly Address[]
  readonly #stakeKeyIndex: number | undefined
  #disposed = false

  /**
   * @throws {@link InvalidArgumentError} on another network id or index; {@link InvalidMnemonicError},
   * {@link InvalidKeyError}, {@link InvalidBech32Error}, {@link InvalidHexError} or {@link InvalidAddressError} on a
   * key that cannot be used.
   */
  constructor(options: EmbeddedWalletOptions) {
    const { networkId, key: given, stakeKeyIndex } = readOptions(options, EMBEDDED_WALLET_OPTIONS)
    this.#networkId = assertNetworkId(networkId)
    this.#stakeKeyIndex = stakeKeyIndex === undefined ? undefined : assertIndex(stakeKeyIndex, 'stakeKeyIndex')
    const key = readKey(given)
    this.#keys = key.type === 'addresses' ? null : new HdKeys(key)
    this.#addresses = key.type === 'addresses' ? parseAddresses(key.addresses, this.#networkId) : []
    hideFromInspect(this, () => `${this.constructor.name} { networkId: ${networkId}, key: [redacted] }`)
  }

  /**
   * Generates a random recovery phrase: words separated by spaces.
   *
   * @param strength - 128, 160, 192, 224 or 256 bits for 12, 15, 18, 21 or 24 words.
   * @throws {@link InvalidMnemonicError} on another strength.
   * @throws {@link RuntimeUnsupportedError} when the runtime has no `crypto.getRandomValues`, or one whose bytes are
   * all equal.
   */
  static generateMnemonic(strength = 256): string {
    return generateMnemonicText(strength)
  }

  /**
   * Returns the root private key of a recovery phrase: kL, kR and chain code, hex, 192 characters.
   *
   * @throws {@link InvalidMnemonicError}
   * @see CIP-3 (Icarus)
   */
  static mnemonicToPrivateKeyHex(words: readonly string[], password = ''): string {
    return mnemonicToRootHex(words, password)
  }

  /**
   * Converts a private key from hex (192 characters) to `xprv1...`.
   *
   * @throws {@link InvalidHexError}, {@link InvalidKeyError}
   */
  static privateKeyHexToBech32(privateKeyHex: string): string {
    return rootHexToBech32(privateKeyHex)
  }

  /**
   * Converts a private key from `xprv1...` (or `root_xsk1...`) to hex.
   *
   * @throws {@link InvalidBech32Error}, {@link InvalidKeyError}
   */
  static privateKeyBech32ToPrivateKeyHex(bech32Key: string): string {
    return rootBech32ToHex(bech32Key)
  }

  /** {@link EmbeddedWallet.generateMnemonic} @throws {@link InvalidMnemonicError}, {@link RuntimeUnsupportedError} */
  generateMnemonic(strength = 256): string {
    return EmbeddedWallet.generateMnemonic(strength)
  }

  /**
   * See {@link EmbeddedWallet.mnemonicToPrivateKeyHex}. @throws {@link InvalidMnemonicError},
   * {@link InvalidArgumentError}
   */
  mnemonicToPrivateKeyHex(words: readonly string[], password = ''): string {
    return EmbeddedWallet.mnemonicToPrivateKeyHex(words, password)
  }

  /** See {@link EmbeddedWallet.privateKeyHexToBech32}. @throws {@link InvalidHexError}, {@link InvalidKeyError} */
  privateKeyHexToBech32(privateKeyHex: string): string {
    return EmbeddedWallet.privateKeyHexToBech32(privateKeyHex)
  }

  /**
   * See {@link EmbeddedWallet.privateKeyBech32ToPrivateKeyHex}. @throws {@link InvalidBech32Error},
   * {@link InvalidKeyError}
   */
  privateKeyBech32ToPrivateKeyHex(bech32Key: string): string {
    return EmbeddedWallet.privateKeyBech32ToPrivateKeyHex(bech32Key)
  }

  /** Returns 0 on test networks, 1 on mainnet. */
  getNetworkId(): number {
    return this.#networkId
  }

  /**
   * Returns the keys and addresses of one key index of one account.
   *
   * @throws {@link InvalidArgumentError} when an index is not a whole number from 0 to 2^31-1.
   * @throws {@link WalletReadOnlyError} on a wallet made from addresses: it knows no keys.
   */
  getAccount(accountIndex = 0, keyIndex = 0): Account {
    const { payment, stake } = this.#signers(accountIndex, keyIndex, 'show keys')
    return Object.freeze<Account>({
      baseAddressBech32: baseAddressText(this.#networkId, payment, stake),
      enterpriseAddressBech32: enterpriseAddressText(this.#networkId, payment),
      rewardAddressBech32: rewardAddressText(this.#networkId, stake),
      paymentKey: toBip32Key(payment),
      stakeKey: toBip32Key(stake),
      accountIndex,
      addressIndex: keyIndex
    })
  }

  /**
   * Returns the base address (payment and staking), bech32.
   *
   * @throws {@link InvalidArgumentError}, {@link WalletReadOnlyError}, {@link WalletDisposedError}
   */
  getPaymentAddress(accountIndex = 0, keyIndex = 0): string {
    const listed = this.#listed(accountIndex, keyIndex)
    if (listed !== undefined) return addressToString(listed.bytes)
    const { payment, stake } = this.#signers(accountIndex, keyIndex, 'show addresses')
    return baseAddressText(this.#networkId, payment, stake)
  }

  /**
   * Returns the address that receives change: the base address of account 0, key 0.
   *
   * @throws {@link InvalidArgumentError}, {@link WalletReadOnlyError}, {@link WalletDisposedError}
   */
  getChangeAddress(): string {
    return this.getPaymentAddress()
  }

  /**
   * Returns the addresses whose outputs {@link signTx} can spend without indexes: base and enterprise address of
   * account 0, key 0. A wallet made from addresses returns all of them.
   *
   * @throws {@link InvalidArgumentError}, {@link WalletReadOnlyError}, {@link WalletDisposedError}
   */
  getAddresses(): string[] {
    if (this.#keys === null) return this.#addresses.map(({ bytes }) => addressToString(bytes))
    return [this.getPaymentAddress(), this.getEnterpriseAddress()]
  }

  /**
   * Returns the enterprise address (payment only), bech32.
   *
   * @throws {@link InvalidArgumentError}, {@link WalletReadOnlyError}, {@link WalletDisposedError}
   */
  getEnterpriseAddress(accountIndex = 0, keyIndex = 0): string {
    const listed = this.#listed(accountIndex, keyIndex)
    if (listed === undefined)
      return enterpriseAddressText(this.#networkId, this.#key(ROLE_PAYMENT, accountIndex, keyIndex, 'show addresses'))
    if (listed.payment === undefined)
      throw new WalletReadOnlyError('show an enterprise address', 'an address with a payment part')
    return addressToString(enterpriseAddress(this.#networkId, listed.payment))
  }

  /**
   * Returns the reward address (staking only), bech32.
   *
   * @throws {@link InvalidArgumentError}, {@link WalletReadOnlyError}, {@link WalletDisposedError}
   */
  getRewardAddress(accountIndex = 0, keyIndex = 0): string {
    const listed = this.#listed(accountIndex, keyIndex)
    if (listed === undefined)
      return rewardAddressText(this.#networkId, this.#key(ROLE_STAKE, accountIndex, keyIndex, 'show addresses'))
    if (listed.stake === undefined)
      throw new WalletReadOnlyError('show a reward address', 'an address with a staking part')
    return addressToString(rewardAddress(this.#networkId, listed.stake))
  }

  /**
   * Signs a transaction with the payment key, and with the stake key when the transaction visibly demands it (required
   * signer, certificate, withdrawal, script). Only the set of key witnesses changes; every other byte, and with it the
   * id, stays.
   *
   * @param txCbor - CBOR hex, of any era from Shelley on.
   * @param partialSign - true: add this wallet's signatures and do not check the others. False: reject when a key that
   * the transaction visibly demands has not signed and is not ours. Keys of inputs are not visible and not checked.
   * @returns the whole signed transaction: CBOR hex. Unchanged when our signatures are there already and valid; a false
   * one under a key of ours is replaced.
   * @throws {@link MissingSignersError} with the key hashes that are missing.
   * @throws {@link InvalidHexError}, {@link InvalidCborError} when it is not one whole transaction.
   * @throws {@link WalletReadOnlyError}, {@link WalletDisposedError}
   */
  async signTx(txCbor: string, partialSign = false, accountIndex = 0, keyIndex = 0): Promise<string> {
    const { payment, stake } = this.#signers(accountIndex, keyIndex, 'sign')
    return signTransaction(txCbor, partialSign, payment, [stake])
  }

  /**
   * Signs each transaction with {@link signTx}, by account 0 and key 0. Rejects when one of them cannot be signed.
   *
   * @throws {@link InvalidArgumentError} when `txCbors` is not a list; else as {@link signTx}.
   */
  async signTxs(txCbors: readonly string[], partialSign = false): Promise<string[]> {
    if (!Array.isArray(txCbors)) throw new InvalidArgumentError('txCbors', 'an array of transactions', byType(txCbors))
    const { payment, stake } = this.#signers(0, 0, 'sign')
    return txCbors.map((txCbor: string) => signTransaction(txCbor, partialSign, payment, [stake]))
  }

  /**
   * Signs data for an address of this account: by the payment key, or by the stake key for a reward address.
   *
   * @param address - base, pointer, enterprise or reward address of this account and key index: bech32.
   * @param payload - text of hex digits, an even number, is decoded to bytes; other text is encoded as UTF-8.
   * @throws {@link AddressNotOwnError} when the address is not of these keys, or of the other network.
   * @throws {@link InvalidAddressError}, {@link WalletReadOnlyError}, {@link WalletDisposedError}
   * @see CIP-8, CIP-30
   */
  async signData(address: string, payload: string, accountIndex = 0, keyIndex = 0): Promise<DataSignature> {
    const { payment, stake } = this.#signers(accountIndex, keyIndex, 'sign')
    return signDataWith(this.#networkId, address, payload, payment, stake)
  }

  /** Clears the private keys. Every later use of a key rejects or throws {@link WalletDisposedError}. */
  dispose(): void {
    this.#disposed = true
    this.#keys?.dispose()
  }

  /** Calls {@link dispose}, for `using` declarations. */
  [Symbol.dispose](): void {
    this.dispose()
  }

  /** Returns `networkId` and a redacted `key`, so that JSON never holds a secret. */
  toJSON(): { networkId: number; key: string } {
    return { networkId: this.#networkId, key: '[redacted]' }
  }

  /** Derives the root key in the background, where the runtime can. */
  protected async prepareKeys(): Promise<void> {
    await this.#keys?.prepare()
  }

  #listed(accountIndex: number, keyIndex: number): Address | undefined {
    return this.#keys === null ? listedAddress(this.#addresses, accountIndex, keyIndex) : undefined
  }

  #signers(accountIndex: number, keyIndex: number, operation: KeyOperation): Signers {
    const [payment, stake] = this.#derive(accountIndex, keyIndex, operation, [ROLE_PAYMENT, ROLE_STAKE])
    return { payment: payment!, stake: stake! }
  }

  #key(role: number, accountIndex: number, keyIndex: number, operation: KeyOperation): ExportableSigner {
    return this.#derive(accountIndex, keyIndex, operation, [role])[0]!
  }

  #derive(
    accountIndex: number,
    keyIndex: number,
    operation: KeyOperation,
    roles: readonly number[]
  ): ExportableSigner[] {
    if (this.#disposed) throw new WalletDisposedError()
    if (this.#keys === null || (operation === 'sign' && !this.#keys.canSign)) throw new WalletReadOnlyError(operation)
    const account = assertIndex(accountIndex, 'accountIndex')
    const index = assertIndex(keyIndex, 'keyIndex')
    return this.#keys.keys(
      account,
      roles.map((role) => ({ role, index: role === ROLE_STAKE ? (this.#stakeKeyIndex ?? index) : index }))
    )
  }
}
