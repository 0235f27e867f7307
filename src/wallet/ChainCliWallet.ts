import { equalBytes } from '../codec/bytes.js'
import { type OptionNames, readOptions } from '../codec/options.js'
import { parseSigningKey, parseVerificationKey, type TextEnvelope } from '../codec/textEnvelope.js'
import type { NetworkId } from '../constants.js'
import { SeedKey, publicKeyFromExtended, signExtended } from '../crypto/inner.js'
import { byType } from '../errors/base.js'
import { InvalidArgumentError } from '../errors/input.js'
import { KeyMismatchError, WalletDisposedError } from '../errors/wallet.js'
import type { ProtocolParameters } from '../types/provider.js'
import type { UTxO } from '../types/utxo.js'
import { enterpriseAddressText } from './keys/Account.js'
import {
  assertNetworkId,
  parametersWith,
  queryWith,
  hideFromInspect,
  submitWith,
  type WalletProviderOptions
} from './options.js'
import { type DataSignature, signDataWith } from './signing/signData.js'
import type { Signer } from './keys/Signer.js'
import { signTransaction } from './signing/signTransaction.js'
import { hashOfKey } from './signing/witnesses.js'

/** Options of {@link ChainCliWallet}. */
export interface ChainCliWalletOptions extends WalletProviderOptions {
  /**
   * Signing key file of cardano-cli, plain or extended: its CBOR hex (`5820...`, `5880...`), its whole text, or the
   * object parsed from it.
   */
  skey: string | TextEnvelope
  /** Verification key file in the same forms. It may be left out; when given it must belong to `skey`. */
  vkey?: string | TextEnvelope | undefined
}

const OPTIONS: OptionNames<ChainCliWalletOptions> = {
  networkId: true,
  skey: true,
  vkey: true,
  fetcher: true,
  submitter: true
}

/** The key of a file: signs, and can be cleared. */
type FileKey = Pick<SeedKey, 'publicKey' | 'sign' | 'dispose'>

function openKeyFile(skey: ChainCliWalletOptions['skey']): FileKey {
  const parsed = parseSigningKey(skey, 'skey')
  if (parsed.kind === 'normal') {
    const key = new SeedKey(parsed.seed)
    parsed.seed.fill(0)
    return key
  }
  parsed.chainCode.fill(0)
  const { scalar } = parsed
  const publicKey = publicKeyFromExtended(scalar)
  const key = {
    publicKey,
    sign: (message: Uint8Array) => signExtended(message, scalar, publicKey),
    dispose: () => void scalar.fill(0)
  }
  // The file's own public key is never signed with: one that does not belong would give the secret away.
  if (equalBytes(publicKey, parsed.publicKey)) return key
  key.dispose()
  throw new KeyMismatchError('The public key in skey')
}

/**
 * A wallet of one key pair in the files of cardano-cli, for servers. Its address is the enterprise address of the key.
 *
 * @example
 * ```ts
 * import { ChainCliWallet } from 'layer-sdk/wallet'
 * import { chainCliKeygen } from 'layer-sdk/utils'
 * const { sk, vk } = chainCliKeygen()
 * const wallet = new ChainCliWallet({ networkId: 0, skey: sk.cborHex, vkey: vk.cborHex })
 * console.log(wallet.getAddressBech32())
 * ```
 */
export class ChainCliWallet {
  readonly #networkId: NetworkId
  readonly #signer: Signer
  readonly #key: FileKey
  readonly #fetcher: WalletProviderOptions['fetcher']
  readonly #submitter: WalletProviderOptions['submitter']
  #disposed = false

