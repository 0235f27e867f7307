import type { WireRecord } from '../../bridge/protocol/wireRecord.js'
import { getOwn, isRecord } from '../../bridge/protocol/wireRecord.js'
import { tagOf } from './nodeMessage.js'

/** What of Greetings is passed on. The rest, the node's setup and in some versions its secret key, stays here. */
const KEPT = ['me', 'headStatus', 'hydraHeadId', 'hydraNodeVersion', 'chainSyncedStatus', 'currentSlot']

/** Greetings as it is passed on: from what the node sent. */
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

/** Greetings after a message; the same object where nothing has changed. */
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

/** Whether a message ends the head, and S with it. */
export function endsHead(message: WireRecord): boolean {
  return STATUS_AFTER.get(tagOf(message)) === 'Idle'
}
