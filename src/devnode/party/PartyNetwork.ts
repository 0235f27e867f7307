import type { ChainEvent, SignedLocalSnapshot } from '../head/types.js'
import type { HeadMember } from './HeadMember.js'
import type { PartyMessage } from './PartyMessage.js'

/** Settings of a party, which can change at any time. */
export interface PartySettings {
  /**
   * True cuts the party off from the other parties: it receives none of their messages, and none of its own is
   * delivered, until this is false again. Then all of them are delivered, in order.
   */
  silent: boolean
  /** Additional delay before the party signs a snapshot, ms. */
  signDelayMs: number
  /** True makes the party close with the snapshot before the latest one; a contest then follows. */
  closeWithOld: boolean
}

/** Settings and waiting messages of a party, as saved in the node's state. */
export interface SavedMember {
  readonly settings: PartySettings
  readonly inbox: readonly PartyMessage[]
  readonly outbox: readonly PartyMessage[]
}

interface Member {
  readonly party: HeadMember
  readonly settings: PartySettings
  /** Messages that have not reached the party yet; in `outbox`, those that it has not sent while it is silent. */
  readonly inbox: PartyMessage[]
  readonly outbox: PartyMessage[]
  /** Delay with which the party sees the base ledger, ms. */
  readonly lagMs: () => number
  /** Time at which the last event reaches the party, ms since Unix epoch, so that no later event overtakes it. */
  laggingUntilMs: number
}

/** The parties of the head, and the messages between them. */
export class PartyNetwork {
  readonly #clock: { now(): number }
  readonly #members: Member[] = []
  readonly #parties: HeadMember[] = []
  #delivering = false

  constructor(clock: { now(): number }) {
    this.#clock = clock
  }

  /** Adds a party; `lagMs`: how much later than it happens the party sees the base ledger, ms. */
  add(party: HeadMember, lagMs: () => number = () => 0): void {
    const settings = { silent: false, signDelayMs: 0, closeWithOld: false }
    this.#parties.push(party)
    this.#members.push({ party, settings, inbox: [], outbox: [], lagMs, laggingUntilMs: 0 })
  }

  get size(): number {
    return this.#members.length
  }

  get parties(): readonly HeadMember[] {
    return this.#parties
  }

  settings(party: number): Readonly<PartySettings> {
    return { ...this.#members[party]!.settings }
  }

  /** Changes settings of a party; a party that is not silent any more sends and receives the waiting messages. */
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

  /** Shows every party an event of the base ledger. */
  onChain(event: ChainEvent): void {
    for (const member of this.#members) this.#show(event, member)
  }

  /** Sends all parties a snapshot that all have signed; a silent one receives it when it is back. */
  confirm(signed: SignedLocalSnapshot, txIds: readonly string[]): void {
    this.#send({ tag: 'Confirmed', signed, txIds })
  }

  /** True while some party sees the base ledger late. */
  get isLagging(): boolean {
    return this.#members.some(({ lagMs }) => lagMs() > 0)
  }

  /** True while the party sees the base ledger late. */
  lags(party: number): boolean {
    return this.#members[party]!.lagMs() > 0
  }

  /** A party that sees the base ledger without delay; there is always one. */
  get upToDate(): HeadMember {
    return this.#members.find(({ lagMs }) => lagMs() === 0)!.party
  }

  #show(event: ChainEvent, member: Member): void {
    const { agenda, runtime } = member.party
    const nowMs = this.#clock.now()
    const lagMs = member.lagMs()
    if (lagMs === 0 && member.laggingUntilMs <= nowMs) return runtime.dispatch(event)
    member.laggingUntilMs = Math.max(member.laggingUntilMs, nowMs + lagMs)
    agenda.add(member.laggingUntilMs - nowMs, { do: 'seeChain', event })
  }

  /** Drops the messages that are not delivered yet, because the head that they belong to is gone. */
  reset(): void {
    for (const { inbox, outbox } of this.#members) {
      inbox.length = 0
      outbox.length = 0
    }
  }

  /** Returns the settings of each party, and its messages that are still to be received or sent. */
  saved(): SavedMember[] {
    return this.#members.map(({ settings, inbox, outbox }) => ({
      settings: { ...settings },
      inbox: [...inbox],
      outbox: [...outbox]
    }))
  }

  /** Restores a saved state. */
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

  /**
   * Delivers messages one after the other to all parties; a message that a party sends in response comes later for all.
   */
  #deliver(): void {
    if (this.#delivering) return
    this.#delivering = true
    try {
      for (let waiting = this.#reachable(); waiting.length > 0; waiting = this.#reachable()) {
        for (const { party, inbox } of waiting) party.runtime.receive(inbox.shift()!)
      }
    } finally {
      this.#delivering = false
    }
  }

  #reachable(): Member[] {
    return this.#members.filter(({ settings, inbox }) => !settings.silent && inbox.length > 0)
  }
}

/** Returns the index of the party that requests a snapshot, by the snapshot's number (HeadLogic.hs, isLeader). */
export function leaderOf(snapshotNumber: number, parties: number): number {
  return (snapshotNumber - 1) % parties
}
