import type { JournalEnd, JournalEntry, JournalPart, JournalTx } from '../types/journal.js'
import type { ConfirmedEnd } from './certainFate.js'
import type { OwnTx } from './ownTx.js'
import { confirmationOf } from './ownTx.js'
import type { PaymentRecords } from './PaymentRecords.js'

/** The record of one id while an action works on it. */
export class EntryRecord {
  readonly id: string
  readonly #records: PaymentRecords
  /** Ids of transactions whose end is recorded once it is known. */
  readonly #followed = new Set<string>()
  /** Transactions outside of the pending view that may have been sent: deposits and decommits. */
  readonly #sent: Set<string>
  /** True once an action of this process waits for it: its end is the action's, and no event. */
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

  /** The call has ended: later ends are events. */
  endCall(): void {
    this.#isCalled = false
  }

  /** Appends parts, each with so many payments. */
  addParts(counts: readonly number[]): void {
    const added = counts.map((count): JournalPart => ({ count, txs: [], end: null }))
    this.#change({ parts: [...this.entry.parts, ...added] })
  }

  /** Keeps what the entry is about beyond its arguments. */
  setArgs(members: Readonly<Record<string, unknown>>): void {
    this.#change({ args: { ...(this.entry.args as object | null), ...members } })
  }

  /** A transaction may be at the node or on the base ledger from now on. */
  markSent(txId: string): void {
    this.#sent.add(txId)
  }

  /** True for a transaction that was marked as sent. */
  wasSent(txId: string): boolean {
    return this.#sent.has(txId)
  }

  /** Appends a part for the one transaction of the entry, where there is none. */
  begin(): void {
    if (this.entry.parts.length === 0) this.addParts([1])
  }

  /** Its head has ended without its open transactions: they are built again in this one. */
  moveTo(headId: string): void {
    const parts = this.entry.parts.map((part) => (part.end === null ? { ...part, txs: [] } : part))
    this.#change({ headId, parts })
    this.#records.writeLater(this.id)
  }

  /** Registers a reserved transaction: those that spend its outputs wait for its place in the journal. */
  onReserved(own: OwnTx): void {
    const place = this.#records.place(this.id, own.pending.txId)
    void own.progress.untilNot('reserved').then(() => place.issued.resolve())
  }

  /**
   * Makes a signed transaction durable, before it is sent. `attempts`: earlier ones of the same part, which may still be
   * confirmed; others were never sent.
   *
   * @throws the journal's error: it is not sent, and not in the journal
   */
  async beforeSend(index: number, own: OwnTx, signed: string, attempts: readonly OwnTx[]): Promise<void> {
    const { txId, parents } = own.pending
    await Promise.all(parents.map((parent) => this.#records.placed(this.id, parent.txId)))
    const { fee, expirySlot, expiresAt, confirmedInputs: spent } = own
    const tx = { txId, cborHex: signed, fee: String(fee), expirySlot, expiresAt, spent }
    await this.keep(
      index,
      tx,
      attempts.map((each) => each.pending.txId)
    )
    this.follow(index, own)
  }

  /** Makes an attempt durable. `before`: ids of the earlier ones that were sent. */
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

  /** Records the end of a transaction once it is confirmed, whoever waits for it. */
  follow(index: number, own: OwnTx): void {
    if (this.#followed.has(own.pending.txId)) return
    this.#followed.add(own.pending.txId)
    void confirmationOf(own).then((end) => this.confirm(index, end, own.fee))
  }

  /** Records that a part is confirmed, and with the last part the entry. */
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

  /** Records a step, and the result with the last one. Resolves once it is durable. */
  async reach(step: string, result?: unknown): Promise<void> {
    if (this.entry.step === step && result === undefined) return
    this.#change(result === undefined ? { step } : { step, result, state: 'confirmed' })
    // A deposit or withdrawal that is done needs its bytes no more.
    if (result !== undefined) this.#change({ parts: this.entry.parts.map((part) => ({ ...part, txs: [] })) })
    await this.#records.write(this.id).durable
  }

  /** Records a step that no one waits for. */
  note(step: string): void {
    if (this.entry.step === step) return
    this.#change({ step })
    this.#records.writeLater(this.id)
  }

  /**
   * Records that the caller received an error: it is not sent again by itself. Without an attempt that was sent the id is
   * free again where no journal has it.
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
