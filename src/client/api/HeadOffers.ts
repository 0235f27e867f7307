import type { AcceptOfferArgs, InspectedOffer } from '../actions/acceptOffer.js'
import type { Offer, OfferArgs } from '../actions/offer.js'
import type { AnyTransaction, TxResult } from '../types.js'

/** The actions of a head client on transactions that several wallets sign. */
export interface HeadOffers {
  /**
   * Offers a transaction that others have to sign too: signs it, reserves the outputs that it spends, and returns its
   * envelope. Nothing is sent. See {@link offer}.
   * @throws {@link OfferRefusedError} with the reason, {@link InputReservedError}, {@link WalletMissingError},
   * {@link HeadStateError}, {@link ClientTimeoutError} (30 s)
   * @example
   * ```ts no-run
   * const { uri, settled } = await head.offer(tx, { expiresAt })
   * ```
   */
  offer(transaction: AnyTransaction, args?: OfferArgs): Promise<Offer>
  /**
   * Decodes an offer, and computes its effect for this wallet and for each address. See {@link inspectOffer}.
   * @throws {@link OfferRefusedError} with the reason, {@link InvalidCborError}, {@link InvalidAddressError}
   * @example
   * ```ts no-run
   * console.log((await head.inspectOffer(scanned)).says) // You give 5 ada. You get 1 of cafe...
   * ```
   */
  inspectOffer(envelope: string): Promise<InspectedOffer>
  /**
   * Accepts an offer: checks it against `gives` and `gets`, signs it and submits it. See {@link acceptOffer}.
   * @throws {@link OfferRefusedError} with the reason; otherwise as {@link HeadClient.submit}
   * @example
   * ```ts no-run
   * await head.acceptOffer(scanned, { gives: 5_000_000n, gets: [{ unit: policyId + nameHex, quantity: '1' }] })
   * ```
   */
  acceptOffer(envelope: string, args?: AcceptOfferArgs): Promise<TxResult>
}
