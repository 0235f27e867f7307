import { readTransaction, toTransactionBytes, transactionId } from '../../../src/codec/transaction.js'

const output = (lovelace: string): string => `a200581d60${'cf'.repeat(28)}01${lovelace}`

/** A small Conway transaction: one input, two outputs, a fee, no witness. Shapes only; no node would take it. */
export const TX = `84a300d9010281825820${'0a'.repeat(32)}000182${output('1a000f4240')}${output('1a001e8480')}021a0002917da0f5f6`

/** Its id: blake2b-256 of the body's bytes. */
export const TX_ID = transactionId(readTransaction(toTransactionBytes(TX)))

/** The same body with a witness, and so the same id. */
export const TX_SIGNED = TX.replace('a0f5f6', `a10081825820${'01'.repeat(32)}5840${'02'.repeat(64)}f5f6`)
