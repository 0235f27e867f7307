import { addressToString, baseAddress, enterpriseAddress, rewardAddress } from '../../codec/address.js'
import { concatBytes } from '../../codec/bytes.js'
import { bytesToHex } from '../../codec/hex.js'
import { InvalidArgumentError } from '../../errors/input.js'
import type { ExportableSigner, Signer } from './Signer.js'

/** One key of an account. Its secret shows only when it is read by name. */
export interface Bip32Key {
  /** Ed25519 public key: hex, 64 characters. */
  readonly publicKeyHex: string
  /** Blake2b-224 of the public key: hex, 56 characters. */
  readonly keyHashHex: string
  /**
   * Ed25519 signature, 64 bytes, of any bytes.
   *
   * @throws {@link WalletReadOnlyError} when the wallet has no private keys.
   * @throws {@link WalletDisposedError} after `dispose()`.
   */
  sign(bytes: Uint8Array): Uint8Array
  /** The secret: kL, kR and chain code as `xprv1...`. Throws like `sign`. */
  toXprvBech32(): string
  /** The public part, `publicKeyHex` and `keyHashHex`: JSON never holds a secret. */
  toJSON(): { publicKeyHex: string; keyHashHex: string }
}

/** Keys and addresses of one key index of one account. Frozen. */
export interface Account {
  /** Payment and staking: `addr1...` or `addr_test1...`. */
  readonly baseAddressBech32: string
  /** Payment only. */
  readonly enterpriseAddressBech32: string
  /** Staking only: `stake1...` or `stake_test1...`. */
  readonly rewardAddressBech32: string
  /** m/1852'/1815'/account'/0/key */
  readonly paymentKey: Bip32Key
  /** m/1852'/1815'/account'/2/key, or the wallet's `stakeKeyIndex` in the last place. */
  readonly stakeKey: Bip32Key
  /** Index of the account, from 0. */
  readonly accountIndex: number
  /** Index of the key, from 0. */
  readonly addressIndex: number
}

const keyCredential = (hash: string): { kind: 'key'; hash: string } => ({ kind: 'key', hash })

/** Address of a payment and a stake key, bech32. */
export function baseAddressText(networkId: 0 | 1, payment: Signer, stake: Signer): string {
  return addressToString(baseAddress(networkId, keyCredential(payment.keyHash), keyCredential(stake.keyHash)))
}

/** Address of a payment key alone, bech32. */
export function enterpriseAddressText(networkId: 0 | 1, payment: Signer): string {
  return addressToString(enterpriseAddress(networkId, keyCredential(payment.keyHash)))
}

/** Reward address of a stake key, bech32. */
export function rewardAddressText(networkId: 0 | 1, stake: Signer): string {
  return addressToString(rewardAddress(networkId, keyCredential(stake.keyHash)))
}

/** The public face of a key; the signer is held by closures only, so that no listing of properties reaches it. */
export function toBip32Key(signer: ExportableSigner): Bip32Key {
  const publicKeyHex = bytesToHex(signer.publicKey)
  const keyHashHex = signer.keyHash
  return Object.freeze<Bip32Key>({
    publicKeyHex,
    keyHashHex,
    sign: (bytes) => {
      if (!(bytes instanceof Uint8Array)) throw new InvalidArgumentError('bytes', 'a Uint8Array', bytes)
      // A copy: a message that changes between the two hashes of a signature would reveal the key.
      return signer.sign(concatBytes(bytes))
    },
    toXprvBech32: () => signer.toXprvBech32(),
    toJSON: () => ({ publicKeyHex, keyHashHex })
  })
}
