import type { DevAccount } from './accounts.js'
import { deriveAccounts } from './accounts.js'
import { assertDepositable, readGenesis } from './genesis.js'
import { openAtStart } from './head/openAtStart.js'
import type { FundedKey } from './keys.js'
import { deriveKey, fundedKey } from './keys.js'
import { fundedOutput } from './ledger/funds.js'
import type { NodeContext } from './NodeContext.js'

/** What each funded test key holds at the start: 10,000 ada in ten outputs. */
const TEST_KEY_OUTPUTS = 10
const TEST_KEY_LOVELACE = 1_000_000_000n

/** Who owns what the base ledger starts with, besides the outputs of `genesis`. */
export interface FundedOwners {
  readonly keys: readonly FundedKey[]
  readonly accounts: readonly DevAccount[]
}

/**
 * Puts the outputs of the start on the base ledger, and opens the head with those of `inHead` if it is asked for.
 *
 * @throws {@link InvalidArgumentError} @throws {@link InvalidAddressError} @throws {@link InvalidMnemonicError}
 */
export function fundAtStart(context: NodeContext): FundedOwners {
  const { options, base } = context
  const { seed, networkId, testKeys, phrase } = options
  const refs = new Set<string>()
  const genesis = readGenesis('genesis', options.genesis, networkId, refs)
  const inHead = readGenesis('inHead', options.inHead, networkId, refs)
  const keys = testKeys.map((name) => fundedKey(deriveKey(seed, name), networkId, TEST_KEY_LOVELACE * BigInt(TEST_KEY_OUTPUTS)))
  for (const { address } of keys) base.produce(Array.from({ length: TEST_KEY_OUTPUTS }, () => fundedOutput(address, TEST_KEY_LOVELACE, networkId)))
  base.place(genesis)
  const accounts = deriveAccounts({ phrase, count: options.accounts, networkId, lovelace: BigInt(options.balance) * 1_000_000n })
  for (const { address, lovelace } of accounts) base.produce([fundedOutput(address, lovelace, networkId)])
  if (options.open) {
    // Outputs of a fork stand in a head already.
    const isFork = context.forkedHeadId !== null
    const entries = isFork ? base.named(inHead) : base.place(inHead)
    if (!isFork) assertDepositable('inHead', entries, context.parameters)
    openAtStart(entries, context)
  }
  return { keys, accounts }
}
