export { SetMemo } from './bindSet.js'
export { readDepositDatum } from './depositDatum.js'
export type { DecodedDeposit } from './depositDatum.js'
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
export { HEAD_RULES } from './rules.js'
export type { ClosedForm, HeadRule, OpenForm, ProgressForm } from './rules.js'
export { createMemoryStore } from './store.js'
export type { RecognitionStore, VerifiedRecord } from './store.js'
export type {
  ClosingHead,
  EndpointEvidence,
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
