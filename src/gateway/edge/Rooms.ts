import type { SnapshotRecord } from '../records.js'
import type { Client } from './Client.js'

/** Clients of a head by the form of their snapshots; those of mode `address` by address too. */
export class Rooms {
  readonly all: Set<Client> = new Set()
  readonly plain: Set<Client> = new Set()
  readonly full: Set<Client> = new Set()
  readonly delta: Set<Client> = new Set()
  readonly address: Set<Client> = new Set()
  readonly #byAddress = new Map<string, Set<Client>>()

  add(client: Client): void {
    this.all.add(client)
    this[client.mode].add(client)
    for (const address of client.addresses) this.#enter(address, client)
  }

  remove(client: Client): void {
    this.all.delete(client)
    this[client.mode].delete(client)
    this.#leave(client)
  }

  /** Number of addresses that clients follow. */
  get addresses(): number {
    return this.#byAddress.size
  }

  /** Replaces the addresses of a client. */
  move(client: Client, addresses: ReadonlySet<string>): void {
    this.#leave(client)
    client.addresses = addresses
    for (const address of addresses) this.#enter(address, client)
  }

  /** Returns the clients of mode `address` whose outputs a snapshot changes, or whose transactions it confirms. */
  touchedBy({ spent, made, txs }: SnapshotRecord): Set<Client> {
    const touched = new Set<Client>()
    if (this.address.size === 0) return touched
    const addresses = new Set([...Object.values(spent), ...Object.values(made).map(({ address }) => address)])
    for (const address of addresses) for (const client of this.#byAddress.get(address) ?? []) touched.add(client)
    // A transaction of its own need not touch its addresses.
    for (const client of this.address)
      if (client.own.size > 0 && txs.some(({ txId }) => client.own.has(txId))) touched.add(client)
    return touched
  }

  #enter(address: string, client: Client): void {
    const room = this.#byAddress.get(address)
    if (room === undefined) this.#byAddress.set(address, new Set([client]))
    else room.add(client)
  }

  #leave(client: Client): void {
    for (const address of client.addresses) {
      const room = this.#byAddress.get(address)
      room?.delete(client)
      if (room?.size === 0) this.#byAddress.delete(address)
    }
  }
}
