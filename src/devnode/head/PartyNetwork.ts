import type { PreparedTx } from '../ledger/preparedTx.js'
import type { NodeContext } from '../NodeContext.js'
import type { HeadAction, HeadEvent, SignedSnapshot } from './types.js'

/** How a party behaves; all of it can be changed at any time. */
export interface PartySettings {
  /** Cut off from the other parties: it hears nothing of them and nothing of it arrives, until it is back; then all of it comes, in order. */
  silent: boolean
  /** How much later than the others it signs a snapshot, ms. */
  signDelayMs: number
  /** Closes with the snapshot before the latest one: another party then contests. */
  closeWithOld: boolean
}

/** What a party sends to all, itself included; each party gets these messages in the same order (Hydra.Network.Etcd). */
export type PartyMessage =
  | { readonly tag: 'ReqTx'; readonly tx: PreparedTx }
  | { readonly tag: 'ReqDec'; readonly tx: PreparedTx }
  /** The leader asks for a snapshot with these transactions. */
  | { readonly tag: 'ReqSn'; readonly round: SnapshotRound }
  | { readonly tag: 'AckSn'; readonly round: SnapshotRound; readonly party: number }

/** A snapshot that all parties are asked to sign. */
export interface SnapshotRound {
  /** Number of the request, from 1: a snapshot that a side-load has ended is asked for again. */
  readonly id: number
  readonly action: Extract<HeadAction, { do: 'sign' }>
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
  /** What has not reached it yet, and what it has not sent yet: both while it is silent only. */
  readonly inbox: PartyMessage[]
  readonly outbox: PartyMessage[]
}

type ChainEvent = Exclude<HeadEvent, { type: 'Input' | 'TxValidated' | 'SnapshotSigned' }>

/** The parties of the head, and what passes between them. */
export class PartyNetwork {
  readonly #members: Member[] = []

  add(context: NodeContext): void {
    this.#members.push({ context, settings: { silent: false, signDelayMs: 0, closeWithOld: false }, inbox: [], outbox: [] })
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
    for (let next = member.inbox.shift(); next !== undefined; next = member.inbox.shift()) this.#deliver(member, next)
    for (const message of member.outbox.splice(0)) this.broadcast(party, message)
  }

  /** Sends a message to all parties, the sender included. */
  broadcast(from: number, message: PartyMessage): void {
    const sender = this.#members[from]!
    if (sender.settings.silent) return void sender.outbox.push(message)
    for (const member of this.#members) {
      if (member.settings.silent) member.inbox.push(message)
      else this.#deliver(member, message)
    }
  }

  /** Something has happened on the base ledger, which every party sees. */
  onChain(event: ChainEvent): void {
    for (const { context } of this.#members) context.runtime.dispatch(event)
  }

  /** All parties have signed: those besides the first take the transactions over. */
  confirm(signed: SignedSnapshot, txIds: readonly string[]): void {
    for (const { context } of this.#members.slice(1)) {
      const { ledger, runtime } = context
      ledger.confirm(ledger.bringForward(txIds) ?? 0)
      runtime.dispatch({ type: 'SnapshotSigned', signed })
    }
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
    return this.#members.map(({ settings, inbox, outbox }) => ({ settings: { ...settings }, inbox: [...inbox], outbox: [...outbox] }))
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

  #deliver({ context }: Member, message: PartyMessage): void {
    context.runtime.receive(message)
  }
}

/** Number of the party that asks for a snapshot (HeadLogic.hs, isLeader). */
export function leaderOf(snapshotNumber: number, parties: number): number {
  return (snapshotNumber - 1) % parties
}
