import { addressToString, baseAddress, enterpriseAddress, rewardAddress } from '../../codec/address.js'
import { concatBytes } from '../../codec/bytes.js'
import { bytesToHex } from '../../codec/hex.js'
import { InvalidArgumentError } from '../../errors/input.js'
import type { ExportableSigner, Signer } from './Signer.js'

/** One key of an account. Its secret is shown only by {@link toXprvBech32}. */
export interface Bip32Key {
  /** Ed25519 public key: hex, 64 characters. */
  readonly publicKeyHex: string
  /** Blake2b-224 of the public key: hex, 56 characters. */
  readonly keyHashHex: string
  /**
   * Signs any bytes. Returns the Ed25519 signature, 64 bytes.
   *
   * @throws {@link WalletReadOnlyError} when the wallet has no private keys.
   * @throws {@link WalletDisposedError} after `dispose()`.
   */
  sign(bytes: Uint8Array): Uint8Array
  /** Returns the secret: kL, kR and chain code as `xprv1...`. Throws like `sign`. */
  toXprvBech32(): string
  /** Returns the public part, `publicKeyHex` and `keyHashHex`, so that JSON never holds a secret. */
  toJSON(): { publicKeyHex: string; keyHashHex: string }
}

/** Keys and addresses of one key index of one account. Frozen. */
export interface Account {
  /** Base address (payment and staking): `addr1...` or `addr_test1...`. */
  readonly baseAddressBech32: string
  /** Enterprise address (payment only): `addr1...` or `addr_test1...`. */
  readonly enterpriseAddressBech32: string
  /** Reward address (staking only): `stake1...` or `stake_test1...`. */
  readonly rewardAddressBech32: string
  /** Payment key, with the path m/1852'/1815'/account'/0/key. */
  readonly paymentKey: Bip32Key
  /** Stake key, with the path m/1852'/1815'/account'/2/key, or the wallet's `stakeKeyIndex` as the last index. */
  readonly stakeKey: Bip32Key
  /** Index of the account, from 0. */
  readonly accountIndex: number
  /** Index of the key, from 0. */
  readonly addressIndex: number
}

const keyCredential = (hash: string): { kind: 'key'; hash: string } => ({ kind: 'key', hash })

/** Builds the base address of a payment and a stake key, bech32. */
export function baseAddressText(networkId: 0 | 1, payment: Signer, stake: Signer): string {
  return addressToString(baseAddress(networkId, keyCredential(payment.keyHash), keyCredential(stake.keyHash)))
}

/** Builds the enterprise address of a payment key, bech32. */
export function enterpriseAddressText(networkId: 0 | 1, payment: Signer): string {
  return addressToString(enterpriseAddress(networkId, keyCredential(payment.keyHash)))
}

/** Builds the reward address of a stake key, bech32. */
export function rewardAddressText(networkId: 0 | 1, stake: Signer): string {
  return addressToString(rewardAddress(networkId, keyCredential(stake.keyHash)))
}

/** Returns the public object of a key. Only closures hold the signer, so that no listing of properties shows it. */
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
