import { describeValue, LayerSdkError } from './base.js'

/** The action needs a wallet, and the head client has none. Pass `wallet` to `createHeadClient`. */
export class WalletMissingError extends LayerSdkError<'CLIENT_WALLET_MISSING'> {
  override readonly name = 'WalletMissingError'
  /** The action had no effect: it was not sent, or the node refused it. */
  override readonly outcome = 'none'
  constructor(action: string, instead = 'the option wallet of createHeadClient') {
    super('CLIENT_WALLET_MISSING', `${action} needs a wallet.`, { expected: instead, got: 'a client without a wallet' })
  }
}

/** The wallet lacks a capability that the action needs, e.g. a provider for the base ledger. */
export class WalletCapabilityError extends LayerSdkError<'CLIENT_WALLET_CAPABILITY'> {
  override readonly name = 'WalletCapabilityError'
  /** The action had no effect: it was not sent, or the node refused it. */
  override readonly outcome = 'none'
  constructor(action: string, needs: string) {
    super('CLIENT_WALLET_CAPABILITY', `${action} is not possible with this wallet.`, { expected: needs })
  }
}

/**
 * A method of the wallet rejected with a value that is not an Error; `cause` is that value. No transaction was sent,
 * unless the method is `submitTx` (see `outcome`).
 */
export class WalletFailedError extends LayerSdkError<'CLIENT_WALLET_FAILED'> {
  override readonly name = 'WalletFailedError'
  /** `unknown` for `submitTx`, which may have sent the transaction; `none` for the other methods. */
  override readonly outcome: 'none' | 'unknown'
  /** Name of the wallet's method, e.g. `signTx`. */
  readonly method: string
  constructor(method: string, cause: unknown) {
    super('CLIENT_WALLET_FAILED', `The wallet's ${method} failed without an error.`, {
      expected: 'an Error',
      got: describeValue(cause),
      cause
    })
    this.method = method
    this.outcome = method === 'submitTx' ? 'unknown' : 'none'
  }
}

/**
 * The wallet signed a different transaction from the one it received. It was not sent; do not trust the signed copy.
 */
export class WalletChangedTxError extends LayerSdkError<'CLIENT_WALLET_CHANGED_TX'> {
  override readonly name = 'WalletChangedTxError'
  /** The action had no effect: it was not sent, or the node refused it. */
  override readonly outcome = 'none'
  /** Id of the transaction that was built: hex, 64 characters. */
  readonly txId: string
  constructor(txId: string, signedTxId: string) {
    super('CLIENT_WALLET_CHANGED_TX', 'The wallet signed another transaction; none was sent.', {
      expected: `transaction ${txId}`,
      got: `transaction ${signedTxId}`
    })
    this.txId = txId
  }
}

/** The wallet returned the transaction without a signature of its own. It was not sent; check the wallet's keys. */
export class WalletSignedNothingError extends LayerSdkError<'CLIENT_WALLET_SIGNED_NOTHING'> {
  override readonly name = 'WalletSignedNothingError'
  /** The action had no effect: it was not sent, or the node refused it. */
  override readonly outcome = 'none'
  /** Hex, 64 characters. */
  readonly txId: string
  constructor(txId: string) {
    super('CLIENT_WALLET_SIGNED_NOTHING', 'The wallet added no signature; no transaction was sent.', {
      expected: 'a signature for at least one of the inputs',
      details: [`Transaction ${txId}`, 'Check that the wallet holds the keys of the addresses it names']
    })
    this.txId = txId
  }
}
