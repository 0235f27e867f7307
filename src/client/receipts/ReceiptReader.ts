import { utxoFromJson } from '../../bridge/inner.js'
import type { LedgerEvent, UTxOObject } from '../../bridge/inner.js'
import { InvalidCursorError } from '../../errors/receipts.js'
import { readTxChange } from '../txChange.js'
import type { CursorPlace } from './cursor.js'
import { LedgerAddresses } from './LedgerAddresses.js'
import { ReceiptQueue } from './ReceiptQueue.js'
import type { WatchedAddresses } from './paymentReceipt.js'
import { depositReceipt, paymentReceipt } from './paymentReceipt.js'
import type { UncheckedReceipt } from './paymentReceipt.js'

type Snapshot = Extract<LedgerEvent, { kind: 'snapshot' }>

/** Number of recent deposits that are remembered, because one may come a second time: from the history and live. */
const MAX_FINAL = 1_000

/** Options of a {@link ReceiptReader}. */
export interface ReaderOptions {
  readonly watched: WatchedAddresses
  /** True: change, and moves within the wallet, are receipts as well. */
  readonly withOwn: boolean
  /**
   * Place of the last receipt that was booked; null: all receipts are read; `'present'`: only those that come after the
   * past has been read.
   */
  readonly after: CursorPlace | 'present' | null
  /** Makes the error for receipts that the source no longer has. */
  gap(after: CursorPlace | null, knownPlace: CursorPlace): Error
}

/**
 * Makes receipts of the events of a ledger. It first skips events up to the place of the cursor, then delivers the
 * receipts that follow. A reading that begins again skips to the place that it had reached.
 */
export class ReceiptReader {
  readonly queue: ReceiptQueue<UncheckedReceipt> = new ReceiptQueue()
  readonly #options: ReaderOptions
  readonly #ledger = new LedgerAddresses()
  readonly #final = new Set<string>()
  /** Place up to which events are skipped; null: receipts are delivered. */
  #seek: CursorPlace | 'present' | null
  /** Place up to which all receipts were delivered; null: none yet. */
  #reached: CursorPlace | null = null
  #headId: string | null = null
  #number = -1
  /**
   * First place of a source that does not reach back to the beginning of the ledger; null: it does; `'idle'`: it begins
   * between two heads.
   */
  #first: CursorPlace | 'idle' | null = null

  constructor(options: ReaderOptions) {
    this.#options = options
    this.#seek = options.after
  }

  /** Place after which the events are needed; null: from the beginning. */
  get from(): CursorPlace | null {
    return this.#reached ?? (typeof this.#seek === 'string' ? null : this.#seek)
  }

