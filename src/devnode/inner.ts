// The door of this room for other rooms; index.ts is the public one.

export type { BaseListener } from './chain/baseLedger.js'
export { readGenesis } from './chain/genesis.js'
export { depositAddress } from './deposits/depositDraft.js'
export type { HubListener } from './party/clientHub.js'
export type { PreparedTx } from './rules/preparedTx.js'
export type { UtxoView } from './rules/utxoSet.js'
export { DEV_PHRASE } from './settings/accounts.js'
export { noFaults, readFaults } from './settings/faults.js'
export { isFunded } from './settings/keys.js'
export { PROFILES } from './settings/profiles.js'
