import type { Amount } from '../types/utxo.js'

/** Amount of an output: lovelace alone, or amounts of several units. */
export type PaymentAmount = bigint | readonly Amount[]
