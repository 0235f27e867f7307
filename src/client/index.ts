/**
 * The head client: a wallet's view of one head. `createHeadClient` returns an object that opens a head, deposits,
 * pays, withdraws and closes, each with one awaited call. A result states the snapshot that confirmed it; an error
 * states whether the action took effect. The functions of the same names take a context instead, so that a bundler
 * keeps only those in use.
 *
 * @see docs/guides/client.md
 * @see docs/guides/payments.md
 * @see docs/guides/pay-once.md
 * @packageDocumentation
 */
export { createHeadClient, createHeadContext } from './api/createHeadClient.js'
export type { HeadClient } from './api/createHeadClient.js'
export type { HeadContext, HeadRules } from './HeadContext.js'
export type { HeadLife } from './api/HeadLife.js'
export type { HeadOffers } from './api/HeadOffers.js'
export type { HeadReceipts } from './api/HeadReceipts.js'
export { consolidate } from './actions/consolidate.js'
export { connect, disconnect } from './actions/connect.js'
export type { ConnectOptions } from './actions/connect.js'
export { deposit } from './actions/deposit.js'
export { evaluate } from './actions/evaluate.js'
export type { EvaluateArgs } from './actions/evaluate.js'
export { abortHead } from './actions/abortHead.js'
export { closeHead } from './actions/closeHead.js'
export type { CloseArgs } from './actions/closeHead.js'
export { closeAndFanoutHead } from './actions/closeAndFanoutHead.js'
export { newTx } from './actions/newTx.js'
export { contest } from './actions/contest.js'
export { fanoutHead } from './actions/fanoutHead.js'
export { acceptOffer, inspectOffer } from './actions/acceptOffer.js'
export type { AcceptOfferArgs, InspectedOffer } from './actions/acceptOffer.js'
export { offer } from './actions/offer.js'
export type { Offer, OfferArgs } from './actions/offer.js'
export type { OfferEnd } from './flows/offerEnd.js'
export { open } from './actions/open.js'
export type { OpenArgs, OpenResult } from './actions/open.js'
export { pay } from './actions/pay.js'
export { payMany } from './actions/payMany.js'
export { payments } from './actions/payments.js'
export type { PaymentRecord, PaymentsArgs } from './actions/payments.js'
export { getBalance, getUtxos, status } from './actions/read.js'
export type { GetBalanceArgs, GetUtxosArgs, HeadBalance } from './actions/read.js'
export { receipts } from './actions/receipts.js'
export { getTransaction } from './actions/getTransaction.js'
export type { HeadTransaction, Receipt, ReceiptsArgs, ResolvedInput } from './receipts/types.js'
export { recover } from './actions/recover.js'
export type { RecoverArgs } from './actions/recover.js'
export { submit } from './actions/submit.js'
export { waitForPayment } from './actions/waitForPayment.js'
export type { PaidRequest, WaitForPaymentArgs } from './actions/waitForPayment.js'
export { createPaymentRequest, parsePaymentRequest, paymentMetadata } from './requests/paymentRequest.js'
export type { AddressSource, PaymentRequest, PaymentRequestArgs } from './requests/paymentRequest.js'
export { waitForTx } from './actions/waitForTx.js'
export type { ConfirmedTx, WaitForTxOptions } from './actions/waitForTx.js'
export type { EvaluatedRedeemer, Evaluation } from './scripts/evaluation.js'
export { createStore, watchBalance, watchHead, watchTxs } from './actions/watch.js'
export type { Store, WatchBalanceArgs, WatchHeadArgs, WatchTxsArgs } from './actions/watch.js'
export { withdraw } from './actions/withdraw.js'
export type { Balance } from './amounts.js'
export type { BeforeSend, OnceOptions, UnsentTx } from './beforeSend.js'
export type { CostOptions } from './costs.js'
export type { ActionOptions } from './deadline.js'
export { depositPhase } from '../codec/depositPhase.js'
export type { DepositPhase, DepositTimes } from '../codec/depositPhase.js'
export type { DepositEndpointHint } from '../codec/endpointHint.js'
export type { Contest, WaitingFor } from './PartyWatch.js'
export { decodeLedgerError } from './ledgerError.js'
export type { CommonClientOptions, GatewayAddress, HeadClientOptions, StoreOverrun } from './options.js'
export type {
  ActionProgress,
  AnyTransaction,
  ClientStatus,
  ConsolidateArgs,
  DepositArgs,
  DepositResult,
  DepositStep,
  HeadClosed,
  HeadLifeArgs,
  HeadStep,
  PayArgs,
  PayManyArgs,
  SendOptions,
  SettledTx,
  TxResult,
  TxStep,
  WatchedTx,
  WithdrawArgs,
  WithdrawResult,
  WithdrawStep,
  WithProgress
} from './types.js'
export type { LedgerReason, ScriptFailure } from '../errors/client.js'
export type {
  Journal,
  JournalAction,
  JournalEnd,
  JournalEntry,
  JournalPart,
  JournalState,
  JournalTx
} from '../types/journal.js'
export type { ScriptEvaluationRequest, ScriptEvaluator, ScriptUnits } from '../types/scriptEvaluator.js'
export type { Amount, TxInput, TxOutput, UTxO } from '../types/utxo.js'
export type { Wallet } from '../types/wallet.js'
