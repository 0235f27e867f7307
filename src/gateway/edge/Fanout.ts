import { stringifyJson } from '../../codec/json.js'
import { tagOf } from '../core/nodeMessage.js'
import { invalidCommand } from '../protocol/clientCommand.js'
import type { WireRecord } from '../../bridge/inner.js'
import { MANY_OUTPUTS } from '../limits.js'
import type { GatewayLimits } from '../limits.js'
import type { Metrics } from '../Metrics.js'
import type { MessageRecord, OutRecord, SnapshotRecord, VerdictRecord } from '../records.js'
import type { Client } from './Client.js'
import type { HeadView } from './HeadView.js'
import { GREETINGS } from './addressMembers.js'
import { NodeMessages } from './NodeMessages.js'
import { Outbox } from './Outbox.js'
import { Outgoing, TAIL_OF_MESSAGE, TAIL_OF_SNAPSHOT } from './Outgoing.js'
import { Resuming } from './Resuming.js'
import { Rooms } from './Rooms.js'
import { SnapshotTexts, toCommitOf, withConfirmed } from './SnapshotTexts.js'
import { UnsentFrames } from './UnsentFrames.js'

/** Reason why a client receives a whole snapshot. */
export type SnapshotReason = 'start' | 'resync' | 'tooOld' | 'otherHead'

/** Sends the records of one head to its clients, each in the form that it requested. */
export class Fanout {
  readonly rooms: Rooms = new Rooms()
  readonly #view: HeadView
  readonly #metrics: Metrics
  readonly #outbox: Outbox
  readonly #resuming: Resuming
  readonly #messages: NodeMessages
  #progressNumber = -1

  constructor(
    view: HeadView,
    limits: GatewayLimits,
    metrics: Metrics,
    unsent: UnsentFrames<Client> = new UnsentFrames(limits.unsentBytesInAll)
  ) {
    this.#view = view
    this.#metrics = metrics
    this.#outbox = new Outbox({ limits, metrics, unsent, catchUp: (client) => this.#catchUp(client) })
    this.#messages = new NodeMessages(view, this.rooms, this.#outbox)
    this.#resuming = new Resuming(view, this.#outbox, (client) => this.sendSnapshot(client, 'tooOld'))
  }

  add(client: Client): void {
    this.rooms.add(client)
  }

  remove(client: Client): void {
    this.rooms.remove(client)
    this.#resuming.stop(client)
    this.#outbox.remove(client)
  }

