import type { Journal, JournalEntry } from '../types/journal.js'
import { assertEntry } from './journalEntry.js'
import type { Deferred } from './deferred.js'
import { deferred } from './deferred.js'
import { startTimer } from '../net/timers.js'
import type { SettledTx } from './types.js'

/** Options of {@link PaymentRecords}. */
export interface RecordsOptions {
  /** Journal that stores the entries; null: ids are known for the life of the client only. */
  readonly journal: Journal | null
  /** Reports the end of a payment that no call waits for. */
  readonly onSettled: (settled: SettledTx & { readonly id: string }) => void
  /** Reports an error of a journal write that no call waits for. */
  readonly onJournalError: (error: unknown) => void
}

/** Longest wait for writes under way when the client disconnects, ms. */
const CLOSE_WAIT_MS = 5_000

/** Progress of a transaction into the journal. */
interface Place {
  readonly id: string
  /** Resolves once the transaction is part of its entry in memory. */
  readonly inEntry: Deferred<void>
  /** Resolves once the transaction has been passed to the journal, or will never be. */
  readonly issued: Deferred<void>
}

/** Writes of one id's entry: at most one runs, and at most one more is queued. */
interface Writes {
  last: Promise<void>
  queued: { readonly issued: Promise<void>; readonly durable: Promise<void> } | null
}

/** Payments, deposits and withdrawals of this client that have ids, in memory and in its journal. */
export class PaymentRecords {
  readonly options: RecordsOptions
  /** Calls, and resumed entries, that are under way, by id. */
  readonly running: Map<string, Promise<unknown>> = new Map()
  readonly #entries = new Map<string, JournalEntry>()
  readonly #writes = new Map<string, Writes>()
  /** Transactions on their way into the journal: each is written before the transactions that spend its outputs. */
  readonly #places = new Map<string, Place>()
  #loading: Promise<void> | null = null

  constructor(options: RecordsOptions) {
    this.options = options
  }

  /** Entries in the order of their ids' first use. */
  all(): JournalEntry[] {
    return [...this.#entries.values()]
  }

  /** Returns the entry of an id. */
  get(id: string): JournalEntry | undefined {
    return this.#entries.get(id)
  }

  /**
   * Reads the journal, once.
   * @throws the journal's errors; {@link JournalVersionError}, {@link JournalBrokenError}
   */
  load(): Promise<void> {
    this.#loading ??= this.#read().catch((error: unknown) => {
      this.#loading = null
      throw error
    })
    return this.#loading
  }

  async #read(): Promise<void> {
    if (this.options.journal === null) return
    const found: JournalEntry[] = []
    for await (const entry of this.options.journal.all()) found.push(assertEntry(entry, found.length + 1))
    for (const entry of found) if (!this.#entries.has(entry.id)) this.#entries.set(entry.id, entry)
  }

  /** Adds or replaces an entry in memory. */
  set(entry: JournalEntry): void {
    this.#entries.set(entry.id, entry)
  }

  /** Forgets an entry that never was in the journal. */
  drop(id: string): void {
    this.#entries.delete(id)
  }

  /**
   * Writes an entry when its turn comes, with all changes that were made until then.
   *
   * @returns `issued`: resolves once the entry has been passed to the journal; `durable`: resolves once it is stored,
   * rejects when that failed
   */
  write(id: string): { readonly issued: Promise<void>; readonly durable: Promise<void> } {
    const { journal } = this.options
    if (journal === null) return { issued: Promise.resolve(), durable: Promise.resolve() }
    const writes = this.#writesOf(id)
    if (writes.queued !== null) return writes.queued
    const issued = deferred<void>()
    const put = async (): Promise<void> => {
      writes.queued = null
      const entry = this.#entries.get(id)
      if (entry === undefined) return issued.resolve()
      const durable = journal.put(Object.freeze({ ...entry, updatedAt: Date.now() }))
      issued.resolve()
      await durable
    }
    const durable = writes.last.then(put, put)
    durable.catch(() => undefined)
    writes.last = durable
    writes.queued = { issued: issued.promise, durable }
    return writes.queued
  }

  /** Writes an entry without waiting; an error goes to `onJournalError`. */
  writeLater(id: string): void {
    this.write(id).durable.catch((error: unknown) => this.options.onJournalError(error))
  }

  /** Registers a transaction of an id, so that it enters the journal before the transactions that spend its outputs. */
  place(id: string, txId: string): Place {
    const existing = this.#places.get(txId)
    if (existing !== undefined) return existing
    const place: Place = { id, inEntry: deferred<void>(), issued: deferred<void>() }
    this.#places.set(txId, place)
    void place.issued.promise.then(() => {
      place.inEntry.resolve()
      if (this.#places.get(txId) === place) this.#places.delete(txId)
    })
    return place
  }

  /** Resolves once a transaction will be in the journal with the next write of `id` at the latest, or never will be. */
  async placed(id: string, txId: string): Promise<void> {
    const place = this.#places.get(txId)
    // An entry is written whole.
    await (place?.id === id ? place.inEntry : place?.issued)?.promise
  }

  /** Runs `work`, and registers it as the call that is under way for an id. */
  run<T>(id: string, work: () => Promise<T>): Promise<T> {
    const running = work().finally(() => {
      if (this.running.get(id) === running) this.running.delete(id)
    })
    running.catch(() => undefined)
    this.running.set(id, running)
    return running
  }

  /** Waits for writes that are under way, and closes the journal; called when the client disconnects. */
  async close(): Promise<void> {
    const written = async (): Promise<void> => {
      await Promise.allSettled(this.running.values())
      for (const { last } of this.#writes.values()) await last.catch(() => undefined)
    }
    // A journal that does not answer must not hold disconnect() up.
    let stop = (): void => undefined
    const late = new Promise<void>((resolve) => {
      stop = startTimer(CLOSE_WAIT_MS, resolve)
    })
    await Promise.race([written(), late]).finally(stop)
    await this.options.journal?.close?.().catch((error: unknown) => this.options.onJournalError(error))
  }

  #writesOf(id: string): Writes {
    const found = this.#writes.get(id)
    if (found !== undefined) return found
    const writes: Writes = { last: Promise.resolve(), queued: null }
    this.#writes.set(id, writes)
    return writes
  }
}
