import { deriveId } from '../settings/keys.js'
import type { NodeContext } from '../party/NodeContext.js'

type TimeContext = Pick<NodeContext, 'options'>

/** Slot of the base ledger now; slots are one second long. */
export function currentSlot({ options }: TimeContext): number {
  return slotAt(options.clock.now(), { options })
}

/** Slot of the base ledger at a Unix time in ms. */
export function slotAt(timeMs: number, { options }: TimeContext): number {
  return Math.floor((timeMs - options.slotZeroMs) / 1000)
}

/** Hash of the block at the tip: hex, 64 characters. */
export function tipHash(context: TimeContext): string {
  return blockHashAt(currentSlot(context), context)
}

/** Hash of the block of a slot: hex, 64 characters. */
export function blockHashAt(slot: number, { options }: TimeContext): string {
  return deriveId(options.seed, `block ${slot}`)
}
