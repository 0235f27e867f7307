import { LayerSdkError } from './base.js'

/**
 * A browser wallet declined or failed, or its answer does not follow CIP-30. `cip30Code` 2 means that the user
 * declined; otherwise connect the wallet again.
 */
export class WalletCip30Error extends LayerSdkError<'WALLET_CIP30'> {
  override readonly name = 'WalletCip30Error'
  /** The wallet's own error code of CIP-30 (e.g. 2 = the user declined), or null when it gave none. */
  readonly cip30Code: number | null
  /** Method of the wallet that failed, e.g. `signTx`. */
  readonly operation: string
  constructor(operation: string, got: string, cip30Code: number | null = null, cause?: unknown) {
    super('WALLET_CIP30', `The browser wallet did not complete ${operation}.`, { got, cause })
    this.cip30Code = cip30Code
    this.operation = operation
  }
}
