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
