import type { SettledTx } from './types.js'

/** The end of a confirmed transaction. */
export type ConfirmedEnd = Extract<SettledTx, { outcome: 'confirmed' }>

/** A final end: confirmed, or `dead`, since it can never be confirmed. */
export type CertainFate = ConfirmedEnd | 'dead'
