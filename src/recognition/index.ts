/**
 * Answers for wallets: how much money of given addresses is in which head, in pending deposits and at closed heads,
 * and by what each answer is proven. It queries providers and nodes, and needs no connection to the head.
 *
 * @see docs/guides/recognition.md
 * @packageDocumentation
 */
export { SetMemo } from './bindSet.js'
export { readDepositDatum } from './depositDatum.js'
export type { DecodedDeposit } from './depositDatum.js'
export { describeRecognition } from './describeRecognition.js'
export type {
  RecognitionCard,
  RecognitionDepositLine,
  RecognitionMoment,
  RecognitionSum,
  RecognitionTone
} from './describeRecognition.js'
export { endpointHint, readEndpointHint } from './endpointHint.js'
export type { EndpointHint } from './endpointHint.js'
export { readHeadDatum } from './headDatum.js'
export type {
  ClosedHeadDatum,
  CommonDatum,
  FanoutProgressDatum,
  HeadDatum,
  HeadDatumProblem,
  OpenHeadDatum,
  ReadHeadOutput
} from './headDatum.js'
export type { HeadCandidate, RecognitionMaterial } from './material.js'
export type { EndpointAnswer } from './readBundle.js'
export { recognise } from './recognise.js'
export { recogniseHead } from './recogniseHead.js'
export type { RecogniseHeadOptions } from './recogniseHead.js'
export { recogniseDeposits } from './recogniseDeposits.js'
export type { RecogniseDepositsOptions, RecognisedDeposits } from './recogniseDeposits.js'
export { discoverHeads } from './discoverHeads.js'
export type { DiscoveredHead, DiscoveredHeads, DiscoverHeadsOptions } from './discoverHeads.js'
export { watchRecognition } from './watchRecognition.js'
export type { WatchRecognitionOptions } from './watchRecognition.js'
export type { DepositLookup } from './fetchDeposits.js'
export type { RecognitionFetch } from './fetchAnswer.js'
export { HEAD_RULES } from './rules.js'
export type { ClosedForm, HeadRule, OpenForm, ProgressForm } from './rules.js'
export { createMemoryStore } from './store.js'
export type { RecognitionStore, VerifiedRecord } from './store.js'
export type {
  ClosingHead,
  EndpointEvidence,
  FoldedDeposits,
  HeadAmounts,
  HeadIdOrigin,
  InHead,
  LastVerified,
  RecognisedDeposit,
  RecognisedOutput,
  RecognisedSnapshot,
  Recognition,
  RecognitionEvidence,
  RecognitionReason,
  RecognitionState,
  RecognitionTime
} from './types.js'
export type { Accelerator } from '../accumulator/inner.js'
export type { NodeOutput, VerificationRule } from '../verify/index.js'
export type { Amount, Hex, TxInput, TxOutput, UTxO } from '../types/utxo.js'
export type { SlotConfig } from '../constants.js'
export type { Fetcher } from '../types/provider.js'