  /** True when events before this one were missed, so that the past has to be read again. */
  misses(event: LedgerEvent): boolean {
    return event.kind === 'snapshot' && (event.headId !== this.#headId || event.from > this.#number)
  }

  /** Begins a reading from the source's oldest event. */
  restart(): void {
    this.#seek = this.#reached ?? this.#seek
    this.#headId = null
    this.#number = -1
    this.#first = null
    this.#ledger.reset(null)
  }

  /** Receives the next event. @throws the error of {@link ReaderOptions.gap}, {@link InvalidCursorError} */
  read(event: LedgerEvent): void {
    if (event.kind === 'opened') this.#open(event.headId, event.utxo)
    else if (event.kind === 'checkpoint') this.#begin(event.headId, event.number, event.utxo)
    else if (event.kind === 'snapshot') this.#readSnapshot(event)
    else if (event.kind === 'deposit') this.#readDeposit(event.depositTxId, event.utxo)
    else if (event.headId === this.#headId && event.number > this.#number) this.#begin(event.headId, event.number, null)
  }

  /** Notes that the past has been read to its end. Throws when the place that is sought is not in this history. */
  present(): void {
    const seek = this.#seek
    if (seek === null || this.#first === 'idle') return
    if (seek === 'present') {
      this.#deliver()
      this.#reach({ kind: 'snapshot' })
    } else if (this.#headId === seek.headId && this.#number === seek.snapshotNumber && seek.kind !== 'payment')
      this.#deliver()
    else if (this.#first !== null) throw this.#options.gap(seek, this.#first)
    else throw new InvalidCursorError('a cursor of this node', 'one of a head or snapshot that it does not know')
  }

  #open(headId: string, utxo: UTxOObject): void {
    if (headId === this.#headId) return
    this.#leave()
    if (this.#first === 'idle') {
      this.#first = { headId, snapshotNumber: 0, kind: 'snapshot' }
      if (this.#seek !== 'present') throw this.#options.gap(this.#seek, this.#first)
    }
    this.#enter(headId, 0, utxo)
    for (const { input, output } of utxoFromJson(utxo)) {
      const place = { headId, snapshotNumber: 0, kind: 'deposit', id: input.txHash, index: input.index } as const
      if (this.#isPast(place)) this.#push(depositReceipt(place, { input, output }, this.#options.watched))
    }
    this.#passEnd()
  }

  /** Continues from a snapshot whose predecessors the source does not have. */
  #begin(headId: string | null, number: number, utxo: UTxOObject | null): void {
    if (headId === null) {
      this.#first = 'idle'
      return
    }
    if (headId === this.#headId && number <= this.#number) return
    const knownPlace: CursorPlace = { headId, snapshotNumber: number, kind: 'snapshot' }
    this.#first = knownPlace
    this.#enter(headId, number, utxo)
    const seek = this.#seek
    // A head begins with number 0.
    if (seek === null && number > 0) throw this.#options.gap(this.#reached, knownPlace)
    if (seek === null || seek === 'present' || seek.headId !== headId || seek.snapshotNumber > number) return
    // The rest of a snapshot that is cut off is not known.
    if (seek.snapshotNumber < number || seek.kind === 'payment') throw this.#options.gap(seek, knownPlace)
    this.#deliver()
  }

  #enter(headId: string, number: number, utxo: UTxOObject | null): void {
    this.#headId = headId
    this.#number = number
    this.#ledger.reset(utxo)
  }

  /** Handles the end of a head: a cursor at the head's end is continued by the next head. */
  #leave(): void {
    const seek = this.#seek
    if (seek === null || seek === 'present' || seek.headId !== this.#headId) return
    if (seek.kind === 'payment' || seek.snapshotNumber > this.#number)
      throw new InvalidCursorError('a cursor of this node', 'one of a receipt that its head does not have')
    this.#deliver()
  }

  #readSnapshot(event: Snapshot): void {
    const { headId, from, number, txs, spent } = event
    if (headId !== this.#headId) {
      this.#leave()
      this.#begin(headId, from, null)
    }
    if (number <= this.#number) return
    if (from > this.#number) this.#begin(headId, from, null)
    this.#passBefore(number)
    this.#number = number
    if (spent !== undefined) this.#ledger.state(spent)
    for (const { txId, cborHex, verified } of txs) {
      const tx = readTxChange(cborHex)
      // A transaction of unknown effect: what it paid is not known.
      if (tx === null) return this.#missTransaction(number)
      const from = tx.spent.map((ref) => this.#ledger.spend(ref))
      for (const { index, output } of tx.made) {
        this.#ledger.add(`${txId}#${index}`, output.address)
        const place = { headId, snapshotNumber: number, kind: 'payment', id: txId, index } as const
        if (this.#isPast(place))
          this.#push(paymentReceipt(place, { tx, output, from, verified: verified === true }, this.#options.watched))
      }
    }
    this.#passEnd()
  }

  #missTransaction(number: number): void {
    const knownPlace: CursorPlace = { headId: this.#headId!, snapshotNumber: number, kind: 'snapshot' }
    if (this.#seek === null) throw this.#options.gap(this.#reached, knownPlace)
    this.#passEnd()
  }

  #readDeposit(depositTxId: string, utxo: UTxOObject): void {
    if (this.#headId === null || (this.#seek === null && this.#final.has(depositTxId))) return
    this.#ledger.addAll(utxo)
    const outputs = utxoFromJson(Object.fromEntries(Object.entries(utxo).sort(([a], [b]) => (a < b ? -1 : 1))))
    const [headId, snapshotNumber] = [this.#headId, this.#number]
    outputs.forEach((output, index) => {
      const place = { headId, snapshotNumber, kind: 'deposit', id: depositTxId, index } as const
      if (this.#isPast(place)) this.#push(depositReceipt(place, output, this.#options.watched))
    })
    if (this.#seek !== null) return
    this.#reach({ kind: 'deposit', id: depositTxId, index: outputs.length - 1 })
    this.#final.add(depositTxId)
    for (const oldest of this.#final) {
      if (this.#final.size <= MAX_FINAL) break
      this.#final.delete(oldest)
    }
  }

  /** True for places after the one that is sought; notes when that place itself is reached. */
  #isPast(place: Extract<CursorPlace, { index: number }>): boolean {
    const seek = this.#seek
    if (seek === null) return true
    if (seek === 'present' || seek.kind === 'snapshot') return false
    const isThere =
      seek.id === place.id && seek.index === place.index && seek.kind === place.kind && seek.headId === place.headId
    if (isThere && (seek.kind === 'deposit' || seek.snapshotNumber === place.snapshotNumber)) this.#deliver()
    return false
  }

  /** Handles the step to snapshot `number`: a sought place before it has been passed, or never existed. */
  #passBefore(number: number): void {
    const seek = this.#seek
    if (seek === null || seek === 'present' || seek.headId !== this.#headId || seek.snapshotNumber >= number) return
    if (seek.kind === 'payment' && this.#number === seek.snapshotNumber)
      throw new InvalidCursorError(
        'a cursor of this node',
        `one of a receipt that snapshot ${seek.snapshotNumber} does not have`
      )
    if (seek.snapshotNumber < this.#number) throw this.#options.gap(seek, this.#here())
    this.#deliver()
  }

  /** Handles the end of the present snapshot, which may be the place that is sought. */
  #passEnd(): void {
    const seek = this.#seek
    if (seek === null) this.#reach({ kind: 'snapshot' })
    else if (
      seek !== 'present' &&
      seek.kind === 'snapshot' &&
      seek.headId === this.#headId &&
      seek.snapshotNumber === this.#number
    )
      this.#deliver()
  }

  #deliver(): void {
    this.#seek = null
  }

  #here(): CursorPlace {
    return { headId: this.#headId!, snapshotNumber: this.#number, kind: 'snapshot' }
  }

  #reach(at: { kind: 'snapshot' } | { kind: 'deposit'; id: string; index: number }): void {
    if (this.#headId !== null) this.#reached = { headId: this.#headId, snapshotNumber: this.#number, ...at }
  }

  #push(receipt: UncheckedReceipt | null): void {
    if (receipt !== null && (this.#options.withOwn || !receipt.own)) this.queue.push(receipt)
  }
}
