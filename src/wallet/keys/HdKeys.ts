import type { CurvePoint, PublicParent } from '../../crypto/inner.js'
import {
  HARDENED,
  deriveChildPoint,
  derivePrivateChild,
  derivePrivatePath,
  derivePublicChild,
  encodePoints,
  multiplyBase,
  openPrivateParent,
  openPublicParent,
  parseXpub,
  passwordBytes,
  rootFromEntropy,
  rootFromEntropyAsync,
  signExtended,
  wordsToEntropy,
  xprvFromBech32,
  xprvFromHex,
  xprvToBech32
} from '../../crypto/inner.js'
import { bytesToHex } from '../../codec/hex.js'
import { InvalidArgumentError } from '../../errors/input.js'
import { WalletDisposedError, WalletReadOnlyError } from '../../errors/wallet.js'
import { blake2b224 } from '../../hash/blake2b.js'
import type { ExportableSigner } from './Signer.js'
import type { AccountXpubKey, PrivateKeySource } from './walletKey.js'

/** CIP-1852: purpose and coin type; role 0 = payment, role 2 = staking. */
const PURPOSE = HARDENED + 1852
const COIN_TYPE = HARDENED + 1815
export const ROLE_PAYMENT = 0
export const ROLE_STAKE = 2

/**
 * Maximum number of derived keys that are kept for each account and role, and of accounts. Older ones are cleared and
 * derived again when needed.
 */
const MAX_KEPT_KEYS = 1024
const MAX_KEPT_ACCOUNTS = 256

/** Role and index of a key in its account. */
export interface KeyPath {
  readonly role: number
  readonly index: number
}

/** Keys of one role of one account, derived when needed. */
class RoleKeys {
  readonly #parent: PublicParent
  readonly #xprv: Uint8Array | null
  readonly #secretOf: (index: number) => Uint8Array
  readonly #kept = new Map<number, DerivedKey>()

  /** `secretOf` calls `secret` of these keys, or of their replacement after they were evicted and derived again. */
  constructor(parent: PublicParent, xprv: Uint8Array | null, secretOf: (index: number) => Uint8Array) {
    this.#parent = parent
    this.#xprv = xprv
    this.#secretOf = secretOf
  }

  /** Returns the key of an index if it is kept. */
  kept(index: number): DerivedKey | undefined {
    return this.#kept.get(index)
  }

