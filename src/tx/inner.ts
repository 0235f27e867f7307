// The door of this room for other rooms; index.ts is the public one.

export type { PaymentAmount } from './PaymentAmount.js'
export type { TxBuilder } from './TxBuilder.js'
export { PaymentBuilder } from './PaymentBuilder.js'
export type { OutputExtras } from './PaymentBuilder.js'
export { depositAmount } from './blueprint.js'
export type { Blueprint } from './blueprint.js'
export type { BuiltTransaction } from './buildTx.js'
export { toUtxos } from './chaining.js'
export { resolveTxParameters, txParametersFromProtocol } from './parameters.js'
export type { TxParameters } from './parameters.js'
export { buildDeposit, buildPayment } from './payment.js'
export { referenceScriptFee } from './referenceScripts.js'
