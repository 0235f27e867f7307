export { TxBuilder } from './TxBuilder.js'
export type { PaymentAmount } from './PaymentAmount.js'
export type { OutputExtras } from './TxBuilder.js'
export type { BuiltTransaction } from './buildTx.js'
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
export type { Amount, TxInput, TxOutput, UTxO } from '../types/utxo.js'
