import type { Amount } from '../types/utxo.js'

/** What an output holds: lovelace alone, or amounts of several units. */
export type PaymentAmount = bigint | readonly Amount[]
