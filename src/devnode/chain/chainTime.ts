import { deriveId } from '../settings/keys.js'

/** The time of a base ledger. */
export interface ChainTime {
  readonly clock: { now(): number }
  readonly options: { readonly slotZeroMs: number; readonly seed: string }
}

/** Slot of the base ledger now; slots are one second long. */
export function currentSlot({ clock, options }: ChainTime): number {
  return slotAt(clock.now(), { options })
}

/** Slot of the base ledger at a Unix time in ms. */
export function slotAt(timeMs: number, { options }: Pick<ChainTime, 'options'>): number {
  return Math.floor((timeMs - options.slotZeroMs) / 1000)
}

/** Hash of the block at the tip: hex, 64 characters. */
export function tipHash(time: ChainTime): string {
  return blockHashAt(currentSlot(time), time)
}

/** Hash of the block of a slot: hex, 64 characters. */
export function blockHashAt(slot: number, { options }: Pick<ChainTime, 'options'>): string {
  return deriveId(options.seed, `block ${slot}`)
}
