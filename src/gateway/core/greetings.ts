import type { WireRecord } from '../../bridge/inner.js'
import { getOwn, isRecord } from '../../bridge/inner.js'
import { tagOf } from './nodeMessage.js'

/**
 * Members of Greetings that clients receive. All others are left out: they show the setup of the node, in some versions
 * even its secret key.
 */
const KEPT = ['me', 'headStatus', 'hydraHeadId', 'hydraNodeVersion', 'chainSyncedStatus', 'currentSlot']

/** Returns the Greetings for clients, from those of the node. */
export function keptGreetings(message: WireRecord): WireRecord {
  return {
    tag: 'Greetings',
    ...Object.fromEntries(KEPT.filter((name) => Object.hasOwn(message, name)).map((name) => [name, message[name]]))
  }
}

const STATUS_AFTER: ReadonlyMap<string, string> = new Map([
  ['HeadIsInitializing', 'Initializing'],
  ['HeadIsOpen', 'Open'],
  ['HeadIsClosed', 'Closed'],
  ['HeadIsContested', 'Closed'],
  ['ReadyToFanout', 'FanoutPossible'],
  ['HeadPartiallyFannedOut', 'FanningOut'],
  ['HeadIsFinalized', 'Idle'],
  ['HeadIsAborted', 'Idle']
])

/** Returns the Greetings as a message changes them; the same object where it changes none of their members. */
export function greetingsAfter(greetings: WireRecord, message: WireRecord): WireRecord {
  const tag = tagOf(message)
  const status = STATUS_AFTER.get(tag)
  if (status !== undefined) {
    const headId = getOwn(message, 'headId')
    const { hydraHeadId: _, ...rest } = greetings
    return {
      ...rest,
      headStatus: status,
      ...(status === 'Idle' || typeof headId !== 'string' ? {} : { hydraHeadId: headId })
    }
  }
  const synced =
    tag === 'NodeSynced'
      ? 'InSync'
      : tag === 'NodeUnsynced'
        ? 'CatchingUp'
        : tag === 'SyncedStatusReport'
          ? getOwn(message, 'synced')
          : undefined
  if (typeof synced !== 'string' || !isRecord(greetings)) return greetings
  const slot = getOwn(message, 'chainSlot')
  return { ...greetings, chainSyncedStatus: synced, ...(typeof slot === 'number' ? { currentSlot: slot } : {}) }
}

/** Returns true when a message ends the head, and its snapshots with it. */
export function endsHead(message: WireRecord): boolean {
  return STATUS_AFTER.get(tagOf(message)) === 'Idle'
}
