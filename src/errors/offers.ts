import { LayerSdkError } from './base.js'

/** Reason of an {@link OfferRefusedError}, as a word that programs can compare. */
export type OfferRefusal =
  | 'format'
  | 'too-large'
  | 'changed'
  | 'network'
  | 'head'
  | 'expired'
  | 'unbounded'
  | 'input-unknown'
  | 'contents'
  | 'stated'
  | 'signature'
  | 'not-needed'
  | 'shared'
  | 'terms'
  | 'signers-missing'

/**
 * An offer cannot be made, or is not signed because it is invalid or differs from the terms that its accepter agreed
 * to. No signature of the wallet was passed on; `reason` names the mistake.
 */
export class OfferRefusedError extends LayerSdkError<'CLIENT_OFFER'> {
  override readonly name = 'OfferRefusedError'
  /** No transaction was sent. */
  override readonly outcome = 'none'
  /** Reason of the refusal, as a word that programs can compare. */
  readonly reason: OfferRefusal
  constructor(
    reason: OfferRefusal,
    summary: string,
    { expected, got, details }: { readonly expected: string; readonly got: string; readonly details?: string[] }
  ) {
    super('CLIENT_OFFER', `${summary} No transaction was sent.`, { expected, got, ...(details && { details }) })
    this.reason = reason
  }
}
