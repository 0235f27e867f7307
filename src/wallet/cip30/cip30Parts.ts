// What both CIP-30 objects are made of: loaded at the first call of one of their methods, so that pages without them do not.
export { createCip30Api } from './createCip30Api.js'
export { createCip30Wallet } from './createCip30Wallet.js'
