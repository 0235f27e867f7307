import { stringifyJson } from '../../codec/json.js'
import { now } from '../../net/timers.js'
import { tagOf } from '../core/nodeMessage.js'
import type { GatewayLimits } from '../limits.js'
import type { Metrics } from '../Metrics.js'
import type { MessageRecord, OutRecord, SnapshotRecord, VerdictRecord } from '../records.js'
import type { Client } from './Client.js'
import { MAX_BEHIND_MS } from '../limits.js'
import type { HeadView } from './HeadView.js'
import { narrowMessage } from './narrowMessage.js'
import { Outgoing } from './Outgoing.js'
import { Rooms } from './Rooms.js'
import { SnapshotTexts } from './SnapshotTexts.js'

/** Why a client gets a whole snapshot. */
export type SnapshotReason = 'start' | 'resync' | 'tooOld' | 'otherHead'

/** Messages that no choice of tags leaves out, besides those about heads and of the gateway. */
const ALWAYS: ReadonlySet<string> = new Set(['Greetings', 'SnapshotConfirmed'])

/** Sends what happens to the clients of one head, each what it wants. */
export class Fanout {
  readonly rooms: Rooms = new Rooms()
  readonly #view: HeadView
  readonly #limits: GatewayLimits
  readonly #metrics: Metrics
  /** Characters of the last whole snapshot: slow clients may have two of them unsent. */
  #snapshotCharacters = 0
  #progressNumber = -1
  readonly #behind = new Set<Client>()

  constructor(view: HeadView, limits: GatewayLimits, metrics: Metrics) {
    this.#view = view
    this.#limits = limits
    this.#metrics = metrics
  }

  add(client: Client): void {
    this.rooms.add(client)
  }

  remove(client: Client): void {
    this.rooms.remove(client)
    this.#behind.delete(client)
  }

