import { LayerSdkError } from './base.js'

/** A recovery phrase cannot be used: `code` names its mistake. The message never repeats a word of it. */
export class InvalidMnemonicError extends LayerSdkError<
  'WALLET_MNEMONIC_STRENGTH' | 'WALLET_MNEMONIC_WORD_COUNT' | 'WALLET_MNEMONIC_WORD' | 'WALLET_MNEMONIC_CHECKSUM'
> {
  override readonly name = 'InvalidMnemonicError'
  constructor(code: InvalidMnemonicError['code'], expected: string, got: string) {
    super(
      code,
      code === 'WALLET_MNEMONIC_STRENGTH'
        ? 'A recovery phrase of this strength does not exist.'
        : 'The recovery phrase is not valid.',
      {
        expected,
        got
      }
    )
  }
}

/** A private or public key does not have the required form, which the message names. The key is never repeated. */
export class InvalidKeyError extends LayerSdkError<'WALLET_KEY'> {
  override readonly name = 'InvalidKeyError'
  constructor(what: string, expected: string, got: string) {
    super('WALLET_KEY', `${what} cannot be used.`, { expected, got })
  }
}

/** A verification key does not belong to the signing key that was passed with it. Pass the right one, or none. */
export class KeyMismatchError extends LayerSdkError<'WALLET_KEY_MISMATCH'> {
  override readonly name = 'KeyMismatchError'
  constructor(what: string) {
    super('WALLET_KEY_MISMATCH', `${what} does not belong to the signing key.`, {
      expected: 'the two halves of one pair, or no verification key',
      got: 'keys of two pairs'
    })
  }
}

/** The wallet was created without private keys, so it cannot sign. Create it from a phrase or a private key. */
export class WalletReadOnlyError extends LayerSdkError<'WALLET_READ_ONLY'> {
  override readonly name = 'WalletReadOnlyError'
  constructor(operation: string, expected = 'a wallet made from a recovery phrase or a private key') {
    super('WALLET_READ_ONLY', `This wallet is read-only and cannot ${operation}.`, { expected })
  }
}

/** The wallet's keys were erased by `dispose()`. Create the wallet again. */
export class WalletDisposedError extends LayerSdkError<'WALLET_DISPOSED'> {
  override readonly name = 'WalletDisposedError'
  constructor() {
    super('WALLET_DISPOSED', 'This wallet has been disposed of.', { expected: 'a new wallet from the same key' })
  }
}

/** An operation needs a `fetcher` or `submitter`, and the wallet was created without it. Pass that option. */
export class WalletProviderMissingError extends LayerSdkError<'WALLET_FETCHER_MISSING' | 'WALLET_SUBMITTER_MISSING'> {
  override readonly name = 'WalletProviderMissingError'
  constructor(role: 'fetcher' | 'submitter') {
    super(role === 'fetcher' ? 'WALLET_FETCHER_MISSING' : 'WALLET_SUBMITTER_MISSING', `The wallet has no ${role}.`, {
      expected: `the option \`${role}\`, for example that of a provider`
    })
  }
}

/**
 * The transaction requires signatures of keys that this wallet does not have. Let their owners sign too, or sign with
 * `partialSign`.
 */
export class MissingSignersError extends LayerSdkError<'WALLET_TX_MISSING_SIGNERS'> {
  override readonly name = 'MissingSignersError'
  /** Hashes of the keys whose signatures would be missing: hex, 56 characters each. */
  readonly missing: readonly string[]
  constructor(missing: readonly string[]) {
    super('WALLET_TX_MISSING_SIGNERS', 'The transaction needs signatures of other keys.', {
      expected: 'all keys of required signers, certificates, withdrawals and scripts, or partialSign = true',
      got: `no signature of ${missing.join(', ')}`
    })
    this.missing = missing
  }
}

/** Two transactions whose signatures should be merged have different bodies. Sign the same bytes at each party. */
export class TransactionMismatchError extends LayerSdkError<'WALLET_TX_MISMATCH'> {
  override readonly name = 'TransactionMismatchError'
  constructor(expectedId: string, gotId: string) {
    super('WALLET_TX_MISMATCH', 'The signatures are of another transaction.', {
      expected: `transaction ${expectedId}`,
      got: `transaction ${gotId}`
    })
  }
}

/**
 * The signing key does not control the address for which data should be signed. Sign with an address of this wallet.
 */
export class AddressNotOwnError extends LayerSdkError<'WALLET_ADDRESS_NOT_OWN'> {
  override readonly name = 'AddressNotOwnError'
  /** The address as it was passed: bech32 or hex. */
  readonly address: string
  constructor(address: string, got: string) {
    super('WALLET_ADDRESS_NOT_OWN', 'The address is not controlled by a key of this account.', {
      expected: "an address of this account's payment or stake key, on this network",
      got
    })
    this.address = address
  }
}
