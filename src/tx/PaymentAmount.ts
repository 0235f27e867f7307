import type { Amount } from '../types/utxo.js'

/** Amount of an output: lovelace as a bigint, or a list of amounts by unit. */
export type PaymentAmount = bigint | readonly Amount[]