  /** Greetings, and for clients that know the extension where they begin; nothing while the state is not known. */
  welcome(client: Client): void {
    const { greetings, position } = this.#view.head
    if (greetings === null) return
    const { since } = client
    client.since = null
    client.send(new Outgoing(this.#greetingsText(client)))
    if (!client.extended) return
    if (!this.#view.head.connected) client.send(new Outgoing(stringifyJson({ tag: 'GatewayUpstream', connected: false })))
    if (position === null) return
    if (since === null) return this.sendSnapshot(client, 'start')
    if (since.headId !== position.headId) return this.sendSnapshot(client, 'otherHead')
    const missed = this.#view.after(since.number)
    if (missed === null) return this.sendSnapshot(client, 'tooOld')
    client.send(new Outgoing(stringifyJson({ tag: 'GatewayResumed', headId: position.headId, from: since.number, to: position.number })))
    this.#resume(client, since.number, missed)
  }

  /** Welcomes clients that came before the state was known. */
  welcomeAll(): void {
    for (const client of this.rooms.all) this.welcome(client)
  }

  /** S as a whole: replaces what the client has. */
  sendSnapshot(client: Client, reason: SnapshotReason): void {
    const { position } = this.#view.head
    if (position === null) return
    if (reason !== 'start') this.#metrics.resyncs++
    client.send(new Outgoing(this.#snapshotText(client.mode === 'address' ? client.addresses : null, reason)))
  }

  /** Everybody begins anew, each as it can. */
  resyncAll(reason: SnapshotReason): void {
    const whole = this.#view.head.position === null ? null : new Outgoing(this.#snapshotText(null, reason))
    for (const client of this.rooms.all) {
      if (!client.extended) this.#sendNewest(client)
      else if (client.mode === 'address') this.sendSnapshot(client, reason)
      else if (whole !== null) {
        this.#metrics.resyncs++
        client.send(whole)
      }
    }
  }

  /** Follows one record of the log. */
  take(record: OutRecord): void {
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
        return
    }
  }

  /** Tells clients of the number that the head has come to, where it has moved. */
  progress(): void {
    const { position } = this.#view.head
    if (position === null || position.number === this.#progressNumber) return
    const { headId, number } = position
    this.#progressNumber = number
    for (const client of this.rooms.address) {
      const from = this.#view.changedAt(client.addresses)
      this.#send(client, new Outgoing(stringifyJson({ tag: 'GatewayProgress', headId, from, number })))
    }
  }

  /** What a client that submits a confirmed transaction again gets: the snapshot that holds it, with the outputs of now. */
  sendConfirmed(client: Client, record: SnapshotRecord): void {
    const texts = new SnapshotTexts(record)
    if (client.extended)
      return void client.send(new Outgoing(texts.compose(client.mode === 'address' ? { addresses: client.addresses, own: client.own } : null, '', '')))
    const { newest, head } = this.#view
    if (newest === null || head.position?.headId !== record.headId) return
    const current = new SnapshotTexts({ ...newest, txs: record.txs, message: withConfirmed(newest, record) })
    client.send(new Outgoing(current.full(this.#view.outputsText(null, toCommitOf(newest)), false)))
  }

  /** Clients that fell behind: those that have caught up get a snapshot, those that do not are closed. */
  checkSlow(): void {
    for (const client of [...this.#behind]) {
      if (client.unsentBytes === 0) {
        client.behindSince = null
        this.#behind.delete(client)
        if (client.extended) this.sendSnapshot(client, 'resync')
        else this.#sendNewest(client)
      } else if (now() - client.behindSince! > MAX_BEHIND_MS) {
        this.#behind.delete(client)
        client.close()
      }
    }
  }

  /** Sends to a client that keeps up; one that does not misses it, and gets a snapshot later. */
  #send(client: Client, outgoing: Outgoing): void {
    if (client.behindSince !== null) return
    if (client.unsentBytes > Math.max(this.#limits.unsentBytes, 2 * this.#snapshotCharacters)) {
      client.fallBehind()
      this.#behind.add(client)
      this.#metrics.drops++
      return
    }
    this.#metrics.messages++
    this.#metrics.bytes += client.send(outgoing)
  }

  #snapshot(record: SnapshotRecord): void {
    const changedBefore = new Map([...this.rooms.touchedBy(record)].map((client) => [client, this.#view.changedAt(client.addresses)]))
    this.#view.apply(record)
    const texts = new SnapshotTexts(record)
    const delta = new Outgoing(texts.whole())
    for (const client of this.rooms.delta) this.#send(client, delta)
    if (this.rooms.full.size > 0) this.#broadcastFull(texts, this.rooms.full, true)
    if (this.rooms.plain.size > 0) this.#broadcastFull(texts, this.rooms.plain, false)
    for (const [client, from] of changedBefore) this.#send(client, new Outgoing(this.#narrowedText(texts, client, from)))
  }

  #broadcastFull(texts: SnapshotTexts, clients: ReadonlySet<Client>, withDelta: boolean): void {
    const text = texts.full(this.#view.outputsText(null, toCommitOf(texts.record)), withDelta)
    this.#snapshotCharacters = text.length
    const outgoing = new Outgoing(text)
    for (const client of clients) this.#send(client, outgoing)
  }

  #narrowedText(texts: SnapshotTexts, client: Client, from: number, count: number = this.#view.count(client.addresses)): string {
    const { spent, made } = texts.record
    const { addresses } = client
    return texts.narrowed(client, {
      from,
      spent: Object.keys(spent).filter((key) => addresses.has(spent[key]!)),
      made: Object.keys(made).filter((key) => addresses.has(made[key]!.address)),
      count
    })
  }

  /** Snapshots that a client missed, as it would have got them. */
  #resume(client: Client, since: number, missed: readonly SnapshotRecord[]): void {
    if (client.mode !== 'address') {
      for (const record of missed) client.send(new Outgoing(new SnapshotTexts(record).full('', true)))
      return
    }
    // Sizes of S(n, A), from the newest back.
    const counts: number[] = []
    let count = this.#view.count(client.addresses)
    for (const record of [...missed].reverse()) {
      counts.unshift(count)
      count += changeOfCount(record, client.addresses)
    }
    let from = since
    missed.forEach((record, index) => {
      if (!isTouched(record, client)) return
      client.send(new Outgoing(this.#narrowedText(new SnapshotTexts(record), client, from, counts[index]!)))
      from = record.number
    })
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
    // The node's own message has announced the end, unless it came while nobody was connected to the node.
    const announced = reason === 'ended' && before['headStatus'] === 'Idle'
    if (announced) return
    // Plain clients get theirs with the outputs.
    if (isOther) for (const client of this.rooms.all) if (client.extended) client.send(new Outgoing(this.#greetingsText(client)))
    this.resyncAll(isOther ? 'otherHead' : 'resync')
  }

  #message(record: MessageRecord): void {
    const { message } = record
    const tag = tagOf(message)
    this.#view.apply(record)
    // The state has changed; nobody who is connected needs to be greeted again.
    if (tag === 'Greetings') return
    const outgoing = new Outgoing(stringifyJson(message), isRefusal(tag) ? 'fail' : 'success')
    const isOwn = (client: Client): boolean => record.txIds.some((txId) => client.own.has(txId))
    for (const client of this.rooms.all) {
      const own = isOwn(client)
      if (record.toSender === true && !own) continue
      if (client.mode === 'address' && record.addresses !== null && !own && !record.addresses.some((address) => client.addresses.has(address))) continue
      if (client.tags !== null && !own && !client.tags.has(tag) && !ALWAYS.has(tag) && !tag.startsWith('Head')) continue
      this.#send(client, client.mode === 'address' ? narrowMessage(message, client.addresses, outgoing) : outgoing)
    }
  }

  /** A verdict that no message of the node has carried to those who wait for it. */
  #verdict({ txId, message, reason, outcome }: VerdictRecord): void {
    if (message !== null || outcome === 'confirmed') return
    for (const client of this.rooms.all) if (client.own.has(txId)) client.refuse(`${txId}: ${reason}`, outcome === 'refused' ? txId : null)
  }

  #sendNewest(client: Client): void {
    const { newest } = this.#view
    if (newest === null) return void client.send(new Outgoing(this.#greetingsText(client)))
    client.send(new Outgoing(new SnapshotTexts(newest).full(this.#view.outputsText(null, toCommitOf(newest)), false)))
  }

  #greetingsText(client: Client): string {
    const text = stringifyJson(this.#view.head.greetings ?? {})
    if (client.extended || this.#view.head.position === null) return text
    return `${text.slice(0, -1)},"snapshotUtxo":${this.#view.outputsText(null)}}`
  }

  #snapshotText(addresses: ReadonlySet<string> | null, reason: SnapshotReason): string {
    const head = stringifyJson({ tag: 'GatewaySnapshot', ...this.#view.head.position, reason })
    return `${head.slice(0, -1)},"utxo":${this.#view.outputsText(addresses)}}`
  }
}

function isRefusal(tag: string): boolean {
  return tag === 'InvalidInput' || tag === 'CommandFailed'
}

function toCommitOf({ message }: SnapshotRecord): object {
  const { utxoToCommit } = (message?.['snapshot'] ?? {}) as { utxoToCommit?: object | null }
  return utxoToCommit ?? {}
}

function withConfirmed(newest: SnapshotRecord, { message }: SnapshotRecord): Record<string, unknown> {
  const { confirmed } = (message?.['snapshot'] ?? {}) as { confirmed?: unknown }
  return { ...newest.message, snapshot: { ...(newest.message?.['snapshot'] as object), confirmed } }
}

function isTouched({ spent, made, txs }: SnapshotRecord, { addresses, own }: Client): boolean {
  return (
    txs.some(({ txId }) => own.has(txId)) ||
    Object.values(spent).some((address) => addresses.has(address)) ||
    Object.values(made).some(({ address }) => addresses.has(address))
  )
}

/** What undoing a snapshot does to the number of outputs of addresses. */
function changeOfCount({ spent, made }: SnapshotRecord, addresses: ReadonlySet<string>): number {
  const spentCount = Object.values(spent).filter((address) => addresses.has(address)).length
  return spentCount - Object.values(made).filter(({ address }) => addresses.has(address)).length
}
