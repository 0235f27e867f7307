import { parseAddress } from '../../codec/address.js'
import { minLovelace } from '../../codec/txOutput.js'
import { LOVELACE } from '../../codec/value.js'
import type { LedgerParameters } from '../rules/LedgerParameters.js'
import type { StatedCommit } from './commitRequest.js'
import type { DraftError } from './draftError.js'

/**
 * Returns the refusal of outputs as the client states them, before the node looks any of them up: for a Byron address,
 * then for too little lovelace if `minimum` is given. Null when there is none.
 */
export function refusedAsStated({ stated }: StatedCommit, minimum: LedgerParameters | null): DraftError | null {
  const outputs = [...stated.values()].map(({ output }) => output)
  const byron = outputs.find(({ address }) => parseAddress(address).type === 'byron')
  if (byron !== undefined) return { tag: 'UnsupportedLegacyOutput', byronAddress: byron.address }
  if (minimum === null) return null
  for (const output of outputs) {
    const providedValue = BigInt(output.amount.find(({ unit }) => unit === LOVELACE)?.quantity ?? 0)
    const minimumValue = minLovelace(output, minimum.coinsPerUtxoByte)
    if (providedValue < minimumValue) return { tag: 'DepositTooLow', providedValue, minimumValue }
  }
  return null
}
