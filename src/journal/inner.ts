// The door of this room for other rooms; index.ts is the public one.

export { acquireLock } from './acquireLock.js'
export { fileJournal } from './fileJournal.js'
