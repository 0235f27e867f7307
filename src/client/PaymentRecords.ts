import type { Journal, JournalEntry } from '../types/journal.js'
import { assertEntry } from './journalEntry.js'
import type { Deferred } from './deferred.js'
import { deferred } from './deferred.js'
import { startTimer } from '../net/timers.js'
import type { SettledTx } from './types.js'

/** Needs of the records. */
export interface RecordsOptions {
  /** Null: ids hold for the life of the client. */
  readonly journal: Journal | null
  /** Reports the end of a payment that no call waits for. */
  readonly onSettled: (settled: SettledTx & { readonly id: string }) => void
  /** Reports a journal that failed where no call waits for it. */
  readonly onJournalError: (error: unknown) => void
}

/** Longest wait for writes under way when the client disconnects, ms. */
const CLOSE_WAIT_MS = 5_000

/** The way of a transaction into the journal. */
interface Place {
  readonly id: string
  /** Resolves once it stands in its entry in memory. */
  readonly inEntry: Deferred<void>
  /** Resolves once the journal has received it, or never will. */
  readonly issued: Deferred<void>
}

/** Writes of one id: at most one is under way, and one more waits. */
interface Writes {
  last: Promise<void>
  queued: { readonly issued: Promise<void>; readonly durable: Promise<void> } | null
}

/** Payments, deposits and withdrawals of this client under ids, in memory and in its journal. */
export class PaymentRecords {
  readonly options: RecordsOptions
  /** Calls, and resumed entries, that are under way, by id. */
  readonly running: Map<string, Promise<unknown>> = new Map()
  readonly #entries = new Map<string, JournalEntry>()
  readonly #writes = new Map<string, Writes>()
  /** Transactions on their way into the journal: each is there before those that spend its outputs. */
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

  /** Changes an entry in memory. */
  set(entry: JournalEntry): void {
    this.#entries.set(entry.id, entry)
  }

  /** Forgets an entry that never was in the journal. */
  drop(id: string): void {
    this.#entries.delete(id)
  }

  /**
   * Writes an entry as it is once its turn comes: changes that are made until then are written with it.
   *
   * @returns `issued`: the journal has received it, in the order of all; `durable`: it is kept, or that failed
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

  /** Writes an entry that no call waits for. */
  writeLater(id: string): void {
    this.write(id).durable.catch((error: unknown) => this.options.onJournalError(error))
  }

  /** Registers a transaction of an id that will be in the journal before those that spend its outputs. */
  place(id: string, txId: string): Place {
    const known = this.#places.get(txId)
    if (known !== undefined) return known
    const place: Place = { id, inEntry: deferred<void>(), issued: deferred<void>() }
    this.#places.set(txId, place)
    void place.issued.promise.then(() => {
      place.inEntry.resolve()
      if (this.#places.get(txId) === place) this.#places.delete(txId)
    })
    return place
  }

  /** Resolves once the journal has received a transaction before the next write of `id`, or never will. */
  async placed(id: string, txId: string): Promise<void> {
    const place = this.#places.get(txId)
    // An entry is written whole.
    await (place?.id === id ? place.inEntry : place?.issued)?.promise
  }

  /** Registers a call that is under way under an id. */
  run<T>(id: string, work: () => Promise<T>): Promise<T> {
    const running = work().finally(() => {
      if (this.running.get(id) === running) this.running.delete(id)
    })
    running.catch(() => undefined)
    this.running.set(id, running)
    return running
  }

  /** Ends with the connection: waits for writes under way, and closes the journal. */
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
