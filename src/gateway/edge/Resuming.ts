import type { SnapshotRecord } from '../records.js'
import type { Client } from './Client.js'
import type { HeadView } from './HeadView.js'
import type { Outbox } from './Outbox.js'
import { Outgoing } from './Outgoing.js'
import { SnapshotTexts } from './SnapshotTexts.js'

interface Progress {
  /** Number of the last snapshot that the client has. */
  number: number
  /** Number of the last one that changed its outputs. */
  from: number
}

/** Sends clients the snapshots that they missed, in the form of their mode and no faster than they read. */
export class Resuming {
  readonly #view: HeadView
  readonly #outbox: Outbox
  readonly #progress = new Map<Client, Progress>()
  /** Sends the whole state to a client whose next snapshot is no longer kept. */
  readonly #onTooOld: (client: Client) => void

  constructor(view: HeadView, outbox: Outbox, onTooOld: (client: Client) => void) {
    this.#view = view
    this.#outbox = outbox
    this.#onTooOld = onTooOld
  }

  /** Returns true while a client still receives missed snapshots; the newest one follows after them. */
  has(client: Client): boolean {
    return this.#progress.has(client)
  }

  start(client: Client, since: number): void {
    this.#progress.set(client, { number: since, from: since })
    this.#continue(client)
  }

  /** Stops sending missed snapshots to a client that is gone, or receives the whole state. */
  stop(client: Client): void {
    this.#progress.delete(client)
  }

  /** Continues with all clients that have read more. */
  continueAll(): void {
    for (const client of [...this.#progress.keys()]) this.#continue(client)
  }

  #continue(client: Client): void {
    const progress = this.#progress.get(client)
    if (progress === undefined) return
    if (client.behindSince !== null) return this.stop(client)
    const missed = this.#view.after(progress.number)
    if (missed === null) {
      this.stop(client)
      return this.#onTooOld(client)
    }
    const counts = client.mode === 'address' ? countsOf(missed, client, this.#view.count(client.addresses)) : []
    for (const [index, record] of missed.entries()) {
      if (client.unsentBytes > this.#outbox.halfLimit) return
      const text = textOf(record, client, { from: progress.from, count: counts[index] ?? 0 })
      if (text !== null) {
        if (!this.#outbox.send(client, new Outgoing(text), () => this.#continue(client))) return this.stop(client)
        progress.from = record.number
      }
      progress.number = record.number
    }
    this.stop(client)
  }
}

/** Returns the text of a snapshot as the client would have received it; null where it would have received none. */
function textOf(
  record: SnapshotRecord,
  client: Client,
  delta: { readonly from: number; readonly count: number }
): string | null {
  const texts = new SnapshotTexts(record)
  if (client.mode !== 'address') return texts.whole()
  return isTouched(record, client) ? texts.narrowedFor(client, delta) : null
}

/** Returns the number of outputs at the client's addresses after each missed snapshot; `newest` is the last of them. */
function countsOf(missed: readonly SnapshotRecord[], { addresses }: Client, newest: number): number[] {
  const counts: number[] = []
  let count = newest
  for (const record of [...missed].reverse()) {
    counts.unshift(count)
    count += changeOfCount(record, addresses)
  }
  return counts
}

function isTouched({ spent, made, txs }: SnapshotRecord, { addresses, own }: Client): boolean {
  return (
    txs.some(({ txId }) => own.has(txId)) ||
    Object.values(spent).some((address) => addresses.has(address)) ||
    Object.values(made).some(({ address }) => addresses.has(address))
  )
}

/** Returns the difference that undoing a snapshot makes to the number of outputs of addresses. */
function changeOfCount({ spent, made }: SnapshotRecord, addresses: ReadonlySet<string>): number {
  const spentCount = Object.values(spent).filter((address) => addresses.has(address)).length
  return spentCount - Object.values(made).filter(({ address }) => addresses.has(address)).length
}
