import { addressToString, parseAddress } from '../../../codec/address.js'
import { described } from '../../../errors/base.js'
import { BridgeOptionsError } from '../../../errors/bridge.js'
import type { SnapshotPosition } from '../Connector.js'

/**
 * Options of the protocol extension that gateways of `layer-sdk/gateway` support. Any of them turns the extension on.
 */
export interface GatewayExtensionOptions {
  /**
   * Form in which outputs are sent. `'full'`: all outputs with each snapshot; `'delta'`: only the changes that each
   * snapshot makes; `'address'`: only the changes to the outputs of `addresses`.
   * @default as a node sends them, which any gateway supports
   */
  mode?: 'full' | 'delta' | 'address'
  /**
   * Payment addresses whose outputs are sent: at least one, and only with the mode `'address'`. The bridge then does
   * not know the outputs of other addresses.
   */
  addresses?: readonly string[]
  /**
   * Tags of the messages that the gateway sends to this client. Greetings, snapshots, changes of the head's state and
   * the outcomes of the client's own transactions are always sent. @default all
   */
  tags?: readonly string[]
}

/** The options of a connector that uses the extension. */
export interface GatewayExtension extends GatewayExtensionOptions {
  /** True with a mode or tags: the gateway then sends outputs by itself. */
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

/** Returns the members that the extension adds to the CONNECT packet, besides the token. */
export function extensionAuth(
  { isExtended, ...options }: GatewayExtension,
  since: SnapshotPosition | undefined
): Record<string, unknown> {
  return isExtended ? { ...options, ...(since && { since: { headId: since.headId, number: since.number } }) } : {}
}

/** Returns an address in the form in which the node writes it. */
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
    described(`${text.length} characters that are none`)
  )
}
