import { slotConfigOf, slotToEpoch, slotToTime, timeToSlot } from '../codec/slot.js'
import { type NetworkName, SLOT_CONFIG, type SlotConfig } from '../constants.js'

/**
 * Returns the start of a slot, Unix time in ms. Slots before Shelley last 20 s on mainnet and preprod.
 *
 * @param config - default: mainnet.
 * @throws {@link InvalidArgumentError} on a slot that is not a whole number from 0, or that lies before the beginning
 * of a configuration which is not a named network's.
 * @example
 * ```ts
 * import { SLOT_CONFIG, slotToBeginUnixTime } from 'layer-sdk/utils'
 * console.log(slotToBeginUnixTime(4492800)) // 1596059091000
 * console.log(slotToBeginUnixTime(0, SLOT_CONFIG.PREPROD)) // 1654041600000
 * ```
 */
export function slotToBeginUnixTime(slot: number, config: SlotConfig = SLOT_CONFIG.MAINNET): number {
  return slotToTime(slot, config)
}

/**
 * Returns the slot that a Unix time in ms falls into; a slot includes its start and excludes its end.
 *
 * @param config - default: mainnet.
 * @throws {@link InvalidArgumentError} on a time before the network began, or one that no slot number reaches.
 * @example
 * ```ts
 * import { unixTimeToEnclosingSlot } from 'layer-sdk/utils'
 * console.log(unixTimeToEnclosingSlot(1596059091999)) // 4492800
 * ```
 */
export function unixTimeToEnclosingSlot(unixTime: number, config: SlotConfig = SLOT_CONFIG.MAINNET): number {
  return timeToSlot(unixTime, config)
}

/**
 * Returns the slot at a Unix time in ms, as decimal digits.
 *
 * @throws {@link InvalidArgumentError} on a time before the network began.
 * @example
 * ```ts
 * import { resolveSlotNo } from 'layer-sdk/utils'
 * console.log(resolveSlotNo(1655769600000, 'preprod')) // 86400
 * ```
 */
export function resolveSlotNo(timestamp: number, network: NetworkName = 'mainnet'): string {
  return String(timeToSlot(timestamp, slotConfigOf(network)))
}

/**
 * Returns the epoch at a Unix time in ms.
 *
 * @throws {@link InvalidArgumentError} on a time before the network began.
 * @example
 * ```ts
 * import { resolveEpochNo } from 'layer-sdk/utils'
 * console.log(resolveEpochNo(1596059091000)) // 208
 * ```
 */
export function resolveEpochNo(timestamp: number, network: NetworkName = 'mainnet'): number {
  const config = slotConfigOf(network)
  return slotToEpoch(timeToSlot(timestamp, config), config).epoch
}

/**
 * Returns the `epoch` of a slot and the slot's position in it, from 0 (`epochSlot`). `config`: default mainnet.
 *
 * @throws {@link InvalidArgumentError}
 * @example
 * ```ts
 * import { slotToEpochNo } from 'layer-sdk/utils'
 * console.log(slotToEpochNo(4492801)) // { epoch: 208, epochSlot: 1 }
 * ```
 */
export function slotToEpochNo(
  slot: number,
  config: SlotConfig = SLOT_CONFIG.MAINNET
): { epoch: number; epochSlot: number } {
  return slotToEpoch(slot, config)
}

/**
 * Builds the slot configuration of a layer-two head: slots of one second, counted from `timestamp`.
 *
 * @param timestamp - start of slot 0, Unix time in ms, e.g. `LayerBridge.slotZeroTimestamp`. Default: now.
 * @throws {@link InvalidArgumentError} on a time that is not a number.
 * @example
 * ```ts
 * import { buildLayerSlotConfig, unixTimeToEnclosingSlot } from 'layer-sdk/utils'
 * const config = buildLayerSlotConfig(1_700_000_000_000)
 * console.log(unixTimeToEnclosingSlot(1_700_000_005_000, config)) // 5
 * ```
 */
export function buildLayerSlotConfig(timestamp: number = Date.now()): SlotConfig {
  const config: SlotConfig = { zeroTime: timestamp, zeroSlot: 0, slotLength: 1000, startEpoch: 0, epochLength: 432000 }
  timeToSlot(timestamp, config)
  return config
}