  /** Derives the public key of an index. */
  point(index: number): CurvePoint {
    return deriveChildPoint(this.#parent, index)
  }

  /** Keeps the key of an index; `publicKey` is its {@link point}, encoded. */
  keep(index: number, publicKey: Uint8Array): DerivedKey {
    const key = new DerivedKey(publicKey, () => this.#secretOf(index))
    makeRoom(this.#kept, MAX_KEPT_KEYS, (old) => old.forget())
    this.#kept.set(index, key)
    return key
  }

  /** Derives the private half of a key; only for wallets that have private keys. */
  secret(index: number): Uint8Array {
    return derivePrivateChild(this.#xprv!, index, this.#parent.publicKey)
  }

  dispose(): void {
    for (const key of this.#kept.values()) key.forget()
    this.#kept.clear()
    this.#parent.mac.dispose()
    this.#xprv?.fill(0)
  }
}

/** One key of a path. Its private half is derived at the first signature. */
class DerivedKey implements ExportableSigner {
  readonly publicKey: Uint8Array
  readonly keyHash: string
  readonly #derive: () => Uint8Array
  #xprv: Uint8Array | null = null
  #keepsSecret = true

  constructor(publicKey: Uint8Array, derive: () => Uint8Array) {
    this.publicKey = publicKey
    this.keyHash = bytesToHex(blake2b224(publicKey))
    this.#derive = derive
  }

  sign(message: Uint8Array): Uint8Array {
    return this.#withSecret((xprv) => signExtended(message, xprv, this.publicKey))
  }

  toXprvBech32(): string {
    return this.#withSecret(xprvToBech32)
  }

  /**
   * Clears the private half. A caller that still holds this key can use it: from now on its private half is derived for
   * each use.
   */
  forget(): void {
    this.#keepsSecret = false
    this.#xprv?.fill(0)
    this.#xprv = null
  }

  #withSecret<T>(use: (xprv: Uint8Array) => T): T {
    if (this.#keepsSecret) return use((this.#xprv ??= this.#derive()))
    const xprv = this.#derive()
    const result = use(xprv)
    xprv.fill(0)
    return result
  }
}

/** The keys of one account. */
class AccountKeys {
  readonly #roles = new Map<number, RoleKeys>()
  readonly #parent: PublicParent
  readonly #xprv: Uint8Array | null
  readonly #secretOf: (role: number, index: number) => Uint8Array

  constructor(parent: PublicParent, xprv: Uint8Array | null, secretOf: (role: number, index: number) => Uint8Array) {
    this.#parent = parent
    this.#xprv = xprv
    this.#secretOf = secretOf
  }

  role(role: number): RoleKeys {
    let keys = this.#roles.get(role)
    if (keys === undefined) {
      const xprv = this.#xprv && derivePrivateChild(this.#xprv, role, this.#parent.publicKey)
      // A child of a point is a point.
      const parent = xprv === null ? openPublicParent(derivePublicChild(this.#parent, role))! : openPrivateParent(xprv)
      this.#roles.set(role, (keys = new RoleKeys(parent, xprv, (index) => this.#secretOf(role, index))))
    }
    return keys
  }

  dispose(): void {
    for (const keys of this.#roles.values()) keys.dispose()
    this.#roles.clear()
    this.#parent.mac.dispose()
    this.#xprv?.fill(0)
  }
}

/**
 * The key tree of a wallet. The root is derived once, with the first key; accounts, roles and keys are kept.
 * Every secret is in a private field of this file and is cleared by `dispose()`.
 */
export class HdKeys {
  /** Entropy and password of a recovery phrase, until the root is derived from them. */
  #phrase: { entropy: Uint8Array; password: Uint8Array } | null = null
  #root: Uint8Array | null = null
  readonly #accounts = new Map<number, AccountKeys>()
  /** The only account there is, when the wallet was made from an account's public key. */
  readonly #onlyAccount: number | null = null
  #disposed = false

  constructor(key: PrivateKeySource | AccountXpubKey) {
    switch (key.type) {
      case 'mnemonic':
        this.#phrase = { entropy: wordsToEntropy(key.words), password: passwordBytes(key.password) }
        break
      case 'root':
        this.#root = xprvFromBech32(key.bech32, 'The root key')
        break
      case 'rootHex':
        this.#root = xprvFromHex(key.hex, 'The root key')
        break
      case 'accountXpub':
        this.#onlyAccount = assertIndex(key.accountIndex ?? 0, 'key.accountIndex')
        this.#keep(this.#onlyAccount, openPublicParent(parseXpub(key.xpub, 'The account public key'))!, null)
    }
  }

  /** True when the wallet has private keys. */
  get canSign(): boolean {
    return this.#onlyAccount === null
  }

  /**
   * Derives the root off the main thread where the runtime can, and builds noble's table of the base point, which
   * blocks the thread for some 50 ms, once. The table is built in a separate task, so that a page can draw before it.
   */
  async prepare(): Promise<void> {
    await this.#prepareRoot()
    // A bare script engine has no timers, and no page to draw either.
    if (typeof setTimeout === 'function')
      await new Promise<void>((resolve) => {
        setTimeout(resolve, 0)
      })
    multiplyBase(2n)
  }

  async #prepareRoot(): Promise<void> {
    const phrase = this.#phrase
    if (phrase === null) return
    const root = await rootFromEntropyAsync(phrase.entropy, phrase.password)
    // Meanwhile the wallet may have been disposed of, or have derived the root synchronously.
    if (this.#phrase === null) root.fill(0)
    else this.#setRoot(root)
  }

  /**
   * Returns the keys m/1852'/1815'/account'/role/index of an account, each of a different role. Encoding the new ones
   * needs only one inversion.
   */
  keys(accountIndex: number, path: readonly KeyPath[]): ExportableSigner[] {
    if (this.#disposed) throw new WalletDisposedError()
    const account = this.#account(accountIndex)
    const found = path.map(({ role, index }) => account.role(role).kept(index))
    const missing = path.filter((_, at) => found[at] === undefined)
    const derived =
      missing.length === 0 ? [] : encodePoints(missing.map(({ role, index }) => account.role(role).point(index)))
    return path.map(({ role, index }, at) => found[at] ?? account.role(role).keep(index, derived.shift()!))
  }

  dispose(): void {
    this.#disposed = true
    for (const account of this.#accounts.values()) account.dispose()
    this.#accounts.clear()
    this.#root?.fill(0)
    this.#root = null
    this.#clearPhrase()
  }

  #account(index: number): AccountKeys {
    const account = this.#accounts.get(index)
    if (account !== undefined) return account
    if (this.#onlyAccount !== null)
      throw new InvalidArgumentError('accountIndex', `${this.#onlyAccount}, the only account of this wallet`, index)
    if (this.#root === null && this.#phrase !== null)
      this.#setRoot(rootFromEntropy(this.#phrase.entropy, this.#phrase.password))
    const xprv = derivePrivatePath(this.#root!, [PURPOSE, COIN_TYPE, HARDENED + index])
    return this.#keep(index, openPrivateParent(xprv), xprv)
  }

  #keep(index: number, parent: PublicParent, xprv: Uint8Array | null): AccountKeys {
    const account = new AccountKeys(parent, xprv, (role, keyIndex) => {
      if (this.#disposed) throw new WalletDisposedError()
      if (!this.canSign) throw new WalletReadOnlyError('sign')
      return this.#account(index).role(role).secret(keyIndex)
    })
    makeRoom(this.#accounts, MAX_KEPT_ACCOUNTS, (old) => old.dispose())
    this.#accounts.set(index, account)
    return account
  }

  #setRoot(root: Uint8Array): void {
    this.#root = root
    this.#clearPhrase()
  }

  #clearPhrase(): void {
    this.#phrase?.entropy.fill(0)
    this.#phrase?.password.fill(0)
    this.#phrase = null
  }
}

/** Evicts the oldest entry of a full map. */
function makeRoom<T>(kept: Map<number, T>, most: number, clear: (old: T) => void): void {
  if (kept.size < most) return
  const [oldest, old] = kept.entries().next().value!
  clear(old)
  kept.delete(oldest)
}

/** Returns the index when it is a whole number from 0 to 2^31-1. */
export function assertIndex(index: unknown, name: string): number {
  if (typeof index === 'number' && Number.isInteger(index) && index >= 0 && index < HARDENED) return index
  throw new InvalidArgumentError(name, 'a whole number from 0 to 2147483647', index)
}
