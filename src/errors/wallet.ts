import { LayerSdkError } from './base.js'

/** A recovery phrase cannot be used. `code` says why; no word is ever repeated. */
export class InvalidMnemonicError extends LayerSdkError {
  override readonly name = 'InvalidMnemonicError'
  override readonly code: 'WALLET_MNEMONIC_STRENGTH' | 'WALLET_MNEMONIC_WORD_COUNT' | 'WALLET_MNEMONIC_WORD' | 'WALLET_MNEMONIC_CHECKSUM'
  constructor(code: InvalidMnemonicError['code'], expected: string, got: string) {
    super(code === 'WALLET_MNEMONIC_STRENGTH' ? 'A recovery phrase of this strength does not exist.' : 'The recovery phrase is not valid.', { expected, got })
    this.code = code
  }
}

/** A private or public key is not of the form that is needed; the key is never repeated. */
export class InvalidKeyError extends LayerSdkError {
  override readonly name = 'InvalidKeyError'
  override readonly code = 'WALLET_KEY'
  constructor(what: string, expected: string, got: string) {
    super(`${what} cannot be used.`, { expected, got })
  }
}

/** A verification key does not belong to the signing key it was given with. */
export class KeyMismatchError extends LayerSdkError {
  override readonly name = 'KeyMismatchError'
  override readonly code = 'WALLET_KEY_MISMATCH'
  constructor(what: string) {
    super(`${what} does not belong to the signing key.`, { expected: 'the two halves of one pair, or no verification key', got: 'keys of two pairs' })
  }
}

/** The wallet was made without private keys: it can look, not sign. */
export class WalletReadOnlyError extends LayerSdkError {
  override readonly name = 'WalletReadOnlyError'
  override readonly code = 'WALLET_READ_ONLY'
  constructor(operation: string, expected = 'a wallet made from a recovery phrase or a private key') {
    super(`This wallet is read-only and cannot ${operation}.`, { expected })
  }
}

/** The wallet's keys have been cleared by `dispose()`. */
export class WalletDisposedError extends LayerSdkError {
  override readonly name = 'WalletDisposedError'
  override readonly code = 'WALLET_DISPOSED'
  constructor() {
    super('This wallet has been disposed of.', { expected: 'a new wallet from the same key' })
  }
}

/** An operation needs a fetcher or submitter and the wallet was made without. */
export class WalletProviderMissingError extends LayerSdkError {
  override readonly name = 'WalletProviderMissingError'
  override readonly code: 'WALLET_FETCHER_MISSING' | 'WALLET_SUBMITTER_MISSING'
  constructor(role: 'fetcher' | 'submitter') {
    super(`The wallet has no ${role}.`, { expected: `the option \`${role}\`, for example that of a provider` })
    this.code = role === 'fetcher' ? 'WALLET_FETCHER_MISSING' : 'WALLET_SUBMITTER_MISSING'
  }
}

/** The transaction demands signatures that would still be missing. */
export class MissingSignersError extends LayerSdkError {
  override readonly name = 'MissingSignersError'
  override readonly code = 'WALLET_TX_MISSING_SIGNERS'
  /** Key hashes without a signature: hex, 56 characters each. */
  readonly missing: readonly string[]
  constructor(missing: readonly string[]) {
    super('The transaction needs signatures of other keys.', {
      expected: 'all keys of required signers, certificates, withdrawals and scripts, or partialSign = true',
      got: `no signature of ${missing.join(', ')}`
    })
    this.missing = missing
  }
}

/** Two transactions that should be copies of one have different bodies. */
export class TransactionMismatchError extends LayerSdkError {
  override readonly name = 'TransactionMismatchError'
  override readonly code = 'WALLET_TX_MISMATCH'
  constructor(expectedId: string, gotId: string) {
    super('The signatures are of another transaction.', { expected: `transaction ${expectedId}`, got: `transaction ${gotId}` })
  }
}

/** Data can only be signed for an address that the signing key controls. */
export class AddressNotOwnError extends LayerSdkError {
  override readonly name = 'AddressNotOwnError'
  override readonly code = 'WALLET_ADDRESS_NOT_OWN'
  readonly address: string
  constructor(address: string, got: string) {
    super('The address is not controlled by a key of this account.', { expected: "an address of this account's payment or stake key, on this network", got })
    this.address = address
  }
}
