import type { JournalEnd, JournalEntry, JournalPart, JournalTx } from '../types/journal.js'
import type { ConfirmedEnd } from './certainFate.js'
import type { OwnTx } from './ownTx.js'
import { confirmationOf } from './ownTx.js'
import type { PaymentRecords } from './PaymentRecords.js'

/** Journal entry of one payment id, with the operations by which an action reads and changes it. */
export class EntryRecord {
  readonly id: string
  readonly #records: PaymentRecords
  /** Ids of transactions whose end is recorded once it is known. */
  readonly #followed = new Set<string>()
  /** Transactions outside of the pending view that may have been sent: deposits and decommits. */
  readonly #sent: Set<string>
  /**
   * True while a call of this process waits for the action: the call returns the end, and `onSettled` is not called.
   */
  #isCalled: boolean

  constructor(records: PaymentRecords, id: string, isCalled: boolean) {
    this.#records = records
    this.id = id
    this.#isCalled = isCalled
    const { action, parts } = this.entry
    const isElsewhere = action === 'deposit' || action === 'withdraw'
    this.#sent = new Set(isElsewhere ? parts.flatMap(({ txs }) => txs.map(({ txId }) => txId)) : [])
  }

  /** Present entry. */
  get entry(): JournalEntry {
    return this.#records.get(this.id)!
  }

  /** Notes that the call has ended: later ends are reported through `onSettled`. */
  endCall(): void {
    this.#isCalled = false
  }

  /** Appends one part (transaction) for each element of `counts`, its number of payments. */
  addParts(counts: readonly number[]): void {
    const added = counts.map((count): JournalPart => ({ count, txs: [], end: null }))
    this.#change({ parts: [...this.entry.parts, ...added] })
  }

  /** Adds members to the stored arguments, which a later process needs to continue the action. */
  setArgs(members: Readonly<Record<string, unknown>>): void {
    this.#change({ args: { ...(this.entry.args as object | null), ...members } })
  }

  /** Notes that a transaction may be at the node or on the base ledger from now on. */
  markSent(txId: string): void {
    this.#sent.add(txId)
  }

  /** True for a transaction that was marked as sent. */
  wasSent(txId: string): boolean {
    return this.#sent.has(txId)
  }

  /** Appends the part of an entry that has one transaction only, unless it exists. */
  begin(): void {
    if (this.entry.parts.length === 0) this.addParts([1])
  }

  /**
   * Moves the entry to the head `headId`, because its own head has ended without its open transactions: they are built
   * again.
   */
  moveTo(headId: string): void {
    const parts = this.entry.parts.map((part) => (part.end === null ? { ...part, txs: [] } : part))
    this.#change({ headId, parts })
    this.#records.writeLater(this.id)
  }

  /** Registers a reserved transaction, so that transactions that spend its outputs enter the journal only after it. */
  onReserved(ownTx: OwnTx): void {
    const place = this.#records.place(this.id, ownTx.pending.txId)
    void ownTx.progress.untilNot('reserved').then(() => place.issued.resolve())
  }

