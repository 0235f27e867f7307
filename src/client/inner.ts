// The door of this room for other rooms; index.ts is the public one.

export { contextParts } from './ClientContext.js'
export type { HeadRules } from './HeadContext.js'
export { checkEvaluator } from './checkEvaluator.js'
export type { GetBalanceArgs, GetUtxosArgs, HeadBalance } from './actions/read.js'
export type { HeadClient } from './api/createHeadClient.js'
export { withDeadline } from './deadline.js'
export { withoutScriptBytes } from './scriptFailure.js'
export { checkBeforeSending } from './scripts/checkBeforeSending.js'
export type { EvaluatedRedeemer } from './scripts/evaluation.js'
export { queryParameters } from './scripts/headParameters.js'
export type { HeadParameters } from './scripts/headParameters.js'
export { parseCursor } from './receipts/cursor.js'
export { noteOf } from './receipts/noteOf.js'
export type { HeadTransaction, Receipt, ReceiptsArgs } from './receipts/types.js'
export type {
  ClientStatus,
  DepositArgs,
  DepositResult,
  DepositStep,
  PayArgs,
  TxResult,
  WithdrawArgs,
  WithdrawResult,
  WithdrawStep
} from './types.js'
