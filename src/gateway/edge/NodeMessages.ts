import type { WireRecord } from '../../bridge/inner.js'
import { stringifyJson } from '../../codec/json.js'
import { tagOf } from '../core/nodeMessage.js'
import type { MessageRecord } from '../records.js'
import type { Client } from './Client.js'
import type { HeadView } from './HeadView.js'
import { narrowMessage, TxBodies } from './narrowMessage.js'
import type { Outbox } from './Outbox.js'
import { Outgoing } from './Outgoing.js'
import type { Rooms } from './Rooms.js'

/** Messages that clients receive whatever tags they chose, as they do those about heads and of the gateway itself. */
const ALWAYS: ReadonlySet<string> = new Set(['Greetings', 'SnapshotConfirmed'])

/**
 * Messages that answer the recovery of a deposit. For a client of mode `address` they are reduced to its id and to
 * outputs of its own addresses.
 */
const ANSWERS_RECOVER: ReadonlySet<string> = new Set([
  'CommandFailed',
  'InvalidInput',
  'RejectedInputBecauseUnsynced',
  'CommitRecovered'
])

/**
 * Sends the node's messages to the clients that they concern; a client of mode `address` sees only outputs of its
 * addresses.
 */
export class NodeMessages {
  readonly #view: HeadView
  readonly #rooms: Rooms
  readonly #outbox: Outbox

  constructor(view: HeadView, rooms: Rooms, outbox: Outbox) {
    this.#view = view
    this.#rooms = rooms
    this.#outbox = outbox
  }

  /** Sends a message to its receivers, after the view has applied it. */
  broadcast(record: MessageRecord): void {
    const { message } = record
    const tag = tagOf(message)
    const whole = outgoingOf(message)
    const bodies = new TxBodies(this.#view.head.utxo)
    for (const client of this.#rooms.all) {
      const own = record.txIds.some((txId) => client.own.has(txId))
      if (concerns(client, record, tag, own)) this.#send(client, message, { own, whole, bodies })
    }
  }

  /** Sends a message about a transaction again, to the client that sent the transaction. */
  repeat(client: Client, message: WireRecord): void {
    const bodies = new TxBodies(this.#view.head.utxo)
    this.#send(client, message, { own: true, whole: outgoingOf(message), bodies })
  }

  #send(
    client: Client,
    message: WireRecord,
    { own, whole, bodies }: { own: boolean; whole: Outgoing; bodies: TxBodies }
  ): void {
    const shown = client.mode === 'address' ? narrowMessage(message, client, own, bodies) : message
    if (shown !== null) this.#outbox.send(client, shown === message ? whole : outgoingOf(shown))
  }
}

/** Returns true when a client receives a message: by its transactions, its addresses and its choice of tags. */
function concerns(client: Client, record: MessageRecord, tag: string, isOwn: boolean): boolean {
  const isFor = isOwn || (ANSWERS_RECOVER.has(tag) && record.txIds.some((txId) => client.recovering.has(txId)))
  if (isFor) return true
  if (record.toSender === true) return false
  const { addresses } = record
  if (client.mode === 'address' && addresses !== null && !addresses.some((address) => client.addresses.has(address)))
    return false
  return client.tags === null || client.tags.has(tag) || ALWAYS.has(tag) || tag.startsWith('Head')
}

function outgoingOf(message: WireRecord): Outgoing {
  const tag = tagOf(message)
  return new Outgoing(stringifyJson(message), tag === 'InvalidInput' || tag === 'CommandFailed' ? 'fail' : 'success')
}
