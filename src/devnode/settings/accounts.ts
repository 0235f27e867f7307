import { addressToString, baseAddress, rewardAddress } from '../../codec/address.js'
import { concatBytes } from '../../codec/bytes.js'
import { bytesToHex } from '../../codec/hex.js'
import {
  derivePrivatePath,
  passwordBytes,
  rootFromEntropy,
  toExtendedPublic,
  wordsToEntropy
} from '../../crypto/inner.js'
import { blake2b224 } from '../../hash/blake2b.js'

/** The recovery phrase of the accounts, known from other development networks: for tests only. */
export const DEV_PHRASE: string = `${'test '.repeat(23)}sauce`

/** True when a phrase is {@link DEV_PHRASE}, however it is written. */
export function isDevPhrase(phrase: string): boolean {
  return phrase.normalize('NFKD').toLowerCase().trim().split(/\s+/).join(' ') === DEV_PHRASE
}

/** A funded account of the phrase, for wallets that derive their keys. */
export interface DevAccount {
  /** The account of the path m/1852'/1815'/index'/0/0. */
  readonly index: number
  /** Base address, bech32. */
  readonly address: string
  /** Reward address, bech32. */
  readonly stakeAddress: string
  /** Extended payment key: CBOR hex (`5880` and 128 bytes), which `ChainCliWallet` accepts. */
  readonly skey: string
  /** Payment verification key: CBOR hex (`5820` and 32 bytes). */
  readonly vkey: string
  /** Lovelace that the account holds on the base ledger at the start; 0 for one beyond the option `accounts`. */
  readonly lovelace: bigint
}

/** Accounts of a local head, at least ten. */
export type DevAccounts = readonly [
  DevAccount,
  DevAccount,
  DevAccount,
  DevAccount,
  DevAccount,
  DevAccount,
  DevAccount,
  DevAccount,
  DevAccount,
  DevAccount,
  ...DevAccount[]
]

/** Least number of accounts that are derived, even where fewer are funded. */
const LEAST_ACCOUNTS = 10

/** Number of funded accounts, their phrase, network and lovelace. */
export interface AccountOptions {
  readonly phrase: string
  readonly count: number
  readonly networkId: 0 | 1
  readonly lovelace: bigint
}

const HARDENED = 0x8000_0000

type AccountKeys = Omit<DevAccount, 'lovelace'>

/**
 * Cache of the accounts of {@link DEV_PHRASE} on test networks: deriving them needs longer than all else at the start
 * of a node, and a process of tests starts many. The phrase is public; keys of any other are not kept.
 */
const KNOWN: AccountKeys[] = []

/**
 * Derives the first accounts of a phrase, at least ten; those beyond `count` hold no funds. On mainnet the public
 * phrase has no accounts. @throws {@link InvalidMnemonicError}
 */
export function deriveAccounts({ phrase, count, networkId, lovelace }: AccountOptions): DevAccounts {
  const words = phrase.trim().split(/\s+/)
  const isPublic = isDevPhrase(phrase)
  // Its mainnet addresses are public property: they are listed nowhere.
  if (isPublic && networkId === 1) return [] as unknown as DevAccounts
  const derived = isPublic ? KNOWN : []
  const listed = Math.max(count, LEAST_ACCOUNTS)
  if (derived.length < listed) {
    const root = rootFromEntropy(wordsToEntropy(words), passwordBytes(''))
    while (derived.length < listed) derived.push(deriveAccount(root, derived.length, networkId))
  }
  return derived
    .slice(0, listed)
    .map((keys, index) => ({ ...keys, lovelace: index < count ? lovelace : 0n })) as unknown as DevAccounts
}

function deriveAccount(root: Uint8Array, index: number, networkId: 0 | 1): AccountKeys {
  const account = derivePrivatePath(root, [HARDENED + 1852, HARDENED + 1815, HARDENED + index])
  const payment = derivePrivatePath(account, [0, 0])
  const publicKey = toExtendedPublic(payment).slice(0, 32)
  const stakeKey = toExtendedPublic(derivePrivatePath(account, [2, 0])).slice(0, 32)
  const stake = { kind: 'key', hash: bytesToHex(blake2b224(stakeKey)) } as const
  return {
    index,
    address: addressToString(baseAddress(networkId, { kind: 'key', hash: bytesToHex(blake2b224(publicKey)) }, stake)),
    stakeAddress: addressToString(rewardAddress(networkId, stake)),
    // As cardano-cli writes it: kL, kR, public key, chain code.
    skey: `5880${bytesToHex(concatBytes(payment.slice(0, 64), publicKey, payment.slice(64)))}`,
    vkey: `5820${bytesToHex(publicKey)}`
  }
}