  /**
   * Stores a signed transaction durably in the journal before it is sent. `attempts`: earlier attempts of the same part
   * that were sent and may still be confirmed; all others are dropped from the entry.
   *
   * @throws the journal's error; the transaction is then neither sent nor in the journal
   */
  async beforeSend(index: number, ownTx: OwnTx, signed: string, attempts: readonly OwnTx[]): Promise<void> {
    const { txId, parents } = ownTx.pending
    await Promise.all(parents.map((parent) => this.#records.placed(this.id, parent.txId)))
    const { fee, expirySlot, expiresAt, confirmedInputs: spent } = ownTx
    const tx = { txId, cborHex: signed, fee: String(fee), expirySlot, expiresAt, spent }
    await this.keep(
      index,
      tx,
      attempts.map((each) => each.pending.txId)
    )
    this.follow(index, ownTx)
  }

  /**
   * Stores an attempt durably in the journal. `before`: ids of the earlier attempts that were sent, which stay in the
   * entry.
   */
  async keep(index: number, tx: JournalTx, before: readonly string[]): Promise<void> {
    const place = this.#records.place(this.id, tx.txId)
    const { parts, state, step } = this.entry
    this.#setTxs(index, [...parts[index]!.txs.filter((each) => before.includes(each.txId)), tx])
    this.#change({ state: 'open', step: 'signed' })
    place.inEntry.resolve()
    const { issued, durable } = this.#records.write(this.id)
    void issued.then(() => place.issued.resolve())
    try {
      await durable
    } catch (error) {
      const left = this.entry.parts[index]!.txs.filter((each) => each.txId !== tx.txId)
      this.#setTxs(index, left)
      if (this.entry.parts.every(({ txs }) => txs.length === 0)) this.#change({ state, step })
      throw error
    }
  }

  /** Waits in the background until a transaction is confirmed, and records its end. */
  follow(index: number, ownTx: OwnTx): void {
    if (this.#followed.has(ownTx.pending.txId)) return
    this.#followed.add(ownTx.pending.txId)
    void confirmationOf(ownTx).then((end) => this.confirm(index, end, ownTx.fee))
  }

  /** Records that a part is confirmed; with the last part, the entry is confirmed too. */
  confirm(index: number, settled: ConfirmedEnd, fee: bigint): void {
    if (this.entry.parts[index]!.end !== null) return
    const { txId, snapshotNumber, exact, verified } = settled
    const end: JournalEnd = { txId, fee: String(fee), snapshotNumber, exact, verified }
    // The bytes have done their work: from now on the id and the result count.
    this.#setPart(index, { txs: [], end })
    const { action, parts, args } = this.entry
    const total = (args as { payments?: readonly unknown[] } | null)?.payments?.length ?? 1
    const count = parts.reduce((sum, each) => sum + (each.end === null ? 0 : each.count), 0)
    if (action !== 'withdraw' && count >= total) this.#change({ state: 'confirmed', step: 'confirmed' })
    this.#records.writeLater(this.id)
    if (!this.#isCalled && action !== 'withdraw') this.#records.options.onSettled({ id: this.id, ...settled })
  }

  /** Records a step; a `result` marks the entry as confirmed. Resolves once it is durable. */
  async reach(step: string, result?: unknown): Promise<void> {
    if (this.entry.step === step && result === undefined) return
    this.#change(result === undefined ? { step } : { step, result, state: 'confirmed' })
    // A deposit or withdrawal that is done needs its bytes no more.
    if (result !== undefined) this.#change({ parts: this.entry.parts.map((part) => ({ ...part, txs: [] })) })
    await this.#records.write(this.id).durable
  }

  /** Records a step without waiting until it is durable. */
  note(step: string): void {
    if (this.entry.step === step) return
    this.#change({ step })
    this.#records.writeLater(this.id)
  }

  /**
   * Records that the caller received an error, so that the payment is not sent again by itself. An entry that was never
   * written to a journal and has no attempt that was sent is dropped: its id is free again.
   */
  async fail(step: string, sent: (txId: string) => boolean): Promise<void> {
    if (this.entry.state === 'confirmed') return
    const parts = this.entry.parts.map((part) => ({ ...part, txs: part.txs.filter((tx) => sent(tx.txId)) }))
    const isUntouched = parts.every(({ txs, end }) => txs.length === 0 && end === null)
    const wasWritten = this.entry.step !== 'new'
    this.#change({ state: 'failed', step, parts })
    if (wasWritten) await this.#records.write(this.id).durable.catch(this.#records.options.onJournalError)
    else if (isUntouched) this.#records.drop(this.id)
  }

  #change(members: Partial<JournalEntry>): void {
    this.#records.set({ ...this.entry, ...members })
  }

  #setTxs(index: number, txs: readonly JournalTx[]): void {
    this.#setPart(index, { txs })
  }

  #setPart(index: number, members: Partial<JournalPart>): void {
    this.#change({ parts: this.entry.parts.map((part, at) => (at === index ? { ...part, ...members } : part)) })
  }
}
