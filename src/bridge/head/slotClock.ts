import { SLOT_CONFIG } from '../../constants.js'
import type { LayerPayload } from '../protocol/messages.js'

const SLOT_MS = 1000
/** Maximum age of the node's last block, ms. A known network is recognised when its slot 0 is this close. */
const SNAP_MS = 120_000

/** Time of slot 0. */
export interface SlotZero {
  /** Ms since the Unix epoch. */
  readonly timestamp: number
  /** True when it comes from a message with slot and time, not from the time of arrival. */
  readonly exact: boolean
}

/**
 * Returns a time of the node, ms since the Unix epoch (it writes up to 12 fractional digits); null when the text is not
 * a time.
 */
export function parseNodeTime(text: unknown): number | null {
  const time = typeof text === 'string' ? Date.parse(text.replace(/(\.\d{3})\d+/, '$1')) : NaN
  return Number.isNaN(time) ? null : time
}

/** Returns the start of slot 0 of the known network that is close enough to a time, else the time itself. */
function snap(timestamp: number): number {
  for (const { zeroTime, zeroSlot, slotLength } of Object.values(SLOT_CONFIG)) {
    const slotZeroTime = zeroTime - zeroSlot * slotLength
    if (Math.abs(slotZeroTime - timestamp) <= SNAP_MS) return slotZeroTime
  }
  return timestamp
}

/** Returns the network whose slot 0 it is: 1 for mainnet, 0 for a named test network; null for any other. */
export function networkOfSlotZero(slotZero: SlotZero | null): number | null {
  for (const [name, { zeroTime, zeroSlot, slotLength }] of Object.entries(SLOT_CONFIG)) {
    if (slotZero?.timestamp === zeroTime - zeroSlot * slotLength) return name === 'MAINNET' ? 1 : 0
  }
  return null
}

/** Returns the slot and time that a message states together; null where it has none. */
function slotAndTime(payload: LayerPayload): { slot: unknown; time: unknown } | null {
  switch (payload.tag) {
    case 'NodeSynced':
    case 'NodeUnsynced':
    case 'SyncedStatusReport':
      return { slot: payload.chainSlot, time: payload.chainTime }
    case 'EventLogRotated': {
      const point = (
        payload.checkpoint as
          { chainPointTime?: { currentSlot?: unknown; currentChainTime?: unknown } } | null | undefined
      )?.chainPointTime
      return point ? { slot: point.currentSlot, time: point.currentChainTime } : null
    }
    default:
      return null
  }
}

/** Returns slot 0 after a message: the same object when it is unchanged. */
export function reduceSlotZero(slotZero: SlotZero | null, payload: LayerPayload, receivedAt: number): SlotZero | null {
  if (payload.tag === 'Greetings') {
    if (payload.currentSlot === undefined) return slotZero
    const timestamp = snap(receivedAt - payload.currentSlot * SLOT_MS)
    // An exact value stays, unless the node has another slot 0 now, as an offline one has after each start. One that
    // catches up names an old slot, which is no proof.
    const keep =
      slotZero?.exact === true &&
      (payload.chainSyncedStatus === 'CatchingUp' || Math.abs(timestamp - slotZero.timestamp) <= SNAP_MS)
    return keep ? slotZero : { timestamp, exact: false }
  }
  const point = slotAndTime(payload)
  const time = parseNodeTime(point?.time)
  if (point === null || time === null || !Number.isSafeInteger(point.slot)) return slotZero
  const timestamp = snap(time - (point.slot as number) * SLOT_MS)
  return slotZero?.exact === true && slotZero.timestamp === timestamp ? slotZero : { timestamp, exact: true }
}