  /**
   * @throws {@link InvalidKeyFileError}, {@link InvalidHexError}, {@link InvalidCborError} on a file that is not a key
   * of the expected kind.
   * @throws {@link KeyMismatchError} when `vkey` does not belong to `skey`.
   * @throws {@link InvalidArgumentError} on another network id.
   */
  constructor(options: ChainCliWalletOptions) {
    const { networkId, skey, vkey, fetcher, submitter } = readOptions(options, OPTIONS)
    this.#networkId = assertNetworkId(networkId)
    const expected = vkey == null ? undefined : parseVerificationKey(vkey, 'vkey').publicKey
    const key = (this.#key = openKeyFile(skey))
    const { publicKey } = key
    if (expected !== undefined && !equalBytes(expected, publicKey)) {
      key.dispose()
      throw new KeyMismatchError('vkey')
    }
    this.#signer = {
      publicKey,
      keyHash: hashOfKey(publicKey),
      sign: (message) => {
        if (this.#disposed) throw new WalletDisposedError()
        return key.sign(message)
      }
    }
    this.#fetcher = fetcher
    this.#submitter = submitter
    hideFromInspect(
      this,
      () => `ChainCliWallet { networkId: ${networkId}, address: '${this.getAddressBech32()}', key: [redacted] }`
    )
  }

  /** Returns the enterprise address of the key: bech32. */
  getAddressBech32(): string {
    return enterpriseAddressText(this.#networkId, this.#signer)
  }

  /** Returns the address that receives change: the wallet's one address, bech32. */
  getChangeAddress(): string {
    return this.getAddressBech32()
  }

  /** Returns the wallet's one address: bech32. */
  getAddresses(): string[] {
    return [this.getAddressBech32()]
  }

  /** Returns 0 on test networks, 1 on mainnet. */
  getNetworkId(): number {
    return this.#networkId
  }

  /**
   * Signs a transaction; see {@link EmbeddedWallet.signTx}.
   *
   * @param txCbor - CBOR hex.
   * @param partialSign - true: add this wallet's signature and do not check the others.
   * @returns the whole signed transaction: CBOR hex.
   * @throws {@link MissingSignersError}, {@link InvalidHexError}, {@link InvalidCborError}, {@link WalletDisposedError}
   */
  async signTx(txCbor: string, partialSign = false): Promise<string> {
    return signTransaction(txCbor, partialSign, this.#signer)
  }

  /**
   * Signs each transaction with {@link signTx}. @throws {@link InvalidArgumentError} when `txCbors` is not a list; else
   * as {@link signTx}.
   */
  async signTxs(txCbors: readonly string[], partialSign = false): Promise<string[]> {
    if (!Array.isArray(txCbors)) throw new InvalidArgumentError('txCbors', 'an array of transactions', byType(txCbors))
    return txCbors.map((txCbor: string) => signTransaction(txCbor, partialSign, this.#signer))
  }

  /**
   * Signs data for an address whose payment key is this wallet's key (CIP-8, CIP-30).
   *
   * @param payload - text of hex digits, an even number, is decoded to bytes; other text is encoded as UTF-8.
   * @throws {@link AddressNotOwnError}, {@link InvalidAddressError}, {@link WalletDisposedError}
   */
  async signData(address: string, payload: string): Promise<DataSignature> {
    return signDataWith(this.#networkId, address, payload, this.#signer)
  }

  /**
   * Submits a signed transaction (CBOR hex) and resolves with its id.
   *
   * @throws {@link WalletProviderMissingError} `WALLET_SUBMITTER_MISSING` without a submitter; else the submitter's
   * rejection.
   */
  async submitTx(txCbor: string): Promise<string> {
    return submitWith(this.#submitter, txCbor)
  }

  /**
   * Returns the unspent outputs at any address (bech32).
   *
   * @throws {@link WalletProviderMissingError} `WALLET_FETCHER_MISSING` without a fetcher; else the fetcher's
   * rejection.
   */
  async queryUTxOs(address: string): Promise<UTxO[]> {
    return queryWith(this.#fetcher, address)
  }

  /**
   * Returns the protocol parameters of the base ledger.
   *
   * @throws {@link WalletProviderMissingError} `WALLET_FETCHER_MISSING` without a fetcher; else the fetcher's
   * rejection.
   */
  async getProtocolParameters(): Promise<ProtocolParameters> {
    return parametersWith(this.#fetcher)
  }

  /** Clears the secret key. Every later signature rejects with {@link WalletDisposedError}. */
  dispose(): void {
    this.#disposed = true
    this.#key.dispose()
  }

  /** Calls {@link dispose}, for `using` declarations. */
  [Symbol.dispose](): void {
    this.dispose()
  }

  /** Returns `networkId`, `address` and a redacted `key`, so that JSON never holds a secret. */
  toJSON(): { networkId: number; address: string; key: string } {
    return { networkId: this.#networkId, address: this.getAddressBech32(), key: '[redacted]' }
  }
}