  /**
   * Sends Greetings, and the state to begin from to clients of the modes `full`, `delta` and `address`. While the state
   * is unknown, it sends neither: {@link Fanout.welcomeAll} follows.
   */
  welcome(client: Client): void {
    const { greetings, position } = this.#view.head
    if (greetings === null) return
    const { since } = client
    client.since = null
    this.#greet(client)
    if (!client.extended) return
    if (!this.#view.head.connected)
      this.#send(client, new Outgoing(stringifyJson({ tag: 'GatewayUpstream', connected: false })))
    if (position === null) return
    if (since === null) return this.sendSnapshot(client, 'start')
    if (since.headId !== position.headId) return this.sendSnapshot(client, 'otherHead')
    if (this.#view.after(since.number) === null) return this.sendSnapshot(client, 'tooOld')
    this.#send(
      client,
      new Outgoing(
        stringifyJson({ tag: 'GatewayResumed', headId: position.headId, from: since.number, to: position.number })
      )
    )
    this.#resuming.start(client, since.number)
  }

  /** Welcomes the clients that came before the state was known. */
  welcomeAll(): void {
    for (const client of this.rooms.all) this.welcome(client)
  }

  /** Sends all outputs: they replace those that the client has. */
  sendSnapshot(client: Client, reason: SnapshotReason): void {
    const { position } = this.#view.head
    if (position === null) return
    if (reason !== 'start') this.#metrics.resyncs++
    this.#resuming.stop(client)
    const make = (): Outgoing => {
      const isNarrow = client.mode === 'address'
      const deposit = this.#view.pendingDeposit(isNarrow ? client.addresses : null)
      const head = stringifyJson({ tag: 'GatewaySnapshot', ...position, reason, ...deposit }).slice(0, -1)
      const outputs = isNarrow
        ? this.#view.outputsOf(client.addresses, TAIL_OF_MESSAGE)
        : this.#wholeOutputs(TAIL_OF_MESSAGE)
      return new Outgoing(`${head},"utxo":`, 'success', outputs)
    }
    if (client.mode === 'address' && this.#view.count(client.addresses) > MANY_OUTPUTS)
      this.#outbox.answerLarge(client, this.#view.estimateBytes(client.addresses), make)
    else this.#outbox.answer(client, make)
  }

  /** Sends the present state to all clients. */
  resyncAll(reason: SnapshotReason): void {
    for (const client of this.rooms.all) {
      if (client.extended) this.sendSnapshot(client, reason)
      else this.#sendNewest(client)
    }
  }

  /** Refuses a command of a client. `unsent`: the transaction that was not sent to the node, where that is certain. */
  refuse(client: Client, reason: string, unsent: string | null = null): void {
    this.#send(client, new Outgoing(invalidCommand(reason, unsent), 'fail'))
  }

  /** Returns false for a client that does not read its answers: it receives no further ones for now. */
  keepsUp(client: Client): boolean {
    return this.#outbox.keepsUp(client)
  }

  /** Applies one record of the log and sends it to the clients that it concerns. */
  apply(record: OutRecord): void {
    switch (record.kind) {
      case 'snapshot':
        return this.#snapshot(record)
      case 'reset':
        return this.#reset(record.reason, record)
      case 'message':
        return this.#message(record)
      case 'verdict':
        return this.#verdict(record)
      case 'upstream': {
        if (record.connected === this.#view.head.connected) return
        this.#view.apply(record)
        const outgoing = new Outgoing(stringifyJson({ tag: 'GatewayUpstream', connected: record.connected }))
        for (const client of this.rooms.all) if (client.extended) this.#send(client, outgoing)
        return
      }
      case 'sending':
      case 'taken':
        return
    }
  }

  /** Sends clients the number of the newest snapshot, where it has changed. */
  progress(): void {
    const { position } = this.#view.head
    if (position === null || position.number === this.#progressNumber) return
    const { headId, number } = position
    this.#progressNumber = number
    for (const client of this.rooms.address) {
      if (this.#resuming.has(client)) continue
      const from = this.#view.changedAt(client.addresses)
      this.#send(client, new Outgoing(stringifyJson({ tag: 'GatewayProgress', headId, from, number })))
    }
  }

  /** Sends the snapshot of a transaction, with the present outputs, to a client that submits the transaction again. */
  sendConfirmed(client: Client, record: SnapshotRecord): void {
    if (client.extended) {
      return this.#outbox.answer(
        client,
        () => new Outgoing(new SnapshotTexts(record).compose(client.mode === 'address' ? client : null, ''))
      )
    }
    const { newest, head } = this.#view
    if (newest === null || head.position?.headId !== record.headId) return
    this.#outbox.answer(client, () =>
      this.#wholeSnapshot(
        new SnapshotTexts({ ...newest, txs: record.txs, message: withConfirmed(newest, record) }),
        false
      )
    )
  }

  /** Continues with clients that have read more, and closes those that have not read for too long. */
  checkSlow(): void {
    this.#outbox.check()
    this.#resuming.continueAll()
  }

  /** Sends the present state to a client that missed messages. */
  #catchUp(client: Client): void {
    this.#resuming.stop(client)
    if (!client.extended) return this.#sendNewest(client)
    if (client.greeted !== this.#headText()) this.#greet(client)
    this.sendSnapshot(client, 'resync')
  }

  #send(client: Client, outgoing: Outgoing): void {
    this.#outbox.send(client, outgoing)
  }

  #greet(client: Client): void {
    client.greeted = this.#headText()
    const greetings = this.#view.head.greetings ?? {}
    if (client.mode === 'address')
      return this.#send(
        client,
        new Outgoing(
          stringifyJson(GREETINGS(greetings, { addresses: client.addresses, isOwn: false, mayRead: () => false }))
        )
      )
    const text = stringifyJson(greetings)
    if (client.extended || this.#view.head.position === null) return this.#send(client, new Outgoing(text))
    this.#outbox.answer(
      client,
      () => new Outgoing(`${text.slice(0, -1)},"snapshotUtxo":`, 'success', this.#wholeOutputs(TAIL_OF_MESSAGE))
    )
  }

