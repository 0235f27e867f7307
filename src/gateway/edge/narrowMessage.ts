import type { TransactionJson, TxOutJson, WireRecord } from '../../bridge/inner.js'
import { textIn, txEffect } from '../../bridge/inner.js'
import { hexToBytes } from '../../codec/hex.js'
import { readTransaction, transactionId } from '../../codec/transaction.js'
import { tagOf } from '../core/nodeMessage.js'
import { membersOf } from './addressMembers.js'

/** The addresses that a client of mode `address` follows, and the transactions that it sent. */
export interface Wanted {
  readonly addresses: ReadonlySet<string>
  /** Ids that were computed from bytes that the client sent. */
  readonly own: ReadonlySet<string>
}

/** Facts of the transactions in one message, each read once for all clients. */
export class TxBodies {
  readonly #utxo: ReadonlyMap<string, TxOutJson>
  readonly #facts = new Map<WireRecord, { readonly txId: string | null; readonly touched: ReadonlySet<string> }>()

  /** `utxo`: the outputs of the head, for the addresses that a transaction spends from. */
  constructor(utxo: ReadonlyMap<string, TxOutJson>) {
    this.#utxo = utxo
  }

  /** True when a client sent these bytes, or they touch its addresses. */
  mayRead(transaction: WireRecord, { addresses, own }: Wanted): boolean {
    const { txId, touched } = this.#factsOf(transaction)
    return (txId !== null && own.has(txId)) || [...touched].some((address) => addresses.has(address))
  }

  #factsOf(transaction: WireRecord): { readonly txId: string | null; readonly touched: ReadonlySet<string> } {
    let facts = this.#facts.get(transaction)
    if (facts === undefined) {
      const effect = txEffect(transaction as unknown as TransactionJson)
      const spent = (effect?.spent ?? [])
        .map((key) => this.#utxo.get(key)?.address)
        .filter((address) => address !== undefined)
      const paid = [...(effect?.made.values() ?? [])].map(({ address }) => address)
      facts = { txId: hashedId(transaction), touched: new Set([...spent, ...paid]) }
      this.#facts.set(transaction, facts)
    }
    return facts
  }
}

/**
 * Returns the id that follows from the bytes of a transaction, whatever id it states; null where they cannot be read.
 */
export function hashedId(transaction: unknown): string | null {
  try {
    return transactionId(readTransaction(hexToBytes(textIn(transaction, 'cborHex') ?? '', 'The transaction')))
  } catch {
    return null
  }
}

/**
 * Returns a message as a client of mode `address` receives it: with known members only, without outputs of other
 * addresses, and without the node's state. Returns the same object where all of it may be seen; null for a message that
 * such clients do not receive.
 */
export function narrowMessage(
  message: WireRecord,
  reader: Wanted,
  isOwn: boolean,
  bodies: TxBodies
): WireRecord | null {
  const narrow = membersOf(tagOf(message))
  if (narrow === undefined) return null
  const viewer = {
    addresses: reader.addresses,
    isOwn,
    mayRead: (transaction: WireRecord) => bodies.mayRead(transaction, reader)
  }
  return narrow(message, viewer) as WireRecord
}
