import { type NetworkName, SLOT_CONFIG, type SlotConfig } from '../constants.js'
import { InvalidArgumentError } from '../errors/input.js'
import { typedErrors } from './typedErrors.js'

/** Byron era: a slot lasts 20 s, and an epoch has 21,600 slots (10 x k, k = 2160). */
const BYRON_SLOT_MS = 20_000
const BYRON_EPOCH_SLOTS = 21_600

/** Returns the slot configuration of a named network. @throws {@link InvalidArgumentError} on another name. */
export function slotConfigOf(network: NetworkName): Readonly<SlotConfig> {
  const config = typeof network === 'string' ? SLOT_CONFIG[network.toUpperCase() as 'MAINNET'] : undefined
  if (config === undefined) throw new InvalidArgumentError('network', '"mainnet", "preprod" or "preview"', network)
  return config
}

/** Returns true for the configuration of a network that had a Byron era. Values are compared, so copies match too. */
function hadByron(config: SlotConfig): boolean {
  const { MAINNET, PREPROD } = SLOT_CONFIG
  return [MAINNET, PREPROD].some((known) => known.zeroTime === config.zeroTime && known.zeroSlot === config.zeroSlot)
}

/** Returns the start of a slot, ms since the Unix epoch. @throws {@link InvalidArgumentError} */
export function slotToTime(slot: number, config: SlotConfig): number {
  assertConfig(config)
  if (!Number.isSafeInteger(slot) || slot < 0) throw new InvalidArgumentError('slot', 'a whole number from 0', slot)
  if (slot >= config.zeroSlot) return config.zeroTime + (slot - config.zeroSlot) * config.slotLength
  if (hadByron(config)) return config.zeroTime - (config.zeroSlot - slot) * BYRON_SLOT_MS
  throw new InvalidArgumentError('slot', `a slot from ${config.zeroSlot}`, slot)
}

/** Returns the slot at a time, ms since the Unix epoch. @throws {@link InvalidArgumentError} */
export function timeToSlot(timeMs: number, config: SlotConfig): number {
  assertConfig(config)
  if (!Number.isFinite(timeMs)) throw new InvalidArgumentError('time', 'ms since the Unix epoch', timeMs)
  const sinceZero = timeMs - config.zeroTime
  const slot = config.zeroSlot + Math.floor(sinceZero / (sinceZero < 0 ? BYRON_SLOT_MS : config.slotLength))
  const hasBegun = sinceZero >= 0 || (slot >= 0 && hadByron(config))
  if (!hasBegun || !Number.isSafeInteger(slot))
    throw new InvalidArgumentError('time', 'ms since the network began', timeMs)
  return slot
}

/** Returns the epoch of a slot, and the slot's position in that epoch, from 0. */
export function slotToEpoch(slot: number, config: SlotConfig): { epoch: number; epochSlot: number } {
  slotToTime(slot, config)
  const byron = slot < config.zeroSlot
  const length = byron ? BYRON_EPOCH_SLOTS : config.epochLength
  const since = byron ? slot : slot - config.zeroSlot
  return { epoch: Math.floor(since / length) + (byron ? 0 : config.startEpoch), epochSlot: since % length }
}

function assertConfig(config: SlotConfig): void {
  typedErrors('config', () => {
    const { zeroTime, zeroSlot, slotLength, startEpoch, epochLength } = config ?? {}
    const finite = [zeroTime, zeroSlot, slotLength, startEpoch, epochLength].every(Number.isFinite)
    if (!finite || slotLength <= 0 || epochLength <= 0) throw new InvalidArgumentError('config', 'a SlotConfig', config)
  })
}
