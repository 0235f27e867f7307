import type { DepositEndpointHint } from '../../codec/endpointHint.js'
import { assertEndpoints, encodeEndpointHint } from '../../codec/endpointHint.js'
import type { OptionNames } from '../../codec/options.js'
import { readOptions } from '../../codec/options.js'
import { HeadStateError } from '../../errors/client.js'
import { InvalidArgumentError } from '../../errors/input.js'
import type { ClientContext } from '../ClientContext.js'

const HINT: OptionNames<DepositEndpointHint> = { label: true, endpoints: true }
/** Metadata label that the node uses for its own transactions. */
const NODE_LABEL = 55_555n

/** Reads the option `endpointHint` of a deposit. @throws {@link InvalidArgumentError} */
export function readHint(hint: unknown): DepositEndpointHint {
  const { label, endpoints } = readOptions(hint as DepositEndpointHint, HINT, 'endpointHint')
  const isLabel = typeof label === 'bigint' || Number.isSafeInteger(label)
  if (!isLabel || BigInt(label) < 0n || BigInt(label) >= 2n ** 64n || BigInt(label) === NODE_LABEL)
    throw new InvalidArgumentError(
      'endpointHint.label',
      `a metadata label, 0 to 2^64-1, and not ${NODE_LABEL}, which is the node's`,
      label
    )
  return { label, endpoints: [...assertEndpoints(endpoints, 'endpointHint.endpoints')] }
}

/**
 * Encodes the hint as metadata of the deposit's transaction. @throws {@link HeadStateError} while the head has no id
 */
export function hintMetadata(
  { bridge }: ClientContext,
  { label, endpoints }: DepositEndpointHint
): Readonly<Record<string, { toCbor(): string }>> {
  const { headId, headStatus } = bridge.getSnapshot()
  if (headId === null) throw new HeadStateError('deposit', headStatus, ['Open'])
  return { [String(label)]: encodeEndpointHint(headId, endpoints) }
}
