import { addressToString, parseAddress } from '../../../codec/address.js'
import { BridgeOptionsError } from '../../../errors/bridge.js'
import type { SnapshotPosition } from '../Connector.js'

/** Options of the extension that `layer-sdk/gateway` speaks; with any of them the client is an extended one. */
export interface GatewayExtensionOptions {
  /**
   * Form of outputs. `'full'`: all of them with each snapshot; `'delta'`: the changes of each snapshot; `'address'`:
   * its changes to the outputs of `addresses`.
   * @default as a node sends them, which any gateway does
   */
  mode?: 'full' | 'delta' | 'address'
  /**
   * Payment addresses whose outputs are followed, with the mode `'address'` alone: at least one. The bridge does not
   * know outputs of others.
   */
  addresses?: readonly string[]
  /**
   * Tags of the messages to be sent. Greetings, snapshots, the head's states and verdicts on own transactions come
   * always. @default all
   */
  tags?: readonly string[]
}

/** The options of a connector that uses the extension. */
export interface GatewayExtension extends GatewayExtensionOptions {
  /** The other side sends outputs by itself. */
  readonly isExtended: boolean
}

const MODES: readonly unknown[] = ['full', 'delta', 'address']
const isTextList = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every((each) => typeof each === 'string' && each !== '')

/** Checks the options of the extension, and copies them. @throws {@link BridgeOptionsError} */
export function checkExtension({ mode, addresses, tags }: GatewayExtensionOptions): GatewayExtension {
  if (mode !== undefined && !MODES.includes(mode))
    throw new BridgeOptionsError('mode', "'full', 'delta' or 'address'", mode)
  if (tags !== undefined && (!isTextList(tags) || tags.length === 0))
    throw new BridgeOptionsError('tags', 'an array of tags of messages', tags)
  if (mode === 'address' && addresses === undefined)
    throw new BridgeOptionsError('addresses', "an array of addresses, with the mode 'address'", addresses)
  if (addresses !== undefined && mode !== 'address')
    throw new BridgeOptionsError('mode', "'address', with the option addresses", mode)
  if (addresses !== undefined && (!isTextList(addresses) || addresses.length === 0))
    throw new BridgeOptionsError('addresses', 'an array of payment addresses, at least one', addresses)
  return {
    isExtended: mode !== undefined || tags !== undefined,
    ...(mode === undefined ? {} : { mode }),
    ...(addresses === undefined ? {} : { addresses: [...new Set(addresses.map(paymentAddress))] }),
    ...(tags === undefined ? {} : { tags: [...tags] })
  }
}

/** Returns the members of CONNECT besides the token. */
export function extensionAuth(
  { isExtended, ...options }: GatewayExtension,
  since: SnapshotPosition | undefined
): Record<string, unknown> {
  return isExtended ? { ...options, ...(since && { since: { headId: since.headId, number: since.number } }) } : {}
}

/** An address as the node writes it. */
function paymentAddress(text: string): string {
  try {
    const address = parseAddress(text)
    if (address.type !== 'reward') return addressToString(address.bytes)
  } catch {
    /* said below */
  }
  throw new BridgeOptionsError(
    'addresses',
    'payment addresses in bech32 or base58',
    `${text.length} characters that are none`
  )
}
