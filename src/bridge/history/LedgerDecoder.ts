import type { LayerPayload, PayloadOf } from '../protocol/messages.js'
import type { TransactionJson, UTxOObject } from '../protocol/types.js'
import { getOwn, isRecord } from '../protocol/wireRecord.js'
import type { LedgerEvent } from './LedgerEvent.js'

/** Maximum number of transactions of older nodes that wait for their snapshot, which names them by id alone. */
const MAX_WAITING = 10_000
/** Maximum number of deposits that have not become final. */
const MAX_DEPOSITS = 1_000

/** Details that a gateway's log adds to a message. */
export interface EventDetails {
  /** Number of the snapshot before it in the log. @default its own number less one */
  readonly from?: number | undefined
  /** Addresses of the outputs that the snapshot spends, by reference (`'txHash#index'`). */
  readonly spent?: Readonly<Record<string, string>> | undefined
}

/**
 * Converts a node's messages, given in their order, into events of the head's ledger.
 *
 * @example
 * ```ts no-run
 * const decoder = new LedgerDecoder()
 * bridge.observe({ onMessage: (payload) => console.log(decoder.read(payload)?.kind) })
 * ```
 */
export class LedgerDecoder {
  #headId: string | null = null
  #number = -1
  readonly #deposits = new Map<string, UTxOObject>()
  #toCommit: UTxOObject | null = null
  readonly #waiting = new Map<string, string>()

  /** Continues after the given snapshot of a head. @throws no error */
  restart(headId: string, number: number): void {
    this.#headId = headId
    this.#number = number
  }

  /** Returns the ledger event of a message; null for a message that changes no ledger. @throws no error */
  read(payload: LayerPayload, details: EventDetails = {}): LedgerEvent | null {
    switch (payload.tag) {
      case 'SnapshotConfirmed':
        return this.#readSnapshot(payload, details)
      case 'TxValid':
        this.#noteBytes(payload.transaction)
        return null
      case 'HeadIsOpen': {
        this.#headId = payload.headId
        this.#number = 0
        this.#toCommit = null
        this.#deposits.clear()
        return { kind: 'opened', headId: payload.headId, utxo: payload.utxo ?? {} }
      }
      case 'CommitRecorded':
        this.#keep(this.#deposits, payload.pendingDeposit, payload.utxoToCommit, MAX_DEPOSITS)
        return null
      case 'CommitApproved':
        this.#toCommit = payload.utxoToCommit
        return null
      case 'CommitFinalized':
        return this.#readDeposit(payload.depositTxId)
      case 'SnapshotSideLoaded':
        return this.#readSideLoaded(payload.snapshotNumber)
      case 'EventLogRotated':
        return this.#readCheckpoint(payload.checkpoint)
      default:
        return null
    }
  }

  #readSnapshot({ snapshot }: PayloadOf<'SnapshotConfirmed'>, { from, spent }: EventDetails): LedgerEvent {
    const { headId, number, confirmed, utxoToCommit, depositTxId } = snapshot
    this.#headId = headId
    this.#number = Math.max(this.#number, number)
    if (utxoToCommit !== null && Object.keys(utxoToCommit).length > 0) {
      this.#toCommit = utxoToCommit
      if (typeof depositTxId === 'string') this.#keep(this.#deposits, depositTxId, utxoToCommit, MAX_DEPOSITS)
    }
    const txs = confirmed.map((tx) => this.#withBytes(tx))
    return {
      kind: 'snapshot',
      headId,
      from: from ?? number - 1,
      number,
      txs,
      ...(spent === undefined ? {} : { spent })
    }
  }

  #readDeposit(depositTxId: string): LedgerEvent | null {
    const utxo = this.#deposits.get(depositTxId) ?? this.#toCommit
    this.#deposits.delete(depositTxId)
    this.#toCommit = null
    return utxo === null || this.#headId === null ? null : { kind: 'deposit', headId: this.#headId, depositTxId, utxo }
  }

  /** Returns a gap, because a side-loaded snapshot does not say which transactions led to it. */
  #readSideLoaded(number: number): LedgerEvent | null {
    const from = this.#number
    if (this.#headId === null || number <= from) return null
    this.#number = number
    return { kind: 'gap', headId: this.#headId, from, number }
  }

  /** Reads a state in the node's own form (from 1.0): `headState.contents`. */
  #readCheckpoint(checkpoint: unknown): LedgerEvent {
    const contents = memberOf(memberOf(checkpoint, 'headState'), 'contents')
    const confirmed =
      memberOf(memberOf(contents, 'coordinatedHeadState'), 'confirmedSnapshot') ??
      memberOf(contents, 'confirmedSnapshot')
    const snapshot = memberOf(confirmed, 'snapshot')
    const [headId, number] = [memberOf(contents, 'headId'), memberOf(snapshot, 'number')]
    const utxo = memberOf(snapshot, 'utxo') ?? memberOf(confirmed, 'initialUTxO')
    this.#headId = typeof headId === 'string' ? headId : null
    this.#number = typeof number === 'number' ? number : 0
    return {
      kind: 'checkpoint',
      headId: this.#headId,
      number: this.#number,
      utxo: isRecord(utxo) ? (utxo as UTxOObject) : null
    }
  }

  #noteBytes({ txId, cborHex }: TransactionJson): void {
    if (cborHex !== undefined) this.#keep(this.#waiting, txId, cborHex, MAX_WAITING)
  }

  #withBytes(tx: TransactionJson): TransactionJson {
    const cborHex = this.#waiting.get(tx.txId)
    this.#waiting.delete(tx.txId)
    return tx.cborHex !== undefined || cborHex === undefined ? tx : { ...tx, cborHex }
  }

  #keep<T>(map: Map<string, T>, key: string, value: T, max: number): void {
    map.set(key, value)
    for (const oldest of map.keys()) {
      if (map.size <= max) break
      map.delete(oldest)
    }
  }
}

const memberOf = (value: unknown, name: string): unknown => (isRecord(value) ? getOwn(value, name) : undefined)
