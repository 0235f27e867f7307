export type * from './utxo.js'
export type * from './transaction.js'
export type * from './provider.js'
export type * from './wallet.js'
