import type { JournalEntry } from '../../../src/types/journal.js'

/** An open entry of this id. */
export const entryOf = (id: string): JournalEntry => ({
  version: 1,
  id,
  action: 'pay',
  argsHash: 'ab'.repeat(32),
  args: { payments: [], metadata: null },
  headId: 'cd'.repeat(28),
  network: 'testnet',
  wallet: null,
  state: 'open',
  step: 'signed',
  parts: [],
  result: null,
  createdAt: 1,
  updatedAt: 1
})
