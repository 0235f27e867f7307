import { type OptionNames, readOptions } from '../../codec/options.js'
import { InvalidKeyError } from '../../errors/wallet.js'
import type { WalletKey } from './walletKey.js'

type AnyKey = { type?: WalletKey['type'] } & Partial<Record<NameOf<WalletKey>, unknown>>
type NameOf<Key> = Key extends WalletKey ? Exclude<keyof Key, 'type'> : never

const KEY_NAMES: { readonly [K in WalletKey as K['type']]: OptionNames<K> } = {
  mnemonic: { type: true, words: true, password: true },
  root: { type: true, bech32: true },
  rootHex: { type: true, hex: true },
  accountXpub: { type: true, xpub: true, accountIndex: true },
  addresses: { type: true, addresses: true }
}

/**
 * Checks a wallet's key and returns it with only its own members, because an inherited `password` would give a
 * different wallet.
 *
 * @throws {@link InvalidArgumentError} on an unknown name; {@link InvalidKeyError} on another type.
 */
export function readKey(key: WalletKey): WalletKey {
  const all = Object.assign({}, ...Object.values(KEY_NAMES)) as OptionNames<AnyKey>
  const keyMembers = readOptions<AnyKey>(key, all, 'key')
  const types = Object.keys(KEY_NAMES)
  if (keyMembers.type === undefined || !types.includes(keyMembers.type)) {
    throw new InvalidKeyError(
      'The key',
      `an object whose type is ${types.map((type) => `'${type}'`).join(', ')}`,
      'another type'
    )
  }
  return readOptions(keyMembers as unknown as WalletKey, KEY_NAMES[keyMembers.type] as OptionNames<WalletKey>, 'key')
}
