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

/** An offer is not one that can be made, or signed with what its accepter agreed to. The wallet's signature was not given away. */
export class OfferRefusedError extends LayerSdkError<'CLIENT_OFFER'> {
  override readonly name = 'OfferRefusedError'
  /** No transaction was sent. */
  override readonly outcome = 'none'
  /** The mistake, as a word that programs can compare. */
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
