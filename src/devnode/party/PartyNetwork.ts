import type { PreparedTx } from '../rules/preparedTx.js'
import type { NodeContext } from './NodeContext.js'
import type { HeadAction, HeadEvent, SignedSnapshot } from '../head/types.js'

/** How a party behaves; all of it can be changed at any time. */
export interface PartySettings {
  /**
   * Cut off from the other parties: it hears nothing of them and nothing of it arrives, until it is back; then all of
   * it comes, in order.
   */
  silent: boolean
  /** How much later than the others it signs a snapshot, ms. */
  signDelayMs: number
  /** Closes with the snapshot before the latest one: another party then contests. */
  closeWithOld: boolean
}

/**
 * What a party sends to all, itself included; each party gets these messages in the same order (Hydra.Network.Etcd).
 */
export type PartyMessage =
  | { readonly tag: 'ReqTx'; readonly tx: PreparedTx }
  | { readonly tag: 'ReqDec'; readonly tx: PreparedTx }
  /** The leader asks for a snapshot with these transactions. */
  | { readonly tag: 'ReqSn'; readonly round: SnapshotRound }
  | { readonly tag: 'AckSn'; readonly round: SnapshotRound; readonly party: number }
  /** The last signature has arrived: each party confirms the snapshot before the next one is asked for. */
  | { readonly tag: 'Confirmed'; readonly signed: SignedSnapshot; readonly txIds: readonly string[] }

/** A snapshot that all parties are asked to sign. */
export interface SnapshotRound {
  /** Number of the request, from 1: a snapshot that a side-load has ended is asked for again. */
  readonly id: number
  readonly action: Extract<HeadAction, { do: 'sign' }>
  /** Version of the head as its leader knows it, where parties see the base ledger at different times. */
  readonly version?: number
  /** Of transactions and decommits, in their order. */
  readonly txIds: readonly string[]
}

/** What of a party's place in the network belongs to the node's state. */
export interface SavedMember {
  readonly settings: PartySettings
  readonly inbox: readonly PartyMessage[]
  readonly outbox: readonly PartyMessage[]
}

interface Member {
  readonly context: NodeContext
  readonly settings: PartySettings
  /** What has not reached it yet; and what it has not sent yet, while it is silent. */
  readonly inbox: PartyMessage[]
  readonly outbox: PartyMessage[]
}

/** What happens on the base ledger. */
export type ChainEvent = Exclude<HeadEvent, { type: 'Input' | 'TxValidated' | 'SnapshotSigned' }>

/** The parties of the head, and what passes between them. */
export class PartyNetwork {
  readonly #members: Member[] = []
  /** When the last event reaches the parties that lag, ms since Unix epoch: none overtakes another. */
  #laggingUntilMs = 0
  #delivering = false

  add(context: NodeContext): void {
    this.#members.push({
      context,
      settings: { silent: false, signDelayMs: 0, closeWithOld: false },
      inbox: [],
      outbox: []
    })
  }

  get size(): number {
    return this.#members.length
  }

  get contexts(): readonly NodeContext[] {
    return this.#members.map(({ context }) => context)
  }

  settings(party: number): Readonly<PartySettings> {
    return { ...this.#members[party]!.settings }
  }

  /** Changes a party; one that is back sends and gets what has waited. */
  set(party: number, change: Partial<PartySettings>): void {
    const member = this.#members[party]!
    Object.assign(member.settings, change)
    if (member.settings.silent) return
    this.#deliver()
    for (const message of member.outbox.splice(0)) this.broadcast(party, message)
  }

  /** Sends a message to all parties, the sender included. */
  broadcast(from: number, message: PartyMessage): void {
    const sender = this.#members[from]!
    if (sender.settings.silent) return void sender.outbox.push(message)
    this.#send(message)
  }

  /** Something has happened on the base ledger, which every party sees. */
  onChain(event: ChainEvent): void {
    for (const { context } of this.#members) this.#show(event, context)
  }

  /** All parties have signed the snapshot with these transactions: each hears of it, a silent one when it is back. */
  confirm(signed: SignedSnapshot, txIds: readonly string[]): void {
    this.#send({ tag: 'Confirmed', signed, txIds })
  }

  /** Whether the other parties see the base ledger later than the first. */
  get isLagging(): boolean {
    return this.#lagMs > 0
  }

  get #lagMs(): number {
    return this.#members[0]!.context.faults.peerLagMs
  }

  #show(event: ChainEvent, { party, agenda, clock, runtime }: NodeContext): void {
    const nowMs = clock.now()
    if (party === 0 || (this.#lagMs === 0 && this.#laggingUntilMs <= nowMs)) return runtime.dispatch(event)
    this.#laggingUntilMs = Math.max(this.#laggingUntilMs, nowMs + this.#lagMs)
    agenda.add(this.#laggingUntilMs - nowMs, { do: 'seeChain', event })
  }

  /** Forgets what is on its way: the head's state has been replaced by another. */
  reset(): void {
    for (const { inbox, outbox } of this.#members) {
      inbox.length = 0
      outbox.length = 0
    }
  }

  /** How each party behaves, and what has not reached it yet or is still to be sent. */
  saved(): SavedMember[] {
    return this.#members.map(({ settings, inbox, outbox }) => ({
      settings: { ...settings },
      inbox: [...inbox],
      outbox: [...outbox]
    }))
  }

  /** Becomes what was saved. */
  restore(saved: readonly SavedMember[]): void {
    this.#members.forEach((member, i) => {
      const { settings, inbox, outbox } = saved[i]!
      Object.assign(member.settings, settings)
      member.inbox.splice(0, member.inbox.length, ...inbox)
      member.outbox.splice(0, member.outbox.length, ...outbox)
    })
  }

  #send(message: PartyMessage): void {
    for (const { inbox } of this.#members) inbox.push(message)
    this.#deliver()
  }

  /** One message after the other reaches all; what a party sends because of one comes after it everywhere. */
  #deliver(): void {
    if (this.#delivering) return
    this.#delivering = true
    try {
      for (let waiting = this.#reachable(); waiting.length > 0; waiting = this.#reachable()) {
        for (const { context, inbox } of waiting) context.runtime.receive(inbox.shift()!)
      }
    } finally {
      this.#delivering = false
    }
  }

  #reachable(): Member[] {
    return this.#members.filter(({ settings, inbox }) => !settings.silent && inbox.length > 0)
  }
}

/** Number of the party that asks for a snapshot (HeadLogic.hs, isLeader). */
export function leaderOf(snapshotNumber: number, parties: number): number {
  return (snapshotNumber - 1) % parties
}
