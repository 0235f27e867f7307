import { consumeFault } from '../settings/faults.js'
import type { ClientMessage, HeadMessage } from '../head/messages.js'
import type { ClientRef } from '../head/types.js'
import type { Chain } from '../chain/Chain.js'
import type { DevNodeFaults } from '../settings/faults.js'
import type { PartyView } from '../wire/json/PartyView.js'
import { messageToCbor } from '../wire/cbor/messages.js'
import { clientMessageText } from '../wire/json/clientMessages.js'
import { greetingsText } from '../wire/json/greetings.js'
import { checkpointJson } from '../wire/json/headStateJson.js'
import { JsonText, toJson } from '../json/jsonText.js'
import { StoredMessage, utcTime } from '../wire/json/messages.js'
import { Outbox } from './Outbox.js'
import type { PreparedTx } from '../rules/preparedTx.js'
import type { ProfileFeatures } from '../settings/profiles.js'

/** The receiving end of the connection to one client. */
export interface ClientSink {
  /** Sends the client a text, or bytes as a binary frame. */
  send(message: string | Uint8Array): void
  /** Ends the connection with a close code, or without a close frame when none is given. */
  close(code?: number): void
}

/** One connected client. */
export interface Client {
  /** Number of the connection, from 1. */
  readonly id: number
  /** Receives the node's messages for the client. */
  readonly sink: ClientSink
  /** True when the client's snapshots carry outputs; false with the query `snapshot-utxo=no`. */
  readonly withUtxo: boolean
  /** True when the client and the node exchange CBOR in binary frames (query `encoding=cbor`). */
  readonly cbor: boolean
  /** Address of the query: of the snapshots, only those with a payment to it are sent; `null` sends all. */
  readonly address: string | null
}

/** Receives each of the node's messages, as an object of the node's own types. */
export type HubListener = (message: HeadMessage | ClientMessage) => void

/** Close code for an internal error (RFC 6455, 7.4.1). */
const INTERNAL_ERROR = 1011
/** Close code for a restart, of IANA's registry. */
const SERVICE_RESTART = 1012

/**
 * Most outputs that stored messages may refer to before the log is rotated, so that large heads do not fill the memory.
 */
const MAX_REFERENCES = 2_000_000

/** Reason why the work under way ends: the node was stopped, its head abandoned, or its state replaced. */
export type Break = 'stopped' | 'abandoned' | 'replaced'

/** The messages of a party, as saved in the node's state. */
export interface SavedHub {
  readonly seq: number
  readonly history: readonly StoredMessage[]
  /** TxValid messages that a fault holds back. */
  readonly held: readonly StoredMessage[]
  /** The checkpoint that replaced older messages; null without one. */
  readonly rotated: JsonText | null
}

/** The party that the clients are connected to. */
interface HubContext extends PartyView {
  readonly chain: Chain
  readonly faults: DevNodeFaults
}

/** The clients of a party, and the history of its messages. */
export class ClientHub {
  readonly #context: HubContext
  readonly #clients = new Set<Client>()
  readonly #listeners = new Set<HubListener>()
  readonly #breakListeners = new Set<(why: Break) => void>()
  readonly #outbox: Outbox
  #history: StoredMessage[] = []
  #references = 0
  #rotated: JsonText | null = null
  #heldMessages: StoredMessage[] = []
  #seq = 0
  #lastId = 0
  #stopped = false

  constructor(context: HubContext) {
    this.#context = context
    this.#outbox = new Outbox(context.chain.durability)
  }

  get clients(): ReadonlySet<Client> {
    return this.#clients
  }

