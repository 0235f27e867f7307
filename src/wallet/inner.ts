// The door of this room for other rooms; index.ts is the public one.

export { ChainCliWallet } from './ChainCliWallet.js'
export type { WalletProviderOptions } from './options.js'
