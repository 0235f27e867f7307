import type { DevAccounts } from './settings/accounts.js'
import { deriveAccounts } from './settings/accounts.js'
import { assertDepositable, readGenesis } from './chain/genesis.js'
import { openAtStart } from './party/openAtStart.js'
import type { FundedKeys } from './settings/keys.js'
import { deriveKey, fundedKey, isFunded } from './settings/keys.js'
import { fundedOutput } from './chain/funds.js'
import type { Party } from './party/Party.js'
import type { NodeSettings } from './settings/options.js'
import { DEFAULT_TEST_KEYS } from './settings/options.js'

/** Number of outputs that each test key starts with: 10,000 ada in all. */
const TEST_KEY_OUTPUTS = 10
const TEST_KEY_LOVELACE = 1_000_000_000n

/** The test keys and accounts of a node, with the funds that they start with. */
export interface FundedOwners {
  readonly keys: FundedKeys
  readonly accounts: DevAccounts
}

/**
 * Puts the outputs that a node starts with on the base ledger, and opens the head with those of `inHead` if requested.
 *
 * @throws {@link InvalidArgumentError} @throws {@link InvalidAddressError} @throws {@link InvalidMnemonicError}
 */
export function fundAtStart(party: Party): FundedOwners {
  const { options, base, parameters } = party.chain
  const { networkId, phrase } = options
  const refs = new Set<string>()
  const genesis = readGenesis('genesis', options.genesis, networkId, refs)
  const inHead = readGenesis('inHead', options.inHead, networkId, refs)
  const keys = deriveTestKeys(options)
  for (const { address } of keys.filter(isFunded))
    base.produce(Array.from({ length: TEST_KEY_OUTPUTS }, () => fundedOutput(address, TEST_KEY_LOVELACE, networkId)))
  base.place(genesis)
  party.head.txs.fundWallet()
  const accounts = deriveAccounts({
    phrase,
    count: options.accounts,
    networkId,
    lovelace: BigInt(options.balance) * 1_000_000n
  })
  for (const { address, lovelace } of accounts.filter(isFunded))
    base.produce([fundedOutput(address, lovelace, networkId)])
  if (options.open) {
    // Outputs of a fork stand in a head already.
    const isFork = party.head.forkedHeadId !== null
    const entries = isFork ? base.named(inHead) : base.place(inHead)
    if (!isFork) assertDepositable('inHead', entries, parameters)
    openAtStart(entries, party)
  }
  return { keys, accounts }
}

/** Returns the funded keys and accounts by name, without their secret keys. */
export function fundedAccounts({
  keys,
  accounts
}: FundedOwners): { readonly name: string; readonly address: string; readonly stakeAddress: string | null }[] {
  return [
    ...keys.filter(isFunded).map(({ name, address }) => ({ name, address, stakeAddress: null })),
    ...accounts
      .filter(isFunded)
      .map(({ index, address, stakeAddress }) => ({ name: `account ${index}`, address, stakeAddress }))
  ]
}

/** Derives the named test keys, and adds default ones without funds until there are three. */
function deriveTestKeys({
  seed,
  networkId,
  testKeys
}: Pick<NodeSettings, 'seed' | 'networkId' | 'testKeys'>): FundedKeys {
  const others = DEFAULT_TEST_KEYS.filter((name) => !testKeys.includes(name)).slice(
    0,
    Math.max(0, DEFAULT_TEST_KEYS.length - testKeys.length)
  )
  const keys = [...testKeys, ...others].map((name, index) =>
    fundedKey(
      deriveKey(seed, name),
      networkId,
      index < testKeys.length ? TEST_KEY_LOVELACE * BigInt(TEST_KEY_OUTPUTS) : 0n
    )
  )
  return keys as unknown as FundedKeys
}
