export { createHeadClient, createHeadContext } from './createHeadClient.js'
export type { HeadClient } from './createHeadClient.js'
export type { ClientContext } from './ClientContext.js'
export { consolidate } from './actions/consolidate.js'
export { connect, disconnect } from './actions/connect.js'
export type { ConnectOptions } from './actions/connect.js'
export { deposit } from './actions/deposit.js'
export { evaluate } from './actions/evaluate.js'
export type { EvaluateArgs } from './actions/evaluate.js'
export { abort, close, closeAndFanout, contest, fanout } from './actions/headLife.js'
export type { HeadLifeArgs } from './actions/headLife.js'
export { open } from './actions/open.js'
export type { OpenArgs, OpenResult } from './actions/open.js'
export { pay } from './actions/pay.js'
export { payMany } from './actions/payMany.js'
export { getBalance, getUtxos, status } from './actions/read.js'
export type { GetUtxosArgs, HeadBalance } from './actions/read.js'
export { recover } from './actions/recover.js'
export type { RecoverArgs } from './actions/recover.js'
export { submit } from './actions/submit.js'
export { waitForTx } from './actions/waitForTx.js'
export type { ConfirmedTx } from './actions/waitForTx.js'
export type { EvaluatedRedeemer, Evaluation } from './scripts/evaluation.js'
export { createStore, watchBalance, watchHead, watchTxs } from './actions/watch.js'
export type { Store } from './actions/watch.js'
export { withdraw } from './actions/withdraw.js'
export type { Balance } from './amounts.js'
export type { ActionOptions } from './deadline.js'
export { decodeLedgerError } from './ledgerError.js'
export type {
  ActionProgress,
  AnyTransaction,
  ClientStatus,
  CommonClientOptions,
  ConsolidateArgs,
  DepositArgs,
  DepositResult,
  DepositState,
  GatewayAddress,
  HeadClientOptions,
  HeadStep,
  PayArgs,
  PayManyArgs,
  SendOptions,
  SettledTx,
  StoreOverrun,
  TxResult,
  TxState,
  WatchedTx,
  WithdrawArgs,
  WithdrawResult,
  WithdrawState,
  WithProgress
} from './types.js'
export type { LedgerReason, ScriptFailure } from '../errors/client.js'
export type { ScriptEvaluationRequest, ScriptEvaluator, ScriptUnits } from '../types/scriptEvaluator.js'
export type { Amount, TxInput, TxOutput, UTxO } from '../types/utxo.js'
export type { Wallet } from '../types/wallet.js'