  /** Connects a client: sends it the history on request, then Greetings, then each new message. */
  open(query: string, sink: ClientSink): Client {
    const parameters = new URLSearchParams(query)
    const withUtxo = !parameters.getAll('snapshot-utxo').includes('no')
    const { features } = this.#context.chain
    const cbor = features.cborEncoding && parameters.getAll('encoding').includes('cbor')
    const client: Client = { id: ++this.#lastId, sink, withUtxo, cbor, address: addressFilter(parameters, features) }
    if (this.#stopped) {
      sink.close(1001)
      return client
    }
    this.#outbox.flush()
    this.#clients.add(client)
    const replay = parameters.getAll('history').includes('yes')
    if (replay) {
      if (this.#rotated !== null) this.#sendText(client, this.#rotated.text)
      for (const message of this.#history) this.#sendStored(client, message)
    }
    this.#sendText(client, greetingsText(this.#context, withUtxo))
    const { duplicateHistory } = this.#context.faults
    if (replay && duplicateHistory > 0)
      for (const message of this.#history.slice(-duplicateHistory)) this.#sendStored(client, message)
    return client
  }

  /** Disconnects a client. */
  leave(client: Client): void {
    this.#clients.delete(client)
  }

  /** Follows every message of the node; the returned function ends it. */
  subscribe(listener: HubListener): () => void {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  /** True when a message waits until the state is on disk. */
  get isWaiting(): boolean {
    return !this.#outbox.isEmpty
  }

  /** Calls `listener` when the work under way is ended; the returned function unsubscribes it. */
  onBreak(listener: (why: Break) => void): () => void {
    this.#breakListeners.add(listener)
    return () => void this.#breakListeners.delete(listener)
  }

  /** Tells all listeners of {@link onBreak} that the work under way is ended. */
  break(why: Break): void {
    for (const listener of [...this.#breakListeners]) listener(why)
  }

  /** Stores a message and sends it to all clients. */
  publish(output: HeadMessage): void {
    const { chain, faults } = this.#context
    this.#seq += 1 + faults.seqGap
    const message = new StoredMessage(output, this.#seq, chain.clock.now(), chain.features)
    this.#store(message)
    const isHeld = faults.validAfterConfirm && output.tag === 'TxValid'
    if (isHeld) this.#heldMessages.push(message)
    const released = output.tag === 'SnapshotConfirmed' ? this.#heldMessages.splice(0) : []
    // A kill may lose a verdict: all else is on disk before a client receives it.
    this.#outbox.add(output.tag !== 'TxValid' && output.tag !== 'TxInvalid', () => {
      for (const each of isHeld ? [] : [message, ...released]) this.#deliver(each)
      for (const listener of [...this.#listeners]) listener(output)
    })
  }

  /** Sends a message that is not stored to all clients. */
  broadcast(message: ClientMessage): void {
    const text = clientMessageText(message, this.#context)
    this.#outbox.add(false, () => {
      for (const client of this.#clients) this.#sendText(client, text)
      for (const listener of [...this.#listeners]) listener(message)
    })
  }

  /** Sends a text to one client; has no effect when it has left. */
  sendTo(ref: ClientRef | null, text: string): void {
    for (const client of this.#clients) if (client.id === ref?.id) this.#sendText(client, text)
  }

  /** Sends a message to all clients unchanged. */
  inject(message: string | Uint8Array): void {
    for (const client of this.#clients) this.#send(client, message)
  }

  /** Returns the saved part of the hub. */
  saved(): SavedHub {
    return { seq: this.#seq, history: this.#history, held: this.#heldMessages, rotated: this.#rotated }
  }

  /**
   * Restores a saved state and ends all connections, as a restart does (RFC 6455 and IANA: 1012, service
   * restart).
   */
  restore({ seq, history, held, rotated }: SavedHub): void {
    this.closeAll(SERVICE_RESTART)
    this.#clients.clear()
    this.#outbox.clear()
    this.#seq = seq
    this.#history = [...history]
    this.#heldMessages = [...held]
    this.#rotated = rotated
    this.#references = history.reduce((sum, { output }) => sum + referencesOf(output), 0)
    this.break('replaced')
  }

  /** Ends all connections. */
  closeAll(code?: number): void {
    for (const client of [...this.#clients]) client.sink.close(code)
  }

  /** Ends all connections; a later connection is ended at once. */
  stop(): void {
    this.#stopped = true
    this.#outbox.clear()
    this.closeAll(1001)
    this.break('stopped')
  }

  #deliver(message: StoredMessage): void {
    const { faults } = this.#context
    const { tag } = message.output
    const hit = faults.dropTags.length === 0 || faults.dropTags.includes(tag)
    if (hit && consumeFault(faults, 'dropOutputs')) return
    for (let copies = faults.duplicateOutputs ? 2 : 1; copies > 0; copies--) {
      for (const client of this.#clients) this.#sendStored(client, message)
    }
    message.release()
  }

  #sendStored(client: Client, message: StoredMessage): void {
    if (client.address === null || paysTo(message.output, client.address))
      this.#sendText(client, message.text(client.withUtxo))
  }

  /** Sends one of the node's own messages in the client's encoding. */
  #sendText(client: Client, text: string): void {
    if (!client.cbor) return this.#send(client, text)
    let bytes: Uint8Array
    try {
      bytes = messageToCbor(text)
    } catch {
      // Content that a client has put into a message, such as invalid outputs, may have no CBOR: the connection ends,
      // and not the node.
      return client.sink.close(INTERNAL_ERROR)
    }
    this.#send(client, bytes)
  }

  #send(client: Client, message: string | Uint8Array): void {
    const { chain, faults } = this.#context
    if (faults.muteSockets) return
    if (faults.outputDelayMs > 0)
      chain.timers.later(faults.outputDelayMs, () => this.#clients.has(client) && client.sink.send(message))
    else client.sink.send(message)
  }

  #store(message: StoredMessage): void {
    this.#history.push(message)
    this.#references += referencesOf(message.output)
    if (this.#history.length > this.#context.chain.options.historyLimit || this.#references > MAX_REFERENCES)
      this.#rotate()
  }

  /** Replaces the history by one checkpoint, as a node with `--persistence-rotate-after` does. */
  #rotate(): void {
    const { clock, features } = this.#context.chain
    const checkpoint = features.checkpoints ? { checkpoint: checkpointJson(this.#context) } : {}
    const message = { tag: 'EventLogRotated', ...checkpoint, seq: this.#seq, timestamp: utcTime(clock.now()) }
    // The state is that of now; the text of a large head is written when a client requests the history.
    this.#rotated = new JsonText(() => toJson(message))
    this.#history = []
    this.#references = 0
  }
}

function addressFilter(parameters: URLSearchParams, features: ProfileFeatures): string | null {
  const addresses = parameters.getAll('address')
  // After 2.3.0 empty values are ignored; before, an empty one passes no message.
  const wanted = features.ignoresEmptyAddress ? addresses.find((address) => address !== '') : addresses[0]
  return wanted ?? null
}

/** False for a snapshot whose confirmed transactions do not pay to the address; all other messages pass. */
function paysTo(output: HeadMessage, address: string): boolean {
  if (output.tag !== 'SnapshotConfirmed') return true
  return output.signed.snapshot.confirmed.some((tx) =>
    (tx as PreparedTx).outputs.some((entry) => entry.output.address === address)
  )
}

function referencesOf(output: HeadMessage): number {
  if (output.tag === 'SnapshotConfirmed') return 1 + output.signed.snapshot.utxo.size
  return 'utxo' in output ? 1 + output.utxo.size : 1
}
