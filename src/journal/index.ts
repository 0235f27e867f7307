/**
 * A journal is the durable record of a head client's payments. With one, a process that restarts with the same ids
 * neither pays twice nor forgets a payment: each signed transaction is stored before it is sent. Pass one of these
 * journals as the client's option `journal`, or implement `Journal` over your own database.
 *
 * @see docs/guides/pay-once.md
 * @packageDocumentation
 */
export { fileJournal } from './fileJournal.js'
export { indexedDbJournal } from './indexedDbJournal.js'
export type { KeptJournal } from './keptJournal.js'
export { memoryJournal } from './memoryJournal.js'
export { redisJournal } from './redisJournal.js'
export type { RedisJournalOptions } from './redisJournal.js'
export type {
  Journal,
  JournalAction,
  JournalEnd,
  JournalEntry,
  JournalPart,
  JournalState,
  JournalTx
} from '../types/journal.js'
