/**
 * Builds, reads and checks transactions: `TxBuilder` for payments, tokens and Plutus scripts; shorter functions for
 * payments and deposits; offers that two parties sign, blueprints of compiled contracts (CIP-57), and metadata of
 * tokens.
 *
 * @see docs/guides/payments.md
 * @see docs/guides/choosing-a-builder.md
 * @see docs/guides/dapps.md
 * @packageDocumentation
 */
export { TxBuilder } from './TxBuilder.js'
export type { PaymentAmount } from './PaymentAmount.js'
export type { OutputExtras, PaymentBuilder } from './PaymentBuilder.js'
export type { BuiltTransaction } from './buildTx.js'
export { loadBlueprint } from './contracts/loadBlueprint.js'
export type { Contract, ContractBlueprint, ContractTypes } from './contracts/loadBlueprint.js'
export { signersOf } from './signersOf.js'
export type { SignerReason, TxSigner, TxSigners } from './signersOf.js'
export { offerTermsFor, readOffer } from './offers/readOffer.js'
export type { ReadOffer, ReadOfferArgs } from './offers/readOffer.js'
export type { OfferParty, OfferTerms } from './offers/offerParties.js'
export type { OfferEnvelope } from './offers/offerText.js'
export { cip25Metadata, readCip25Metadata } from './tokens/cip25.js'
export type { TokenMetadata } from './tokens/cip25.js'
export { cip68Datum, cip68Names, readCip68Datum } from './tokens/cip68.js'
export type { Cip68Kind, Cip68Metadata } from './tokens/cip68.js'
export { scriptRef } from './scriptRef.js'
export type { BuiltRedeemer, BuiltScriptTransaction } from './scripts/buildScriptTx.js'
export type {
  BuildOptions,
  PlutusDataSource,
  ScriptWitness,
  SpendWitness,
  WithdrawWitness
} from './scripts/ScriptPart.js'
export type { Blueprint } from './blueprint.js'
export { decodeTransaction } from './decodeTransaction.js'
export type { DecodedTransaction, DecodedWithdrawal } from './decodeTransaction.js'
export type {
  DecodedDatum,
  DecodedRedeemer,
  DecodedScript,
  DecodedSigner,
  DecodedWitnesses
} from './decodeWitnesses.js'
export { toUtxos, utxosAfter } from './chaining.js'
export { buildDeposit, buildPayment, buildSweep } from './payment.js'
export type { DepositOptions, PaymentOptions, SweepOptions } from './payment.js'
export { txParametersFromProtocol } from './parameters.js'
export type { TxParameters } from './parameters.js'
export type { ScriptEvaluationRequest, ScriptEvaluator, ScriptUnits } from '../types/scriptEvaluator.js'
export type { Amount, ScriptRef, TxInput, TxOutput, UTxO } from '../types/utxo.js'