  /** Head and status that Greetings names. */
  #headText(): string {
    const { greetings } = this.#view.head
    return `${String(greetings?.['hydraHeadId'])} ${String(greetings?.['headStatus'])}`
  }

  #snapshot(record: SnapshotRecord): void {
    const changedBefore = new Map(
      [...this.rooms.touchedBy(record)].map((client) => [client, this.#view.changedAt(client.addresses)])
    )
    this.#view.apply(record)
    const texts = new SnapshotTexts(record)
    const delta = new Outgoing(texts.whole())
    for (const client of this.rooms.delta) if (!this.#resuming.has(client)) this.#send(client, delta)
    if (this.rooms.full.size > 0) this.#broadcastFull(texts, this.rooms.full, true)
    if (this.rooms.plain.size > 0) this.#broadcastFull(texts, this.rooms.plain, false)
    for (const [client, from] of changedBefore) {
      if (!this.#resuming.has(client))
        this.#send(client, new Outgoing(texts.narrowedFor(client, { from, count: this.#view.count(client.addresses) })))
    }
  }

  #broadcastFull(texts: SnapshotTexts, clients: ReadonlySet<Client>, withDelta: boolean): void {
    const outgoing = this.#wholeSnapshot(texts, withDelta)
    for (const client of clients) if (!this.#resuming.has(client)) this.#send(client, outgoing)
  }

  #wholeSnapshot(texts: SnapshotTexts, withDelta: boolean): Outgoing {
    return new Outgoing(
      texts.beforeOutputs(null, withDelta),
      'success',
      this.#wholeOutputs(TAIL_OF_SNAPSHOT, toCommitOf(texts.record))
    )
  }

  #wholeOutputs(ending: string, except: object = {}): Buffer {
    const outputs = this.#view.wholeOutputs(ending, except)
    this.#outbox.snapshotBytes = outputs.length
    return outputs
  }

  #reset(reason: 'start' | 'resync' | 'otherHead' | 'ended', record: OutRecord): void {
    const { head } = this.#view
    const before = head.greetings
    const previous = head.position?.headId ?? null
    this.#view.apply(record)
    this.#progressNumber = -1
    const isOther = previous !== (head.position?.headId ?? null)
    // Clients that came before the state was known have had no Greetings yet.
    if (before === null) {
      return this.welcomeAll()
    }
    // The node's own message has announced the end, unless it came while no core was connected to the node.
    const announced = reason === 'ended' && before['headStatus'] === 'Idle'
    if (announced) return
    // Plain clients get theirs with the outputs.
    if (isOther) for (const client of this.rooms.all) if (client.extended) this.#greet(client)
    this.resyncAll(isOther ? 'otherHead' : 'resync')
  }

  #message(record: MessageRecord): void {
    this.#view.apply(record)
    // The state has changed; clients that are connected need no further Greetings.
    if (tagOf(record.message) !== 'Greetings') this.#messages.broadcast(record)
  }

  /** Sends a message of the node again, to the client that sent the transaction that it is about. */
  sendMessage(client: Client, message: WireRecord): void {
    this.#messages.repeat(client, message)
  }

  /** Sends a verdict to the clients that wait for it, unless a message of the node has already told them. */
  #verdict({ txId, message, reason, outcome }: VerdictRecord): void {
    if (message !== null || outcome === 'confirmed') return
    for (const client of this.rooms.all)
      if (client.own.has(txId)) this.refuse(client, `${txId}: ${reason}`, outcome === 'refused' ? txId : null)
  }

  #sendNewest(client: Client): void {
    const { newest } = this.#view
    if (newest === null) return this.#greet(client)
    this.#outbox.answer(client, () => this.#wholeSnapshot(new SnapshotTexts(newest), false))
  }
}
