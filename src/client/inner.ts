// The door of this room for other rooms; index.ts is the public one.

export type { ClientContext } from './ClientContext.js'
export { checkEvaluator } from './actions/evaluate.js'
export type { GetUtxosArgs, HeadBalance } from './actions/read.js'
export type { HeadClient } from './api/createHeadClient.js'
export { withDeadline } from './deadline.js'
export { withoutScriptBytes } from './scriptFailure.js'
export { checkBeforeSending } from './scripts/checkBeforeSending.js'
export type { EvaluatedRedeemer } from './scripts/evaluation.js'
export { queryParameters } from './scripts/headParameters.js'
export type { HeadParameters } from './scripts/headParameters.js'
export { REDEEMER_TAGS } from './scripts/txScripts.js'
export type { HeadTransaction, Receipt, ReceiptsArgs } from './receipts/types.js'
export type {
  ClientStatus,
  DepositArgs,
  DepositResult,
  DepositState,
  PayArgs,
  TxResult,
  WithdrawArgs,
  WithdrawResult,
  WithdrawState
} from './types.js'
